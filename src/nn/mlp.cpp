// `mlp`: hidden layers with ReLU, linear head.
#include "deepcfr/core/error.h"
#include "model.h"

namespace deepcfr::nn {
namespace {

class Mlp final : public Model {
 public:
  Mlp(const FeatureLayout& layout, int outputs, const NetworkOptions& options) : Model(layout, outputs) {
    DEEPCFR_CHECK(options.layers >= 0 && options.hidden >= 1);
    int in = layout.width;
    for (int l = 0; l < options.layers; ++l, in = options.hidden)
      add_layer("layer" + std::to_string(l), {in}, options.hidden, true);
    add_layer("head", {in}, outputs, false);
  }
  std::unique_ptr<Pass> make_pass(Amp amp) const override;
};

/// In float32.
class MlpPass final : public Pass {
 public:
  explicit MlpPass(const Mlp& model)
      : model_(model), products_(make_float32_products()), activations_(model.layers().size() + 1) {}

  void load(std::span<const float> rows, std::int64_t count) override {
    const int width = model_.layout().width;
    DEEPCFR_CHECK(rows.size() == static_cast<std::size_t>(count) * static_cast<std::size_t>(width));
    count_ = count;
    activations_[0].reserve(panel_floats(count, width));
    to_panels(count, width, rows.data(), activations_[0].data());
    for (std::size_t l = 0; l < model_.layers().size(); ++l)
      activations_[l + 1].reserve(panel_floats(count, model_.layers()[l].out));
  }

  const float* forward(const float* packed) override {
    const auto& layers = model_.layers();
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const ProductOptions options{.bias = packed + layers[l].bias, .relu = l + 1 < layers.size()};
      products_->forward(count_, layers[l].in, layers[l].out, activations_[l].data(), packed + layers[l].weight[0],
                         activations_[l + 1].data(), options);
    }
    return activations_.back().data();
  }

  std::int64_t block_rows() const override {
    std::int64_t floats = model_.layout().width;
    for (const DenseLayer& layer : model_.layers()) floats += 2 * layer.out;
    return cached_rows(floats);
  }

  void backward(const float* packed, const float* d_out, bool add, float* gradient) override {
    const auto& layers = model_.layers();
    const float* dy = d_out;
    for (std::size_t l = layers.size(); l-- > 0;) {
      const DenseLayer& layer = layers[l];
      products_->backward_weight(count_, layer.in, layer.out, activations_[l].data(), dy, add, gradient + layer.weight[0]);
      column_sums(count_, layer.out, dy, add, gradient + layer.bias);
      if (l == 0) break;
      AlignedFloats& dx = d_hidden_[l % 2];
      dx.reserve(panel_floats(count_, layer.in));
      products_->backward_input(count_, layer.in, layer.out, dy, packed + layer.weight[0], dx.data(),
                                {.mask = activations_[l].data()});
      dy = dx.data();
    }
  }

 private:
  const Mlp& model_;
  std::unique_ptr<Products> products_;
  std::int64_t count_ = 0;
  std::vector<AlignedFloats> activations_;  // inputs, then the output of each layer
  AlignedFloats d_hidden_[2];
};

std::unique_ptr<Pass> Mlp::make_pass(Amp amp) const {
  if (amp == Amp::bf16) return make_mlp_bfloat16_pass(*this);
  return std::make_unique<MlpPass>(*this);
}

}  // namespace

std::shared_ptr<const Model> make_mlp(const FeatureLayout& layout, int outputs, const NetworkOptions& options) {
  return std::make_shared<Mlp>(layout, outputs, options);
}

}  // namespace deepcfr::nn
