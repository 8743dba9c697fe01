#include "deepcfr/cfr/small_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

using ::testing::HasSubstr;

/// Two suits, two rounds of board cards, two hole cards: what the toys of the catalogue lack.
const char* const kTwoBoards = R"(GAMEDEF
limit
numPlayers = 2
numRounds = 3
blind = 1 1
raiseSize = 2 2 4
firstPlayer = 1 1 1
maxRaises = 1 1 1
numSuits = 2
numRanks = 4
numHoleCards = 2
numBoardCards = 0 1 1
END GAMEDEF
)";

Game two_boards(bool canonical_suits) {
  GameDefinition definition = parse_game_definition(kTwoBoards, "two_boards.game");
  const BetAbstraction abstraction = default_abstraction(definition);
  return Game(std::move(definition), RuleSet::acpc, abstraction, canonical_suits);
}

std::vector<Game> games() {
  std::vector<Game> all;
  for (const bool canonical : {true, false}) {
    all.push_back(make_game("kuhn", RuleSet::acpc, canonical));
    all.push_back(make_game("kuhn3", RuleSet::cardroom, canonical));
    all.push_back(make_game("leduc", RuleSet::acpc, canonical));
    all.push_back(two_boards(canonical));
  }
  return all;
}

/// Visits every decision of every deal by replaying the rules: visit(state, deal, parent infoset by player, action there).
template <typename Visit>
void replay(const Game& game, const SmallGame& small, const State& state, int deal, std::vector<std::pair<int, Action>> last,
            const Visit& visit) {
  visit(state, deal, last);
  if (state.finished) return;
  const int infoset = small.find(state);
  for (int a = 0; a < game.num_actions(); ++a) {
    if (((game.legal_actions(state) >> a) & 1) == 0) continue;
    State next = state;
    game.apply(next, static_cast<Action>(a));
    last[state.actor] = {infoset, static_cast<Action>(a)};
    replay(game, small, next, deal, last, visit);
  }
}

TEST(SmallGame, CountsInfosetsAndDeals) {
  const Game kuhn = make_game("kuhn");
  EXPECT_EQ(SmallGame(kuhn).num_infosets(), 12);
  EXPECT_EQ(SmallGame(kuhn).num_deals(), 6);
  const Game kuhn3 = make_game("kuhn3");
  EXPECT_EQ(SmallGame(kuhn3).num_infosets(), 48);
  EXPECT_EQ(SmallGame(kuhn3).num_deals(), 24);
  const Game leduc = make_game("leduc");
  EXPECT_EQ(SmallGame(leduc).num_infosets(), 288);
  EXPECT_EQ(SmallGame(leduc).num_deals(), 120);
  const Game full = make_game("leduc", RuleSet::acpc, false);
  EXPECT_EQ(SmallGame(full).num_infosets(), 936);
  const Game boards = two_boards(false);
  EXPECT_EQ(SmallGame(boards).num_deals(), 28 * 15 * 4 * 3);
  EXPECT_EQ(SmallGame(boards).num_classes(2), 28 * 6 * 5);
}

TEST(SmallGame, EveryStateOfEveryDealHasItsInfosetParentAndValue) {
  for (const Game& game : games()) {
    const SmallGame small(game);
    std::set<int> seen;
    std::vector<double> chips(static_cast<std::size_t>(game.players()));
    const auto visit = [&](const State& state, int deal, const std::vector<std::pair<int, Action>>& last) {
      const std::int32_t node = small.tree().find(state.history);
      ASSERT_GE(node, 0);
      if (state.finished) {
        game.values(state, chips);
        for (int p = 0; p < game.players(); ++p) ASSERT_EQ(small.value(node, deal, p), chips[static_cast<std::size_t>(p)]);
        return;
      }
      const int infoset = small.find(state);
      ASSERT_EQ(infoset, small.infoset(node, deal));
      ASSERT_EQ(small.key(infoset), infoset_of(game, state));
      ASSERT_EQ(small.player_of(infoset), state.actor);
      ASSERT_EQ(small.legal(infoset), game.legal_actions(state));
      ASSERT_EQ(small.parent_infoset(infoset), last[state.actor].first);
      if (last[state.actor].first >= 0) {
        ASSERT_EQ(small.parent_action(infoset), last[state.actor].second);
        ASSERT_LT(small.parent_infoset(infoset), infoset);
      }
      seen.insert(infoset);
    };
    for (int d = 0; d < small.num_deals(); ++d) {
      replay(game, small, game.initial_state(small.deal(d)), d,
             std::vector<std::pair<int, Action>>(static_cast<std::size_t>(game.players()), {-1, kFold}), visit);
    }
    EXPECT_EQ(static_cast<int>(seen.size()), small.num_infosets()) << game.name();
  }
}

