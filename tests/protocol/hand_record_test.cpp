#include "deepcfr/protocol/hand_record.h"

#include <gtest/gtest.h>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

HandRecord showdown() {
  HandRecord hand;
  hand.game = std::make_shared<const Game>(make_game("hunl"));
  hand.betting = parse_acpc_betting(*hand.game, "r300c/cc/cc/cc");
  const auto cards = parse_cards("AsAd KsKd 2c3c4h 9s 9h");
  std::copy_n(cards.begin(), 2, hand.deal.hole[0].begin());
  std::copy_n(cards.begin() + 2, 2, hand.deal.hole[1].begin());
  std::copy_n(cards.begin() + 4, 5, hand.deal.board.begin());
  return hand;
}

TEST(HandValues, ByTheRules) {
  HandRecord hand = showdown();
  EXPECT_EQ(hand_values(hand), (std::vector<double>{300, -300}));
  hand.mucked = 1;
  EXPECT_EQ(hand_values(hand), (std::vector<double>{-300, 300})) << "aces given up win nothing";
  hand.mucked = 0;
  hand.deal.hole[1].fill(kNoCard);
  EXPECT_THROW(hand_values(hand), Error);
  hand.betting.pop_back();
  EXPECT_THROW(hand_values(hand), Error) << "not over";
}

TEST(PrintChips, WithoutNeedlessZeros) {
  EXPECT_EQ(print_chips(0), "0");
  EXPECT_EQ(print_chips(-12.5), "-12.5");
  EXPECT_EQ(print_chips(100), "100");
  EXPECT_EQ(print_chips(200.0 / 3), "66.666667");
  EXPECT_EQ(print_chips(-1e-9), "0");
}

}  // namespace
}  // namespace deepcfr
