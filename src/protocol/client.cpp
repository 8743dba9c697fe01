#include "deepcfr/protocol/client.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/protocol/acpc_lines.h"

namespace deepcfr {
namespace {

/// Net chips of the view's position, if the cards that it sees decide them.
std::optional<double> own_value(const Game& game, const TableView& view) {
  std::vector<double> values(static_cast<std::size_t>(game.players()));
  try {
    game.values(view.state, values);
  } catch (const Error&) {
    return std::nullopt;  // cards of others that this dealer did not show
  }
  return values[static_cast<std::size_t>(view.position)];
}

class Client {
 public:
  Client(Connection& connection, const Game& game, DeadlineAgent& agent, const ClientOptions& options,
         const std::function<void(const std::string&)>& log)
      : connection_(connection), game_(game), agent_(agent), options_(options), log_(log) {}

  ClientResult run() {
    connection_.send(kAcpcVersionLine);
    std::string line;
    while (connection_.read_line(line, std::nullopt) == Connection::Got::line) {
      if (is_acpc_comment(line)) continue;
      take(line);
    }
    if (!seen_) throw Error(ErrorKind::input, "the dealer closed the connection before the first hand", connection_.peer());
    if (!hand_over_) {
      throw Error(ErrorKind::input, "the dealer closed the connection in the middle of hand " + std::to_string(hand_), connection_.peer(),
                  std::to_string(result_.hands) + " hands were finished");
    }
    return result_;
  }

 private:
  void take(const std::string& line) {
    const TableView view = read(line);
    seen_ = true;
    hand_ = view.hand;
    hand_over_ = view.state.finished;
    if (view.state.finished) {
      ++result_.hands;
      result_.chips += own_value(game_, view).value_or(0);
    } else if (view.state.actor == view.position) {
      connection_.send(line + ":" + print_acpc_action(game_, decide(view)) + "\r\n");
      ++result_.answers;
    }
  }

  TableView read(const std::string& line) const {
    try {
      return parse_matchstate(game_, line);
    } catch (const Error& error) {
      throw Error(ErrorKind::input,
                  "the dealer at " + connection_.peer() + " plays another game than " + game_in_words(game_) +
                      ", for which this player is: " + error.what(),
                  {}, "let the dealer deal that game, or choose a player of the dealer's");
    }
  }

  TableAction decide(const TableView& view) {
    const std::optional<TableAction> answer = agent_.act(view, deadline_after(options_.answer_seconds));
    if (answer) return *answer;
    ++result_.late;
    const TableAction fallback{TableAction::Kind::call, 0};
    log_("hand " + std::to_string(view.hand) + ": no answer within " + print_chips(options_.answer_seconds) + " s, so " +
         describe_action(game_, view.state, fallback));
    return fallback;
  }

  Connection& connection_;
  const Game& game_;
  DeadlineAgent& agent_;
  const ClientOptions& options_;
  const std::function<void(const std::string&)>& log_;
  ClientResult result_;
  std::uint32_t hand_ = 0;
  bool hand_over_ = false;
  bool seen_ = false;
};

}  // namespace

ClientResult run_client(Connection& connection, const Game& game, DeadlineAgent& agent, const ClientOptions& options,
                        const std::function<void(const std::string&)>& log) {
  return Client(connection, game, agent, options, log).run();
}

std::string game_in_words(const Game& game) {
  const GameDefinition& d = game.definition();
  std::string stacks, blinds;
  for (std::size_t p = 0; p < static_cast<std::size_t>(d.players); ++p) {
    stacks += " " + std::to_string(d.stack[p]);
    blinds += " " + std::to_string(d.blind[p]);
  }
  const bool unlimited = d.limit && std::all_of(d.stack.begin(), d.stack.begin() + d.players, [](auto s) { return s == kUnlimitedStack; });
  return d.name + " (" + (d.limit ? "limit" : "no-limit") + ", " + std::to_string(d.players) + " players" +
         (unlimited ? "" : ", stacks" + stacks) + ", blinds" + blinds + ")";
}

}  // namespace deepcfr
