#include "controlled_mean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/core/statistics.h"

namespace deepcfr {
namespace {

/// Sum of 12 uniforms less 6: nearly normal.
double noise(SequentialRandom& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

TEST(ControlledMean, WithoutControlsItIsTheMean) {
  ControlledMean mean({});
  RunningStatistics plain;
  SequentialRandom random(CounterRandom(StreamPurpose::test, {1}));
  EXPECT_EQ(mean.estimate().mean, 0);
  for (int i = 0; i < 101; ++i) {
    const double x = noise(random) * 7 + 3;
    mean.add(x, {});
    plain.add(x);
    EXPECT_NEAR(mean.estimate().mean, plain.mean(), 1e-12);
    EXPECT_NEAR(mean.estimate().standard_error, plain.standard_error(), 1e-12);
  }
  EXPECT_EQ(mean.count(), 101);
}

TEST(ControlledMean, FindsTheCoefficientsThatTakeTheNoiseOut) {
  ControlledMean mean({1, 0, 0});
  SequentialRandom random(CounterRandom(StreamPurpose::test, {2}));
  RunningStatistics plain;
  for (int i = 0; i < 20'000; ++i) {
    const double a = noise(random), b = noise(random) + a, rest = 0.1 * noise(random);  // b is not independent of a
    const double x = 2 + 5 * a - 3 * b + rest;
    const std::vector<double> z = {a, b, 0};
    mean.add(x, z);
    plain.add(x);
  }
  EXPECT_NEAR(mean.estimate().standard_error, 0.1 / std::sqrt(20'000.0), 0.02 / std::sqrt(20'000.0));  // the prior still weighs a little
  EXPECT_LT(mean.estimate().standard_error, 0.05 * plain.standard_error());
  EXPECT_NEAR(mean.estimate().mean, 2, 5 * mean.estimate().standard_error);
}

// With as few samples as this a regression on the same samples would be biased: x is quadratic in z.
TEST(ControlledMean, IsUnbiasedForAnyNumberOfSamplesAndItsIntervalsCover) {
  for (const int samples : {2, 3, 10, 200}) {
    RunningStatistics estimates;
    int covered = 0;
    constexpr int kRuns = 4000;
    for (std::uint64_t run = 0; run < kRuns; ++run) {
      SequentialRandom random(CounterRandom(StreamPurpose::test, {3, run, static_cast<std::uint64_t>(samples)}));
      ControlledMean mean({0.5, 0});
      for (int i = 0; i < samples; ++i) {
        const double z = noise(random);
        const std::vector<double> controls = {z, noise(random)};
        mean.add(z * z + z, controls);  // expectation 1
      }
      const MeanEstimate estimate = mean.estimate();
      estimates.add(estimate.mean);
      covered += std::abs(estimate.mean - 1) <= estimate.half_width_95() ? 1 : 0;
    }
    EXPECT_NEAR(estimates.mean(), 1, 4.5 * estimates.standard_error()) << samples;
    if (samples >= 200) {
      EXPECT_GT(covered, 0.93 * kRuns);
      EXPECT_LT(covered, 0.97 * kRuns);
    }
  }
}

TEST(ControlledMean, NothingComesOfNothing) {
  ControlledMean mean({1, 1});
  for (int i = 0; i < 10; ++i) mean.add(0, std::vector<double>{0, 0});
  EXPECT_EQ(mean.estimate().mean, 0);
  EXPECT_EQ(mean.estimate().standard_error, 0);
}

}  // namespace
}  // namespace deepcfr
