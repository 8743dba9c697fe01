// The betting rules on single hands. Names that begin with a letter and a number are rows of faults that users of other
// programs have reported: minimum raises, short all-ins, blinds, turns.
#include <gtest/gtest.h>

#include "deepcfr/core/error.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using testing::no_limit_game;
using testing::play;

constexpr RuleSet kBothRuleSets[] = {RuleSet::acpc, RuleSet::cardroom};

void expect_raise(const Game& game, const State& state, std::int32_t min, std::int32_t max) {
  const std::optional<RaiseRange> range = game.raise_range(state);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->min, min);
  EXPECT_EQ(range->max, max);
}

TEST(Rules, R03_TheMinimumRaiseIsTheBetAndTheLastRaise) {
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = make_game("hunl", rules);
    expect_raise(game, play(game, ""), 200, 20000);
    expect_raise(game, play(game, "r300"), 500, 20000);
    expect_raise(game, play(game, "r300r900"), 1500, 20000);
    expect_raise(game, play(game, "r300r900c"), 1000, 20000);  // flop: a bet of at least 100
    expect_raise(game, play(game, "r200r2179"), 4158, 20000);
    const State raised = play(game, "r200r2179r4200");
    EXPECT_EQ(raised.max_spent, 4200);
  }
}

TEST(Rules, R05_TheMinimumRaiseIsNotTheOpponentsStack) {
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = no_limit_game("200 1000", "20 10", 2, rules);
    const State state = play(game, "r100r180");
    EXPECT_EQ(state.actor, 1);
    EXPECT_EQ(game.call_cost(state), 80);
    expect_raise(game, state, 260, 1000);
  }
}

TEST(Rules, R06_TheAmountToCallIsDefinedAfterAShortAllIn) {
  // Flop: a bet of 55, a raise to 123, the first bettor all-in for 154.
  const Game game = no_limit_game("174 1000 1000", "10 20 0", 3, RuleSet::cardroom);
  const State state = play(game, "fcc/r75r143r174");
  EXPECT_EQ(state.actor, 1);
  EXPECT_EQ(game.call_cost(state), 31);
  EXPECT_FALSE(game.raise_range(state));
  EXPECT_EQ(game.legal_actions(state), 0b11);
}

TEST(Rules, R07_HeadsUpTheButtonPostsTheSmallBlindAndActsLastAfterTheFlop) {
  for (const char* name : {"fhp", "hulh", "hunl"}) {
    const Game game = make_game(name);
    State state = play(game, "");
    EXPECT_GT(state.spent[0], state.spent[1]);
    EXPECT_EQ(state.actor, 1);
    game.apply(state, kCall);
    EXPECT_EQ(state.actor, 0);
    game.apply(state, kCall);
    for (int round = 1; round < game.rounds(); ++round) {
      EXPECT_EQ(state.round, round);
      EXPECT_EQ(state.actor, 0);
      game.apply(state, kCall);
      EXPECT_EQ(state.actor, 1);
      game.apply(state, kCall);
    }
    EXPECT_TRUE(state.finished);
  }
}

// R09: who acts first is said by the definition, not guessed from the seats.
TEST(Rules, R09_WithOneBlindTheDefinitionSaysWhoActsFirst) {
  EXPECT_EQ(play(no_limit_game("50 50", "2 0", 2), "").actor, 1);
  EXPECT_EQ(play(no_limit_game("50 50", "0 2", 1), "").actor, 0);
}

TEST(Rules, R10_TheBigBlindMayRaiseAfterLimpsAndCannotFold) {
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = make_game("hunl", rules);
    const State state = play(game, "c");
    EXPECT_EQ(state.actor, 0);
    EXPECT_FALSE(state.finished);
    EXPECT_EQ(state.round, 0);
    EXPECT_FALSE(game.fold_legal(state));
    EXPECT_EQ(game.call_cost(state), 0);
    expect_raise(game, state, 200, 20000);
    EXPECT_EQ(play(game, "cc").round, 1);
    const Game six = make_game("nlhe6", rules);
    EXPECT_EQ(play(six, "cccfc").actor, 1);
    expect_raise(six, play(six, "cccfc"), 200, 10000);
  }
}

TEST(Rules, R12_AShortBlindPostsWhatItHas) {
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = no_limit_game("500 7 500", "5 10 0", 3, rules);
    const State state = play(game, "");
    EXPECT_EQ(state.spent[1], 7);
    EXPECT_EQ(state.actor, 2);
    EXPECT_EQ(game.call_cost(state), 10);  // the amount to call stays the full blind
    expect_raise(game, state, 20, 500);
    const State called = play(game, "cc", testing::deal_of(game, "2c3d|AsAd|KsKd/4h5h9s/Jc/Qd"));
    EXPECT_EQ(called.spent[0], 10);
    const State end = play(game, "cccc cc cc", testing::deal_of(game, "2c3d|AsAd|KsKd/4h5h9s/Jc/Qd"));
    EXPECT_EQ(testing::values_of(game, end), (std::vector<double>{-10, 14, -4}));
  }
}

