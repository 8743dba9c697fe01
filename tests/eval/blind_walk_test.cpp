// Policies that do not look at cards, against enumeration and against the reference numbers for limit hold'em.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/public_response.h"
#include "public_games.h"

namespace deepcfr {
namespace {

using namespace deepcfr::testing;

PublicWalkOptions with(bool merge_suits, int threads = 2) {
  PublicWalkOptions options;
  options.merge_suits = merge_suits;
  options.threads = threads;
  return options;
}

/// Probabilities depend on the whole betting history, so that no two subgames are equal.
class ByHistory final : public Policy {
 public:
  explicit ByHistory(const Game& game) : game_(&game) {}
  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    for (std::size_t i = 0; i < states.size(); ++i) {
      std::uint64_t key = 5;
      for (int h = 0; h < states[i]->history.size; ++h) key = mix64(key ^ states[i]->history[h]);
      double sum = 0;
      for (std::size_t a = 0; a < actions; ++a) {
        const bool legal = ((game_->legal_actions(*states[i]) >> a) & 1) != 0;
        out[i * actions + a] = legal ? CounterRandom(key).uniform(a) : 0;
        sum += out[i * actions + a];
      }
      for (std::size_t a = 0; a < actions; ++a) out[i * actions + a] /= sum;
    }
  }
  std::string name() const override { return "by history"; }
  bool looks_at_cards() const override { return false; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<ByHistory>(*this); }

 private:
  const Game* game_;
};

void check_policy(const Game& game, Policy& policy) {
  const ExploitabilityReport expected = exploitability(SmallGame(game), policy);
  for (const bool merge : {true, false}) {
    const ExploitabilityReport found = walk_blind(game, policy, with(merge));
    for (std::size_t p = 0; p < 2; ++p) {
      EXPECT_NEAR(found.value[p], expected.value[p], 1e-9) << policy.name();
      EXPECT_NEAR(found.best_response[p], expected.best_response[p], 1e-9) << policy.name();
    }
    EXPECT_NEAR(found.nash_conv, expected.nash_conv, 1e-9);
  }
}

void check_game(const Game& game) {
  for (const std::string& name : fixed_policy_names()) check_policy(game, *make_fixed_policy(game, name));
  ByHistory by_history(game);
  check_policy(game, by_history);
}

TEST(BlindWalk, EqualsEnumeration) {
  for (const char* name : {"kuhn", "leduc"}) check_game(make_game(name));
  check_game(small_flop_holdem(4, true, 2));
  check_game(small_flop_holdem(4, true, 1, 2, "1 1"));
  check_game(small_flop_holdem(3, true, 1, 3, "0 1 1"));
  check_game(small_flop_holdem(4, true, 1, 2, "0 1 1 1"));
  check_game(small_no_limit(true));
}

TEST(BlindWalk, RefusesPoliciesThatLookAtCards) {
  const Game game = make_game("leduc");
  const auto policy = random_policy(std::make_shared<const SmallGame>(game), 1);
  EXPECT_THROW(walk_blind(game, *policy, {}), Error);
}

TEST(BlindWalk, SameBitsForAnyNumberOfThreads) {
  const Game game = small_flop_holdem(4, true, 1, 2, "0 1 1 1");
  ByHistory policy(game);
  const ExploitabilityReport one = walk_blind(game, policy, with(true, 1)), three = walk_blind(game, policy, with(true, 3));
  EXPECT_EQ(one.value, three.value);
  EXPECT_EQ(one.best_response, three.best_response);
}

// Reference numbers of limit hold'em: best responses in mb/g by seat, mean of both.
class ReferenceSlow : public ::testing::Test {
 protected:
  static std::vector<double> best_responses(const std::string& policy) {
    const Game game = make_game("hulh");
    const double scale = result_unit(game).scale;
    const ExploitabilityReport report = public_exploitability(game, *make_fixed_policy(game, policy), with(true));
    return {report.best_response[0] * scale, report.best_response[1] * scale};
  }
};

TEST_F(ReferenceSlow, AlwaysFold) {
  const std::vector<double> found = best_responses("always_fold");
  EXPECT_NEAR((found[0] + found[1]) / 2, 750, 1e-9);
}

TEST_F(ReferenceSlow, AlwaysCall) {
  const std::vector<double> found = best_responses("always_call");
  EXPECT_NEAR((found[0] + found[1]) / 2, 1163.48, 0.005);
}

TEST_F(ReferenceSlow, AlwaysRaise) {
  const std::vector<double> found = best_responses("always_raise");
  EXPECT_NEAR((found[0] + found[1]) / 2, 3697.69, 0.005);
}

TEST_F(ReferenceSlow, HalfCallHalfRaise) {
  const std::vector<double> found = best_responses("half_call_raise");
  EXPECT_NEAR((found[0] + found[1]) / 2, 2406.55, 0.005);
  EXPECT_NEAR(std::max(found[0], found[1]), 2598.11, 0.005);
  EXPECT_NEAR(std::min(found[0], found[1]), 2214.99, 0.005);
}

}  // namespace
}  // namespace deepcfr
