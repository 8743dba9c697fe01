#include "deepcfr/core/statistics.h"

#include <algorithm>
#include <cmath>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// The continued fraction of the incomplete beta function (Abramowitz, Stegun 26.5.8) by Lentz's method; fast for x below its mean.
double beta_fraction(double a, double b, double x) {
  constexpr int kSteps = 1000;
  constexpr double kTiny = 1e-300, kPrecision = 1e-15;
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  for (int m = 1; m <= kSteps; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= c * d;
    if (std::abs(c * d - 1) < kPrecision) break;
  }
  return fraction;
}

/// Regularised incomplete beta function.
double beta_share(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

/// Abramowitz, Stegun 26.7.1 by 26.5.27.
double student_two_sided(double t, double degrees) {
  DEEPCFR_CHECK(degrees > 0 && !std::isnan(t));
  if (std::isinf(t)) return 0;
  return std::clamp(beta_share(degrees / 2, 0.5, degrees / (degrees + t * t)), 0.0, 1.0);
}

void RunningStatistics::merge(const RunningStatistics& other) noexcept {
  if (other.count_ == 0) return;
  const std::int64_t total = count_ + other.count_;
  const double delta = other.mean_ - mean_;
  const double share = static_cast<double>(other.count_) / static_cast<double>(total);
  sum_squares_ += other.sum_squares_ + delta * delta * static_cast<double>(count_) * share;
  mean_ += delta * share;
  count_ = total;
}

}  // namespace deepcfr
