#include "deepcfr/protocol/betting.h"

#include <gtest/gtest.h>

#include <string>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

// Reported fault E13 and the standards' example: one hand, three notations (PHH: phh_test.cpp).
TEST(Betting, OneHandInAcpcAndSlumbotNotation) {
  const Game game = make_game("hunl");
  const Betting betting = parse_acpc_betting(game, "r300r900c/r1900f");
  EXPECT_EQ(betting, (Betting{{Kind::raise, 300}, {Kind::raise, 900}, {Kind::call, 0}, {Kind::raise, 1900}, {Kind::fold, 0}}));
  EXPECT_EQ(print_slumbot_betting(game, betting), "b300b900c/b1000f");
  EXPECT_EQ(parse_slumbot_betting(game, "b300b900c/b1000f"), betting);
  EXPECT_EQ(print_acpc_betting(game, betting), "r300r900c/r1900f");
}

TEST(Betting, ChecksAndCallsAreTwoLettersInSlumbotsNotation) {
  const Game game = make_game("hunl");
  const std::string acpc = "cc/r200c/cc/cr400c", slumbot = "ck/b100c/kk/kb200c";
  EXPECT_EQ(print_slumbot_betting(game, parse_acpc_betting(game, acpc)), slumbot);
  EXPECT_EQ(print_acpc_betting(game, parse_slumbot_betting(game, slumbot)), acpc);
  EXPECT_THROW(parse_slumbot_betting(game, "kk"), Error) << "the small blind has something to call";
  EXPECT_THROW(parse_slumbot_betting(game, "cc"), Error) << "the big blind has not";
  EXPECT_THROW(parse_slumbot_betting(make_game("hulh"), "ck"), Error);
}

TEST(Betting, AnAllInLeavesEmptyRounds) {
  const Game game = make_game("hunl");
  const Betting betting = parse_acpc_betting(game, "r300r20000c///");
  EXPECT_EQ(betting.size(), 3u);
  EXPECT_EQ(print_acpc_betting(game, betting), "r300r20000c///");
  EXPECT_THROW(parse_acpc_betting(game, "r300r20000c"), Error);
  // Slumbot writes all of the slashes or none.
  EXPECT_EQ(parse_slumbot_betting(game, "b300b20000c///"), betting);
  EXPECT_EQ(parse_slumbot_betting(game, "b300b20000c"), betting);
  EXPECT_EQ(print_slumbot_betting(game, betting), "b300b20000c");
}

TEST(Betting, LinesThatAreNotOverAreRead) {
  const Game game = make_game("hunl");
  EXPECT_TRUE(parse_acpc_betting(game, "").empty());
  EXPECT_EQ(parse_acpc_betting(game, "r300").size(), 1u);
  EXPECT_EQ(parse_acpc_betting(game, "cc").size(), 2u);
  EXPECT_EQ(parse_acpc_betting(game, "cc/").size(), 2u);
  EXPECT_EQ(print_acpc_betting(game, parse_acpc_betting(game, "cc")), "cc/");
  EXPECT_EQ(parse_acpc_betting(game, "b300"), parse_acpc_betting(game, "r300")) << "the reference engine reads b as r";
}

TEST(Betting, LimitGames) {
  const Game game = make_game("hulh");
  const Betting betting = parse_acpc_betting(game, "rrrc/rc/cc/cr");
  EXPECT_EQ(betting[2].total, 40);
  EXPECT_EQ(betting.back().total, 70);
  EXPECT_EQ(print_acpc_betting(game, betting), "rrrc/rc/cc/cr");
  EXPECT_THROW(parse_acpc_betting(game, "rrrr"), Error);
}

TEST(Betting, ErrorsNameTheCharacter) {
  const Game game = make_game("hunl");
  const auto message = [&](const char* text) {
    try {
      parse_acpc_betting(game, text);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message("cr150"), "betting 'cr150', character 2: 150 is not in 200..20000");
  EXPECT_EQ(message("ccf"), "betting 'ccf', character 3: the round of betting is over: '/' is wanted here");
  EXPECT_EQ(message("cf"), "betting 'cf', character 2: a fold without a bet to call is not legal");
  EXPECT_EQ(message("fc"), "betting 'fc', character 2: the hand is over here");
  EXPECT_EQ(message("c/"), "betting 'c/', character 2: '/' stands within a round of betting");
  EXPECT_EQ(message("r"), "betting 'r', character 2: a number of chips is wanted here");
  EXPECT_EQ(message("k"), "betting 'k', character 1: 'k' is no action here");
  EXPECT_NE(message("r99999999999"), "");
}

TEST(Betting, OfAHistory) {
  for (const char* name : {"hunl", "hulh"}) {
    const Game game = make_game(name);
    State state = game.initial_state(Deal{});
    for (const Action action : {kFirstRaise, kCall, kCall, kFirstRaise, kFold}) game.apply(state, action);
    const std::string expected = std::string(name) == "hunl" ? "r200c/cr400f" : "rc/crf";
    EXPECT_EQ(print_acpc_betting(game, betting_of(game, state)), expected);
  }
  const Game game = make_game("hunl");
  State state = game.initial_state(Deal{});
  game.apply_raise_to(state, 222);
  EXPECT_THROW(betting_of(game, state), Error);
}

TEST(Betting, TheNearestRaise) {
  const Game game = make_game("hunl");
  State state = game.initial_state(Deal{});
  EXPECT_EQ(nearest_raise(game, state, 10), (TableAction{Kind::raise, 200}));
  EXPECT_EQ(nearest_raise(game, state, 555), (TableAction{Kind::raise, 555}));
  EXPECT_EQ(nearest_raise(game, state, 1'000'000), (TableAction{Kind::raise, 20000}));
  game.apply_raise_to(state, 20000);
  EXPECT_EQ(nearest_raise(game, state, 30000), (TableAction{Kind::call, 0}));
  EXPECT_EQ(describe_action(game, state, {Kind::call, 0}), "call 19900");
}

}  // namespace
}  // namespace deepcfr
