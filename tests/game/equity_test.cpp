#include "deepcfr/game/equity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"
#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

using ::testing::HasSubstr;
using Cards = std::vector<Card>;

std::vector<Cards> hands_of(std::initializer_list<const char*> texts) {
  std::vector<Cards> hands;
  for (const char* text : texts) hands.push_back(parse_cards(text));
  return hands;
}

TEST(Equity, PreflopAllInsExactly) {
  struct Case {
    const char *first, *second;
    std::uint64_t win, lose, tie;
  };
  for (const Case& c : {Case{"AcAd", "KcKd", 1410336, 292660, 9308}, Case{"AcKc", "QhQd", 787966, 917606, 6732},
                        Case{"AcKd", "2h2s", 799119, 903239, 9946}, Case{"AcKd", "AhKs", 37210, 37210, 1637884}}) {
    const auto counts = equity(hands_of({c.first, c.second}));
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].win, c.win) << c.first;
    EXPECT_EQ(counts[0].lose, c.lose) << c.first;
    EXPECT_EQ(counts[0].tie, c.tie) << c.first;
    EXPECT_EQ(counts[1].win, c.lose) << c.second;
    EXPECT_EQ(counts[1].lose, c.win) << c.second;
    EXPECT_EQ(counts[1].tie, c.tie) << c.second;
    EXPECT_EQ(counts[0].boards(), 1712304U);
    EXPECT_NEAR(counts[0].pot_share, (static_cast<double>(c.win) + 0.5 * static_cast<double>(c.tie)) / 1712304.0, 1e-12);
    EXPECT_NEAR(counts[0].pot_share + counts[1].pot_share, 1.0, 1e-12);
  }
}

TEST(Equity, FlopsAgreeWithEveryRunoutByHand) {
  for (std::uint64_t n = 0; n < 20; ++n) {
    const CounterRandom random(StreamPurpose::test, {n});
    Cards deck = make_deck();
    for (std::size_t i = 0; i < 9; ++i) std::swap(deck[i], deck[i + random.below(i, deck.size() - i)]);
    const std::vector<Cards> hands = {{deck[0], deck[1]}, {deck[2], deck[3]}, {deck[4], deck[5]}};
    const Cards flop(deck.begin() + 6, deck.begin() + 9);
    std::vector<EquityCounts> expected(3);
    for (std::size_t turn = 9; turn < 52; ++turn) {
      for (std::size_t river = turn + 1; river < 52; ++river) {
        std::vector<HandRank> ranks;
        for (const Cards& hand : hands) {
          ranks.push_back(evaluate(Cards{hand[0], hand[1], flop[0], flop[1], flop[2], deck[turn], deck[river]}));
        }
        const HandRank best = std::max({ranks[0], ranks[1], ranks[2]});
        const auto winners = std::count(ranks.begin(), ranks.end(), best);
        for (std::size_t h = 0; h < 3; ++h) {
          ++(ranks[h] != best ? expected[h].lose : winners == 1 ? expected[h].win : expected[h].tie);
          if (ranks[h] == best) expected[h].pot_share += 1.0 / static_cast<double>(winners) / 903.0;
        }
      }
    }
    const auto counts = equity(hands, flop);
    for (std::size_t h = 0; h < 3; ++h) {
      EXPECT_EQ(counts[h].win, expected[h].win);
      EXPECT_EQ(counts[h].lose, expected[h].lose);
      EXPECT_EQ(counts[h].tie, expected[h].tie);
      EXPECT_NEAR(counts[h].pot_share, expected[h].pot_share, 1e-9);
    }
  }
}

TEST(Equity, CompleteBoardIsOneShowdown) {
  // The royal flush on the board is everybody's best five.
  const Cards board = parse_cards("ThJhQhKhAh");
  for (const EquityCounts& counts : equity(hands_of({"2c2d", "9h8h", "AcAd"}), board)) {
    EXPECT_EQ(counts.tie, 1U);
    EXPECT_EQ(counts.boards(), 1U);
    EXPECT_DOUBLE_EQ(counts.pot_share, 1.0 / 3.0);
  }
}

TEST(Equity, SmallDecks) {
  EquityOptions leduc;
  leduc.board_cards = 1;
  leduc.deck_ranks = 3;
  leduc.deck_suits = 2;
  // Qh v Ks: Qs pairs the queen, Kh the king, Ah and As leave the king ahead.
  const auto counts = equity(hands_of({"Qh", "Ks"}), {}, leduc);
  EXPECT_EQ(counts[0].win, 1U);
  EXPECT_EQ(counts[0].lose, 3U);
  EXPECT_EQ(counts[1].win, 3U);
  EXPECT_EQ(counts[1].tie, 0U);
}

std::string usage_message(const std::vector<Cards>& hands, const Cards& board = {}, const EquityOptions& options = {}) {
  try {
    equity(hands, board, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Equity, WrongInputIsRefused) {
  EXPECT_THAT(usage_message(hands_of({})), HasSubstr("0 hands given"));
  EXPECT_THAT(usage_message(hands_of({"AcAd"})), HasSubstr("1 hand given"));
  EXPECT_THAT(usage_message(hands_of({"AcAd", "Kc"})), HasSubstr("different sizes: \"AcAd\" and \"Kc\""));
  EXPECT_THAT(usage_message(hands_of({"", ""})), HasSubstr("different sizes"));
  EXPECT_THAT(usage_message(hands_of({"AcAd", "AcKd"})), HasSubstr("card Ac appears twice"));
  EXPECT_THAT(usage_message(hands_of({"AcAd", "KcKd"}), parse_cards("2cKc3d")), HasSubstr("card Kc appears twice"));
  EXPECT_THAT(usage_message(hands_of({"AcAd", "KcKd"}), parse_cards("2c3c4c5c6c7c")), HasSubstr("has 6 cards"));
  EXPECT_THAT(usage_message(hands_of({"AcAdAh", "KcKdKh"})), HasSubstr("3 hole cards and a board of 5"));
  EquityOptions options;
  options.board_cards = -1;
  EXPECT_THAT(usage_message(hands_of({"Ac", "Kc"}), {}, options), HasSubstr("a board of -1"));
  options = {1, 3, 2};
  EXPECT_THAT(usage_message(hands_of({"Qh", "Jh"}), {}, options), HasSubstr("card Jh is not in this game's deck"));
  options = {2, 2, 2};
  EXPECT_THAT(usage_message(hands_of({"Kh", "Ks", "Ah"}), {}, options), HasSubstr("1 card left in the deck for 2"));
}

}  // namespace
}  // namespace deepcfr
