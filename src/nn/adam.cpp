#include "adam.h"

#include <array>
#include <cmath>

#include "deepcfr/core/error.h"
#include "simd.h"

namespace deepcfr::nn {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr double kEpsilon = 1e-8;

}  // namespace

double gradient_norm(std::span<const float> gradient) {
  // float32 sums over short blocks, double over blocks: no overflow below 1e18, no drift.
  constexpr std::size_t kBlock = 64 * simd::kWidth;
  DEEPCFR_CHECK(gradient.size() % simd::kWidth == 0);
  double total = 0;
  for (std::size_t first = 0; first < gradient.size(); first += kBlock) {
    const std::size_t last = std::min(gradient.size(), first + kBlock);
    simd::Vec sum = simd::zero();
    for (std::size_t i = first; i < last; i += simd::kWidth) {
      const simd::Vec g = simd::load(gradient.data() + i);
      sum = simd::fmadd(g, g, sum);
    }
    alignas(64) std::array<float, simd::kWidth> lanes;
    simd::store(lanes.data(), sum);
    for (const float x : lanes) total += static_cast<double>(x);
  }
  return std::sqrt(total);
}

void Adam::step(std::span<float> weights, std::span<const float> gradient, double learning_rate, double gradient_scale) {
  DEEPCFR_CHECK(weights.size() == mean_.size() && gradient.size() == mean_.size() && weights.size() % simd::kWidth == 0);
  ++steps_;
  const double correction1 = 1.0 - std::pow(kBeta1, static_cast<double>(steps_));
  const double correction2 = 1.0 - std::pow(kBeta2, static_cast<double>(steps_));
  const auto constant = [](double x) { return simd::set1(static_cast<float>(x)); };
  const simd::Vec scale = constant(gradient_scale), beta1 = constant(kBeta1), beta2 = constant(kBeta2);
  const simd::Vec rest1 = constant(1.0 - kBeta1), rest2 = constant(1.0 - kBeta2);
  // w −= lr / c1 · m / (√v / √c2 + ε)  =  lr √c2 / c1 · m / (√v + ε √c2)
  const simd::Vec rate = constant(-learning_rate * std::sqrt(correction2) / correction1);
  const simd::Vec epsilon = constant(kEpsilon * std::sqrt(correction2));
  for (std::size_t i = 0; i < weights.size(); i += simd::kWidth) {
    const simd::Vec g = simd::mul(simd::load(gradient.data() + i), scale);
    const simd::Vec m = simd::fmadd(beta1, simd::load(mean_.data() + i), simd::mul(rest1, g));
    const simd::Vec v = simd::fmadd(beta2, simd::load(square_.data() + i), simd::mul(rest2, simd::mul(g, g)));
    simd::store(mean_.data() + i, m);
    simd::store(square_.data() + i, v);
    const simd::Vec direction = simd::div(m, simd::add(simd::sqrt(v), epsilon));
    simd::store(weights.data() + i, simd::fmadd(rate, direction, simd::load(weights.data() + i)));
  }
}

}  // namespace deepcfr::nn
