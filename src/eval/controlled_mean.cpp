#include "controlled_mean.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr double kScaleSamples = 4;   ///< α counts as 0 in this many samples
constexpr double kPriorSamples = 50;  ///< δ counts as 0 in this many samples of each control

/// Solves A x = b in place by Cholesky; A (n × n, row by row) is symmetric with 1 + something positive on the diagonal.
void solve(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-12)) : sum / a[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
}

}  // namespace

ControlledMean::ControlledMean(std::vector<double> prior) : prior_(std::move(prior)) {
  const std::size_t variables = prior_.size() + 1;
  for (Half& half : halves_) {
    half.mean.assign(variables, 0.0);
    half.comoments.assign(variables * variables, 0.0);
  }
  deviation_.resize(variables);
}

void ControlledMean::add(double x, std::span<const double> z) {
  DEEPCFR_CHECK(z.size() == prior_.size());
  Half& half = halves_[static_cast<std::size_t>(count() & 1)];
  const std::size_t variables = deviation_.size();
  ++half.count;
  const auto n = static_cast<double>(half.count);
  for (std::size_t i = 0; i < variables; ++i) {
    deviation_[i] = (i < z.size() ? z[i] : x) - half.mean[i];
    half.mean[i] += deviation_[i] / n;
  }
  const double share = (n - 1) / n;
  for (std::size_t i = 0; i < variables; ++i) {
    if (deviation_[i] == 0) continue;
    const double scaled = share * deviation_[i];
    for (std::size_t j = 0; j < variables; ++j) half.comoments[i * variables + j] += scaled * deviation_[j];
  }
}

/// β = α·prior + δ. α is the regression of x on prior·z alone, which few samples suffice for: where the prior is far off it vanishes.
/// δ is the ridge regression of the rest on z with every control scaled to variance 1.
std::vector<double> ControlledMean::coefficients(const Half& from) const {
  const std::size_t controls = prior_.size();
  std::vector<double> beta = prior_;
  if (from.count < 2) return beta;
  const auto n = static_cast<double>(from.count);
  const auto comoment = [&](std::size_t i, std::size_t j) { return from.comoments[i * (controls + 1) + j]; };
  double with_result = 0, square = 0;  // of prior·z
  for (std::size_t i = 0; i < controls; ++i) {
    with_result += prior_[i] * comoment(i, controls);
    for (std::size_t j = 0; j < controls; ++j) square += prior_[i] * prior_[j] * comoment(i, j);
  }
  const double alpha = square > 0 ? with_result / square * n / (n + kScaleSamples) : 0;
  for (double& coefficient : beta) coefficient *= alpha;
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < controls; ++i) {
    if (comoment(i, i) > 0) used.push_back(i);
  }
  std::vector<double> scale, a, b;
  for (const std::size_t i : used) scale.push_back(std::sqrt(comoment(i, i)));
  for (std::size_t r = 0; r < used.size(); ++r) {
    double rest = comoment(used[r], controls);
    for (std::size_t j = 0; j < controls; ++j) rest -= comoment(used[r], j) * beta[j];
    b.push_back(rest / scale[r]);
    for (std::size_t c = 0; c < used.size(); ++c) {
      a.push_back(comoment(used[r], used[c]) / (scale[r] * scale[c]) + (r == c ? kPriorSamples / n : 0.0));
    }
  }
  solve(a, b);
  for (std::size_t r = 0; r < used.size(); ++r) beta[used[r]] += b[r] / scale[r];
  return beta;
}

MeanEstimate ControlledMean::estimate() const {
  const std::size_t controls = prior_.size();
  std::array<double, 2> mean{};
  double squares = 0;  // sum of squared deviations of x − β·z from the mean of its half
  for (std::size_t h = 0; h < 2; ++h) {
    const Half& half = halves_[h];
    std::vector<double> weights = coefficients(halves_[1 - h]);
    for (double& weight : weights) weight = -weight;
    weights.push_back(1);
    for (std::size_t i = 0; i <= controls; ++i) {
      mean[h] += weights[i] * half.mean[i];
      for (std::size_t j = 0; j <= controls; ++j) squares += weights[i] * weights[j] * half.comoments[i * (controls + 1) + j];
    }
  }
  MeanEstimate estimate;
  const auto n0 = static_cast<double>(halves_[0].count), n1 = static_cast<double>(halves_[1].count), n = n0 + n1;
  if (n == 0) return estimate;
  estimate.mean = (n0 * mean[0] + n1 * mean[1]) / n;
  if (n < 2) return estimate;
  const double between = n0 * n1 / n * (mean[1] - mean[0]) * (mean[1] - mean[0]);
  estimate.standard_error = std::sqrt(std::max(0.0, squares + between) / (n - 1) / n);
  return estimate;
}

}  // namespace deepcfr
