#include "deepcfr/nn/trainer.h"

#include <algorithm>
#include <cmath>

#include "adam.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/thread_group.h"
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
        d_outputs(targets.size()) {}
  BatchView view() { return {features, targets, mask, weights}; }

  std::int64_t rows;
  std::vector<float> features, targets, mask, weights, outputs, d_outputs;
};

/// Parts that a batch is cut into: enough to keep many threads busy, large enough that their gradients are cheap to add up. They depend on
/// the rows alone, so results do not depend on the number of threads.
std::int64_t part_count(std::int64_t rows) { return std::clamp<std::int64_t>(rows / 1024, 1, 16); }

class Fit {
 public:
  Fit(Network& network, FitKind kind, BatchSource& source, const FitOptions& options, StrategyLoss strategy, ThreadGroup* threads)
      : impl_(network.impl()),
        kind_(kind),
        source_(source),
        options_(options),
        strategy_(strategy),
        threads_(threads),
        batch_(source.batch_rows(), network.layout().width, network.outputs()),
        adam_(impl_.packed.size()) {
    const std::int64_t count = part_count(batch_.rows);
    for (std::int64_t p = 0; p < count; ++p) {
      parts_.push_back(std::make_unique<Part>());
      Part& part = *parts_.back();
      part.first = batch_.rows * p / count;
      part.rows = batch_.rows * (p + 1) / count - part.first;
      part.pass = impl_.model->make_pass(options.amp);
      const std::int64_t blocks = (part.rows - 1) / part.pass->block_rows() + 1;
      part.block_rows = (part.rows - 1) / blocks + 1;  // blocks of nearly equal size
      part.gradient = nn::AlignedFloats(impl_.packed.size());
      part.d_panels = nn::AlignedFloats(nn::panel_floats(part.block_rows, network.outputs()));
    }
  }

  FitResult run() {
    FitResult result;
    nn::FitLossTrace trace(options_.steps);
    for (std::int64_t step = 0; step < options_.steps; ++step) {
      const double loss = gradient_of(step);
      const double norm = std::isfinite(loss) ? nn::gradient_norm(gradient().span()) : loss;
      if (std::isfinite(norm)) {
        const double scale = options_.clip_norm > 0 && norm > options_.clip_norm ? options_.clip_norm / norm : 1.0;
        adam_.step(impl_.packed.span(), gradient().span(), nn::fit_learning_rate(options_, step), scale);
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
  /// A thread's share of the rows, and what it works with.
  struct Part {
    std::int64_t first = 0;
    std::int64_t rows = 0;
    std::int64_t block_rows = 0;
    std::unique_ptr<nn::Pass> pass;
    nn::AlignedFloats gradient;
    nn::AlignedFloats d_panels;
    double loss = 0;
  };

  nn::AlignedFloats& gradient() { return parts_.front()->gradient; }

  /// Loss of a step; gradient() is set. Rows go through in parts and blocks, their gradients added up in order.
  double gradient_of(std::int64_t step) {
    const bool fresh = step == 0 || !source_.constant();
    if (fresh) rows_ = source_.rows_of(step, batch_.view());
    if (threads_ == nullptr || threads_->size() == 1 || parts_.size() == 1) {
      for (const auto& part : parts_) part_gradient(*part, fresh);
      add_gradients(0, 1);
    } else {
      threads_->for_each(parts_.size(), [&](std::size_t p, std::size_t) { part_gradient(*parts_[p], fresh); });
      threads_->run([&](std::size_t worker) { add_gradients(worker, threads_->size()); });
    }
    double loss = 0;
    for (const auto& part : parts_) loss += part->loss;
    return loss;
  }

  void part_gradient(Part& part, bool fresh) {
    part.loss = 0;
    for (std::int64_t done = 0; done < part.rows; done += part.block_rows) {
      const std::int64_t count = std::min(part.block_rows, part.rows - done);
      if (fresh || part.block_rows < part.rows)
        part.pass->load(slice(rows_.features, part.first + done, count, impl_.model->layout().width), count);
      part.loss += block_gradient(part, part.first + done, count, done > 0);
    }
  }

  double block_gradient(Part& part, std::int64_t first, std::int64_t count, bool add) {
    const int actions = impl_.model->outputs();
    const std::span<float> outputs = slice(batch_.outputs, first, count, actions),
                           d_outputs = slice(batch_.d_outputs, first, count, actions);
    nn::from_panels(count, actions, part.pass->forward(impl_.packed.data()), outputs.data());
    const nn::LossRows rows{outputs,
                            slice(rows_.targets, first, count, actions),
                            slice(rows_.mask, first, count, actions),
                            slice(rows_.weights, first, count, 1),
                            actions,
                            batch_.rows};
    const double loss =
        kind_ == FitKind::advantage ? nn::advantage_loss(rows, d_outputs) : nn::strategy_loss(rows, strategy_, d_outputs);
    nn::to_panels(count, actions, d_outputs.data(), part.d_panels.data());
    part.pass->backward(impl_.packed.data(), part.d_panels.data(), add, part.gradient.data());
    return loss;
  }

  /// Adds the gradients of all parts to the first one's, in order; this thread's share of the weights.
  void add_gradients(std::size_t share, std::size_t shares) {
    const std::size_t lines = (gradient().size() + nn::kPanel - 1) / nn::kPanel;
    const std::size_t begin = lines * share / shares * nn::kPanel;
    const std::size_t end = std::min(lines * (share + 1) / shares * nn::kPanel, gradient().size());
    float* const sum = gradient().data();
    for (std::size_t p = 1; p < parts_.size(); ++p) {
      const float* const more = parts_[p]->gradient.data();
      for (std::size_t i = begin; i < end; ++i) sum[i] += more[i];
    }
  }

  static std::span<float> slice(std::span<float> rows, std::int64_t first, std::int64_t count, int width) {
    return rows.subspan(static_cast<std::size_t>(first * width), static_cast<std::size_t>(count * width));
  }

  Network::Impl& impl_;
  FitKind kind_;
  BatchSource& source_;
  const FitOptions& options_;
  StrategyLoss strategy_;
  ThreadGroup* threads_;
  Batch batch_;
  BatchView rows_;  // of the step: batch_'s, or the source's own
  std::vector<std::unique_ptr<Part>> parts_;
  nn::Adam adam_;
};

}  // namespace

FitResult fit(Network& network, FitKind kind, BatchSource& source, const FitOptions& options, StrategyLoss strategy_loss,
              ThreadGroup* threads) {
  if (source.batch_rows() == 0) return {};
  return Fit(network, kind, source, options, strategy_loss, threads).run();
}

}  // namespace deepcfr
