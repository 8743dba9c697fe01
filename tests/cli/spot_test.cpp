#include "spot.h"

#include <gtest/gtest.h>

#include <string>

#include "deepcfr/core/error.h"
#include "deepcfr/game/acpc_string.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

std::string error_of(const Game& game, const char* text) {
  try {
    (void)read_spot(game, text, "runs/x", 1);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message() + " (" + error.hint() + ")";
  }
  return "";
}

TEST(Spot, ASpotOfTheAbstractionIsItself) {
  const Game game = make_game("hunl");
  const Spot spot = read_spot(game, "MATCHSTATE:1:7:r300c/r900:|AsKd/2c3c4h\r\n", "runs/x", 1);
  EXPECT_EQ(spot.player(), 1);
  EXPECT_EQ(spot.hand_id, 7U);
  EXPECT_TRUE(spot.cards_known);
  EXPECT_FALSE(spot.translated());
  EXPECT_FALSE(spot.question.raise_is_call);
  EXPECT_EQ(spot.betting, "r300c/r900");
  EXPECT_EQ(spot.record.base(1), 300);
  const State parsed = parse_acpc_state(game, "MATCHSTATE:1:7:r300c/r900:|AsKd/2c3c4h").state;
  EXPECT_EQ(spot.question.state, parsed);
  for (int a = 0; a < game.num_actions(); ++a) {
    if (((game.legal_actions(parsed) >> a) & 1) == 0 || a < kFirstRaise) continue;
    EXPECT_EQ(spot.answers[static_cast<std::size_t>(a)].total, game.raise_to(parsed, static_cast<Action>(a)));
  }
}

TEST(Spot, BetsBetweenTheSizesAreMappedAndTheChipsStay) {
  const Game game = make_game("hunl");
  const Spot spot = read_spot(game, "MATCHSTATE:0:7:b250:AsKd|", "runs/x", 1);  // b is read as r
  EXPECT_TRUE(spot.translated());
  EXPECT_TRUE(spot.understood == "r200" || spot.understood == "r300") << spot.understood;
  EXPECT_EQ(spot.betting, "r250");
  EXPECT_EQ(spot.record.pot(), 350);
  EXPECT_EQ(spot.question.state.deal.hole[0][0], parse_cards("As")[0]);
  bool other = false;  // another hand may be understood otherwise, the same hand never
  for (int hand = 0; hand < 50; ++hand) {
    const std::string text = "MATCHSTATE:0:" + std::to_string(hand) + ":r250:AsKd|";
    EXPECT_EQ(read_spot(game, text, "", 1).understood, read_spot(game, text, "", 1).understood);
    other = other || read_spot(game, text, "", 1).understood != spot.understood;
  }
  EXPECT_TRUE(other);
}

TEST(Spot, HandsWithoutOwnCards) {
  const Game game = make_game("leduc");
  EXPECT_FALSE(read_spot(game, "MATCHSTATE:0:1::|", "", 1).cards_known);
  EXPECT_TRUE(read_spot(game, "STATE:3:cr:Ks|As:1|-1:a|b", "", 1).cards_known);  // a log's line may go on
}

TEST(Spot, WhatIsNoDecisionIsRefused) {
  const Game game = make_game("hunl");
  EXPECT_NE(error_of(game, "STATE:0:f:AsKd|QhQd").find("the hand is over"), std::string::npos);
  EXPECT_NE(error_of(game, "MATCHSTATE:1:0:c:|QhQd").find("player 0 is to act, and these are the cards of player 1"), std::string::npos);
  EXPECT_NE(error_of(game, "STATE:0::AsKd|QhQd junk").find("' junk' stands behind the state"), std::string::npos);
  EXPECT_NE(error_of(game, "STATE:0::Ks|Qh").find("runs/x plays hunl (no-limit, 2 players, stacks 20000 20000"), std::string::npos);
  EXPECT_NE(error_of(game, "STATE:0:r150:AsKd|QhQd").find("150 is not in 200..20000"), std::string::npos);
  EXPECT_NE(error_of(game, "hello").find("neither STATE: nor MATCHSTATE:"), std::string::npos);
}

}  // namespace
}  // namespace deepcfr
