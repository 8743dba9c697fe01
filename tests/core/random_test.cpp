#include "deepcfr/core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace deepcfr {
namespace {

TEST(CounterRandom, IsAPureFunctionOfKeyAndPlace) {
  const CounterRandom a(StreamPurpose::test, {1, 2, 3});
  const CounterRandom b(StreamPurpose::test, {1, 2, 3});
  for (std::uint64_t place = 0; place < 100; ++place) EXPECT_EQ(a.bits(place), b.bits(99 - (99 - place)));
  EXPECT_NE(a.key(), CounterRandom(StreamPurpose::test, {1, 3, 2}).key());
  EXPECT_NE(a.key(), CounterRandom(StreamPurpose::deal, {1, 2, 3}).key());
  EXPECT_NE(CounterRandom(StreamPurpose::test, {1}).key(), CounterRandom(StreamPurpose::test, {1, 0}).key());
}

TEST(CounterRandom, BelowIsUniform) {
  const CounterRandom random(StreamPurpose::test, {4});
  std::array<int, 7> counts{};
  constexpr int kDraws = 70'000;
  for (std::uint64_t place = 0; place < kDraws; ++place) ++counts[random.below(place, 7)];
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 10'000.0) * (count - 10'000.0) / 10'000.0;
  EXPECT_LT(chi_square, 22.46);  // p = 0.001, 6 degrees of freedom
}

TEST(CounterRandom, UniformStaysBelowOneAndFillsTheInterval) {
  const CounterRandom random(StreamPurpose::test, {5});
  double sum = 0;
  for (std::uint64_t place = 0; place < 100'000; ++place) {
    const double u = random.uniform(place);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(CounterRandom, NeighbouringKeysAndPlacesDoNotRepeat) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t key = 0; key < 100; ++key) {
    const CounterRandom random(StreamPurpose::test, {key});
    for (std::uint64_t place = 0; place < 100; ++place) seen.insert(random.bits(place));
  }
  EXPECT_EQ(seen.size(), 10'000U);
}

TEST(SequentialRandom, GoesOnFromItsCounter) {
  SequentialRandom straight(CounterRandom(StreamPurpose::test, {6}));
  for (int i = 0; i < 5; ++i) straight();
  SequentialRandom resumed(CounterRandom(StreamPurpose::test, {6}), straight.counter());
  EXPECT_EQ(straight(), resumed());
}

// Stockfish-style signature: a refactoring must not change it, or every seeded result changes.
TEST(CounterRandom, SignatureIsFixed) {
  EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafULL);  // SplitMix64, seed 0, first output
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);  // second output
}

}  // namespace
}  // namespace deepcfr
