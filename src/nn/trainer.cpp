#include "deepcfr/nn/trainer.h"

#include <algorithm>
#include <cmath>

#include "adam.h"
#include "deepcfr/core/error.h"
#include "fit_schedule.h"
#include "loss.h"
#include "network_impl.h"

namespace deepcfr {
namespace {

/// The rows of a step.
struct Batch {
  Batch(std::int64_t row_count, int width, int actions)
      : rows(row_count),
        features(static_cast<std::size_t>(row_count * width)),
        targets(static_cast<std::size_t>(row_count * actions)),
        mask(targets.size()),
        weights(static_cast<std::size_t>(row_count)),
        outputs(targets.size()),
        d_outputs(targets.size()),
        d_panels(nn::panel_floats(row_count, actions)) {}
  BatchView view() { return {features, targets, mask, weights}; }

  std::int64_t rows;
  std::vector<float> features, targets, mask, weights, outputs, d_outputs;
  nn::AlignedFloats d_panels;
};

class Fit {
 public:
  Fit(Network& network, FitKind kind, BatchSource& source, const FitOptions& options, StrategyLoss strategy)
      : impl_(network.impl()),
        kind_(kind),
        source_(source),
        options_(options),
        strategy_(strategy),
        batch_(source.batch_rows(), network.layout().width, network.outputs()),
        pass_(impl_.model->make_pass(options.amp)),
        gradient_(impl_.packed.size()),
        adam_(impl_.packed.size()) {
    const std::int64_t blocks = (batch_.rows - 1) / pass_->block_rows() + 1;
    block_rows_ = (batch_.rows - 1) / blocks + 1;  // blocks of nearly equal size
  }

  FitResult run() {
    FitResult result;
    nn::FitLossTrace trace(options_.steps);
    for (std::int64_t step = 0; step < options_.steps; ++step) {
      const double loss = gradient_of(step);
      const double norm = std::isfinite(loss) ? nn::gradient_norm(gradient_.span()) : loss;
      if (std::isfinite(norm)) {
        const double scale = options_.clip_norm > 0 && norm > options_.clip_norm ? options_.clip_norm / norm : 1.0;
        adam_.step(impl_.packed.span(), gradient_.span(), nn::fit_learning_rate(options_, step), scale);
        trace.add(step, loss);
      } else {
        nn::count_skipped_step(options_, step, result.skipped_steps);
      }
    }
    result.steps = options_.steps;
    result.first_loss = trace.first();
    result.final_loss = trace.last();
    return result;
  }

 private:
  /// Loss of a step; gradient_ is set. Rows go through in blocks, their gradients added up in order.
  double gradient_of(std::int64_t step) {
    const bool fresh = step == 0 || !source_.constant();
    if (fresh) rows_ = source_.rows_of(step, batch_.view());
    double loss = 0;
    for (std::int64_t first = 0; first < batch_.rows; first += block_rows_) {
      const std::int64_t count = std::min(block_rows_, batch_.rows - first);
      if (fresh || block_rows_ < batch_.rows)
        pass_->load(part(rows_.features, first, count, impl_.model->layout().width), count);
      loss += block_gradient(first, count);
    }
    return loss;
  }

  double block_gradient(std::int64_t first, std::int64_t count) {
    const int actions = impl_.model->outputs();
    const std::span<float> outputs = part(batch_.outputs, first, count, actions),
                           d_outputs = part(batch_.d_outputs, first, count, actions);
    nn::from_panels(count, actions, pass_->forward(impl_.packed.data()), outputs.data());
    const nn::LossRows rows{outputs,
                            part(rows_.targets, first, count, actions),
                            part(rows_.mask, first, count, actions),
                            part(rows_.weights, first, count, 1),
                            actions,
                            batch_.rows};
    const double loss =
        kind_ == FitKind::advantage ? nn::advantage_loss(rows, d_outputs) : nn::strategy_loss(rows, strategy_, d_outputs);
    nn::to_panels(count, actions, d_outputs.data(), batch_.d_panels.data());
    pass_->backward(impl_.packed.data(), batch_.d_panels.data(), first > 0, gradient_.data());
    return loss;
  }

  static std::span<float> part(std::span<float> rows, std::int64_t first, std::int64_t count, int width) {
    return rows.subspan(static_cast<std::size_t>(first * width), static_cast<std::size_t>(count * width));
  }

  Network::Impl& impl_;
  FitKind kind_;
  BatchSource& source_;
  const FitOptions& options_;
  StrategyLoss strategy_;
  Batch batch_;
  BatchView rows_;  // of the step: batch_'s, or the source's own
  std::unique_ptr<nn::Pass> pass_;
  std::int64_t block_rows_ = 0;
  nn::AlignedFloats gradient_;
  nn::Adam adam_;
};

}  // namespace

FitResult fit(Network& network, FitKind kind, BatchSource& source, const FitOptions& options, StrategyLoss strategy_loss) {
  if (source.batch_rows() == 0) return {};
  return Fit(network, kind, source, options, strategy_loss).run();
}

}  // namespace deepcfr
