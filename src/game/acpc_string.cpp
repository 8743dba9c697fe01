#include "deepcfr/game/acpc_string.h"

#include <bitset>
#include <charconv>

#include "deepcfr/core/error.h"

namespace deepcfr {

namespace {

class StateParser {
 public:
  StateParser(const Game& game, std::string_view text) : game_(game), text_(text) {}

  ParsedState parse() {
    const bool match = text_.starts_with("MATCHSTATE:");
    if (match) {
      at_ = 11;
      parsed_.position = static_cast<int>(number("position"));
      if (parsed_.position >= game_.players())
        fail("position " + std::to_string(parsed_.position) + " is not in 0.." + std::to_string(game_.players() - 1));
      expect(':');
    } else if (text_.starts_with("STATE:")) {
      at_ = 6;
    } else {
      fail("neither STATE: nor MATCHSTATE: stands here");
    }
    parsed_.hand_id = number("hand number");
    expect(':');
    parsed_.state = game_.initial_state(Deal{});
    read_betting();
    expect(':');
    read_hole_cards(match);
    read_board();
    parsed_.consumed = at_;
    return parsed_;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    const std::string shown(text_.substr(0, 200));
    throw Error(ErrorKind::usage, what, "'" + shown + "', character " + std::to_string(at_ + 1), hint);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void expect(char c) {
    if (peek() != c) fail(std::string("'") + c + "' is wanted here");
    ++at_;
  }

  std::uint32_t number(const char* what) {
    std::uint32_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (status != std::errc{}) fail(std::string("a ") + what + " is wanted here");
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  void read_betting() {
    State& state = parsed_.state;
    int separators = 0;
    slashes(separators);
    while (!state.finished) {
      const char c = peek();
      if (c == ':' || c == '\0') return;
      if (c == '/') fail("'/' stands within a round of betting");
      read_action(c);
      slashes(separators);
    }
  }

  /// One for each round that has been left: also for those that an all-in leaves without betting.
  void slashes(int& separators) {
    for (; separators < parsed_.state.round; ++separators) {
      if (peek() != '/') fail("the round of betting is over: '/' is wanted here");
      ++at_;
    }
  }

  void read_action(char c) {
    State& state = parsed_.state;
    if (c == 'f') {
      if (!game_.fold_legal(state)) fail("a fold without a bet to call is not legal");
      game_.apply(state, kFold);
      ++at_;
    } else if (c == 'c') {
      game_.apply(state, kCall);
      ++at_;
    } else if (c == 'r' || c == 'b') {
      read_raise();
    } else {
      fail(std::string("'") + c + "' is no action", "actions are f, c and r (no-limit: r and the total over the hand)");
    }
  }

  void read_raise() {
    const std::optional<RaiseRange> range = game_.raise_range(parsed_.state);
    if (!range) fail("no raise is legal here");
    if (game_.definition().limit) {
      ++at_;
      game_.apply_raise_to(parsed_.state, range->min);
      return;
    }
    ++at_;
    const std::size_t number_at = at_;
    const std::uint32_t total = number("raise total");
    if (total < static_cast<std::uint32_t>(range->min) || total > static_cast<std::uint32_t>(range->max)) {
      at_ = number_at;
      fail("raise to " + std::to_string(total) + " is not in " + std::to_string(range->min) + ".." + std::to_string(range->max));
    }
    game_.apply_raise_to(parsed_.state, static_cast<std::int32_t>(total));
  }

  Card read_card() {
    const std::optional<Card> card = at_ + 2 <= text_.size() ? parse_card(text_.substr(at_, 2)) : std::nullopt;
    if (!card) fail("a card is wanted here", "cards are written As, Td, 2c");
    const GameDefinition& d = game_.definition();
    if (card_rank(*card) < kRankCount - d.ranks || card_suit(*card) < kSuitCount - d.suits)
      fail(card_name(*card) + " is not in the deck of " + game_.name());
    if (seen_[*card]) fail(card_name(*card) + " stands here a second time");
    seen_[*card] = true;
    at_ += 2;
    return *card;
  }

  void read_hole_cards(bool may_be_unknown) {
    for (int p = 0; p < game_.players(); ++p) {
      if (p > 0) expect('|');
      const char c = peek();
      const bool unknown = c == '|' || c == '/' || c == '\0' || c == ':' || c == '\r' || c == '\n';
      if (unknown && may_be_unknown) continue;
      for (int i = 0; i < game_.definition().hole_cards; ++i) {
        parsed_.state.deal.hole[static_cast<std::size_t>(p)][static_cast<std::size_t>(i)] = read_card();
      }
    }
  }

  void read_board() {
    const GameDefinition& d = game_.definition();
    std::size_t next = 0;
    for (int r = 0; r <= parsed_.state.round; ++r) {
      if (r > 0) expect('/');
      for (int i = 0; i < d.board_cards[static_cast<std::size_t>(r)]; ++i) parsed_.state.deal.board[next++] = read_card();
    }
  }

  const Game& game_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::bitset<52> seen_;
  ParsedState parsed_;
};

}  // namespace

ParsedState parse_acpc_state(const Game& game, std::string_view text) { return StateParser(game, text).parse(); }

std::string print_acpc_action(const Game& game, const State& before, Action action) {
  if (action == kFold) return "f";
  if (action == kCall) return "c";
  if (action == kOffTreeRaise) {
    throw Error(ErrorKind::usage, "a history does not hold the size of a raise that the bet abstraction does not offer",
                "game " + game.name());
  }
  return game.definition().limit ? "r" : "r" + std::to_string(game.raise_to(before, action));
}

std::string print_acpc_betting(const Game& game, const State& state) {
  if (state.history.overflow)
    throw Error(ErrorKind::usage, "the hand has more actions than a history holds", "game " + game.name());
  State now = game.initial_state(Deal{});
  std::string text(now.round, '/');
  for (int i = 0; i < state.history.size; ++i) {
    const int round = now.round;
    const Action action = state.history[i];
    text += print_acpc_action(game, now, action);
    game.apply(now, action);
    text.append(static_cast<std::size_t>(now.round - round), '/');
  }
  return text;
}

std::string print_acpc_state(const Game& game, const State& state, std::uint32_t hand_id) {
  const GameDefinition& d = game.definition();
  std::string text = "STATE:" + std::to_string(hand_id) + ":" + print_acpc_betting(game, state) + ":";
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
    for (int c = 0; c < d.board_cards[static_cast<std::size_t>(r)]; ++c) text += card_name(state.deal.board[next++]);
  }
  return text;
}

}  // namespace deepcfr
