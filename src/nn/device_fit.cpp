// fit() on a device: no step waits for the device, batches go over while earlier steps are computed.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "device_autocast.h"
#include "device_loss.h"
#include "device_model.h"
#include "device_queue.h"
#include "fit_schedule.h"

namespace deepcfr {
namespace {

using namespace nn;

constexpr std::int64_t kWarmUpSteps = 3;  // real steps; CUDA's libraries set themselves up in them

at::TensorOptions floats(at::Device device) { return at::TensorOptions(at::kFloat).device(device); }

/// A batch in one piece of memory: [features][targets][mask][weights].
struct BatchTensors {
  BatchTensors() = default;
  BatchTensors(at::Tensor memory, std::int64_t rows, int width, int actions) : all(std::move(memory)) {
    auto part = [&, at = std::int64_t{0}](std::int64_t columns) mutable {
      const at::Tensor view = all.narrow(0, at, rows * columns).view({rows, columns});
      at += rows * columns;
      return view;
    };
    features = part(width);
    loss.targets = part(actions);
    loss.mask = part(actions);
    loss.weights = part(1).view({rows});
  }
  static std::int64_t floats_of(std::int64_t rows, int width, int actions) { return rows * (width + 2 * actions + 1); }
  BatchView view() const {
    const auto span = [](const at::Tensor& t) { return std::span(t.data_ptr<float>(), static_cast<std::size_t>(t.numel())); };
    return {span(features), span(loss.targets), span(loss.mask), span(loss.weights)};
  }
  at::Tensor all, features;
  DeviceLossRows loss;
};

/// Takes batches from host memory to the device ahead of the steps that read them.
class BatchFeed {
 public:
  BatchFeed(BatchSource& source, const DeviceQueue& steps, int width, int actions)
      : source_(source), steps_(steps), copies_(steps.device()) {
    const std::int64_t rows = source.batch_rows();
    const std::int64_t count = BatchTensors::floats_of(rows, width, actions);
    batch_ = BatchTensors(at::zeros({count}, floats(steps.device())), rows, width, actions);
    for (Slot& slot : slots_) {
      slot.host = BatchTensors(copies_.host_buffer({count}, at::kFloat), rows, width, actions);
      slot.device = at::zeros({count}, floats(steps.device()));
      if (source.constant()) break;  // one is enough
    }
  }
  ~BatchFeed() {
    copies_.synchronize();
    steps_.synchronize();
  }

  /// What the step reads; the same tensors at every step.
  const BatchTensors& batch() const noexcept { return batch_; }

  /// The rows of a step; to be called within the queue of the steps.
  void next(std::int64_t step) {
    if (step > 0 && source_.constant()) return;
    Slot& slot = slots_[static_cast<std::size_t>(step) % slots_.size()];
    slot.copied.wait();  // of the step that used this slot before
    source_.fill(step, slot.host.view());
    copies_.run([&] {
      slot.taken.hold(copies_);
      slot.device.copy_(slot.host.all, true);
      slot.copied.set(copies_);
    });
    slot.copied.hold(steps_);
    batch_.all.copy_(slot.device, true);
    slot.taken.set(steps_);
  }

 private:
  struct Slot {
    BatchTensors host;
    at::Tensor device;
    DeviceMark copied, taken;
  };
  BatchSource& source_;
  const DeviceQueue& steps_;
  DeviceQueue copies_;
  BatchTensors batch_;
  std::array<Slot, 3> slots_;
};

class DeviceFit {
 public:
  DeviceFit(Network& network, FitKind kind, BatchSource& source, const FitOptions& options, StrategyLoss strategy, ComputeDevice device,
            const DeviceFitOptions& how)
      : network_(network),
        kind_(kind),
        options_(options),
        strategy_(strategy),
        queue_(torch_device(device)),
        model_(network, queue_.device()),
        feed_(source, queue_, network.layout().width, network.outputs()) {
    const std::vector<float> weights = network.weights();
    const auto count = static_cast<std::int64_t>(weights.size());
    flat_ = at::zeros({count}, floats(queue_.device()));
    flat_.copy_(at::from_blob(const_cast<float*>(weights.data()), {count}, at::kFloat));
    for (const ParameterInfo& info : network.parameters()) {
      const at::Tensor view = flat_.narrow(0, static_cast<std::int64_t>(info.offset), static_cast<std::int64_t>(info.count));
      parameters_.push_back(view.view(info.shape).detach().requires_grad_(true));  // in flat_'s memory
    }
    make_state(options.steps);
    if (how.graph) recorder_ = make_graph_recorder(queue_);
    wait_for_device(queue_.device());  // from here on work is in queue_
  }

  ~DeviceFit() { queue_.synchronize(); }
  DeviceFit(const DeviceFit&) = delete;
  DeviceFit& operator=(const DeviceFit&) = delete;

