#include "hand_name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"
#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

std::string name_of(const char* cards) { return hand_name(parse_cards(cards)); }
std::string full_name_of(const char* cards) { return full_hand_name(parse_cards(cards)); }

TEST(HandName, HandsAreCalledAsAtATable) {
  EXPECT_EQ(name_of("AsAdTcTh2s9d3c"), "two pair, aces and tens");
  EXPECT_EQ(name_of("Ah2c3d4s5hKdKc"), "straight, five high");
  EXPECT_EQ(name_of("6h2c3d4s5hAdKc"), "straight, six high");
  EXPECT_EQ(name_of("TcJdQhKsAs2d2c"), "straight, ace high");
  EXPECT_EQ(name_of("2h9hKh4h7hAdAc"), "flush, king high");
  EXPECT_EQ(name_of("AsAdAc6h6s6d2c"), "full house, aces full of sixes");
  EXPECT_EQ(name_of("2s2d2cAhAsKdKc"), "full house, twos full of aces");
  EXPECT_EQ(name_of("9s9d9c9hAsKdKc"), "four of a kind, nines");
  EXPECT_EQ(name_of("Ah2h3h4h5hKhKc"), "straight flush, five high");
  EXPECT_EQ(name_of("9h8h7h6h5hAhKc"), "straight flush, nine high");
  EXPECT_EQ(name_of("TsJsQsKsAs2s3s"), "royal flush");
  EXPECT_EQ(name_of("7s7dAc2h9s"), "pair of sevens");
  EXPECT_EQ(name_of("JsJdJcAh9s2d"), "three of a kind, jacks");
  EXPECT_EQ(name_of("KsQd9c7h5s3d2c"), "king high");
}

TEST(HandName, ToyGamesHaveNoStraightsAndNoFlushes) {
  EXPECT_EQ(name_of("Ks"), "king high");
  EXPECT_EQ(name_of("KsKh"), "pair of kings");
  EXPECT_EQ(name_of("KsQs"), "king high");
  EXPECT_EQ(full_name_of("KsQs"), "king high, kicker queen");
  EXPECT_EQ(name_of("4s5s6s7s"), "seven high");
  EXPECT_EQ(name_of("QsQdQh"), "three of a kind, queens");
}

TEST(HandName, KickersAreTheOtherCardsOfTheFive) {
  EXPECT_EQ(full_name_of("AsAdKc9h4s3d2c"), "pair of aces, kickers king, nine, four");
  EXPECT_EQ(full_name_of("AsAdTcTh9s9d3c"), "two pair, aces and tens, kicker nine");
  EXPECT_EQ(full_name_of("9s9d9c9hAsAdAc"), "four of a kind, nines, kicker ace");
  EXPECT_EQ(full_name_of("2h9hKh4h7h3hAc"), "flush, king high, kickers nine, seven, four, three");
  EXPECT_EQ(full_name_of("2s2d2cAhAsKdKc"), "full house, twos full of aces");
}

TEST(HandName, CardsThatAreNoHandAreRefused) {
  EXPECT_THROW(name_of("AsAs"), Error);
  EXPECT_THROW(hand_name({}), Error);
}

/// The evaluator is the judge: of hands with equally many cards, those that tie have one full name, others have two, and a name's
/// category is the rank's.
TEST(HandName, FullNamesAreEqualExactlyForTies) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {71}));
  std::vector<Card> deck = make_deck();
  int ties = 0, same_name = 0;
  for (int trial = 0; trial < 40'000; ++trial) {
    // A common board and few ranks make ties and near ties frequent.
    const std::size_t known = trial % 3 == 0 ? 52 : 24;
    const std::size_t count = 5 + static_cast<std::size_t>(trial % 3);
    for (std::size_t i = 0; i < 9; ++i) std::swap(deck[52 - known + i], deck[52 - known + i + random.below(known - i)]);
    const auto first = deck.begin() + static_cast<std::ptrdiff_t>(52 - known);
    const std::vector<Card> a(first, first + static_cast<std::ptrdiff_t>(count));
    const std::vector<Card> b(first + 2, first + 2 + static_cast<std::ptrdiff_t>(count));
    const bool tie = evaluate(a) == evaluate(b);
    EXPECT_EQ(tie, full_hand_name(a) == full_hand_name(b)) << card_names(a) << " " << card_names(b);
    ties += tie ? 1 : 0;
    same_name += hand_name(a) == hand_name(b) ? 1 : 0;
    std::sort(deck.begin(), deck.end());
  }
  EXPECT_GT(ties, 500);
  EXPECT_GT(same_name, ties);
}

}  // namespace
}  // namespace deepcfr
