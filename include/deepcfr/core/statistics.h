// Running mean, variance and normal 95 % confidence interval (Welford 1962; merging: Chan et al. 1979); Student's t.
#pragma once

#include <cmath>
#include <cstdint>

namespace deepcfr {

class RunningStatistics {
 public:
  void add(double x) noexcept {
    ++count_;
    const double delta = x - mean_;
    mean_ += delta / static_cast<double>(count_);
    sum_squares_ += delta * (x - mean_);
  }
  void merge(const RunningStatistics& other) noexcept;

  std::int64_t count() const noexcept { return count_; }
  double mean() const noexcept { return mean_; }
  /// Sample variance (n − 1); 0 below two values.
  double variance() const noexcept { return count_ < 2 ? 0.0 : sum_squares_ / static_cast<double>(count_ - 1); }
  double standard_deviation() const noexcept { return std::sqrt(variance()); }
  double standard_error() const noexcept {
    return count_ == 0 ? 0.0 : std::sqrt(variance() / static_cast<double>(count_));
  }
  /// Half-width of the two-sided normal 95 % interval of the mean.
  double half_width_95() const noexcept { return 1.959963984540054 * standard_error(); }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double sum_squares_ = 0;
};

/// P(|T| ≥ |t|) for Student's t with `degrees` > 0 degrees of freedom: the two-sided p-value of a t test.
double student_two_sided(double t, double degrees);

}  // namespace deepcfr