  FitResult run() {
    queue_.run([&] {
      for (std::int64_t step = 0; step < options_.steps; ++step) {
        feed_.next(step);
        if (recorder_ && step == kWarmUpSteps) graph_ = recorder_->record(queue_, [&] { train_step(); });
        if (graph_) {
          graph_->replay();
        } else {
          train_step();
        }
      }
    });
    queue_.synchronize();
    return result();
  }

 private:
  void make_state(std::int64_t steps) {
    std::vector<float> rates(static_cast<std::size_t>(steps));
    for (std::int64_t s = 0; s < steps; ++s) rates[static_cast<std::size_t>(s)] = static_cast<float>(fit_learning_rate(options_, s));
    rates_ = at::tensor(rates, at::kFloat).to(queue_.device());
    losses_ = at::zeros({steps}, floats(queue_.device()));
    taken_ = at::zeros({steps}, floats(queue_.device()));
    mean_ = at::zeros_like(flat_);
    square_ = at::zeros_like(flat_);
    adam_steps_ = at::zeros({}, floats(queue_.device()));
    step_ = at::zeros({1}, at::TensorOptions(at::kLong).device(queue_.device()));
  }

  /// Only tensors that are the same at every step go in and out: this is what a graph records.
  void train_step() {
    const at::AutoGradMode gradient_mode(true);
    const BatchTensors& batch = feed_.batch();
    at::Tensor outputs;
    {
      const AutocastGuard autocast(queue_.device().type(), options_.amp == Amp::bf16);
      outputs = model_.forward(model_.prepare(parameters_), rows_of(batch));
    }
    const at::Tensor loss = device_loss(kind_, strategy_, outputs, batch.loss);
    std::vector<at::Tensor> gradients = torch::autograd::grad({loss}, parameters_);
    const at::NoGradGuard no_gradient;
    for (at::Tensor& g : gradients) g = g.reshape(-1);
    adam_step(loss.detach(), at::cat(gradients));
  }

  DeviceRows rows_of(const BatchTensors& batch) const {
    if (!model_.has_cards()) return {batch.features, {}};
    const FeatureLayout& layout = model_.layout();
    return {batch.features.narrow(1, layout.card_count, layout.bet_width), batch.features.narrow(1, 0, layout.card_count)};
  }

  /// A step whose loss or gradient is not finite changes nothing but the count of steps.
  void adam_step(const at::Tensor& loss, at::Tensor gradient) {
    const at::Tensor norm = at::linalg_vector_norm(gradient);
    const at::Tensor finite = at::logical_and(at::isfinite(loss), at::isfinite(norm)).to(at::kFloat);
    const at::Tensor shrink = options_.clip_norm > 0 ? (norm / options_.clip_norm).clamp_min(1.0) : at::ones_like(norm);  // gradients are divided by it
    adam_steps_.add_(finite);
    at::_fused_adam_({flat_}, {gradient}, {mean_}, {square_}, {}, {adam_steps_}, rates_.index_select(0, step_).squeeze(0), 0.9, 0.999, 0.0,
                     1e-8, false, false, shrink, 1.0 - finite);
    losses_.index_copy_(0, step_, loss.view(1));
    taken_.index_copy_(0, step_, finite.view(1));
    step_.add_(1);
  }

  FitResult result() {
    const at::Tensor losses = losses_.cpu(), taken = taken_.cpu(), flat = flat_.cpu();
    FitResult result;
    FitLossTrace trace(options_.steps);
    for (std::int64_t step = 0; step < options_.steps; ++step) {
      if (taken.const_data_ptr<float>()[step] != 0.0F) {
        trace.add(step, static_cast<double>(losses.const_data_ptr<float>()[step]));
      } else {
        count_skipped_step(options_, step, result.skipped_steps);
      }
    }
    network_.set_weights({flat.const_data_ptr<float>(), static_cast<std::size_t>(flat.numel())});
    result.steps = options_.steps;
    result.first_loss = trace.first();
    result.final_loss = trace.last();
    return result;
  }

  Network& network_;
  FitKind kind_;
  const FitOptions& options_;
  StrategyLoss strategy_;
  DeviceQueue queue_;
  DeviceModel model_;
  BatchFeed feed_;
  std::unique_ptr<GraphRecorder> recorder_;
  at::Tensor flat_;
  std::vector<at::Tensor> parameters_;
  at::Tensor rates_, losses_, taken_, mean_, square_, adam_steps_, step_;
  std::unique_ptr<DeviceGraph> graph_;
};

}  // namespace

FitResult fit_on_device(Network& network, FitKind kind, BatchSource& source, const FitOptions& options, StrategyLoss strategy_loss,
                        ComputeDevice device, const DeviceFitOptions& how) {
  if (source.batch_rows() == 0) return {};
  return on_device("training.device", [&] {
    configure_device_arithmetic();
    return DeviceFit(network, kind, source, options, strategy_loss, device, how).run();
  });
}

}  // namespace deepcfr
