#include <algorithm>
#include <array>
#include <bit>

#include "deepcfr/core/error.h"
#include "deepcfr/protocol/phh.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

constexpr int kPhhRaiseCap = 4;  // bets and raises of a street in FT, the blind not counted

std::string player_name(int position) { return "p" + std::to_string(position + 1); }

template <typename Values, typename Print>
std::string array_text(const Values& values, Print print) {
  std::string text = "[";
  for (const auto& value : values) {
    if (text.size() > 1) text += ", ";
    text += print(value);
  }
  return text + "]";
}

/// A TOML string: literal where it can be.
std::string toml_string(const std::string& text) {
  const bool plain =
      std::none_of(text.begin(), text.end(), [](char c) { return c == '\'' || static_cast<unsigned char>(c) < ' ' || c == 127; });
  if (plain) return "'" + text + "'";
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' || c == 127 ? ' ' : c;
  }
  return quoted + "\"";
}

std::string chips_text(std::int64_t chips) { return std::to_string(chips); }

/// Twice what a player can put in at most, for games whose stacks know no end.
std::int32_t stack_of_unlimited(const GameDefinition& d) {
  std::int32_t most = d.big_blind();
  for (std::size_t r = 0; r < static_cast<std::size_t>(d.rounds); ++r) most += kPhhRaiseCap * d.raise_size[r];
  return 2 * most;
}

std::vector<std::int64_t> starting_stacks(const GameDefinition& d) {
  std::vector<std::int64_t> stacks(d.stack.begin(), d.stack.begin() + d.players);
  for (std::int64_t& stack : stacks) {
    if (stack == kUnlimitedStack) stack = stack_of_unlimited(d);
  }
  return stacks;
}

/// Cards as "AsKd", unknown ones "??".
std::string cards_text(std::span<const Card> cards) {
  std::string text;
  for (const Card card : cards) text += card == kNoCard ? "??" : card_name(card);
  return text;
}

/// The lines of `actions`.
class ActionLines {
 public:
  explicit ActionLines(const HandRecord& hand) : hand_(hand), game_(*hand.game), state_(game_.initial_state(hand.deal)) {}

  std::vector<std::string> write() {
    for (int p = 0; p < game_.players(); ++p) lines_.push_back("d dh " + player_name(p) + " " + hole(p));
    deal_to(state_.finished ? 0 : state_.round);
    for (const TableAction& action : hand_.betting) act(action);
    if (state_.finished && std::popcount(static_cast<unsigned>(state_.folded)) + 1 < game_.players()) showdown();
    return lines_;
  }

 private:
  std::string hole(int position) const {
    return cards_text(
        std::span(hand_.deal.hole[static_cast<std::size_t>(position)]).first(static_cast<std::size_t>(game_.definition().hole_cards)));
  }

  void act(const TableAction& action) {
    const int player = state_.actor;
    const int round = state_.round;
    if (action.kind == Kind::fold) {
      lines_.push_back(player_name(player) + " f");
    } else if (action.kind == Kind::call) {
      lines_.push_back(player_name(player) + " cc");
    } else {
      lines_.push_back(player_name(player) + " cbr " + chips_text(action.total - street_start_));
      aggressor_ = player;
    }
    apply_table_action(game_, state_, action);
    if (state_.round == round) return;
    street_start_ = state_.max_spent;
    // Who bet on the river shows first; who bet before an all-in did not bet on the river.
    aggressor_ = -1;
    if (!state_.finished) deal_to(state_.round);
  }

  void deal_to(int round) {
    const GameDefinition& d = game_.definition();
    while (dealt_ < round) {
      ++dealt_;
      const auto begin = static_cast<std::size_t>(d.board_count(dealt_ - 1));
      const auto count = static_cast<std::size_t>(d.board_count(dealt_)) - begin;
      if (count > 0) lines_.push_back("d db " + cards_text(std::span(hand_.deal.board).subspan(begin, count)));
    }
  }