TEST(Rules, R12_NothingIsAskedWhenAShortBlindIsCoveredAlready) {
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = no_limit_game("30 1000", "100 50", 2, rules);
    const State state = play(game, "", testing::deal_of(game, "AsAd|KsKd/4h5h9s/Jc/Qd"));
    EXPECT_TRUE(state.finished);
    EXPECT_EQ(state.round, 3);
    EXPECT_EQ(testing::values_of(game, state), (std::vector<double>{30, -30}));
    const Game three = no_limit_game("500 30 500", "50 100 0", 3, rules);
    EXPECT_TRUE(play(three, "f").finished);
  }
}

TEST(Rules, R13_AnAllInMustBeCalledOrFolded) {
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = no_limit_game("1880 3000", "20 10", 2, rules);
    const State state = play(game, "r120r1880");
    EXPECT_EQ(state.actor, 1);
    EXPECT_EQ(game.call_cost(state), 1760);
    EXPECT_FALSE(game.raise_range(state));
    EXPECT_EQ(game.legal_actions(state), 0b11);
    EXPECT_TRUE(play(game, "r120r1880c").finished);
    EXPECT_TRUE(play(game, "r120r1880f").finished);
  }
}

TEST(Rules, R21_NoBetIsBeyondTheStack) {
  const Game game = make_game("hunl");
  State state = play(game, "");
  try {
    game.apply_raise_to(state, 20001);
    FAIL() << "a raise beyond the stack was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(), "20001 is not in 200..20000");
  }
  EXPECT_EQ(state, play(game, ""));
  EXPECT_THROW(game.apply_raise_to(state, 199), Error);
  const Game short_stack = no_limit_game("300 1000", "20 10", 2);
  State called = play(short_stack, "r500");
  EXPECT_EQ(short_stack.call_cost(called), 280);
  short_stack.apply(called, kCall);
  EXPECT_EQ(called.spent[0], 300);
  EXPECT_TRUE(called.finished);
}

TEST(Rules, R27_TheFirstActorMayRaiseAgainUntilTheCap) {
  const Game limit = make_game("hulh");
  EXPECT_TRUE(limit.raise_range(play(limit, "cc/crr")));
  EXPECT_TRUE(limit.raise_range(play(limit, "cc/rr")));
  EXPECT_TRUE(limit.raise_range(play(limit, "cc/crrr")));
  EXPECT_FALSE(limit.raise_range(play(limit, "cc/crrrr")));
  EXPECT_TRUE(limit.raise_range(play(limit, "rr")));
  EXPECT_FALSE(limit.raise_range(play(limit, "rrr")));
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = make_game("hunl", rules);
    expect_raise(game, play(game, "cc/cr200r400"), 600, 20000);
    expect_raise(game, play(game, "cc/r200r400"), 600, 20000);
    expect_raise(game, play(game, "cc/r200r400r600"), 800, 20000);
  }
}

// R36: a straddle is a third blind: the straddler has the option; the minimum raise is counted from it.
TEST(Rules, R36_AThirdBlindIsAStraddle) {
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = no_limit_game("200 200 200 200", "1 2 4 0", 4, rules);
    EXPECT_EQ(play(game, "").actor, 3);
    EXPECT_EQ(game.call_cost(play(game, "")), 4);
    EXPECT_EQ(play(game, "ccc").actor, 2);
    expect_raise(game, play(game, "ccc"), 8, 200);
    EXPECT_EQ(play(game, "cccc").round, 1);
  }
}

// E23: blinds 1 2, the third player all-in for 16, the button calls, the small blind all-in for 19.
TEST(Rules, E23_AShortAllInReopensTheBettingUnderAcpcOnly) {
  const Game acpc = no_limit_game("19 200 16 200", "1 2 0 0", 3, RuleSet::acpc);
  const State big_blind = play(acpc, "r16cr19");
  EXPECT_EQ(big_blind.actor, 1);
  expect_raise(acpc, big_blind, 30, 200);
  EXPECT_EQ(play(acpc, "r16cr19c").actor, 3);
  expect_raise(acpc, play(acpc, "r16cr19c"), 30, 200);
  const Game cardroom = no_limit_game("19 200 16 200", "1 2 0 0", 3, RuleSet::cardroom);
  expect_raise(cardroom, play(cardroom, "r16cr19"), 33, 200);
  EXPECT_EQ(play(cardroom, "r16cr19c").actor, 3);
  EXPECT_FALSE(cardroom.raise_range(play(cardroom, "r16cr19c")));
  EXPECT_EQ(cardroom.legal_actions(play(cardroom, "r16cr19c")), 0b11);
}

