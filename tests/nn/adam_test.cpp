#include "adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "deepcfr/core/random.h"
#include "panels.h"

namespace deepcfr::nn {
namespace {

TEST(Adam, FollowsTheFormulasInDouble) {
  constexpr std::size_t kCount = 4 * kPanel;
  AlignedFloats w(kCount), g(kCount);
  std::vector<double> w64(kCount), m(kCount), v(kCount);
  Adam adam(kCount);
  const CounterRandom random(StreamPurpose::test, {4});
  double largest = 0;
  for (int t = 1; t <= 50; ++t) {
    const double lr = 0.01 / t, scale = t % 3 == 0 ? 0.25 : 1.0;
    for (std::size_t i = 0; i < kCount; ++i)
      g.data()[i] = static_cast<float>(random.uniform(static_cast<std::uint64_t>(t) * kCount + i) - 0.3);
    adam.step(w.span(), g.span(), lr, scale);
    for (std::size_t i = 0; i < kCount; ++i) {
      const double x = scale * static_cast<double>(g.data()[i]);
      m[i] = 0.9 * m[i] + 0.1 * x;
      v[i] = 0.999 * v[i] + 0.001 * x * x;
      w64[i] -= lr * (m[i] / (1 - std::pow(0.9, t))) / (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + 1e-8);
      largest = std::max(largest, std::abs(w64[i] - static_cast<double>(w.data()[i])));
    }
  }
  EXPECT_EQ(adam.steps(), 50);
  EXPECT_LT(largest, 1e-6);
}

TEST(Adam, ZeroGradientLeavesZeroWeights) {  // the padding of packed weights
  AlignedFloats w(kPanel), g(kPanel);
  Adam adam(kPanel);
  for (int t = 0; t < 10; ++t) adam.step(w.span(), g.span(), 0.1, 1.0);
  for (const float x : w.span()) EXPECT_EQ(x, 0.0F);
}

TEST(GradientNorm, LengthAndNotFinite) {
  AlignedFloats g(100 * kPanel);
  for (float& x : g.span()) x = 2;
  EXPECT_NEAR(gradient_norm(g.span()), 2 * std::sqrt(100.0 * kPanel), 1e-6);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    g.data()[70 * kPanel + 1] = bad;
    EXPECT_FALSE(std::isfinite(gradient_norm(g.span())));
  }
}

}  // namespace
}  // namespace deepcfr::nn
