#include "play_input.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace deepcfr {
namespace {

constexpr const char* kDash = "\u2013";

PlayInput problem(std::string text) {
  PlayInput input;
  input.problem = std::move(text);
  return input;
}

PlayInput command(PlayInput::Kind kind) {
  PlayInput input;
  input.kind = kind;
  return input;
}

PlayInput move(TableAction::Kind kind, std::int32_t total = 0) {
  PlayInput input;
  input.kind = PlayInput::Kind::move;
  input.move = {kind, total};
  return input;
}

/// Lower case, words apart; a letter glued to a number is a word of its own ("r300"). "to", "chips" and commas in numbers say nothing.
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty() && word != "to" && word != "chips" && word != "i" && word != "it") words.push_back(word);
    word.clear();
  };
  for (const char raw : line) {
    const auto c = static_cast<char>(std::tolower(static_cast<unsigned char>(raw)));
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      flush();
      continue;
    }
    if (c == ',') continue;
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (digit && word.size() > 0 && std::isalpha(static_cast<unsigned char>(word.back())) != 0) flush();
    word += c;
  }
  flush();
  return words;
}

template <std::size_t N>
bool is_one_of(const std::string& word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 2> kFoldWords = {"f", "fold"};
constexpr std::array<std::string_view, 2> kCallWords = {"c", "call"};
constexpr std::array<std::string_view, 4> kCheckWords = {"check", "k", "x", "ch"};
constexpr std::array<std::string_view, 5> kRaiseWords = {"r", "raise", "b", "bet", "re-raise"};
constexpr std::array<std::string_view, 8> kAllInWords = {"allin", "all-in", "a", "max", "jam", "shove", "push", "all"};

/// Reads amounts for a raise in the spot of one hand.
class RaiseReader {
 public:
  RaiseReader(const TableHand& hand, RaiseRange range) : hand_(hand), range_(range), base_(hand.base(hand.state().actor)) {}

  PlayInput amount(const std::string& word) const {
    if (word == "min") return total(range_.min);
    if (word == "half" || word == "halfpot" || word == "1/2") return fraction(0.5);
    if (word == "pot") return fraction(1);
    if (is_one_of(word, kAllInWords)) return total(range_.max);
    if (word.back() == '%') return percent(word.substr(0, word.size() - 1));
    double value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
      return problem("'" + word + "' is no amount: " + wanted());
    if (value != std::floor(value)) return problem(word + " is not a whole number of chips: " + wanted());
    if (value < range_.min - base_ || value > range_.max - base_) return problem(word + " is not legal: " + wanted());
    return total(base_ + static_cast<std::int32_t>(value));
  }

  /// "raise to 200–20000, in chips of this round".
  std::string wanted() const {
    const std::string verb = hand_.unopened() ? "bet " : "raise to ";
    const std::string from = std::to_string(range_.min - base_);
    if (range_.min == range_.max) return verb + from;
    return verb + from + kDash + std::to_string(range_.max - base_);
  }

 private:
  PlayInput total(std::int32_t total) const { return move(TableAction::Kind::raise, total); }

  PlayInput percent(const std::string& digits) const {
    double value = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (status != std::errc{} || end != digits.data() + digits.size() || !(value > 0) || value > 1e6)
      return problem("'" + digits + "%' is no size: write 75% for three quarters of the pot");
    return fraction(value / 100);
  }

  PlayInput fraction(double of_pot) const {
    const State& state = hand_.state();
    const double pot = hand_.pot() + hand_.game().call_cost(state);
    const double wanted = state.max_spent + std::floor(of_pot * pot + 0.5 + 1e-7);
    return total(static_cast<std::int32_t>(std::clamp(wanted, static_cast<double>(range_.min), static_cast<double>(range_.max))));
  }

  const TableHand& hand_;
  RaiseRange range_;
  std::int32_t base_;
};

PlayInput read_raise(const TableHand& hand, const std::vector<std::string>& sizes) {
  const std::optional<RaiseRange> range = hand.game().raise_range(hand.state());
  if (!range) return problem("no raise is legal here: " + legal_moves_text(hand));
  const RaiseReader reader(hand, *range);
  if (sizes.empty()) {
    if (range->min == range->max) return move(TableAction::Kind::raise, range->min);
    return problem("how much? " + reader.wanted() + ", or half, pot, 75%, min, all-in");
  }
  std::vector<std::string> words = sizes;
  if (words.size() == 2 && words[1] == "pot") words.pop_back();  // half pot, 75% pot
  if (words.size() == 2 && words[0] == "all" && words[1] == "in") words.pop_back();
  if (words.size() != 1) return problem("one amount is enough: " + reader.wanted());
  return reader.amount(words[0]);
}

PlayInput read_passive(const TableHand& hand, const std::string& word) {
  const std::int32_t cost = hand.game().call_cost(hand.state());
  if (is_one_of(word, kFoldWords)) {
    if (!hand.game().fold_legal(hand.state())) return problem("there is no bet to fold to: c checks");
    return move(TableAction::Kind::fold);
  }
  if (is_one_of(word, kCheckWords) && cost > 0)
    return problem("there is a bet, so you cannot check: c calls " + std::to_string(cost) + ", f folds");
  return move(TableAction::Kind::call);
}

bool names_a_size(const std::string& word) {
  return word == "half" || word == "halfpot" || word == "pot" || word == "min" || is_one_of(word, kAllInWords) ||
         std::isdigit(static_cast<unsigned char>(word[0])) != 0;
}

}  // namespace

