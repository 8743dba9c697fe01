#include "deepcfr/protocol/hand_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

struct Read {
  std::vector<HandRecord> hands;
  std::vector<HandError> errors;
};

Read read(const std::string& text, HandFormat format, const char* game = "hunl") {
  HandFileOptions options;
  options.format = format;
  options.game = std::make_shared<const Game>(make_game(game));
  Read result;
  read_hands(
      text, options, [&](HandRecord&& hand) { result.hands.push_back(std::move(hand)); },
      [&](const HandError& error) { result.errors.push_back(error); });
  return result;
}

const std::string kLog =
    "# a comment\r\nSTATE:0:r300f:6sKs|5dJd:-100|100:a|b\r\nSTATE:1:r300r900c/r1900f:AsAd|KsKd/2c3c4h:900|-900:b|a\nSCORE:-1000|1000:a|b\n";

TEST(HandFiles, AnAcpcLog) {
  const Read log = read(kLog, HandFormat::acpc);
  ASSERT_TRUE(log.errors.empty()) << log.errors[0].what;
  ASSERT_EQ(log.hands.size(), 2u);
  EXPECT_EQ(log.hands[1].line, 3);
  NetChips chips;
  for (const HandRecord& hand : log.hands) chips.add(hand);
  EXPECT_EQ(chips.by_position(), (std::vector<double>{800, -800}));
  EXPECT_EQ(chips.names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(chips.by_name(), (std::vector<double>{-1000, 1000}));
}

TEST(HandFiles, AScoreThatIsNotTheSumOfItsHands) {
  std::string wrong = kLog;
  wrong.replace(wrong.find("SCORE:-1000|1000"), 16, "SCORE:-1000|1001");
  const Read log = read(wrong, HandFormat::acpc);
  ASSERT_EQ(log.errors.size(), 1u);
  EXPECT_EQ(log.errors[0].line, 4);
  EXPECT_NE(log.errors[0].what.find("the hands add up to SCORE:-1000|1000:a|b"), std::string::npos);
}

// Reported fault R35: three hands, the second broken.
TEST(HandFiles, R35_OneBrokenHandCostsThatHandAlone) {
  const Read good = read(kLog, HandFormat::acpc);
  std::string phhs =
      print_hand(good.hands[0], HandFormat::phh, 1) + "[2]\nvariant = 'NT'\nantes = [0, \n" + print_hand(good.hands[1], HandFormat::phh, 3);
  const Read broken = read(phhs, HandFormat::phh);
  EXPECT_EQ(broken.hands.size(), 2u);
  ASSERT_EQ(broken.errors.size(), 1u);
  EXPECT_EQ(broken.errors[0].hand, "2");
  EXPECT_GE(broken.errors[0].line, 13);
  EXPECT_LE(broken.errors[0].line, 16);
  const Read log =
      read("STATE:0:r300f:6sKs|5dJd:-100|100:a|b\nSTATE:1:r3:6sKs|5dJd\nSTATE:2:f:6sKs|5dJd:50|-50:a|b\nSCORE:7|7:a|b\n", HandFormat::acpc);
  EXPECT_EQ(log.hands.size(), 2u);
  ASSERT_EQ(log.errors.size(), 1u) << "a score over hands that could not be read is not judged";
  EXPECT_EQ(log.errors[0].hand, "1");
  EXPECT_EQ(log.errors[0].line, 2);
}

TEST(HandFiles, SlumbotLines) {
  const Read lines = read("b300b900c/b1000f\nb300b900c/b1000f AsAd|KsKd/2c3c4h\nck/kk/kk/kk\nck/kk/kk/kk As2d|Ks2h/QcJcTh/9s/8h\nb300k\n",
                          HandFormat::slumbot);
  ASSERT_EQ(lines.hands.size(), 3u);
  EXPECT_EQ(lines.hands[0].values, (std::vector<double>{900, -900}));
  EXPECT_EQ(lines.hands[2].values, (std::vector<double>{-100, 100}));
  ASSERT_EQ(lines.errors.size(), 2u);
  EXPECT_EQ(lines.errors[0].line, 3) << "a showdown of unknown cards";
  EXPECT_EQ(lines.errors[1].line, 5);
  EXPECT_EQ(print_hand(lines.hands[0], HandFormat::slumbot, 1), "b300b900c/b1000f\n");
  EXPECT_EQ(print_hand(lines.hands[1], HandFormat::slumbot, 1), "b300b900c/b1000f AsAd|KsKd/2c3c4h\n");
  EXPECT_EQ(print_hand(lines.hands[1], HandFormat::acpc, 1), "STATE:2:r300r900c/r1900f:AsAd|KsKd/2c3c4h:900|-900\n");
}

TEST(HandFiles, EveryNotationHoldsTheHand) {
  const Read log = read(kLog, HandFormat::acpc);
  for (const HandRecord& hand : log.hands) {
    for (const HandFormat format : {HandFormat::phh, HandFormat::acpc, HandFormat::slumbot}) {
      const Read back = read(print_hand(hand, format, 1), format);
      ASSERT_EQ(back.hands.size(), 1u) << back.errors[0].what;
      EXPECT_EQ(back.hands[0].betting, hand.betting);
      EXPECT_EQ(back.hands[0].values, hand.values);
      EXPECT_EQ(back.hands[0].deal.hole, hand.deal.hole);
    }
  }
}

TEST(HandFiles, FormatsByNameAndEnding) {
  EXPECT_EQ(hand_format("phh"), HandFormat::phh);
  EXPECT_EQ(hand_format("x"), std::nullopt);
  EXPECT_EQ(hand_format_of_path("a/b.phhs"), HandFormat::phh);
  EXPECT_EQ(hand_format_of_path("match.log"), HandFormat::acpc);
  EXPECT_EQ(hand_format_of_path("x.slumbot"), HandFormat::slumbot);
  EXPECT_EQ(hand_format_of_path("x.txt"), std::nullopt);
}

}  // namespace
}  // namespace deepcfr
