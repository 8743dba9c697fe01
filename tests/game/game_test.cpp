// The actions of the abstraction: which are offered, and what amounts they mean.
#include "deepcfr/game/game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "deepcfr/core/error.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using ::testing::HasSubstr;
using testing::no_limit;
using testing::play;
using testing::sizes;

std::vector<std::int32_t> raises(const Game& game, const State& state) {
  std::vector<std::int32_t> totals;
  for (int a = kFirstRaise; a < game.num_actions(); ++a) {
    if ((game.legal_actions(state) >> a) & 1) totals.push_back(game.raise_to(state, static_cast<Action>(a)));
  }
  return totals;
}

Game heads_up(const char* stacks, const BetAbstraction& abstraction, RuleSet rules = RuleSet::acpc) {
  return Game(no_limit(stacks, "100 50", 2), rules, abstraction);
}

TEST(Abstraction, R25_RaiseSizesAreFractionsOfThePotAfterACall) {
  // Flop, pot 5 (2 and 2, and 1 from a folded hand), bet 3: raises to 8.5, 11.25, 14, 19.5 on the street, halves rounded up.
  const Game game(no_limit("1000 1000 1000", "2 2 0", 3), RuleSet::acpc, sizes({0.5, 0.75, 1, 1.5}));
  State state = play(game, "fcc");
  state.spent[2] = 1;
  game.apply_raise_to(state, 2 + 3);
  EXPECT_EQ(state.actor, 1);
  EXPECT_EQ(raises(game, state), (std::vector<std::int32_t>{2 + 9, 2 + 11, 2 + 14, 2 + 20, 1000}));
  // A bet of 70 % of a pot of 248 tenths.
  const Game tenths(no_limit("1000 1000", "124 62", 2), RuleSet::acpc, sizes({0.7}));
  EXPECT_EQ(raises(tenths, play(tenths, "cc")), (std::vector<std::int32_t>{124 + 174, 1000}));
}

TEST(Abstraction, A23_PotFractionsAreOfTheLivePot) {
  const Game game = heads_up("20000 20000", sizes({0.5, 1}));
  EXPECT_EQ(raises(game, play(game, "cc")), (std::vector<std::int32_t>{200, 300, 20000}));        // bets of 100 and 200
  EXPECT_EQ(raises(game, play(game, "cc/cr300")), (std::vector<std::int32_t>{600, 900, 20000}));  // 300 + x · 600
  EXPECT_EQ(raises(game, play(game, "r300c/")), (std::vector<std::int32_t>{600, 900, 20000}));
}

TEST(Abstraction, R26_ASizeIsLiftedToTheMinimumRaiseAndOfferedOnce) {
  const Game game = heads_up("20000 20000", sizes({0.1, 0.2, 0.5, 1}));
  // Facing a pot bet (200 into 200): at least 200 more; half the pot after the call is 300, 0.1 and 0.2 would be too small.
  EXPECT_EQ(raises(game, play(game, "cc/r300")), (std::vector<std::int32_t>{500, 600, 900, 20000}));
  EXPECT_EQ(game.legal_actions(play(game, "cc/r300")), 0b1110111);  // 0.1 is lifted to the minimum, 0.2 is the same
}

TEST(Abstraction, SizesAtOrAboveTheStackLeaveAllInOnly) {
  const Game game = heads_up("20000 20000", sizes({0.5, 1, 2}));
  EXPECT_EQ(raises(game, play(game, "r6000r18000")), (std::vector<std::int32_t>{20000}));
  EXPECT_EQ(game.legal_actions(play(game, "r6000r18000")), 0b100011);
  EXPECT_EQ(raises(game, play(game, "r6600")), (std::vector<std::int32_t>{13200, 19800, 20000}));
  const Game exact = heads_up("300 300", sizes({1}));
  EXPECT_EQ(raises(exact, play(exact, "")), (std::vector<std::int32_t>{300}));
  EXPECT_EQ(exact.legal_actions(play(exact, "")), 0b1011);
  const Game no_all_in = heads_up("300 300", sizes({1}, false));
  EXPECT_EQ(no_all_in.num_actions(), 3);
  EXPECT_EQ(no_all_in.legal_actions(play(no_all_in, "")), 0b011);
}

