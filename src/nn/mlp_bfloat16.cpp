// Mixed precision for an mlp: weights and biases are kept in float32; activations and their gradients are bfloat16 from layer to layer, so
// that memory carries half as much; sums, biases, outputs, loss and weight gradients are float32.
//
// The forward multiplies by each weight's 16 leading bits, as two bfloat16 numbers: with 8 bits the network that is fitted is not the one
// that plays afterwards with its float32 weights, which the strategies of a small game show.
#include <array>
#include <limits>
#include <vector>

#include "bfloat16_kernel.h"
#include "deepcfr/core/error.h"
#include "model.h"

namespace deepcfr::nn {
namespace {

class MlpBfloat16Pass final : public Pass {
 public:
  explicit MlpBfloat16Pass(const Model& model)
      : model_(model), unit_(best_bfloat16_unit()), kernel_(make_bfloat16_kernel(unit_)), activations_(model.layers().size()) {}

  void load(std::span<const float> rows, std::int64_t count) override {
    const int width = model_.layout().width;
    DEEPCFR_CHECK(rows.size() == static_cast<std::size_t>(count * width));
    count_ = count;
    activations_[0].reserve(count, width);
    round_rows(count, width, rows.data(), activations_[0]);
    outputs_.reserve(panel_floats(count, model_.outputs()));
  }

  const float* forward(const float* packed) override {
    const auto& layers = model_.layers();
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const DenseLayer& layer = layers[l];
      factor_.assign(layer.in, layer.out, packed + layer.weight[0], Bfloat16Weights::Part::rounded);
      rest_.assign(layer.in, layer.out, packed + layer.weight[0], Bfloat16Weights::Part::rest);
      Bfloat16Result result{.bias = packed + layer.bias, .relu = l + 1 < layers.size()};
      if (result.relu) {
        activations_[l + 1].reserve(count_, layer.out);
        result.rounded = &activations_[l + 1];
      } else {
        result.y = outputs_.data();
      }
      const Bfloat16Factors terms[] = {{&activations_[l], &factor_}, {&activations_[l], &rest_}};
      kernel_->multiply(count_, terms, result);
    }
    return outputs_.data();
  }

  std::int64_t block_rows() const override { return std::numeric_limits<std::int64_t>::max(); }

  void backward(const float* packed, const float* d_out, bool add, float* gradient) override {
    const auto& layers = model_.layers();
    std::size_t at = 0;
    d_[at].reserve(count_, model_.outputs());
    round_panels(count_, model_.outputs(), d_out, d_[at]);
    for (std::size_t l = layers.size(); l-- > 0; at = 1 - at) {
      const DenseLayer& layer = layers[l];
      float* const d_weight = gradient + layer.weight[0];
      transpose(count_, layer.in, activations_[l], turned_);
      factor_.assign(count_, layer.out, d_[at]);
      kernel_->multiply(layer.in, turned_, factor_, {.add = add ? d_weight : nullptr, .y = d_weight});
      column_sums(count_, layer.out, d_[at], add, gradient + layer.bias);
      if (l == 0) break;
      factor_.assign_transposed(layer.out, layer.in, packed + layer.weight[0]);
      d_[1 - at].reserve(count_, layer.in);
      kernel_->multiply(count_, d_[at], factor_, {.mask = &activations_[l], .rounded = &d_[1 - at]});
    }
  }

 private:
  const Model& model_;
  Bfloat16Unit unit_;
  std::unique_ptr<Bfloat16Kernel> kernel_;
  std::int64_t count_ = 0;
  std::vector<Bfloat16Panels> activations_;  // inputs, then the output of each hidden layer
  std::array<Bfloat16Panels, 2> d_;          // gradient at a layer's output, and the next one down
  Bfloat16Panels turned_;                    // a layer's inputs, transposed
  // Packed anew for each product: nothing is kept that a step could make stale (reported fault T15).
  Bfloat16Weights factor_{unit_}, rest_{unit_};
  AlignedFloats outputs_;
};

}  // namespace

std::unique_ptr<Pass> make_mlp_bfloat16_pass(const Model& mlp) { return std::make_unique<MlpBfloat16Pass>(mlp); }

}  // namespace deepcfr::nn
