// Against best responses by enumeration (best_response.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/public_response.h"
#include "public_games.h"

namespace deepcfr {
namespace {

using namespace deepcfr::testing;

void expect_equal(const ExploitabilityReport& walked, const ExploitabilityReport& enumerated, double tolerance) {
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_NEAR(walked.value[p], enumerated.value[p], tolerance);
    EXPECT_NEAR(walked.best_response[p], enumerated.best_response[p], tolerance);
    EXPECT_GE(walked.best_response[p] - walked.value[p], -1e-9);  // E08
  }
  EXPECT_NEAR(walked.nash_conv, enumerated.nash_conv, 2 * tolerance);
  EXPECT_DOUBLE_EQ(walked.exploitability, walked.nash_conv / 2);
}

PublicWalkOptions with(bool merge_suits, int threads = 2) {
  PublicWalkOptions options;
  options.merge_suits = merge_suits;
  options.threads = threads;
  return options;
}

// Statement 21, both ways.
void check_game(const Game& canonical, const Game& every_suit, double tolerance) {
  const auto merged = std::make_shared<const SmallGame>(canonical), full = std::make_shared<const SmallGame>(every_suit);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto alike = random_policy(merged, seed);
    ASSERT_TRUE(alike->treats_suits_alike());
    const ExploitabilityReport expected = exploitability(*merged, alike->table());
    for (const bool merge : {true, false}) expect_equal(walk_every_hand(canonical, *alike, with(merge)), expected, tolerance);
    const auto unlike = random_policy(full, seed);
    ASSERT_FALSE(unlike->treats_suits_alike());
    // Merging is asked for, but the policy does not promise that it may be done.
    for (const bool merge : {true, false})
      expect_equal(walk_every_hand(every_suit, *unlike, with(merge)), exploitability(*full, unlike->table()), tolerance);
  }
}

TEST(PublicWalk, S21EqualsEnumerationOnLeducAndKuhn) {
  check_game(make_game("leduc"), make_game("leduc", RuleSet::acpc, false), 1e-9);
  check_game(make_game("kuhn"), make_game("kuhn", RuleSet::acpc, false), 1e-9);
}

TEST(PublicWalk, S21EqualsEnumerationOnSmallFlopHoldem) {
  check_game(small_flop_holdem(4, true), small_flop_holdem(4, false), 1e-6);
  check_game(small_flop_holdem(5, true, 2), small_flop_holdem(5, false, 1), 1e-6);
}

TEST(PublicWalk, S21ThreeSuitsAndThreeRounds) {  // boards that keep some of their symmetries
  check_game(small_flop_holdem(3, true, 1, 3), small_flop_holdem(3, false, 1, 3), 1e-6);
  check_game(small_flop_holdem(3, true, 1, 3, "0 1 1"), small_flop_holdem(3, false, 1, 3, "0 1 1"), 1e-6);
}

TEST(PublicWalk, CardsOnTheFirstRound) { check_game(small_flop_holdem(4, true, 1, 2, "1 1"), small_flop_holdem(4, false, 1, 2, "1 1"), 1e-6); }

TEST(PublicWalk, AllInBeforeTheBoardIsComplete) { check_game(small_no_limit(true), small_no_limit(false), 1e-6); }

// A policy that lies about suits is what the promise is there for: merged it would be measured wrongly.
class Liar final : public Policy {
 public:
  explicit Liar(std::unique_ptr<Policy> honest) : honest_(std::move(honest)) {}
  void probabilities(std::span<const State* const> states, std::span<double> out) override { honest_->probabilities(states, out); }
  std::string name() const override { return "liar"; }
  bool treats_suits_alike() const override { return true; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<Liar>(honest_->clone()); }

 private:
  std::unique_ptr<Policy> honest_;
};

TEST(PublicWalk, S21MergingSuitsIsWrongForOtherPolicies) {
  const Game game = small_flop_holdem(4, false);
  const auto small = std::make_shared<const SmallGame>(game);
  Liar liar(random_policy(small, 4));
  const double expected = exploitability(*small, liar).nash_conv;
  EXPECT_NEAR(walk_every_hand(game, liar, with(false)).nash_conv, expected, 1e-6);
  EXPECT_GT(std::abs(walk_every_hand(game, liar, with(true)).nash_conv - expected), 1e-3);
}

TEST(PublicWalk, SameBitsForAnyNumberOfThreads) {
  const Game game = small_flop_holdem(4, true);
  const auto policy = random_policy(std::make_shared<const SmallGame>(game), 9);
  const ExploitabilityReport one = walk_every_hand(game, *policy, with(true, 1));
  for (const int threads : {2, 3, 7}) {
    const ExploitabilityReport more = walk_every_hand(game, *policy, with(true, threads));
    EXPECT_EQ(one.value, more.value);
    EXPECT_EQ(one.best_response, more.best_response);
  }
}

TEST(PublicWalk, ProgressEndsAtOne) {
  const Game game = small_flop_holdem(4, true);
  PublicWalkOptions options = with(true);
  std::vector<double> seen;
  options.progress = [&](double done) { seen.push_back(done); };
  walk_every_hand(game, *make_fixed_policy(game, "uniform"), options);
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 1);
}

class Fails final : public Policy {
 public:
  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    if (states[0]->round == 1) throw Error(ErrorKind::input, "no answer");
    std::fill(out.begin(), out.end(), 1. / 3);
  }
  std::string name() const override { return "fails"; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<Fails>(); }
};

TEST(PublicWalk, AFailureOfThePolicyComesOut) {
  const Game game = small_flop_holdem(4, true);
  Fails fails;
  EXPECT_THROW(walk_every_hand(game, fails, with(true)), Error);
}

}  // namespace
}  // namespace deepcfr
