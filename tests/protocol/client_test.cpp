// What a dealer's side sees of a client: tests/cli/test_acpc_client.py does the same to the program.
#include "deepcfr/protocol/client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "tcp_pair.h"

namespace deepcfr {
namespace {

struct Outcome {
  ClientResult result;
  std::string error;
  std::vector<std::string> sent;  // lines after the version
  std::vector<std::string> log;
};

/// The client is sent `text` and then nothing more.
Outcome play(const std::string& text, const DeadlineAgent::Think& think, double answer_seconds = 60) {
  const Game game = make_game("hunl");
  TcpPair pair = tcp_pair();
  pair.right.send(text);
  Outcome outcome;
  {
    DeadlineAgent agent(think);
    Connection client = std::move(pair.left);
    Connection dealer = std::move(pair.right);
    dealer.finish_sending();
    try {
      outcome.result = run_client(client, game, agent, {answer_seconds}, [&](const std::string& line) { outcome.log.push_back(line); });
    } catch (const Error& error) {
      outcome.error = error.what();
      EXPECT_EQ(error.exit_code(), 3);
    }
    { const Connection closed = std::move(client); }
    std::string line;
    EXPECT_EQ(dealer.read_line(line, deadline_after(10)), Connection::Got::line);
    EXPECT_EQ(line, "VERSION:2.0.0");
    while (dealer.read_line(line, deadline_after(10)) == Connection::Got::line) outcome.sent.push_back(line);
  }
  return outcome;
}

TableAction calls(const TableView&) { return {TableAction::Kind::call, 0}; }

const std::string kOurs = "MATCHSTATE:0:7:c:AsKd|";
const std::string kOver = "MATCHSTATE:0:7:r300f:AsKd|\r\n";

TEST(Client, AnswersItsOwnTurnsOnly) {
  const Outcome outcome = play("#hello\r\nMATCHSTATE:0:7::AsKd|\n" + kOurs + "\r\n" + kOver, calls);
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.sent, (std::vector<std::string>{kOurs + ":c"}));
  EXPECT_EQ(outcome.result.hands, 1u);
  EXPECT_EQ(outcome.result.chips, -100);
  EXPECT_EQ(outcome.result.answers, 1u);
}

TEST(Client, TheEndWithinAHandIsAnError) {
  EXPECT_NE(play(kOurs + "\r\n", calls).error.find("in the middle of hand 7"), std::string::npos);
  EXPECT_NE(play("", calls).error.find("before the first hand"), std::string::npos);
  EXPECT_NE(play("MATCHSTATE:0:7:r20001:AsKd|\r\n", calls).error.find("stacks 20000 20000"), std::string::npos);
}

TEST(Client, E19_LateAnswersAreCheckOrCall) {
  const auto slow = [](const TableView&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return TableAction{TableAction::Kind::raise, 300};
  };
  const Outcome outcome = play(kOurs + "\r\n" + kOver, slow, 0.02);
  EXPECT_EQ(outcome.sent, (std::vector<std::string>{kOurs + ":c"}));
  EXPECT_EQ(outcome.result.late, 1u);
  ASSERT_EQ(outcome.log.size(), 1u);
  EXPECT_EQ(outcome.log[0], "hand 7: no answer within 0.02 s, so check");
}

}  // namespace
}  // namespace deepcfr