TEST(Rules, ShortAllInsThatTogetherMakeAFullRaiseReopenInACardRoom) {
  const Game game = no_limit_game("1000 1000 160 220 1000", "10 20 0 0 0", 3, RuleSet::cardroom);
  // Flop: a bet of 100, called; all-in 150 and 200 over it: 100 more altogether.
  const State state = play(game, "ccccc/r120cr160r220c");
  EXPECT_EQ(state.actor, 0);
  EXPECT_EQ(game.call_cost(state), 100);
  expect_raise(game, state, 320, 1000);
  // Those who called at 150 have only 60 more to call than a full raise wants.
  const Game later = no_limit_game("1000 1000 160 1000 220", "10 20 0 0 0", 3, RuleSet::cardroom);
  const State between = play(later, "ccccc/r120cr160cr220ff");
  EXPECT_EQ(between.actor, 3);
  EXPECT_EQ(later.call_cost(between), 60);
  EXPECT_FALSE(later.raise_range(between));
}

TEST(Rules, AnAllInBetBelowTheBigBlindDoesNotReopenInACardRoom) {
  const Game game = no_limit_game("500 150 500", "50 100 0", 3, RuleSet::cardroom);
  const State state = play(game, "ccc/cr150");
  EXPECT_EQ(state.actor, 2);
  expect_raise(game, state, 250, 500);  // has not acted yet
  EXPECT_EQ(play(game, "ccc/cr150c").actor, 0);
  EXPECT_FALSE(game.raise_range(play(game, "ccc/cr150c")));
}

TEST(Rules, InACardRoomNobodyRaisesPlayersWhoAreCovered) {
  const Game cardroom = no_limit_game("100 1000 100", "10 20 0", 3, RuleSet::cardroom);
  EXPECT_FALSE(cardroom.raise_range(play(cardroom, "r100f")));
  const Game acpc = no_limit_game("100 1000 100", "10 20 0", 3, RuleSet::acpc);
  EXPECT_FALSE(acpc.raise_range(play(acpc, "r100f")));
  // The big blind is still to act, but has less than the bet: only the reference engine lets the small blind raise.
  const Game short_blind = no_limit_game("1000 80 100", "10 20 0", 3, RuleSet::cardroom);
  EXPECT_FALSE(short_blind.raise_range(play(short_blind, "r100")));
  const Game reference = no_limit_game("1000 80 100", "10 20 0", 3, RuleSet::acpc);
  expect_raise(reference, play(reference, "r100"), 180, 1000);
}

TEST(Rules, ABlindThatIsAllInEndsTheBettingOnceTheOtherHasMatchedIt) {
  for (const RuleSet rules : kBothRuleSets) {
    const Game game = no_limit_game("1000 50", "100 50", 2, rules);
    const State state = play(game, "");
    // The reference engine asks the big blind to check, a card room does not.
    EXPECT_EQ(state.finished, rules == RuleSet::cardroom);
    EXPECT_EQ(game.legal_actions(state), state.finished ? 0 : 1u << kCall);
    const Game big = no_limit_game("100 1000", "100 50", 2, rules);
    EXPECT_EQ(play(big, "").actor, 1);
    EXPECT_EQ(big.legal_actions(play(big, "")), 0b11);
    EXPECT_TRUE(play(big, "c").finished);
  }
}

TEST(Rules, LimitRaisesStopAtTheStack) {
  const std::string text =
      "GAMEDEF\nlimit\nnumPlayers = 3\nnumRounds = 1\nstack = 100 100 35\nblind = 5 10 0\nraiseSize = 10\nfirstPlayer = 3\n"
      "maxRaises = 4\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0\nEND GAMEDEF\n";
  const GameDefinition definition = parse_game_definition(text, "limit3");
  for (const RuleSet rules : kBothRuleSets) {
    const Game game(definition, rules, {});
    const State state = play(game, "rrcr");  // 20, 30, call, all-in for 35
    EXPECT_EQ(state.max_spent, 35);
    EXPECT_EQ(state.actor, 0);
    EXPECT_EQ(game.raise_range(state).has_value(), rules == RuleSet::acpc);
    if (rules == RuleSet::acpc) expect_raise(game, state, 45, 45);
  }
}

}  // namespace
}  // namespace deepcfr
