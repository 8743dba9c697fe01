// Mixed precision for an mlp: weights and biases are kept in float32 and rounded at each step; activations and their gradients
// are bfloat16 from layer to layer, so that memory carries half as much; outputs, loss and weight gradients leave as float32.
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
      : model_(model), weights_(model.layers().size()), activations_(weights_.size() + 1) {}

  void load(std::span<const float> rows, std::int64_t count) override {
    DEEPCFR_CHECK(rows.size() == static_cast<std::size_t>(count * model_.layout().width));
    activations_[0].assign(count, model_.layout().width, rows.data());
    outputs_.reserve(panel_floats(count, model_.outputs()));
  }

  const float* forward(const float* packed) override {
    const auto& layers = model_.layers();
    for (std::size_t l = 0; l < layers.size(); ++l) {
      weights_[l].assign_panels(layers[l].in, layers[l].out, packed + layers[l].weight[0]);
      multiply(activations_[l], false, weights_[l], false, activations_[l + 1]);
      activations_[l + 1].add_row(packed + layers[l].bias, l + 1 < layers.size());
    }
    activations_.back().to_panels(outputs_.data());
    return outputs_.data();
  }

  std::int64_t block_rows() const override { return std::numeric_limits<std::int64_t>::max(); }  // LibTorch cuts for itself

  void backward(const float* packed, const float* d_out, bool add, float* gradient) override {
    (void)packed;         // rounded by forward()
    DEEPCFR_CHECK(!add);  // never needed: all rows are one block
    const auto& layers = model_.layers();
    std::size_t at = 0;
    d_[at].assign_panels(activations_.back().rows, model_.outputs(), d_out);
    for (std::size_t l = layers.size(); l-- > 0; at = 1 - at) {
      multiply(activations_[l], true, d_[at], false, d_weight_);
      d_weight_.to_panels(gradient + layers[l].weight[0]);
      d_[at].column_sums(gradient + layers[l].bias);
      if (l == 0) break;
      multiply(d_[at], false, weights_[l], true, d_[1 - at]);
      d_[1 - at].keep_where_positive(activations_[l]);
    }
  }

 private:
  const Model& model_;
  std::vector<Bfloat16Matrix> weights_;      // [in × out] of the last forward()
  std::vector<Bfloat16Matrix> activations_;  // inputs, then the output of each layer
  std::array<Bfloat16Matrix, 2> d_;          // gradient at a layer's output, and the next one down
  Bfloat16Matrix d_weight_;
  AlignedFloats outputs_;
};

}  // namespace

std::unique_ptr<Pass> make_mlp_bfloat16_pass(const Model& mlp) { return std::make_unique<MlpBfloat16Pass>(mlp); }

}  // namespace deepcfr::nn
