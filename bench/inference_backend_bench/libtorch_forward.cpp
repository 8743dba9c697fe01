// The same multilayer perceptron by LibTorch: its default, and oneDNN with prepacked weights.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "bare.h"
#include "deepcfr/core/error.h"

namespace deepcfr::bench {
namespace {

using PackWeight = at::Tensor(const at::Tensor&, std::optional<c10::SymInt>);
using LinearPointwise = at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, c10::string_view,
                                   c10::List<std::optional<at::Scalar>>, std::optional<c10::string_view>);

/// Packed without a batch size: the same bits for every one.
at::Tensor pack(const at::Tensor& weight) {
  static const auto operation = c10::Dispatcher::singleton().findSchemaOrThrow("mkldnn::_reorder_linear_weight", "").typed<PackWeight>();
  return operation.call(weight, std::nullopt);
}

at::Tensor fused_linear(const at::Tensor& x, const at::Tensor& packed, const at::Tensor& bias, bool relu) {
  static const auto operation = c10::Dispatcher::singleton().findSchemaOrThrow("mkldnn::_linear_pointwise", "").typed<LinearPointwise>();
  return operation.call(x, packed, bias, relu ? "relu" : "none", c10::List<std::optional<at::Scalar>>(), std::nullopt);
}

struct Layer {
  at::Tensor weight, bias;
};

std::vector<Layer> layers_of(const Network& network, const BareSpec& spec) {
  const std::vector<float> flat = network.weights();
  const std::vector<ParameterInfo> parameters = network.parameters();
  const auto tensor = [&](const ParameterInfo& p) {
    const at::Tensor copy = at::from_blob(const_cast<float*>(flat.data()) + p.offset, p.shape, at::kFloat).clone();
    return spec.dtype == RowType::float32 ? copy : copy.to(at::kBFloat16);
  };
  std::vector<Layer> layers;
  for (std::size_t i = 0; i + 1 < parameters.size(); i += 2) {
    const at::Tensor weight = tensor(parameters[i]);
    layers.push_back({spec.kind == BareKind::prepacked ? pack(weight) : weight, tensor(parameters[i + 1])});
  }
  return layers;
}

at::Tensor rows_of(const CapturedBatches& captured, int player, const BareSpec& spec) {
  CardSlots cards;
  Minibatch batch = captured.batch(player, spec.rows, cards);
  const at::Tensor rows = at::from_blob(batch.features.data(), {spec.rows, batch.format.width}, {batch.format.stride, 1}, at::kFloat);
  return rows.to(spec.dtype == RowType::float32 ? at::kFloat : at::kBFloat16).clone(at::MemoryFormat::Contiguous);
}

}  // namespace

void one_openmp_thread_here() { at::set_num_threads(1); }

Forward libtorch_forward(Arena& arena, const BareSpec& spec, const CapturedBatches& captured_float32) {
  DEEPCFR_CHECK(spec.model.options.type == NetworkType::mlp);
  struct Work {
    std::vector<std::vector<Layer>> networks;
    std::vector<at::Tensor> rows;
    std::size_t turn = 0;
  };
  const auto work = std::make_shared<Work>();
  const c10::InferenceMode inference;
  for (int player = 0; player < arena.game().players(); ++player) {
    work->networks.push_back(layers_of(*arena.networks(spec.model)[static_cast<std::size_t>(player)], spec));
    work->rows.push_back(rows_of(captured_float32, player, spec));
  }
  return [work, prepacked = spec.kind == BareKind::prepacked] {
    const c10::InferenceMode guard;
    const std::size_t player = work->turn++ % work->networks.size();
    const std::vector<Layer>& layers = work->networks[player];
    at::Tensor x = work->rows[player];
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const bool hidden = i + 1 < layers.size();
      if (prepacked) {
        x = fused_linear(x, layers[i].weight, layers[i].bias, hidden);
      } else {
        x = at::linear(x, layers[i].weight, layers[i].bias);
        if (hidden) x.relu_();
      }
    }
  };
}

}  // namespace deepcfr::bench
