// Rows through an mlp: float32, and bfloat16 with activations in bfloat16 from layer to layer and outputs in float32.
#include <algorithm>

#include "network_impl.h"
#include "player_forward.h"

namespace deepcfr::nn {
namespace {

RowFormat dense_format(RowType type, int width, int multiple) {
  RowFormat format;
  format.type = type;
  format.width = width;
  format.stride = (width + multiple - 1) / multiple * multiple;
  return format;
}

/// A copy of a network's float32 weights in panel format.
struct FloatWeights {
  explicit FloatWeights(const Network& network) : model(network.impl().model), packed(network.impl().packed.size()) {
    std::copy_n(network.impl().packed.data(), packed.size(), packed.data());
  }
  std::shared_ptr<const Model> model;
  AlignedFloats packed;
};

class MlpForward final : public PlayerForward {
 public:
  explicit MlpForward(std::shared_ptr<const FloatWeights> weights) : weights_(std::move(weights)) {}

  RowFormat format() const override { return dense_format(RowType::float32, weights_->model->layout().width, kFloatsOfALine); }

  void forward(const RowBlock& block) override {
    const Model& model = *weights_->model;
    const float* packed = weights_->packed.data();
    std::size_t at = 0;
    buffers_[at].reserve(panel_floats(block.rows, model.layout().width));
    load_panels(block, 0, model.layout().width, buffers_[at].data());
    for (const DenseLayer& layer : model.layers()) {
      AlignedFloats& y = buffers_[1 - at];
      y.reserve(panel_floats(block.rows, layer.out));
      multiply(block.rows, layer.in, layer.out, buffers_[at].data(), packed + layer.weight[0], y.data(),
               {.bias = packed + layer.bias, .relu = layer.relu});
      at = 1 - at;
    }
    write_advantages(block, model.outputs(), buffers_[at].data());
  }

  std::unique_ptr<PlayerForward> clone() const override { return std::make_unique<MlpForward>(weights_); }

 private:
  static constexpr int kFloatsOfALine = 16;
  std::shared_ptr<const FloatWeights> weights_;
  AlignedFloats buffers_[2];
};

/// Weights packed for a unit, biases in float32.
struct Bfloat16Mlp {
  Bfloat16Mlp(const Network& network, Bfloat16Unit for_unit) : model(network.impl().model), unit(for_unit) {
    const float* packed = network.impl().packed.data();
    for (const DenseLayer& layer : model->layers()) {
      weights.emplace_back(unit, layer.in, layer.out, packed + layer.weight[0]);
      biases.emplace_back(packed + layer.bias, packed + layer.bias + padded(layer.out));
    }
  }
  std::shared_ptr<const Model> model;
  Bfloat16Unit unit;
  std::vector<Bfloat16Weights> weights;
  std::vector<AlignedVector<float>> biases;
};

class MlpBfloat16Forward final : public PlayerForward {
 public:
  explicit MlpBfloat16Forward(std::shared_ptr<const Bfloat16Mlp> mlp)
      : mlp_(std::move(mlp)), kernel_(make_bfloat16_kernel(mlp_->unit)) {}

  RowFormat format() const override { return dense_format(RowType::bfloat16, mlp_->model->layout().width, kBfloat16Panel); }

  void forward(const RowBlock& block) override {
    load(block);
    std::size_t at = 0;
    for (std::size_t l = 0; l < mlp_->weights.size(); ++l) {
      const Bfloat16Weights& w = mlp_->weights[l];
      Bfloat16Result result{.bias = mlp_->biases[l].data(), .relu = l + 1 < mlp_->weights.size()};
      if (result.relu) {
        buffers_[1 - at].reserve(block.rows, w.out);
        result.rounded = &buffers_[1 - at];
      } else {
        outputs_.reserve(panel_floats(block.rows, w.out));
        result.y = outputs_.data();
      }
      kernel_->multiply(block.rows, buffers_[at], w, result);
      at = 1 - at;
    }
    write_advantages(block, mlp_->model->outputs(), outputs_.data());
  }

  std::unique_ptr<PlayerForward> clone() const override { return std::make_unique<MlpBfloat16Forward>(mlp_); }

 private:
  void load(const RowBlock& block) {
    const int width = mlp_->model->layout().width;
    buffers_[0].reserve(block.rows, width);
    const int panels = bfloat16_panel_count(width);
    std::int64_t row = 0;
    for (const RowSegment& segment : block.segments)
      for (std::int64_t i = segment.first; i < segment.first + segment.count; ++i, ++row) {
        const auto* from = reinterpret_cast<const Bfloat16Bits*>(segment.batch->row(i));
        for (int p = 0; p < panels; ++p) std::copy_n(from + p * kBfloat16Panel, kBfloat16Panel, buffers_[0].row(p, row));
      }
  }

  std::shared_ptr<const Bfloat16Mlp> mlp_;
  std::unique_ptr<Bfloat16Kernel> kernel_;
  Bfloat16Panels buffers_[2];
  AlignedFloats outputs_;
};

}  // namespace

std::unique_ptr<PlayerForward> make_mlp_forward(const Network& network) {
  return std::make_unique<MlpForward>(std::make_shared<const FloatWeights>(network));
}

std::unique_ptr<PlayerForward> make_mlp_bfloat16_forward(const Network& network, Bfloat16Unit unit) {
  return std::make_unique<MlpBfloat16Forward>(std::make_shared<const Bfloat16Mlp>(network, unit));
}

}  // namespace deepcfr::nn