TEST(SmallGame, SampleStateIsOfItsInfosetAndHidesOtherCards) {
  for (const Game& game : games()) {
    const SmallGame small(game);
    for (int i = 0; i < small.num_infosets(); ++i) {
      const State& state = small.sample_state(i);
      ASSERT_EQ(small.find(state), i);
      ASSERT_EQ(small.find(small.key(i)), i);
      ASSERT_EQ(infoset_of(game, state), small.key(i));
      ASSERT_EQ(game.legal_actions(state), small.legal(i));
      for (int p = 0; p < game.players(); ++p) {
        ASSERT_EQ(state.deal.hole[static_cast<std::size_t>(p)][0] == kNoCard, p != state.actor);
      }
    }
  }
}

TEST(SmallGame, DealsAreFoundWhateverTheOrderOfTheirCards) {
  for (const Game& game : games()) {
    const SmallGame small(game);
    for (int d = 0; d < small.num_deals(); ++d) {
      Deal deal = small.deal(d);
      ASSERT_EQ(small.find_deal(deal), d);
      for (auto& hole : deal.hole) std::reverse(hole.begin(), hole.begin() + game.definition().hole_cards);
      ASSERT_EQ(small.find_deal(deal), d);
    }
    // Dealt cards are found, each deal about as often as any other.
    std::vector<int> count(static_cast<std::size_t>(small.num_deals()));
    const int draws = 200 * small.num_deals();
    for (int i = 0; i < draws; ++i) {
      ++count[static_cast<std::size_t>(
          small.find_deal(game.sample_deal(CounterRandom(StreamPurpose::test, {3, static_cast<std::uint64_t>(i)}))))];
    }
    double chi_square = 0;
    for (const int c : count) chi_square += (c - 200.0) * (c - 200.0) / 200;
    const double freedom = small.num_deals() - 1;
    EXPECT_LT(std::abs(chi_square - freedom), 5 * std::sqrt(2 * freedom)) << game.name();
  }
  const Game kuhn = make_game("kuhn");
  const SmallGame small(kuhn);
  Deal twice = small.deal(0);
  twice.hole[1] = twice.hole[0];
  EXPECT_THROW(small.find_deal(twice), Error);
}

TEST(SmallGame, FindAnswersMinusOneOutsideTheGame) {
  const Game leduc = make_game("leduc");
  const SmallGame small(leduc);
  Infoset infoset = small.key(0);
  infoset.hole[0] = 0;  // a deuce
  EXPECT_EQ(small.find(infoset), -1);
  infoset = small.key(0);
  for (int i = 0; i < 9; ++i) infoset.history.push(kCall);
  EXPECT_EQ(small.find(infoset), -1);
}

// E09.
TEST(SmallGame, LargeGamesAreRefusedAtOnceWithTheirSizeAndTheAlternatives) {
  for (const char* name : {"hulh", "hunl", "nlhe6", "fhp"}) {
    const Game game = make_game(name);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(SmallGame::fits(game));
    try {
      const SmallGame small(game);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr(name));
      EXPECT_THAT(error.what(), HasSubstr("bots"));
      EXPECT_THAT(error.what(), HasSubstr(std::string(name) == "hulh" ? "3.19e14 infosets" : "infosets"));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2)) << name;
  }
  const Game kuhn = make_game("kuhn");
  EXPECT_TRUE(SmallGame::fits(kuhn));
  EXPECT_FALSE(SmallGame::fits(kuhn, {.max_infosets = 11}));
  EXPECT_THROW(SmallGame(kuhn, {.max_deal_nodes = 10}), Error);
}

class BrokenPolicy final : public Policy {
 public:
  explicit BrokenPolicy(double probability) : probability_(probability) {}
  void probabilities(std::span<const State* const> /*states*/, std::span<double> out) override {
    std::fill(out.begin(), out.end(), probability_);
  }
  std::string name() const override { return "broken"; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<BrokenPolicy>(*this); }

 private:
  double probability_;
};

TEST(TabularPolicy, TabulateInvertsIt) {
  const Game game = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(game);
  const std::vector<double> uniform = tabulate(*small, *make_fixed_policy(game, "uniform"));
  TabularPolicy policy(small, uniform, "table");
  EXPECT_EQ(tabulate(*small, policy), uniform);
  EXPECT_EQ(tabulate(*small, *policy.clone()), uniform);
  EXPECT_EQ(policy.clone()->name(), "table");
  EXPECT_THROW(TabularPolicy(small, std::vector<double>(3), "short"), Error);
}

TEST(TabularPolicy, TabulateRefusesRowsThatAreNoDistributionOverLegalActions) {
  const Game game = make_game("kuhn");
  const SmallGame small(game);
  for (const double probability : {1.0 / 3, std::nan(""), -1.0}) {
    BrokenPolicy broken(probability);
    EXPECT_THROW(tabulate(small, broken), Error);
  }
}

}  // namespace
}  // namespace deepcfr
