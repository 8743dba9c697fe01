#include "deepcfr/protocol/remote_player.h"

#include <charconv>
#include <utility>

#include "deepcfr/core/error.h"
#include "deepcfr/protocol/acpc_lines.h"

namespace deepcfr {
namespace {

/// "VERSION:2.0.<revision>".
bool is_version_2_0(std::string_view line) {
  constexpr std::string_view kBegin = "VERSION:2.0.";
  if (!line.starts_with(kBegin)) return false;
  const std::string_view revision = line.substr(kBegin.size());
  unsigned number = 0;
  const auto [end, status] = std::from_chars(revision.data(), revision.data() + revision.size(), number);
  return status == std::errc{} && end == revision.data() + revision.size();
}

}  // namespace

RemotePlayer::RemotePlayer(const Game& game, std::string name, Connection connection, double answer_seconds, Log log)
    : game_(&game), name_(std::move(name)), connection_(std::move(connection)), answer_seconds_(answer_seconds), log_(std::move(log)) {}

std::string RemotePlayer::next_line(const Deadline& deadline, const std::string& wanted) {
  std::string line;
  switch (connection_.read_line(line, deadline)) {
    case Connection::Got::line:
      return line;
    case Connection::Got::end:
      throw Error(ErrorKind::input, "the program has closed the connection, where " + wanted + " is wanted", "player " + name_);
    case Connection::Got::timeout:
      break;
  }
  throw Error(ErrorKind::input, "no answer in time, where " + wanted + " is wanted", "player " + name_);
}

void RemotePlayer::read_version(const Deadline& deadline) {
  const std::string line = next_line(deadline, "its VERSION line");
  if (is_version_2_0(line)) return;
  throw Error(ErrorKind::input, "its first line is '" + line.substr(0, 100) + "', not VERSION:2.0.0", "player " + name_);
}

void RemotePlayer::see(const TableView& view) {
  sent_ = print_matchstate(*game_, view);
  try {
    connection_.send(sent_ + "\r\n");
  } catch (const Error& error) {
    throw Error(ErrorKind::input, "hand " + std::to_string(view.hand) + " cannot be played on: " + error.what(), "player " + name_);
  }
}

std::optional<std::string> RemotePlayer::answer_to(const TableView& view, const std::string& line) const {
  if (line.size() > sent_.size() && line.starts_with(sent_) && line[sent_.size()] == ':') return line.substr(sent_.size() + 1);
  // The same state in other words is an answer too, as for the reference dealer.
  const std::size_t colon = line.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  try {
    const TableView answered = parse_matchstate(*game_, std::string_view(line).substr(0, colon));
    if (answered.hand == view.hand && answered.position == view.position && answered.betting == view.betting &&
        answered.state.deal == view.state.deal) {
      return line.substr(colon + 1);
    }
  } catch (const Error&) {
  }
  return std::nullopt;
}

std::optional<TableAction> RemotePlayer::act(const TableView& view) {
  const Deadline deadline = deadline_after(answer_seconds_);
  while (true) {
    const std::string line = next_line(deadline, "the answer in hand " + std::to_string(view.hand));
    if (is_acpc_comment(line)) continue;
    const std::optional<std::string> text = answer_to(view, line);
    if (!text) {
      log_(name_ + ": passed over, since it answers no state that was sent: '" + line.substr(0, 200) + "'");
      continue;
    }
    std::optional<TableAction> action;
    try {
      action = parse_acpc_action(*game_, view.state, *text);
      State after = view.state;
      apply_table_action(*game_, after, *action);
    } catch (const Error& error) {
      log_(name_ + ", hand " + std::to_string(view.hand) + ": '" + text->substr(0, 100) + "' is corrected: " + error.message());
    }
    return action;
  }
}

}  // namespace deepcfr
