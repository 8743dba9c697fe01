#include "table_hand.h"

#include <gtest/gtest.h>

#include <string>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

constexpr TableAction kFolds{TableAction::Kind::fold, 0};
constexpr TableAction kCalls{TableAction::Kind::call, 0};
TableAction raise_to(std::int32_t total) { return {TableAction::Kind::raise, total}; }

TEST(TableHand, SizesAreThoseOfTheRoundAsAtATable) {
  const Game game = make_game("hunl");
  TableHand hand(game, Deal{});
  EXPECT_EQ(hand.pot(), 150);
  EXPECT_EQ(hand.behind(0), 19900);
  EXPECT_FALSE(hand.unopened());  // blinds are bets
  EXPECT_EQ(hand.words(kCalls), "call 50");
  EXPECT_EQ(hand.words(raise_to(300)), "raise to 300");
  EXPECT_EQ(hand.words(raise_to(20000)), "raise to 20000 (all-in)");
  hand.apply(raise_to(300));
  EXPECT_EQ(hand.told(kFolds, false), "folds");
  EXPECT_EQ(hand.told(kCalls, false), "calls 200");
  hand.apply(kCalls);
  EXPECT_EQ(hand.base(0), 300);
  EXPECT_TRUE(hand.unopened());
  EXPECT_EQ(hand.words(kCalls), "check");
  EXPECT_EQ(hand.told(raise_to(900), false), "bets 600");  // 900 over the hand
  hand.apply(raise_to(900));
  EXPECT_EQ(hand.told(raise_to(2000), true), "raise to 1700");
  EXPECT_EQ(hand.words(kCalls), "call 600");
  EXPECT_EQ(hand.words(raise_to(20000)), "raise to 19700 (all-in)");
  hand.apply(raise_to(20000));
  EXPECT_EQ(hand.words(kCalls), "call 19100 (all-in)");
  EXPECT_EQ(print_acpc_betting(game, hand.betting()), "r300c/r900r20000");
}

TEST(TableHand, AntesAreNoBet) {
  const Game game = make_game("leduc");
  TableHand hand(game, Deal{});
  EXPECT_TRUE(hand.unopened());
  EXPECT_EQ(hand.words(raise_to(3)), "bet 2");
  EXPECT_EQ(hand.behind(0), -1);  // limit games without stacks
  hand.apply(raise_to(3));
  EXPECT_EQ(hand.words(raise_to(5)), "raise to 4");
  EXPECT_EQ(hand.words(kCalls), "call 2");
}

TEST(TableHand, WhatTheRulesForbidIsRefused) {
  const Game game = make_game("hunl");
  TableHand hand(game, Deal{});
  EXPECT_THROW(hand.apply(raise_to(199)), Error);
  hand.apply(kCalls);
  EXPECT_THROW(hand.apply(kFolds), Error);
  EXPECT_EQ(hand.betting().size(), 1U);
}

TEST(TableHand, PositionsHaveNames) {
  const Game hunl = make_game("hunl");  // reverse blinds: the second seat has the button
  EXPECT_EQ(position_name(hunl, 0), "big blind");
  EXPECT_EQ(position_name(hunl, 1), "button, small blind");
  const Game six = make_game("nlhe6");
  EXPECT_EQ(position_name(six, 0), "small blind");
  EXPECT_EQ(position_name(six, 1), "big blind");
  EXPECT_EQ(position_name(six, 2), "");
  EXPECT_EQ(position_name(six, 5), "button");
  const Game kuhn3 = make_game("kuhn3");
  EXPECT_EQ(position_name(kuhn3, 0), "acts first");
  EXPECT_EQ(position_name(kuhn3, 1), "");
  EXPECT_EQ(position_name(kuhn3, 2), "acts last");
}

}  // namespace
}  // namespace deepcfr
