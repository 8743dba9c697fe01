#include "card_style.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace deepcfr {
namespace {

constexpr CardStyle kPlain;
constexpr CardStyle kColour{true, false};
constexpr CardStyle kSymbols{true, true};

TEST(CardStyle, PlainCardsAreLetters) {
  EXPECT_EQ(show_cards(parse_cards("AsTd2c"), kPlain), "As Td 2c");
  EXPECT_EQ(show_card(kNoCard, kPlain), "??");
  EXPECT_EQ(show_cards({}, kPlain), "");
  EXPECT_EQ(paint("text", Tone::bad, kPlain), "text");
  EXPECT_EQ(shade(" 50", 0.5, kPlain), " 50");
}

TEST(CardStyle, EverySuitHasItsColourAndColoursEnd) {
  std::vector<std::string> seen;
  for (const Card card : parse_cards("AcAdAhAs")) {
    const std::string text = show_card(card, kColour);
    EXPECT_EQ(text.substr(0, 2), "\033[");
    EXPECT_EQ(text.substr(text.size() - 4), "\033[0m");
    for (const std::string& other : seen) EXPECT_NE(other.substr(0, other.find('A')), text.substr(0, text.find('A')));
    seen.push_back(text);
  }
  EXPECT_EQ(show_card(parse_cards("Ah")[0], kColour), "\033[91mAh\033[0m");
  EXPECT_EQ(show_card(parse_cards("Ah")[0], kSymbols), "\033[91mA\u2665\033[0m");
  EXPECT_EQ(show_card(kNoCard, kSymbols), "??");
}

TEST(CardStyle, ShadesGrowWithTheShare) {
  EXPECT_EQ(shade("0", 0, kColour), "0");
  EXPECT_NE(shade("x", 0.1, kColour), shade("x", 0.9, kColour));
  EXPECT_EQ(shade("x", 1, kColour), shade("x", 7, kColour));
  EXPECT_EQ(shade("x", 0.5, kColour).substr(shade("x", 0.5, kColour).size() - 4), "\033[0m");
}

TEST(CardStyle, APipeGetsNoColour) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::setenv("TERM", "xterm-256color", 1);
  EXPECT_FALSE(card_style_of(ends[1]).colour);
  EXPECT_FALSE(card_style_of(ends[1]).symbols);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace deepcfr
