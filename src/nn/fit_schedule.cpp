#include "fit_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "deepcfr/core/error.h"

namespace deepcfr::nn {

double fit_learning_rate(const FitOptions& options, std::int64_t step) {
  constexpr double kEnd = 0.01;
  const double done = options.steps > 1 ? static_cast<double>(step) / static_cast<double>(options.steps - 1) : 0.0;
  double factor = 1.0;
  if (options.schedule == LearningRateSchedule::linear) factor = 1.0 - (1.0 - kEnd) * done;
  if (options.schedule == LearningRateSchedule::cosine)
    factor = kEnd + (1.0 - kEnd) * 0.5 * (1.0 + std::cos(std::numbers::pi * done));
  return options.learning_rate * factor;
}

FitLossTrace::FitLossTrace(std::int64_t steps) : steps_(steps), tenth_(std::max<std::int64_t>(1, steps / 10)) {}

void FitLossTrace::add(std::int64_t step, double loss) {
  if (step < tenth_) first_.add(loss);
  if (step >= steps_ - tenth_) last_.add(loss);
}

void count_skipped_step(const FitOptions& options, std::int64_t step, std::int64_t& skipped) {
  ++skipped;
  if (skipped <= 3 || skipped * 10 <= options.steps) return;
  throw Error(ErrorKind::input,
              "the loss did not stay finite: " + std::to_string(skipped) + " of the first " + std::to_string(step + 1) +
                  " training steps had a loss or gradient that is not a number (learning rate " +
                  std::to_string(options.learning_rate) + (options.amp == Amp::bf16 ? ", amp bf16)" : ")"),
              "fit", "lower training.learning_rate, set training.amp: off, or raise training.target_scale");
}

}  // namespace deepcfr::nn