TEST(Abstraction, NoRaisesAfterTheCap) {
  const Game game = heads_up("20000 20000", sizes({1}, true, 2));
  EXPECT_EQ(game.legal_actions(play(game, "r300r900")), 0b11);
  EXPECT_TRUE(game.raise_range(play(game, "r300r900")));
  EXPECT_EQ(game.legal_actions(play(game, "r300r900c/")), 0b1110);
  GameDefinition capped = no_limit("20000 20000", "100 50", 2);
  capped.max_raises.fill(1);
  const Game definition_cap(capped, RuleSet::acpc, sizes({1}, true, 4));
  EXPECT_EQ(definition_cap.legal_actions(play(definition_cap, "r300")), 0b11);
  EXPECT_FALSE(definition_cap.raise_range(play(definition_cap, "r300")));
}

TEST(Abstraction, RoundsMayHaveDifferentSizes) {
  BetAbstraction abstraction;
  abstraction.pot_fractions = {{{0.5, 1, 3}, {1}, {}, {0.75, 1}}};
  const Game game = heads_up("20000 20000", abstraction);
  EXPECT_EQ(game.num_actions(), 6);
  EXPECT_EQ(raises(game, play(game, "cc/")), (std::vector<std::int32_t>{300, 20000}));
  EXPECT_EQ(raises(game, play(game, "cc/cc/")), (std::vector<std::int32_t>{20000}));
  EXPECT_EQ(raises(game, play(game, "cc/cc/cc/")), (std::vector<std::int32_t>{250, 300, 20000}));
  EXPECT_EQ(game.action_name(2), "raise size 1");
  EXPECT_EQ(game.action_name(5), "all-in");
  abstraction.pot_fractions = {{{0.5}, {0.5}, {0.5}, {1}}};
  EXPECT_EQ(heads_up("20000 20000", abstraction).action_name(2), "raise size 1");
}

TEST(Abstraction, NamesOfActions) {
  const Game game = make_game("hunl");
  std::vector<std::string> names;
  for (int a = 0; a < game.num_actions(); ++a) names.push_back(game.action_name(static_cast<Action>(a)));
  EXPECT_EQ(names, (std::vector<std::string>{"fold", "call", "raise 0.5 pot", "raise 1 pot", "raise 2 pot", "all-in"}));
  EXPECT_EQ(make_game("leduc").action_name(kFirstRaise), "raise");
  const State state = play(game, "r300");
  EXPECT_EQ(game.describe(state, kFold), "fold");
  EXPECT_EQ(game.describe(state, kCall), "call 200");
  EXPECT_EQ(game.describe(state, 3), "raise to 900");
  EXPECT_EQ(game.describe(state, 5), "raise to 20000 (all-in)");
  EXPECT_EQ(game.describe(play(game, "c"), kCall), "check");
}

TEST(Abstraction, ARaiseThatTheAbstractionKnowsIsRecordedAsItsAction) {
  const Game game = make_game("hunl");
  EXPECT_EQ(play(game, "r300").history[0], 3);
  EXPECT_EQ(play(game, "r301").history[0], kOffTreeRaise);
  EXPECT_EQ(play(game, "r20000").history[0], 5);
}

template <typename Make>
void expect_refused(Make make, const std::string& what, const std::string& hint) {
  try {
    make();
    ADD_FAILURE() << "accepted, instead of: " << what;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.message(), HasSubstr(what));
    EXPECT_THAT(error.hint(), HasSubstr(hint));
  }
}

