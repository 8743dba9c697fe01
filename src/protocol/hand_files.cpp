#include "deepcfr/protocol/hand_files.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <cmath>

#include "deepcfr/core/error.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "deepcfr/protocol/phh.h"

namespace deepcfr {
namespace {

using OnHand = std::function<void(HandRecord&&)>;
using OnError = std::function<void(const HandError&)>;

/// Calls `take(line, number)` for each line, without its end.
template <typename Take>
void each_line(std::string_view text, Take take) {
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line, ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void read_phh(std::string_view text, const HandFileOptions& options, const OnHand& on_hand, const OnError& on_error) {
  for (const PhhPiece& piece : split_phhs(text)) {
    try {
      HandRecord hand = parse_phh(piece.text, piece.line, {options.rules});
      if (hand.label.empty()) hand.label = piece.label;
      on_hand(std::move(hand));
    } catch (const Error& error) {
      int line = piece.line;
      const std::string& where = error.where();
      if (where.starts_with("line ")) std::from_chars(where.data() + 5, where.data() + where.size(), line);
      on_error({piece.label, line, error.message() + (error.hint().empty() ? "" : " (" + error.hint() + ")")});
    }
  }
}

class AcpcReader {
 public:
  AcpcReader(const HandFileOptions& options, const OnHand& on_hand, const OnError& on_error)
      : options_(options), on_hand_(on_hand), on_error_(on_error) {}

  void take(std::string_view line, int number) {
    if (is_acpc_comment(line)) return;
    try {
      if (line.starts_with("SCORE:")) {
        if (whole_) check_score(line);
        return;
      }
      HandRecord hand = parse_acpc_log_line(options_.game, line);
      hand.line = number;
      totals_.add(hand);
      on_hand_(std::move(hand));
    } catch (const Error& error) {
      whole_ = false;
      on_error_({label_of(line), number, error.message() + (error.where().empty() ? "" : ": " + error.where())});
    }
  }

 private:
  static std::string label_of(std::string_view line) {
    const std::size_t begin = line.find(':');
    if (begin == std::string_view::npos || line.starts_with("SCORE:")) return "";
    const std::size_t end = line.find(':', begin + 1);
    return std::string(line.substr(begin + 1, end == std::string_view::npos ? 20 : end - begin - 1));
  }

  void check_score(std::string_view line) const {
    if (!totals_.named()) return;
    std::vector<double> sums;
    std::vector<std::string> names;
    const std::size_t colon = line.rfind(':');
    std::string_view rest = line.substr(colon + 1);
    while (true) {
      const std::size_t bar = rest.find('|');
      names.emplace_back(rest.substr(0, bar));
      const auto known = std::find(totals_.names().begin(), totals_.names().end(), names.back());
      sums.push_back(known == totals_.names().end() ? 0 : totals_.by_name()[static_cast<std::size_t>(known - totals_.names().begin())]);
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
    std::string_view stated = line.substr(6, colon == std::string_view::npos || colon < 6 ? 0 : colon - 6);
    for (const double sum : sums) {
      double value = 0;
      const auto [end, status] = std::from_chars(stated.data(), stated.data() + stated.size(), value);
      // Each hand was rounded to six digits.
      if (status != std::errc{} || std::abs(value - sum) > 1e-3) {
        throw Error(ErrorKind::usage, "the hands add up to " + print_score_line(sums, names), "'" + std::string(line) + "'");
      }
      stated.remove_prefix(std::min(static_cast<std::size_t>(end - stated.data()) + 1, stated.size()));
    }
  }

  const HandFileOptions& options_;
  const OnHand& on_hand_;
  const OnError& on_error_;
  NetChips totals_;
  bool whole_ = true;  // every hand so far could be read
};

/// The cards behind a Slumbot string: "AsAd|KsKd/2c3c4h", any of them missing.
void read_slumbot_cards(HandRecord& hand, std::string_view text) {
  const GameDefinition& d = hand.game->definition();
  const std::size_t slash = std::min(text.find('/'), text.size());
  std::string_view holes = text.substr(0, slash);
  for (int p = 0; p < d.players; ++p) {
    const std::size_t bar = std::min(holes.find('|'), holes.size());
    const std::vector<Card> cards = parse_cards(holes.substr(0, bar));
    if (!cards.empty() && cards.size() != static_cast<std::size_t>(d.hole_cards))
      throw Error(ErrorKind::usage, "a hand has " + std::to_string(cards.size()) + " cards");
    std::copy(cards.begin(), cards.end(), hand.deal.hole[static_cast<std::size_t>(p)].begin());
    holes.remove_prefix(std::min(bar + 1, holes.size()));
  }
  std::string board(text.substr(slash));
  std::erase(board, '/');
  const std::vector<Card> cards = parse_cards(board);
  if (cards.size() > static_cast<std::size_t>(d.board_count(d.rounds - 1)))
    throw Error(ErrorKind::usage, "the board has " + std::to_string(cards.size()) + " cards");
  std::copy(cards.begin(), cards.end(), hand.deal.board.begin());
  std::vector<Card> all = cards;
  for (const auto& hole : hand.deal.hole)
    std::copy_if(hole.begin(), hole.end(), std::back_inserter(all), [](Card c) { return c != kNoCard; });
  require_distinct(all);
}

void read_slumbot_line(std::string_view line, int number, const HandFileOptions& options, const OnHand& on_hand, const OnError& on_error) {
  if (is_acpc_comment(line)) return;
  const std::string label = std::to_string(number);
  try {
    HandRecord hand;
    hand.game = options.game;
    hand.label = label;
    hand.line = number;
    const std::size_t blank = std::min(line.find(' '), line.size());
    hand.betting = parse_slumbot_betting(*options.game, line.substr(0, blank));
    if (blank < line.size()) read_slumbot_cards(hand, line.substr(blank + 1));
    hand.values = hand_values(hand);
    on_hand(std::move(hand));
  } catch (const Error& error) {
    on_error({label, number, error.message() + (error.where().empty() ? "" : ": " + error.where())});
  }
}

std::string slumbot_line(const HandRecord& hand) {
  const std::string cards = print_acpc_cards(*hand.game, replay_betting(*hand.game, hand.deal, hand.betting));
  const bool known = cards.find_first_not_of("|/") != std::string::npos;
  return print_slumbot_betting(*hand.game, hand.betting) + (known ? " " + cards : "") + "\n";
}

}  // namespace

const std::vector<std::string>& hand_format_names() {
  static const std::vector<std::string> names = {"phh", "acpc", "slumbot"};
  return names;
}

std::optional<HandFormat> hand_format(std::string_view name) {
  constexpr std::array<HandFormat, 3> kFormats{HandFormat::phh, HandFormat::acpc, HandFormat::slumbot};
  const auto& names = hand_format_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return kFormats[static_cast<std::size_t>(found - names.begin())];
}

std::optional<HandFormat> hand_format_of_path(std::string_view path) {
  if (path.ends_with(".phh") || path.ends_with(".phhs")) return HandFormat::phh;
  if (path.ends_with(".log") || path.ends_with(".acpc")) return HandFormat::acpc;
  if (path.ends_with(".slumbot")) return HandFormat::slumbot;
  return std::nullopt;
}

void read_hands(std::string_view text, const HandFileOptions& options, const OnHand& on_hand, const OnError& on_error) {
  if (options.format == HandFormat::phh) {
    read_phh(text, options, on_hand, on_error);
    return;
  }
  DEEPCFR_CHECK(options.game != nullptr, "this notation does not name its game");
  if (options.format == HandFormat::acpc) {
    AcpcReader reader(options, on_hand, on_error);
    each_line(text, [&](std::string_view line, int number) { reader.take(line, number); });
  } else {
    each_line(text, [&](std::string_view line, int number) { read_slumbot_line(line, number, options, on_hand, on_error); });
  }
}

std::string print_hand(const HandRecord& hand, HandFormat format, int number) {
  if (format == HandFormat::phh) return "[" + std::to_string(number) + "]\n" + print_phh(hand) + "\n";
  if (format == HandFormat::slumbot) return slumbot_line(hand);
  HandRecord numbered = hand;
  if (hand.label.empty() || hand.label.size() > 9 || hand.label.find_first_not_of("0123456789") != std::string::npos) {
    numbered.label = std::to_string(number - 1);
  }
  return print_acpc_log_line(numbered) + "\n";
}

void NetChips::add(const HandRecord& hand) {
  ++hands_;
  if (by_position_.size() < hand.values.size()) by_position_.resize(hand.values.size());
  for (std::size_t p = 0; p < hand.values.size(); ++p) by_position_[p] += hand.values[p];
  named_ = named_ && hand.names.size() == hand.values.size();
  for (std::size_t p = 0; named_ && p < hand.names.size(); ++p) {
    const auto known = std::find(names_.begin(), names_.end(), hand.names[p]);
    const auto index = static_cast<std::size_t>(known - names_.begin());
    if (known == names_.end()) {
      names_.push_back(hand.names[p]);
      by_name_.push_back(0);
    }
    by_name_[index] += hand.values[p];
  }
}

}  // namespace deepcfr
