// A mean with control variates whose coefficients come from the data without bias.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace deepcfr {

struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;
  /// Half-width of the two-sided normal 95 % interval.
  double half_width_95() const noexcept { return 1.959963984540054 * standard_error; }
};

/// The mean of x − β·z over independent samples (x, z), where every z has expectation 0. β comes from a least-squares fit, shrunk
/// towards a multiple of `prior`. Samples are halved by parity and each half gets the β of the other, which it knows nothing of: the expectation of
/// the estimate is that of x exactly, for any number of samples. (Linear value functions fitted for least variance: White,
/// Bowling, "Learning a Value Analysis Tool for Agent Evaluation", IJCAI 2009; halving is sample splitting as in Avramidis,
/// Wilson, "A Splitting Scheme for Control Variates", 1993.) Memory does not grow with the samples. One thread at a time.
class ControlledMean {
 public:
  /// prior: β to begin with, up to a factor; its size is the number of controls (may be 0).
  explicit ControlledMean(std::vector<double> prior);
  void add(double x, std::span<const double> z);
  std::int64_t count() const noexcept { return halves_[0].count + halves_[1].count; }
  /// 0, 0 without samples; standard error 0 below two.
  MeanEstimate estimate() const;

 private:
  struct Half {
    std::int64_t count = 0;
    std::vector<double> mean;        // of z, then x
    std::vector<double> comoments;   // sums of products of deviations, row by row
  };
  std::vector<double> coefficients(const Half& from) const;

  std::vector<double> prior_;
  std::array<Half, 2> halves_;
  std::vector<double> deviation_;
};

}  // namespace deepcfr
