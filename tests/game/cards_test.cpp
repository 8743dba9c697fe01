#include "deepcfr/game/cards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string usage_message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "no error";
}

TEST(Cards, IndexIsRankTimesFourPlusSuit) {
  EXPECT_EQ(parse_card("2c"), Card{0});
  EXPECT_EQ(parse_card("2s"), Card{3});
  EXPECT_EQ(parse_card("3c"), Card{4});
  EXPECT_EQ(parse_card("Td"), Card{33});
  EXPECT_EQ(parse_card("As"), Card{51});
  EXPECT_EQ(make_card(8, 1), Card{33});
}

TEST(Cards, NamesAndIndexesGoBothWays) {
  for (int i = 0; i < kDeckSize; ++i) {
    const Card card = static_cast<Card>(i);
    EXPECT_EQ(make_card(card_rank(card), card_suit(card)), card);
    EXPECT_EQ(parse_card(card_name(card)), card);
  }
  EXPECT_EQ(card_name(kNoCard), "??");
  EXPECT_EQ(card_name(52), "??");
  EXPECT_EQ(card_names(std::vector<Card>{51, 33}), "AsTd");
}

TEST(Cards, CaseDoesNotMatter) {
  EXPECT_EQ(parse_card("tD"), parse_card("Td"));
  EXPECT_EQ(parse_card("7H"), parse_card("7h"));
  EXPECT_EQ(parse_card("aS"), parse_card("As"));
}

TEST(Cards, OtherTextIsNoCard) {
  for (const char* text : {"", "A", "As ", " As", "1c", "0c", "Ax", "sA", "10", "10c", "AsKs", "??"}) {
    EXPECT_EQ(parse_card(text), std::nullopt) << '"' << text << '"';
  }
  EXPECT_EQ(parse_card(std::string_view("A\0", 2)), std::nullopt);
}

TEST(Cards, ListsMayBeSeparated) {
  const std::vector<Card> expected = {51, 45, 0};
  EXPECT_EQ(parse_cards("AsKd2c"), expected);
  EXPECT_EQ(parse_cards("As Kd 2c"), expected);
  EXPECT_EQ(parse_cards(" As, Kd,2c "), expected);
  EXPECT_TRUE(parse_cards("").empty());
  EXPECT_TRUE(parse_cards(" ").empty());
}

TEST(Cards, WrongTextIsQuotedWithTheRemedy) {
  EXPECT_THAT(usage_message([] { parse_cards("AsXd2c"); }),
              AllOf(HasSubstr("\"Xd\" is not a card (in \"AsXd2c\")"), HasSubstr("2-9 T J Q K A"), HasSubstr("c d h s")));
  EXPECT_THAT(usage_message([] { parse_cards("AsK"); }), HasSubstr("\"K\" is not a card"));
  EXPECT_THAT(usage_message([] { parse_cards("Zs"); }), HasSubstr("\"Zs\" is not a card"));
  EXPECT_THAT(usage_message([] { parse_cards("A sKd"); }), HasSubstr("\"A \" is not a card"));
  EXPECT_THAT(usage_message([] { parse_cards("As10d"); }), HasSubstr("ten is written T"));
}

TEST(Cards, DuplicatesAreNamed) {
  EXPECT_NO_THROW(require_distinct(make_deck()));
  EXPECT_NO_THROW(require_distinct({}));
  const std::vector<Card> twice = parse_cards("AsKdAs");
  EXPECT_THAT(usage_message([&] { require_distinct(twice); }), HasSubstr("card As appears twice in AsKdAs"));
  const std::vector<Card> unknown = {kNoCard};
  EXPECT_THROW(require_distinct(unknown), Error);
}

TEST(Cards, SmallDecksAreTheTopOfTheBigOne) {
  EXPECT_EQ(card_names(make_deck(3, 1)), "QsKsAs");
  EXPECT_EQ(card_names(make_deck(4, 1)), "JsQsKsAs");
  EXPECT_EQ(card_names(make_deck(3, 2)), "QhQsKhKsAhAs");
  const std::vector<Card> full = make_deck();
  ASSERT_EQ(full.size(), 52U);
  for (std::size_t i = 0; i < full.size(); ++i) EXPECT_EQ(full[i], i);
}

TEST(Cards, DeckSizesOutOfRangeAreRefused) {
  EXPECT_THAT(usage_message([] { make_deck(14, 4); }), HasSubstr("14 is not in 1..13"));
  EXPECT_THAT(usage_message([] { make_deck(0, 4); }), HasSubstr("0 is not in 1..13"));
  EXPECT_THAT(usage_message([] { make_deck(13, 5); }), HasSubstr("5 is not in 1..4"));
  EXPECT_THAT(usage_message([] { make_deck(13, 0); }), HasSubstr("0 is not in 1..4"));
}

}  // namespace
}  // namespace deepcfr
