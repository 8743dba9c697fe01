#include "deepcfr/core/statistics.h"

#include <gtest/gtest.h>

#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

TEST(RunningStatistics, KnownValues) {
  RunningStatistics s;
  for (const double x : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) s.add(x);
  EXPECT_DOUBLE_EQ(s.mean(), 5.0);
  EXPECT_DOUBLE_EQ(s.variance(), 32.0 / 7.0);
  EXPECT_DOUBLE_EQ(s.half_width_95(), 1.959963984540054 * std::sqrt(32.0 / 7.0 / 8.0));
}

TEST(RunningStatistics, NoAndOneValue) {
  RunningStatistics s;
  EXPECT_EQ(s.variance(), 0);
  EXPECT_EQ(s.half_width_95(), 0);
  s.add(3);
  EXPECT_EQ(s.mean(), 3);
  EXPECT_EQ(s.variance(), 0);
}

TEST(RunningStatistics, MergingEqualsAddingAll) {
  RunningStatistics all, left, right, empty;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double x = CounterRandom(StreamPurpose::test, {1}).uniform(i) * 100 - 50;
    all.add(x);
    (i < 300 ? left : right).add(x);
  }
  left.merge(right);
  left.merge(empty);
  EXPECT_EQ(left.count(), 1000);
  EXPECT_NEAR(left.mean(), all.mean(), 1e-9);
  EXPECT_NEAR(left.variance(), all.variance(), 1e-6);
  empty.merge(left);
  EXPECT_EQ(empty.mean(), left.mean());
}

}  // namespace
}  // namespace deepcfr