  /// All cards of those who are left, the last aggressor of the river first, else from the left of the button (reported fault R34); after
  /// an all-in before the rest of the board.
  void showdown() {
    const int first = aggressor_ < 0 ? 0 : aggressor_;
    for (int i = 0; i < game_.players(); ++i) {
      const int p = (first + i) % game_.players();
      if (state_.has_folded(p)) continue;
      const bool mucked = ((hand_.mucked >> p) & 1) != 0;
      lines_.push_back(player_name(p) + (mucked ? " sm" : " sm " + hole(p)));
    }
    deal_to(game_.rounds() - 1);
  }

  const HandRecord& hand_;
  const Game& game_;
  State state_;
  std::vector<std::string> lines_;
  std::int32_t street_start_ = 0;
  int aggressor_ = -1;
  int dealt_ = 0;
};

void fail(const std::string& game, const std::string& what) {
  throw Error(ErrorKind::usage, "PHH has no code for it: " + what, "game " + game, "an ACPC log can hold every game");
}

}  // namespace

void require_phh_game(const Game& game) {
  const GameDefinition& d = game.definition();
  if (d.rounds != 4 || d.hole_cards != 2 || d.suits != 4 || d.ranks != 13 ||
      d.board_cards != std::array<std::uint8_t, kMaxRounds>{0, 3, 1, 1}) {
    fail(d.name, "it is not Texas hold'em");
  }
  const int first = d.players == 2 ? 1 : 2;
  if (d.first_player != std::array<std::uint8_t, kMaxRounds>{static_cast<std::uint8_t>(first), 0, 0, 0}) {
    fail(d.name, "the order in which players act is not that of hold'em");
  }
  const std::int32_t small = d.players == 2 ? d.blind[1] : d.blind[0];
  const std::int32_t big = d.players == 2 ? d.blind[0] : d.blind[1];
  if (small > big || std::any_of(d.blind.begin() + 2, d.blind.end(), [](auto blind) { return blind != 0; })) {
    fail(d.name, "its blinds are not a small and a big one");
  }
  if (!d.limit) return;
  if (d.raise_size[0] != d.raise_size[1] || d.raise_size[2] != d.raise_size[3]) fail(d.name, "its raises are not a small and a big bet");
  if (*std::max_element(d.max_raises.begin(), d.max_raises.end()) > kPhhRaiseCap) fail(d.name, "it has more than four raises a round");
}

std::string print_phh(const HandRecord& hand) {
  const Game& game = *hand.game;
  require_phh_game(game);
  const GameDefinition& d = game.definition();
  std::vector<std::int64_t> blinds(d.blind.begin(), d.blind.begin() + d.players);
  if (d.players == 2) std::reverse(blinds.begin(), blinds.end());
  const std::vector<std::int64_t> stacks = starting_stacks(d);
  std::string text = d.limit ? "variant = 'FT'\n" : "variant = 'NT'\n";
  text += "antes = " + array_text(std::vector<std::int64_t>(blinds.size()), chips_text) + "\n";
  text += "blinds_or_straddles = " + array_text(blinds, chips_text) + "\n";
  if (d.limit) {
    text += "small_bet = " + std::to_string(d.raise_size[0]) + "\nbig_bet = " + std::to_string(d.raise_size[2]) + "\n";
  } else {
    text += "min_bet = " + std::to_string(d.big_blind()) + "\n";
  }
  text += "starting_stacks = " + array_text(stacks, chips_text) + "\n";
  text += "actions = " + array_text(ActionLines(hand).write(), toml_string) + "\n";
  const bool number = !hand.label.empty() && hand.label.size() < 10 && hand.label.find_first_not_of("0123456789") == std::string::npos &&
                      (hand.label[0] != '0' || hand.label == "0");
  if (!hand.label.empty()) text += "hand = " + (number ? hand.label : toml_string(hand.label)) + "\n";
  if (!hand.names.empty()) text += "players = " + array_text(hand.names, toml_string) + "\n";
  if (!hand.values.empty()) {
    std::vector<double> finishing;
    for (std::size_t p = 0; p < stacks.size(); ++p) finishing.push_back(static_cast<double>(stacks[p]) + hand.values[p]);
    text += "finishing_stacks = " + array_text(finishing, print_chips) + "\n";
  }
  text += game.rules() == RuleSet::acpc ? "_rules = 'acpc'\n" : "_rules = 'cardroom'\n";
  return text;
}

}  // namespace deepcfr
