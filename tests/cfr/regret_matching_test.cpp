#include "deepcfr/cfr/regret_matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "deepcfr/cfr/advantage_source.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Pointwise;

struct Case {
  std::vector<float> advantages;
  ActionMask legal;
  std::vector<double> matched;          // Deep CFR
  std::vector<double> matched_uniform;  // tables
};

// Statement 1.
TEST(RegretMatching, TableOfAdvantages) {
  const std::vector<Case> cases = {
      {{1, 3, 0}, 0b111, {0.25, 0.75, 0}, {0.25, 0.75, 0}},
      {{-5, 2, -1}, 0b111, {0, 1, 0}, {0, 1, 0}},
      {{-3, -1, -2}, 0b111, {0, 1, 0}, {1. / 3, 1. / 3, 1. / 3}},  // all negative
      {{-2, -1, -1}, 0b111, {0, 1, 0}, {1. / 3, 1. / 3, 1. / 3}},  // tie: the lowest-numbered
      {{0, 0, 0}, 0b111, {1, 0, 0}, {1. / 3, 1. / 3, 1. / 3}},
      {{9, -2, -1}, 0b110, {0, 0, 1}, {0, 0.5, 0.5}},  // an illegal one largest
      {{9, 1, 1}, 0b110, {0, 0.5, 0.5}, {0, 0.5, 0.5}},
      {{0, -1, 0}, 0b110, {0, 0, 1}, {0, 0.5, 0.5}},
      {{-1, -2, -3}, 0b100, {0, 0, 1}, {0, 0, 1}},
      {{-0.0F, -1, 0}, 0b111, {1, 0, 0}, {1. / 3, 1. / 3, 1. / 3}},
      {{std::nanf(""), 1, 1}, 0b110, {0, 0.5, 0.5}, {0, 0.5, 0.5}},  // illegal entries are unspecified
  };
  for (const Case& c : cases) {
    const std::vector<double> advantages(c.advantages.begin(), c.advantages.end());
    std::vector<double> strategy(3, -1.0);
    regret_matching(std::span<const float>(c.advantages), c.legal, strategy);
    EXPECT_THAT(strategy, Pointwise(DoubleEq(), c.matched));
    std::fill(strategy.begin(), strategy.end(), -1.0);
    regret_matching(std::span<const double>(advantages), c.legal, strategy);
    EXPECT_THAT(strategy, Pointwise(DoubleEq(), c.matched));
    std::fill(strategy.begin(), strategy.end(), -1.0);
    regret_matching_uniform(advantages, c.legal, strategy);
    EXPECT_THAT(strategy, Pointwise(DoubleEq(), c.matched_uniform));
  }
}

TEST(RegretMatching, RandomVectorsAreDistributionsOverLegalActions) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {1}));
  for (int trial = 0; trial < 10'000; ++trial) {
    const auto legal = static_cast<ActionMask>(1 + random.below(31));
    std::vector<float> advantages(5);
    for (float& advantage : advantages)
      advantage = static_cast<float>(std::exp(20 * random.uniform() - 10) * (random.uniform() - 0.5));
    std::vector<double> strategy(5);
    regret_matching(std::span<const float>(advantages), legal, strategy);
    double sum = 0;
    for (std::size_t a = 0; a < 5; ++a) {
      EXPECT_TRUE(((legal >> a) & 1) != 0 || strategy[a] == 0.0);
      EXPECT_GE(strategy[a], 0.0);
      sum += strategy[a];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(RegretMatching, NotANumberIsABug) {
  std::vector<double> strategy(2);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    const std::vector<double> advantages = {1, bad};
    try {
      regret_matching(std::span<const double>(advantages), 0b11, strategy);
      FAIL() << "accepted " << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bug);
    }
    EXPECT_THROW(regret_matching_uniform(advantages, 0b11, strategy), Error);
  }
  const std::vector<double> advantages = {1, 2};
  EXPECT_THROW(regret_matching(std::span<const double>(advantages), 0, strategy), Error);
  EXPECT_THROW(regret_matching(std::span<const double>(advantages), 0b100, strategy), Error);
}

// Statement 2.
TEST(UniformStrategy, IsOneOverLegal) {
  std::vector<double> strategy(4);
  uniform_strategy(0b1011, strategy);
  EXPECT_THAT(strategy, ElementsAre(DoubleEq(1. / 3), DoubleEq(1. / 3), 0.0, DoubleEq(1. / 3)));
  EXPECT_THROW(uniform_strategy(0, strategy), Error);
}

TEST(UniformStrategy, IsWhatTheUniformSourceMakesRegretMatchingPlay) {
  UniformSource source;
  const State state;
  const std::vector<const State*> states = {&state, &state};
  std::vector<float> advantages(6);
  source.advantages(0, states, advantages);
  std::vector<double> strategy(3);
  regret_matching(std::span<const float>(advantages).subspan(3), 0b110, strategy);
  EXPECT_THAT(strategy, ElementsAre(0.0, 0.5, 0.5));
}

TEST(SampleAction, TakesActionsInProportionAndNeverOneOfProbabilityZero) {
  const std::vector<double> strategy = {0, 0.25, 0, 0.75, 0};
  EXPECT_EQ(sample_action(strategy, 0.0), 1);
  EXPECT_EQ(sample_action(strategy, 0.2499999), 1);
  EXPECT_EQ(sample_action(strategy, 0.25), 3);
  EXPECT_EQ(sample_action(strategy, std::nextafter(1.0, 0.0)), 3);
  // A sum that rounding left below the draw.
  const std::vector<double> low = {0.3, 0.7 - 1e-7, 0};
  EXPECT_EQ(sample_action(low, 1 - 1e-9), 1);
  EXPECT_THROW(sample_action(std::vector<double>{0, 0}, 0.5), Error);
  SequentialRandom random(CounterRandom(StreamPurpose::test, {2}));
  int raises = 0;
  for (int i = 0; i < 100'000; ++i) raises += sample_action(strategy, random.uniform()) == 3 ? 1 : 0;
  EXPECT_NEAR(raises, 75'000, 700);  // 5 standard deviations
}

}  // namespace
}  // namespace deepcfr