PlayInput parse_play_input(const TableHand& hand, std::string_view line) {
  std::vector<std::string> words = words_of(line);
  if (words.empty()) return problem("your move: " + legal_moves_text(hand) + "; ? for help");
  const std::string first = words[0];
  if (is_one_of(first, kRaiseWords)) {
    words.erase(words.begin());
    return read_raise(hand, words);
  }
  if (names_a_size(first)) return read_raise(hand, words);
  if (words.size() == 1 || is_one_of(first, kCallWords)) {
    if (is_one_of(first, kFoldWords) || is_one_of(first, kCallWords) || is_one_of(first, kCheckWords)) return read_passive(hand, first);
    if (first == "hint") return command(PlayInput::Kind::hint);
    if (first == "state" || first == "s") return command(PlayInput::Kind::state);
    if (first == "?" || first == "h" || first == "help") return command(PlayInput::Kind::help);
    if (first == "q" || first == "quit" || first == "exit") return command(PlayInput::Kind::quit);
  }
  std::string shown(line.substr(0, 60));
  shown.erase(std::remove_if(shown.begin(), shown.end(), [](unsigned char c) { return c < ' '; }), shown.end());
  return problem("'" + shown + "' is not understood: " + legal_moves_text(hand) + "; ? for help");
}

std::string legal_moves_text(const TableHand& hand) {
  const Game& game = hand.game();
  std::string text;
  if (game.fold_legal(hand.state())) text += "fold (f), ";
  text += hand.words({TableAction::Kind::call, 0}) + " (c)";
  const std::optional<RaiseRange> range = game.raise_range(hand.state());
  if (!range) return text;
  if (range->min == range->max) return text + ", " + hand.words({TableAction::Kind::raise, range->min}) + " (r)";
  return text + ", " + RaiseReader(hand, *range).wanted() + " (r AMOUNT)";
}

std::string play_help(const Game& game) {
  std::string text =
      "  f, fold           fold\n"
      "  c, call, check    call, or check when there is nothing to call\n";
  if (game.definition().limit) {
    text += "  r, raise, bet     bet or raise: the size is fixed\n";
  } else {
    text +=
        "  r 300, bet 300    bet or raise to 300, counted in this betting round; 300 alone does the same\n"
        "  half, pot, 75%    bet or raise by this share of the pot (after calling)\n"
        "  min, all-in       the smallest and the largest that is legal\n";
  }
  return text +
         "  hint              what the agent would do with your cards\n"
         "  state             this spot as an ACPC string, for: deepcfr inspect RUN STRING\n"
         "  q, quit           stop, with the result so far (an unfinished hand does not count)\n";
}

}  // namespace deepcfr
