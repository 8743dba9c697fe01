// What fits on any device share: the learning rate of a step, the losses that are reported, and how many steps may be skipped.
#pragma once

#include <cstdint>

#include "deepcfr/nn/options.h"

namespace deepcfr::nn {

/// Learning rate of a step; the last step of a falling schedule has 1 % of the first.
double fit_learning_rate(const FitOptions& options, std::int64_t step);

/// Mean of the finite losses of the first and last tenth of the steps.
class FitLossTrace {
 public:
  explicit FitLossTrace(std::int64_t steps);
  void add(std::int64_t step, double loss);
  double first() const { return first_.mean(); }
  double last() const { return last_.mean(); }

 private:
  struct Mean {
    double sum = 0;
    std::int64_t count = 0;
    void add(double x) { sum += x, ++count; }
    double mean() const { return count == 0 ? 0.0 : sum / static_cast<double>(count); }
  };
  std::int64_t steps_, tenth_;
  Mean first_, last_;
};

/// Counts a step without a finite loss or gradient. Error{input} if more than 10 % of all steps, and more than 3, were skipped (statement 19).
void count_skipped_step(const FitOptions& options, std::int64_t step, std::int64_t& skipped);

}  // namespace deepcfr::nn