TEST(Abstraction, RefusesWhatIsOutOfRange) {
  expect_refused([] { heads_up("500 500", sizes({0})); }, "raise sizes of round 1: 0 is not in (0, 1000]", "0.5");
  expect_refused([] { heads_up("500 500", sizes({std::numeric_limits<double>::quiet_NaN()})); }, "nan is not in", "");
  expect_refused([] { heads_up("500 500", sizes({1, 0.5})); }, "0.5 follows 1", "ascending");
  expect_refused([] { heads_up("500 500", sizes({1, 1})); }, "1 follows 1", "ascending");
  expect_refused([] { heads_up("500 500", sizes({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})); }, "13 are given", "at most 12");
  expect_refused([] { heads_up("500 500", sizes({1}, true, -1)); }, "-1 is not in 0..255", "");
  expect_refused([] { Game(no_limit("9 9 9 9 9 9 9 9 9 9", "1 2 0 0 0 0 0 0 0 0", 3), RuleSet::acpc, sizes({1})); },
                 "a hand of 10 players and 4 rounds can take 184 actions, the history holds 128", "at most 2 raises");
  GameDefinition uncapped = find_game_definition("hulh");
  uncapped.max_raises.fill(255);
  expect_refused([&] { Game(uncapped, RuleSet::acpc, {}); }, "the history holds 128",
                 "at most 30 raises in each round (maxRaises)");
  uncapped.max_raises.fill(30);
  EXPECT_NO_THROW(Game(uncapped, RuleSet::acpc, {}));
}

// R22: a million hands through the abstraction: every amount is one that the rules allow, every all-in that does not exceed the
// bet is a call, every action is found again from its amount.
TEST(Abstraction, R22_RandomHandsUseOnlyLegalAmounts) {
  const std::vector<testing::NamedGame> games = testing::all_games();
  const std::uint64_t hands = 1'000'000 / games.size() / testing::kSlowdown + 1;
  for (const auto& [name, game] : games) {
    SCOPED_TRACE(name);
    SequentialRandom random(CounterRandom(StreamPurpose::test, {22}));
    for (std::uint64_t hand = 0; hand < hands; ++hand) {
      State state = game.initial_state(Deal{});
      while (!state.finished) {
        const Action action = testing::random_action(game.legal_actions(state), random);
        if (action >= kFirstRaise) {
          const std::optional<RaiseRange> range = game.raise_range(state);
          const std::int32_t total = game.raise_to(state, action);
          ASSERT_TRUE(range && total >= range->min && total <= range->max && total > state.max_spent);
          State other = state;
          game.apply_raise_to(other, total);
          game.apply(state, action);
          ASSERT_EQ(other, state);
        } else {
          game.apply(state, action);
        }
      }
      ASSERT_FALSE(state.history.overflow);
    }
  }
}

TEST(Game, DealsAreUniform) {
  // χ² with 119 degrees of freedom over the ordered deals of Leduc (first card, second card, board): 99.9 % point 173.6.
  const Game game = make_game("leduc");
  std::map<std::array<Card, 3>, int> seen;
  const int deals = 120'000;
  for (int i = 0; i < deals; ++i) {
    const Deal deal = game.sample_deal(CounterRandom(StreamPurpose::deal, {static_cast<std::uint64_t>(i)}));
    ++seen[{deal.hole[0][0], deal.hole[1][0], deal.board[0]}];
  }
  EXPECT_EQ(seen.size(), 120u);
  double chi_squared = 0;
  for (const auto& [cards, count] : seen) chi_squared += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_LT(chi_squared, 173.6);
}

TEST(Game, ResultsHaveAUnit) {
  EXPECT_EQ(result_unit(make_game("hunl")).name, "mbb/g");
  EXPECT_DOUBLE_EQ(result_unit(make_game("hunl")).scale, 10);
  EXPECT_DOUBLE_EQ(result_unit(make_game("hulh")).scale, 100);
  EXPECT_EQ(result_unit(make_game("kuhn")).name, "antes");
}

}  // namespace
}  // namespace deepcfr
