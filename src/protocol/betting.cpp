#include "deepcfr/protocol/betting.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

/// What every player had put in when the round of `state` began: what street totals count from.
class StreetStart {
 public:
  void follow(const State& state) {
    if (state.round == round_) return;
    round_ = state.round;
    spent_ = state.max_spent;
  }
  /// Before the first round nobody has put in anything: blinds count as bets of their street.
  std::int32_t spent() const { return spent_; }

 private:
  int round_ = 0;
  std::int32_t spent_ = 0;
};

void require_no_limit(const Game& game) {
  if (!game.definition().limit) return;
  throw Error(ErrorKind::usage, "Slumbot's notation is for no-limit games", "game " + game.name(), "use acpc or phh");
}

/// Reads betting in either notation, playing it by the rules as it goes.
class BettingReader {
 public:
  BettingReader(const Game& game, std::string_view text, bool slumbot)
      : game_(game), text_(text), slumbot_(slumbot), state_(game.initial_state(Deal{})) {}

  Betting read() {
    slashes();
    while (at_ < text_.size()) {
      if (state_.finished) fail("the hand is over here");
      const TableAction action = read_action();
      try {
        apply_table_action(game_, state_, action);
      } catch (const Error& error) {
        at_ = action_at_;
        fail(error.message());
      }
      betting_.push_back(action);
      slashes();
    }
    return betting_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::usage, what, "betting '" + std::string(text_.substr(0, 200)) + "', character " + std::to_string(at_ + 1));
  }

  /// One for each round that has been left. At the end of a line they may be missing, as Slumbot leaves them out after an all-in.
  void slashes() {
    street_.follow(state_);
    if (state_.finished && slumbot_) {
      while (at_ < text_.size() && text_[at_] == '/') ++at_;
      return;
    }
    for (; separators_ < state_.round; ++separators_) {
      if (at_ == text_.size()) {
        if (slumbot_ || !state_.finished) return;
      }
      if (at_ == text_.size() || text_[at_] != '/') fail("the round of betting is over: '/' is wanted here");
      ++at_;
    }
  }

  TableAction read_action() {
    action_at_ = at_;
    const char c = text_[at_++];
    const bool free = game_.call_cost(state_) == 0 && !game_.fold_legal(state_);
    if (c == 'f') return {Kind::fold, 0};
    if (c == 'c' && !(slumbot_ && free)) return {Kind::call, 0};
    if (c == 'k' && slumbot_ && free) return {Kind::call, 0};
    if (c == 'b' || (c == 'r' && !slumbot_)) return {Kind::raise, read_total()};  // the reference engine reads b as r
    --at_;
    if (c == '/') fail("'/' stands within a round of betting");
    fail(std::string("'") + c + "' is no action here");
  }

  std::int32_t read_total() {
    if (game_.definition().limit) {
      const std::optional<RaiseRange> range = game_.raise_range(state_);
      if (!range) --at_, fail("no raise is legal here");
      return range->min;
    }
    std::int32_t number = 0;
    const char* begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (status != std::errc{} || number < 0 || number > kUnlimitedStack) fail("a number of chips is wanted here");
    at_ += static_cast<std::size_t>(end - begin);
    return slumbot_ ? number + street_.spent() : number;
  }

  const Game& game_;
  std::string_view text_;
  bool slumbot_;
  State state_;
  StreetStart street_;
  Betting betting_;
  std::size_t at_ = 0;
  std::size_t action_at_ = 0;
  int separators_ = 0;
};

}  // namespace

void apply_table_action(const Game& game, State& state, const TableAction& action) {
  if (state.finished) throw Error(ErrorKind::usage, "the hand is over");
  switch (action.kind) {
    case Kind::fold:
      if (!game.fold_legal(state)) throw Error(ErrorKind::usage, "a fold without a bet to call is not legal");
      game.apply(state, kFold);
      return;
    case Kind::call:
      game.apply(state, kCall);
      return;
    case Kind::raise:
      game.apply_raise_to(state, action.total);
      return;
  }
}

State replay_betting(const Game& game, const Deal& deal, std::span<const TableAction> betting) {
  State state = game.initial_state(deal);
  for (std::size_t i = 0; i < betting.size(); ++i) {
    try {
      apply_table_action(game, state, betting[i]);
    } catch (const Error& error) {
      throw Error(error.kind(), error.message(), "action " + std::to_string(i + 1), error.hint());
    }
  }
  return state;
}

Betting betting_of(const Game& game, const State& state) {
  if (state.history.overflow) throw Error(ErrorKind::usage, "the hand has more actions than a history holds", "game " + game.name());
  State now = game.initial_state(Deal{});
  Betting betting;
  for (int i = 0; i < state.history.size; ++i) {
    const Action action = state.history[i];
    if (action == kOffTreeRaise) throw Error(ErrorKind::usage, "a history does not hold the size of a raise off the tree", "game " + game.name());
    if (action == kFold) betting.push_back({Kind::fold, 0});
    if (action == kCall) betting.push_back({Kind::call, 0});
    if (action >= kFirstRaise) betting.push_back({Kind::raise, game.raise_to(now, action)});
    game.apply(now, action);
  }
  return betting;
}

TableAction nearest_raise(const Game& game, const State& state, std::int64_t total) {
  const std::optional<RaiseRange> range = game.raise_range(state);
  if (!range) return {Kind::call, 0};
  return {Kind::raise, static_cast<std::int32_t>(std::clamp<std::int64_t>(total, range->min, range->max))};
}

std::string describe_action(const Game& game, const State& before, const TableAction& action) {
  if (action.kind == Kind::fold) return "fold";
  if (action.kind == Kind::raise) return "raise to " + std::to_string(action.total);
  const std::int32_t cost = game.call_cost(before);
  return cost == 0 ? "check" : "call " + std::to_string(cost);
}

std::string print_acpc_action(const Game& game, const TableAction& action) {
  if (action.kind == Kind::fold) return "f";
  if (action.kind == Kind::call) return "c";
  return game.definition().limit ? "r" : "r" + std::to_string(action.total);
}

std::string print_acpc_betting(const Game& game, std::span<const TableAction> betting) {
  State state = game.initial_state(Deal{});
  std::string text(state.round, '/');
  for (const TableAction& action : betting) {
    const int round = state.round;
    text += print_acpc_action(game, action);
    apply_table_action(game, state, action);
    text.append(static_cast<std::size_t>(state.round - round), '/');
  }
  return text;
}

Betting parse_acpc_betting(const Game& game, std::string_view text) { return BettingReader(game, text, false).read(); }

std::string print_slumbot_betting(const Game& game, std::span<const TableAction> betting) {
  require_no_limit(game);
  State state = game.initial_state(Deal{});
  StreetStart street;
  std::string text;
  for (const TableAction& action : betting) {
    if (state.round > 0 && !text.empty()) {
      // A slash before the first action of a round: none for the rounds that an all-in leaves empty.
      const auto rounds = static_cast<std::size_t>(std::count(text.begin(), text.end(), '/'));
      text.append(static_cast<std::size_t>(state.round) - rounds, '/');
    }
    street.follow(state);
    if (action.kind == Kind::fold) {
      text += 'f';
    } else if (action.kind == Kind::call) {
      text += game.call_cost(state) == 0 ? 'k' : 'c';
    } else {
      text += 'b' + std::to_string(action.total - street.spent());
    }
    apply_table_action(game, state, action);
  }
  return text;
}

Betting parse_slumbot_betting(const Game& game, std::string_view text) {
  require_no_limit(game);
  return BettingReader(game, text, true).read();
}

}  // namespace deepcfr
