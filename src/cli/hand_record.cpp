#include "hand_record.h"

#include <algorithm>
#include <charconv>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// All blinds alike: antes, which are no bet.
bool only_antes(const GameDefinition& d) {
  return std::all_of(d.blind.begin(), d.blind.begin() + d.players, [&](std::int32_t blind) { return blind == d.blind[0]; });
}

}  // namespace

HandRecord::HandRecord(const Game& game, const Deal& deal) : game_(&game), state_(game.initial_state(deal)) {
  if (only_antes(game.definition())) base_ = state_.spent;
  betting_.append(state_.round, '/');
}

std::int32_t HandRecord::pot() const noexcept {
  std::int32_t pot = 0;
  for (int p = 0; p < game_->players(); ++p) pot += state_.spent[static_cast<std::size_t>(p)];
  return pot;
}

std::int32_t HandRecord::behind(int player) const noexcept {
  const auto p = static_cast<std::size_t>(player);
  const std::int32_t stack = game_->definition().stack[p];
  return stack >= kUnlimitedStack ? -1 : stack - state_.spent[p];
}

void HandRecord::begin_round() { base_ = state_.spent; }

void HandRecord::apply(const Move& move) {
  const int round = state_.round;
  switch (move.kind) {
    case Move::Kind::fold:
      if (!game_->fold_legal(state_)) throw Error(ErrorKind::usage, "a fold without a bet to call is not legal");
      game_->apply(state_, kFold);
      betting_ += 'f';
      break;
    case Move::Kind::call:
      game_->apply(state_, kCall);
      betting_ += 'c';
      break;
    case Move::Kind::raise:
      game_->apply_raise_to(state_, move.total);
      betting_ += game_->definition().limit ? "r" : "r" + std::to_string(move.total);
      break;
  }
  moves_.push_back(move);
  betting_.append(static_cast<std::size_t>(state_.round - round), '/');
  if (state_.round != round) begin_round();
}

bool HandRecord::covers_stack(const Move& move) const {
  const std::int32_t stack = game_->definition().stack[state_.actor];
  const std::int32_t total = move.kind == Move::Kind::raise ? move.total : std::min(state_.max_spent, stack);
  return total == stack && stack < kUnlimitedStack;
}

std::string HandRecord::words(const Move& move) const { return told(move, true); }

std::string HandRecord::told(const Move& move, bool you) const {
  const std::string s = you ? "" : "s";
  if (move.kind == Move::Kind::fold) return "fold" + s;
  const std::int32_t cost = game_->call_cost(state_);
  if (move.kind == Move::Kind::call && cost == 0) return "check" + s;
  const std::string all_in = covers_stack(move) ? " (all-in)" : "";
  if (move.kind == Move::Kind::call) return "call" + s + " " + std::to_string(cost) + all_in;
  const std::string size = std::to_string(move.total - base(state_.actor));
  return (unopened() ? "bet" + s + " " : "raise" + s + " to ") + size + all_in;
}

std::string HandRecord::acpc(int viewer, std::uint32_t hand_id) const {
  const GameDefinition& d = game_->definition();
  std::string text = viewer < 0 ? "STATE:" : "MATCHSTATE:" + std::to_string(viewer) + ":";
  text += std::to_string(hand_id) + ":" + betting_ + ":";
  for (int p = 0; p < d.players; ++p) {
    if (p > 0) text += '|';
    if (viewer >= 0 && p != viewer) continue;
    text += card_names(std::span(state_.deal.hole[static_cast<std::size_t>(p)]).first(static_cast<std::size_t>(d.hole_cards)));
  }
  int shown = 0;
  for (int r = 0; r <= state_.round; ++r) {
    if (r > 0) text += '/';
    for (; shown < d.board_count(r); ++shown) text += card_name(state_.deal.board[static_cast<std::size_t>(shown)]);
  }
  return text;
}

HandRecord replay_betting(const Game& game, const Deal& deal, std::string_view betting) {
  HandRecord record(game, deal);
  for (std::size_t at = 0; at < betting.size();) {
    const char c = betting[at++];
    if (c == 'f') {
      record.apply({Move::Kind::fold, 0});
    } else if (c == 'c') {
      record.apply({Move::Kind::call, 0});
    } else if (c == 'r' || c == 'b') {
      Move raise{Move::Kind::raise, 0};
      if (game.definition().limit) {
        const auto range = game.raise_range(record.state());
        DEEPCFR_CHECK(range.has_value());
        raise.total = range->min;
      } else {
        const auto [end, status] = std::from_chars(betting.data() + at, betting.data() + betting.size(), raise.total);
        DEEPCFR_CHECK(status == std::errc{});
        at = static_cast<std::size_t>(end - betting.data());
      }
      record.apply(raise);
    }
  }
  return record;
}

std::string position_name(const Game& game, int seat) {
  const GameDefinition& d = game.definition();
  const int last = d.rounds - 1;
  const int button = (d.first_player[static_cast<std::size_t>(last)] + d.players - 1) % d.players;
  if (only_antes(d)) {
    if (seat == d.first_player[0]) return "acts first";
    return seat == (d.first_player[0] + d.players - 1) % d.players ? "acts last" : "";
  }
  const std::int32_t blind = d.blind[static_cast<std::size_t>(seat)];
  std::string name = seat == button ? "button" : "";
  if (blind > 0) name += std::string(name.empty() ? "" : ", ") + (blind == d.big_blind() ? "big blind" : "small blind");
  return name;
}

}  // namespace deepcfr
