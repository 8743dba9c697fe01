#include "play_input.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

using Kind = PlayInput::Kind;

/// The betting after typing the line, or the problem.
std::string after(const TableHand& hand, const char* line) {
  const PlayInput input = parse_play_input(hand, line);
  if (input.kind == Kind::problem) return "problem: " + input.problem;
  if (input.kind != Kind::move) return "command";
  TableHand next = hand;
  next.apply(input.move);  // throws if what was read is not legal
  return print_acpc_betting(next.game(), next.betting());
}

class PlayInputNoLimit : public testing::Test {
 protected:
  Game game_ = make_game("hunl");
  TableHand preflop_{game_, Deal{}};
  /// The flop of r300c: 300 each, the big blind to act.
  TableHand flop() const {
    TableHand hand(game_, Deal{});
    hand.apply({TableAction::Kind::raise, 300});
    hand.apply({TableAction::Kind::call, 0});
    return hand;
  }
};

TEST_F(PlayInputNoLimit, EveryWayToSayAMove) {
  for (const char* line : {"r 300", "R300", "raise 300", " Raise to 300 ", "bet 300", "b300", "300", "raise to 300 chips"})
    EXPECT_EQ(after(preflop_, line), "r300") << line;
  for (const char* line : {"f", "Fold", " FOLD\t"}) EXPECT_EQ(after(preflop_, line), "f") << line;
  for (const char* line : {"c", "call", "call 50", "CALL it"}) EXPECT_EQ(after(preflop_, line), "c") << line;
  for (const char* line : {"allin", "all-in", "all in", "r all-in", "raise all in", "a", "max", "20000", "20,000", "r 20,000"})
    EXPECT_EQ(after(preflop_, line), "r20000") << line;
  EXPECT_EQ(after(preflop_, "min"), "r200");
}

TEST_F(PlayInputNoLimit, SharesOfThePotAreTheAbstractionsSizes) {
  // 200 in the pot after a call: half is 100 more than the bet of 100, pot 200 more.
  for (const char* line : {"half", "half pot", "r half", "50%", "r 50%", "50% pot"}) EXPECT_EQ(after(preflop_, line), "r200") << line;
  EXPECT_EQ(after(preflop_, "pot"), "r300");
  EXPECT_EQ(after(preflop_, "200%"), "r500");
  EXPECT_EQ(after(flop(), "pot"), "r300c/r900");
  EXPECT_EQ(after(flop(), "1%"), "r300c/r400");  // lifted to the smallest
  EXPECT_EQ(after(flop(), "100000%"), "r300c/r20000");
  const Action half = kFirstRaise;
  const Action pot = kFirstRaise + 1;
  const TableHand hand = flop();
  EXPECT_EQ(after(hand, "half"), "r300c/r" + std::to_string(game_.raise_to(hand.state(), half)));
  EXPECT_EQ(after(hand, "pot"), "r300c/r" + std::to_string(game_.raise_to(hand.state(), pot)));
}

TEST_F(PlayInputNoLimit, AmountsCountInTheRound) {
  EXPECT_EQ(after(flop(), "bet 600"), "r300c/r900");
  EXPECT_EQ(after(flop(), "19700"), "r300c/r20000");
  EXPECT_EQ(after(flop(), "19701"), "problem: 19701 is not legal: bet 100–19700");
}

TEST_F(PlayInputNoLimit, ProblemsSayWhatIsRight) {
  EXPECT_EQ(after(preflop_, "r 199"), "problem: 199 is not legal: raise to 200–20000");
  EXPECT_EQ(after(preflop_, "r 20001"), "problem: 20001 is not legal: raise to 200–20000");
  EXPECT_EQ(after(preflop_, "r -300"), "problem: -300 is not legal: raise to 200–20000");
  EXPECT_EQ(after(preflop_, "r 300.5"), "problem: 300.5 is not a whole number of chips: raise to 200–20000");
  EXPECT_EQ(after(preflop_, "r nan"), "problem: 'nan' is no amount: raise to 200–20000");
  EXPECT_EQ(after(preflop_, "r 99999999999999999999"), "problem: 99999999999999999999 is not legal: raise to 200–20000");
  EXPECT_EQ(after(preflop_, "r"), "problem: how much? raise to 200–20000, or half, pot, 75%, min, all-in");
  EXPECT_EQ(after(preflop_, "r 300 400"), "problem: one amount is enough: raise to 200–20000");
  EXPECT_EQ(after(preflop_, "-5%"), "problem: '-5%' is not understood: fold (f), call 50 (c), raise to 200–20000 (r AMOUNT); ? for help");
  EXPECT_EQ(after(preflop_, "check"), "problem: there is a bet, so you cannot check: c calls 50, f folds");
  EXPECT_EQ(after(flop(), "fold"), "problem: there is no bet to fold to: c checks");
  EXPECT_EQ(after(flop(), "check"), "r300c/c");
  EXPECT_EQ(after(flop(), ""), "problem: your move: check (c), bet 100–19700 (r AMOUNT); ? for help");
  EXPECT_EQ(after(flop(), "\033[A what"),
            "problem: '[A what' is not understood: check (c), bet 100–19700 (r AMOUNT); ? for help");  // no control characters back
}

TEST_F(PlayInputNoLimit, Commands) {
  EXPECT_EQ(parse_play_input(preflop_, "hint").kind, Kind::hint);
  EXPECT_EQ(parse_play_input(preflop_, "state").kind, Kind::state);
  EXPECT_EQ(parse_play_input(preflop_, " ? ").kind, Kind::help);
  EXPECT_EQ(parse_play_input(preflop_, "Quit").kind, Kind::quit);
  EXPECT_EQ(parse_play_input(preflop_, "q").kind, Kind::quit);
  EXPECT_NE(play_help(game_).find("half, pot, 75%"), std::string::npos);
}

TEST(PlayInputLimit, TheSizeIsFixed) {
  const Game game = make_game("hulh");
  TableHand hand(game, Deal{});
  for (const char* line : {"r", "raise", "bet", "r 20", "raise to 20", "20", "pot", "min", "all-in"})
    EXPECT_EQ(after(hand, line), "r") << line;
  EXPECT_EQ(after(hand, "r 30"), "problem: 30 is not legal: raise to 20");
  EXPECT_EQ(legal_moves_text(hand), "fold (f), call 5 (c), raise to 20 (r)");
  for (int i = 0; i < 3; ++i) hand.apply({TableAction::Kind::raise, game.raise_range(hand.state())->min});
  EXPECT_EQ(legal_moves_text(hand), "fold (f), call 10 (c)");
  EXPECT_EQ(after(hand, "r"), "problem: no raise is legal here: fold (f), call 10 (c)");
  EXPECT_EQ(play_help(game).find("75%"), std::string::npos);
}

TEST(PlayInputToy, AntesAreNoBet) {
  const Game game = make_game("kuhn");
  const TableHand hand(game, Deal{});
  EXPECT_EQ(legal_moves_text(hand), "check (c), bet 1 (r)");
  EXPECT_EQ(after(hand, "bet 1"), "r");
}

}  // namespace
}  // namespace deepcfr
