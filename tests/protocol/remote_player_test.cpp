// What a program sees of the dealer: tests/cli/test_acpc_dealer.py does the same to the program.
#include "deepcfr/protocol/remote_player.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "tcp_pair.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

class RemoteTest : public ::testing::Test {
 protected:
  RemoteTest() : game_(make_game("hunl")), pair_(tcp_pair()), program_(std::move(pair_.right)) {
    player_.emplace(game_, "prog", std::move(pair_.left), 0.2, [this](const std::string& line) { log_.push_back(line); });
  }

  /// The answer to the big blind's first state if the program sends `text`.
  std::optional<TableAction> answer(const std::string& text) {
    const TableView view = parse_matchstate(game_, kState);
    player_->see(view);
    std::string line;
    EXPECT_EQ(program_.read_line(line, deadline_after(10)), Connection::Got::line);
    EXPECT_EQ(line, kState);
    program_.send(text);
    return player_->act(view);
  }

  static constexpr const char* kState = "MATCHSTATE:0:7:c:AsKd|";
  Game game_;
  TcpPair pair_;
  Connection program_;
  std::optional<RemotePlayer> player_;
  std::vector<std::string> log_;
};

TEST_F(RemoteTest, Version) {
  program_.send("VERSION:2.0.12\n");
  EXPECT_NO_THROW(player_->read_version(deadline_after(10)));
  program_.send("VERSION:2.1.0\n");
  EXPECT_THROW(player_->read_version(deadline_after(10)), Error);
  EXPECT_THROW(player_->read_version(deadline_after(0.02)), Error) << "nothing comes";
}

TEST_F(RemoteTest, Answers) {
  EXPECT_EQ(answer("MATCHSTATE:0:7:c:AsKd|:r300\r\n"), (TableAction{Kind::raise, 300}));
  EXPECT_EQ(answer("# thinking\nMATCHSTATE:0:8:c:AsKd|:r300\nMATCHSTATE:0:007:c:AsKd|:c\n"), (TableAction{Kind::call, 0}))
      << "a comment, another hand, then the same state in other words";
  EXPECT_EQ(log_.size(), 1u);
  EXPECT_EQ(answer("MATCHSTATE:0:7:c:AsKd|:x\n"), std::nullopt);
  EXPECT_EQ(answer("MATCHSTATE:0:7:c:AsKd|:r150\n"), (TableAction{Kind::raise, 150})) << "the table moves it";
  EXPECT_EQ(log_.size(), 3u);
}

TEST_F(RemoteTest, SilenceAndDepartureEndTheMatch) {
  EXPECT_THROW(answer(""), Error);
  { const Connection gone = std::move(program_); }
  EXPECT_THROW(player_->act(parse_matchstate(game_, kState)), Error);
}

}  // namespace
}  // namespace deepcfr
