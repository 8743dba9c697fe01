#include "deepcfr/protocol/acpc_lines.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/protocol/table.h"

namespace deepcfr {
namespace {

std::shared_ptr<const Game> hunl() {
  static const auto game = std::make_shared<const Game>(make_game("hunl"));
  return game;
}

std::string message_of(const std::string& line) {
  try {
    parse_matchstate(*hunl(), line);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Matchstate, ReadAndWritten) {
  for (const char* line : {"MATCHSTATE:0:7::AsKd|", "MATCHSTATE:1:0:r300:|2h4c", "MATCHSTATE:1:12:r300c/:|2h4c/AsKsQs",
                           "MATCHSTATE:0:1:r19015r20000c///:6sKs|5dJd/2sTh2h/Qh/8h", "MATCHSTATE:0:1:f:6sKs|"}) {
    const TableView view = parse_matchstate(*hunl(), line);
    EXPECT_EQ(print_matchstate(*hunl(), view), line);
  }
  const TableView view = parse_matchstate(*hunl(), "MATCHSTATE:1:12:r300c/r600:|2h4c/AsKsQs");
  EXPECT_EQ(view.position, 1);
  EXPECT_EQ(view.hand, 12u);
  EXPECT_EQ(view.state.actor, 1);
  EXPECT_EQ(view.betting.size(), 3u);
  EXPECT_EQ(view.state.deal.hole[1][0], *parse_card("2h"));
}

TEST(Matchstate, Refused) {
  EXPECT_NE(message_of("STATE:0::AsKd|2c2d").find("MATCHSTATE is wanted"), std::string::npos);
  EXPECT_NE(message_of("MATCHSTATE:0:7::AsKd|:c").find("the line goes on"), std::string::npos);
  EXPECT_NE(message_of("MATCHSTATE:1:7::AsKd|").find("cards of position 1 itself"), std::string::npos);
  EXPECT_NE(message_of("MATCHSTATE:1:7:r20001:|AsKd"), "");
}

// What the reference dealer shows (game.c, printPlayerHoleCards): nothing of the others, unless there was a showdown and they were in it.
TEST(View, ShowsWhatThePositionMayKnow) {
  const Game game = make_game(std::string(DEEPCFR_TEST_DATA) + "/games/limit_3p.game");
  const Deal deal = game.sample_deal(CounterRandom(StreamPurpose::test, {1}));
  const auto line = [&](const char* text, int position) {
    const Betting betting = parse_acpc_betting(game, text);
    return print_matchstate(game, view_of(game, 5, position, replay_betting(game, deal, betting), betting));
  };
  const auto hole = [&](int p) { return card_names(std::span(deal.hole[static_cast<std::size_t>(p)]).first(2)); };
  const std::string flop = card_names(std::span(deal.board).first(3)), turn = card_name(deal.board[3]), river = card_name(deal.board[4]);
  EXPECT_EQ(line("", 1), "MATCHSTATE:1:5::|" + hole(1) + "|");
  EXPECT_EQ(line("ccc/", 0), "MATCHSTATE:0:5:ccc/:" + hole(0) + "||/" + flop);
  EXPECT_EQ(line("ff", 2), "MATCHSTATE:2:5:ff:||" + hole(2)) << "no showdown";
  EXPECT_EQ(line("fcc/cc/cc/cc", 2),
            "MATCHSTATE:2:5:fcc/cc/cc/cc:" + hole(0) + "|" + hole(1) + "|" + hole(2) + "/" + flop + "/" + turn + "/" + river);
  EXPECT_EQ(line("fcc/cc/cc/cc", 0), "MATCHSTATE:0:5:fcc/cc/cc/cc:" + hole(0) + "|" + hole(1) + "|/" + flop + "/" + turn + "/" + river);
}

TEST(AcpcAction, Read) {
  const State state = hunl()->initial_state(Deal{});
  EXPECT_EQ(parse_acpc_action(*hunl(), state, "r777"), (TableAction{TableAction::Kind::raise, 777}));
  EXPECT_EQ(parse_acpc_action(*hunl(), state, "f").kind, TableAction::Kind::fold);
  for (const char* wrong : {"", "x", "r", "r3x", "r-3", "c ", "cc", "f0", "r 300"})
    EXPECT_THROW(parse_acpc_action(*hunl(), state, wrong), Error) << wrong;
  const Game limit = make_game("hulh");
  EXPECT_EQ(parse_acpc_action(limit, limit.initial_state(Deal{}), "r"), (TableAction{TableAction::Kind::raise, 20}));
  EXPECT_THROW(parse_acpc_action(limit, limit.initial_state(Deal{}), "r20"), Error);
}

// Reported fault E21's hand, with the result that it names: net +20000 for the first.
TEST(LogLine, ReadAndWritten) {
  const std::string line = "STATE:1:r19015r20000c///:6sKs|5dJd/2sTh2h/Qh/8h:20000|-20000:a|b";
  const HandRecord hand = parse_acpc_log_line(hunl(), line);
  EXPECT_EQ(hand.values, (std::vector<double>{20000, -20000}));
  EXPECT_EQ(hand.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(print_acpc_log_line(hand), line);
  // A tie of three, in the digits of the reference dealer.
  const auto odd = std::make_shared<const Game>(make_game(std::string(DEEPCFR_TEST_DATA) + "/games/nolimit_3p_odd_chip.game"));
  const std::string tie = "STATE:0:cfc/cc/cc/cc:7h2c|AhKd|AdKh/3s8s9c/Jd/Qs:-1|0.5|0.5:x|y|z";
  EXPECT_EQ(print_acpc_log_line(parse_acpc_log_line(odd, tie)), tie);
}

TEST(LogLine, WhatIsWrongIsNamed) {
  const auto message = [](const char* line) {
    try {
      parse_acpc_log_line(hunl(), line);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("STATE:1:f:6sKs|5dJd:50|-49:a|b").find("position 2 has -49 here, by the rules -50"), std::string::npos);
  EXPECT_NE(message("STATE:1:f:6sKs|5dJd:50|-50:a").find("2 values and 1 names"), std::string::npos);
  EXPECT_NE(message("STATE:1:f:6sKs|5dJd:50|x:a|b").find("'x' is no number"), std::string::npos);
  EXPECT_NE(message("STATE:1:r300:6sKs|5dJd:50|-50:a|b").find("the hand is not over"), std::string::npos);
  EXPECT_EQ(message("STATE:1:f:6sKs|5dJd"), "");
}

TEST(ScoreLine, Written) {
  const std::vector<double> totals{-0.5, 100, 0.0};
  const std::vector<std::string> names{"a b", "c:d", "e|f"};
  EXPECT_EQ(print_score_line(totals, names), "SCORE:-0.5|100|0:a_b|c_d|e_f");
  EXPECT_EQ(print_chips(-0.0), "0");
  EXPECT_EQ(print_chips(1.0 / 3), "0.333333");
  EXPECT_EQ(print_chips(1200), "1200");
}

}  // namespace
}  // namespace deepcfr
