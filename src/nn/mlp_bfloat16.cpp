// Mixed precision for an mlp: weights and biases are kept in float32 and rounded at each step; activations and their gradients
// are bfloat16 from layer to layer, so that memory carries half as much; loss and weight gradients leave as float32. The output layer, a
// hundredth of the work, is float32 throughout: outputs rounded to eight bits would limit how well a network can be fitted.
#include <array>
#include <limits>
#include <vector>

#include "bfloat16_products.h"
#include "deepcfr/core/error.h"
#include "model.h"

namespace deepcfr::nn {
namespace {

class MlpBfloat16Pass final : public Pass {
 public:
  explicit MlpBfloat16Pass(const Model& model)
      : model_(model), weights_(model.layers().size() - 1), activations_(model.layers().size()) {}

  void load(std::span<const float> rows, std::int64_t count) override {
    DEEPCFR_CHECK(rows.size() == static_cast<std::size_t>(count * model_.layout().width));
    count_ = count;
    activations_[0].assign(count, model_.layout().width, rows.data());
    hidden_.reserve(panel_floats(count, head().in));
    d_hidden_.reserve(panel_floats(count, head().in));
    outputs_.reserve(panel_floats(count, model_.outputs()));
  }

  const float* forward(const float* packed) override {
    const auto& layers = model_.layers();
    for (std::size_t l = 0; l + 1 < layers.size(); ++l) {
      weights_[l].assign_panels(layers[l].in, layers[l].out, packed + layers[l].weight[0]);
      multiply(activations_[l], false, weights_[l], false, activations_[l + 1]);
      activations_[l + 1].add_row(packed + layers[l].bias, true);
    }
    activations_.back().to_panels(hidden_.data());
    head_products_->forward(count_, head().in, head().out, hidden_.data(), packed + head().weight[0], outputs_.data(), {.bias = packed + head().bias});
    return outputs_.data();
  }

  std::int64_t block_rows() const override { return std::numeric_limits<std::int64_t>::max(); }  // LibTorch cuts for itself

  void backward(const float* packed, const float* d_out, bool add, float* gradient) override {
    DEEPCFR_CHECK(!add);  // never needed: all rows are one block
    const auto& layers = model_.layers();
    head_products_->backward_weight(count_, head().in, head().out, hidden_.data(), d_out, false, gradient + head().weight[0]);
    column_sums(count_, head().out, d_out, false, gradient + head().bias);
    if (layers.size() == 1) return;
    head_products_->backward_input(count_, head().in, head().out, d_out, packed + head().weight[0], d_hidden_.data(), {.mask = hidden_.data()});
    std::size_t at = 0;
    d_[at].assign_panels(count_, head().in, d_hidden_.data());
    for (std::size_t l = layers.size() - 1; l-- > 0; at = 1 - at) {
      multiply(activations_[l], true, d_[at], false, d_weight_);
      d_weight_.to_panels(gradient + layers[l].weight[0]);
      d_[at].column_sums(gradient + layers[l].bias);
      if (l == 0) break;
      multiply(d_[at], false, weights_[l], true, d_[1 - at]);
      d_[1 - at].keep_where_positive(activations_[l]);
    }
  }

 private:
  const DenseLayer& head() const { return model_.layers().back(); }

  const Model& model_;
  std::unique_ptr<Products> head_products_ = make_float32_products();
  std::int64_t count_ = 0;
  std::vector<Bfloat16Matrix> weights_;      // [in × out] of the last forward()
  std::vector<Bfloat16Matrix> activations_;  // inputs, then the output of each hidden layer
  std::array<Bfloat16Matrix, 2> d_;          // gradient at a layer's output, and the next one down
  Bfloat16Matrix d_weight_;
  AlignedFloats hidden_, d_hidden_, outputs_;  // of the output layer, in panel format
};

}  // namespace

std::unique_ptr<Pass> make_mlp_bfloat16_pass(const Model& mlp) { return std::make_unique<MlpBfloat16Pass>(mlp); }

}  // namespace deepcfr::nn
