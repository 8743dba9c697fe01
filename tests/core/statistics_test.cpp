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

// Tables of Student's t (two-sided).
TEST(Student, TableValues) {
  EXPECT_NEAR(student_two_sided(12.706204736, 1), 0.05, 1e-9);
  EXPECT_NEAR(student_two_sided(63.656741163, 1), 0.01, 1e-9);
  EXPECT_NEAR(student_two_sided(2.228138852, 10), 0.05, 1e-9);
  EXPECT_NEAR(student_two_sided(-3.169272673, 10), 0.01, 1e-9);
  EXPECT_NEAR(student_two_sided(0.699812061, 10), 0.5, 1e-9);
  EXPECT_NEAR(student_two_sided(1.959963985, 1e9), 0.05, 1e-7);
  EXPECT_NEAR(student_two_sided(1, 4999), 0.3173589, 1e-6);
  EXPECT_EQ(student_two_sided(0, 7), 1);
  EXPECT_LT(student_two_sided(50, 4999), 1e-100);
}

}  // namespace
}  // namespace deepcfr
