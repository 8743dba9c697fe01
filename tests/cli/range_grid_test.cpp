#include "range_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/acpc_string.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

/// Calls with probability (higher rank) / 20 with suited cards or one card, with half of that otherwise, and raises else.
class RankPolicy final : public Policy {
 public:
  explicit RankPolicy(const Game& game) : game_(game) {}
  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    const auto actions = static_cast<std::size_t>(game_.num_actions());
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto& hole = states[i]->deal.hole[states[i]->actor];
      const double call = call_share(hole[0], game_.definition().hole_cards == 2 ? hole[1] : hole[0]);
      out[i * actions + kCall] = call;
      out[i * actions + kFirstRaise] = 1 - call;
    }
  }
  static double call_share(Card a, Card b) {
    const double share = std::max(card_rank(a), card_rank(b)) / 20.0;
    return card_suit(a) == card_suit(b) ? share : share / 2;
  }
  std::string name() const override { return "by rank"; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<RankPolicy>(game_); }

 private:
  const Game& game_;
};

std::map<std::string, HandClass> by_name(const Range& range) {
  std::map<std::string, HandClass> classes;
  for (const HandClass& hand : range.classes) classes[hand.name] = hand;
  return classes;
}

TEST(RangeGrid, TheWholeDeckHas1326CombosIn169Classes) {
  const Game game = make_game("hulh");
  RankPolicy policy(game);
  const Range range = range_of(game, game.initial_state(Deal{}), policy);
  EXPECT_EQ(range.side, 13);
  EXPECT_EQ(range.combos, 1326);
  ASSERT_EQ(range.classes.size(), 169U);
  const auto classes = by_name(range);
  EXPECT_EQ(classes.size(), 169U);
  EXPECT_EQ(classes.at("AA").combos, 6);
  EXPECT_EQ(classes.at("AKs").combos, 4);
  EXPECT_EQ(classes.at("AKo").combos, 12);
  EXPECT_EQ(classes.at("72o").combos, 12);
  EXPECT_EQ((std::vector<int>{classes.at("AKs").row, classes.at("AKs").column}), (std::vector<int>{0, 1}));
  EXPECT_EQ((std::vector<int>{classes.at("AKo").row, classes.at("AKo").column}), (std::vector<int>{1, 0}));
  EXPECT_EQ((std::vector<int>{classes.at("22").row, classes.at("22").column}), (std::vector<int>{12, 12}));
  EXPECT_DOUBLE_EQ(classes.at("AKs").frequency[kCall], 12 / 20.0);
  EXPECT_DOUBLE_EQ(classes.at("AKo").frequency[kCall], 12 / 40.0);
  EXPECT_DOUBLE_EQ(classes.at("72o").frequency[kFirstRaise], 1 - 5 / 40.0);
  EXPECT_EQ(classes.at("AA").reach, 1);
}

TEST(RangeGrid, TheBoardTakesCardsAwayAndReachMultipliesOwnActions) {
  const Game game = make_game("hulh");
  RankPolicy policy(game);
  // The button called (own call), the big blind checked, then bet the flop: the button is to act.
  const State state = parse_acpc_state(game, "MATCHSTATE:1:0:cc/r:|/AsAdKh").state;
  ASSERT_EQ(state.actor, 1);
  const Range range = range_of(game, state, policy);
  EXPECT_EQ(range.combos, 49 * 48 / 2);
  const auto classes = by_name(range);
  EXPECT_EQ(classes.at("AA").combos, 1);
  EXPECT_EQ(classes.at("AKs").combos, 1);  // AcKc alone: Ah with Kh gone
  EXPECT_EQ(classes.at("AKo").combos, 5);
  EXPECT_DOUBLE_EQ(classes.at("AKs").reach, 12 / 20.0);
  EXPECT_DOUBLE_EQ(classes.at("AKo").reach, 12 / 40.0);
  double reached = 0, calls = 0, frequency = 0;
  for (const auto& [name, hand] : classes) {
    reached += hand.combos * hand.reach;
    calls += hand.combos * hand.reach * hand.frequency[kCall];  // within a class this policy does not vary
    frequency += hand.combos * hand.frequency[kCall];
  }
  EXPECT_NEAR(range.reached[kCall], calls / reached, 1e-12);
  EXPECT_NEAR(range.frequency[kCall], frequency / range.combos, 1e-12);
}

TEST(RangeGrid, TheGridIsRead13By13) {
  const Game game = make_game("hulh");
  RankPolicy policy(game);
  const State state = parse_acpc_state(game, "MATCHSTATE:0:0:cc/:|/AsAdAh").state;
  const std::string grid = range_grid(range_of(game, state, policy), kCall, CardStyle{});
  EXPECT_EQ(std::count(grid.begin(), grid.end(), '\n'), 14);
  EXPECT_EQ(grid.substr(0, grid.find('\n')), "    A   K   Q   J   T   9   8   7   6   5   4   3   2");
  EXPECT_NE(grid.find("\nA   .  60  60  60"), std::string::npos) << grid;  // no pair of aces is left
  EXPECT_NE(grid.find("\nK  30  27  55"), std::string::npos) << grid;
  const std::string coloured = range_grid(range_of(game, state, policy), kCall, CardStyle{true, false});
  EXPECT_GT(coloured.size(), grid.size());
}

TEST(RangeGrid, ToyGamesHaveARowForEachRank) {
  const Game game = make_game("leduc");
  RankPolicy policy(game);
  const State state = parse_acpc_state(game, "MATCHSTATE:0:0:cc/:|/Ks").state;
  const Range range = range_of(game, state, policy);
  EXPECT_EQ(range.combos, 5);
  ASSERT_EQ(range.classes.size(), 3U);
  const auto classes = by_name(range);
  EXPECT_EQ(classes.at("A").combos, 2);
  EXPECT_EQ(classes.at("K").combos, 1);
  const std::vector<int> actions = {kCall, kFirstRaise};
  const std::vector<std::string> names = {"check", "bet 4"};
  EXPECT_EQ(range_table(range, actions, names),
            "card  combos  reach    check    bet 4\n"
            "A          2  0.600   60.0 %   40.0 %\n"
            "K          1  0.550   55.0 %   45.0 %\n"
            "Q          2  0.500   50.0 %   50.0 %\n");
}

TEST(RangeGrid, NoHandGetsHere) {
  const Game game = make_game("leduc");
  const std::unique_ptr<Policy> policy = make_fixed_policy(game, "always_raise");
  const Range range = range_of(game, parse_acpc_state(game, "MATCHSTATE:0:0:cc/:|/Ks").state, *policy);
  EXPECT_TRUE(range.reached.empty());
  EXPECT_DOUBLE_EQ(range.frequency[kFirstRaise], 1);
}

}  // namespace
}  // namespace deepcfr
