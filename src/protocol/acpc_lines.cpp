#include "deepcfr/protocol/acpc_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/acpc_string.h"

namespace deepcfr {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <typename Values, typename Print>
std::string joined(const Values& values, Print print) {
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : "|") + print(value);
  return text;
}

[[noreturn]] void fail(const std::string& what, std::string_view line, const std::string& hint = {}) {
  throw Error(ErrorKind::usage, what, "'" + std::string(line.substr(0, 200)) + "'", hint);
}

/// Fields of a line are separated by ':', counted from 0.
std::string_view field(std::string_view line, std::size_t index) {
  const std::vector<std::string_view> fields = split(line, ':');
  return index < fields.size() ? fields[index] : std::string_view{};
}

double read_value(std::string_view text, std::string_view line) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    fail("'" + std::string(text) + "' is no number of chips", line);
  }
  return value;
}

void read_results(HandRecord& hand, std::string_view rest, std::string_view line) {
  const std::vector<std::string_view> fields = split(rest, ':');
  const auto players = static_cast<std::size_t>(hand.game->players());
  if (fields.size() != 3 || !fields[0].empty()) fail("values and names are wanted behind the cards: ':-50|50:a|b'", line);
  const std::vector<std::string_view> values = split(fields[1], '|');
  const std::vector<std::string_view> names = split(fields[2], '|');
  if (values.size() != players || names.size() != players) {
    fail(std::to_string(values.size()) + " values and " + std::to_string(names.size()) + " names stand here for " +
             std::to_string(players) + " players",
         line);
  }
  for (const std::string_view name : names) hand.names.emplace_back(name);
  for (std::size_t p = 0; p < players; ++p) {
    const double stated = read_value(values[p], line);
    // The reference dealer writes six digits.
    if (std::abs(stated - hand.values[p]) > 2e-6) {
      fail("position " + std::to_string(p + 1) + " has " + print_chips(stated) + " here, by the rules " + print_chips(hand.values[p]),
           line);
    }
  }
}

}  // namespace

bool is_acpc_comment(std::string_view line) noexcept { return line.empty() || line[0] == '#' || line[0] == ';'; }

std::string print_matchstate(const Game& game, const TableView& view) {
  return "MATCHSTATE:" + std::to_string(view.position) + ":" + std::to_string(view.hand) + ":" + print_acpc_betting(game, view.betting) +
         ":" + print_acpc_cards(game, view.state);
}

std::string print_acpc_cards(const Game& game, const State& state) {
  const GameDefinition& d = game.definition();
  std::string text;
  for (int p = 0; p < d.players; ++p) {
    if (p > 0) text += '|';
    for (int c = 0; c < d.hole_cards; ++c) {
      const Card card = state.deal.hole[static_cast<std::size_t>(p)][static_cast<std::size_t>(c)];
      if (card != kNoCard) text += card_name(card);
    }
  }
  std::size_t next = 0;
  for (int r = 0; r <= state.round; ++r) {
    if (r > 0) text += '/';
    for (int c = 0; c < d.board_cards[static_cast<std::size_t>(r)]; ++c, ++next) {
      if (state.deal.board[next] != kNoCard) text += card_name(state.deal.board[next]);
    }
  }
  return text;
}

TableView parse_matchstate(const Game& game, std::string_view line) {
  if (!line.starts_with("MATCHSTATE:")) fail("a MATCHSTATE is wanted here", line);
  const ParsedState parsed = parse_acpc_state(game, line);
  if (parsed.consumed != line.size()) {
    fail("the state ends at character " + std::to_string(parsed.consumed + 1) + ", but the line goes on", line);
  }
  TableView view{parsed.hand_id, parsed.position, parsed.state, parse_acpc_betting(game, field(line, 3))};
  const auto& own = view.state.deal.hole[static_cast<std::size_t>(view.position)];
  if (std::find(own.begin(), own.begin() + game.definition().hole_cards, kNoCard) != own.begin() + game.definition().hole_cards) {
    fail("the cards of position " + std::to_string(view.position) + " itself are missing", line);
  }
  return view;
}

TableAction parse_acpc_action(const Game& game, const State& state, std::string_view text) {
  const auto wrong = [&] { fail("this is no action: f, c or " + std::string(game.definition().limit ? "r" : "r300"), text); };
  if (text == "f") return {TableAction::Kind::fold, 0};
  if (text == "c") return {TableAction::Kind::call, 0};
  if (text.empty() || text[0] != 'r') wrong();
  text.remove_prefix(1);
  if (game.definition().limit) {
    if (!text.empty()) wrong();
    const std::optional<RaiseRange> range = game.raise_range(state);
    return {TableAction::Kind::raise, range ? range->min : 0};
  }
  std::int32_t total = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), total);
  if (status != std::errc{} || end != text.data() + text.size() || total < 0) wrong();
  return {TableAction::Kind::raise, total};
}

std::string print_acpc_log_line(const HandRecord& hand) {
  const Game& game = *hand.game;
  const State state = replay_betting(game, hand.deal, hand.betting);
  std::string line = "STATE:" + hand.label + ":" + print_acpc_betting(game, hand.betting) + ":" + print_acpc_cards(game, state);
  line += ":" + joined(hand.values, print_chips);
  if (!hand.names.empty()) line += ":" + joined(hand.names, acpc_name);
  return line;
}

HandRecord parse_acpc_log_line(const std::shared_ptr<const Game>& game, std::string_view line) {
  if (!line.starts_with("STATE:")) fail("STATE:, SCORE: or a comment is wanted here", line);
  const ParsedState parsed = parse_acpc_state(*game, line);
  HandRecord hand;
  hand.game = game;
  hand.label = std::to_string(parsed.hand_id);
  hand.deal = parsed.state.deal;
  hand.betting = parse_acpc_betting(*game, field(line, 2));
  hand.values = hand_values(hand);
  const std::string_view rest = line.substr(parsed.consumed);
  if (!rest.empty()) read_results(hand, rest, line);
  return hand;
}

std::string print_score_line(std::span<const double> totals, std::span<const std::string> names) {
  return "SCORE:" + joined(totals, print_chips) + ":" + joined(names, acpc_name);
}

std::string acpc_name(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c == ':' || c == '|' || static_cast<unsigned char>(c) <= ' ') c = '_';
  }
  return text;
}

}  // namespace deepcfr
