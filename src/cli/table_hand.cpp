#include "table_hand.h"

#include <algorithm>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// All blinds alike: antes, which are no bet.
bool only_antes(const GameDefinition& d) {
  return std::all_of(d.blind.begin(), d.blind.begin() + d.players, [&](std::int32_t blind) { return blind == d.blind[0]; });
}

}  // namespace

TableHand::TableHand(const Game& game, const Deal& deal) : game_(&game), state_(game.initial_state(deal)) {
  if (only_antes(game.definition())) base_ = state_.spent;
}

std::int32_t TableHand::pot() const noexcept {
  std::int32_t pot = 0;
  for (int p = 0; p < game_->players(); ++p) pot += state_.spent[static_cast<std::size_t>(p)];
  return pot;
}

std::int32_t TableHand::behind(int player) const noexcept {
  const auto p = static_cast<std::size_t>(player);
  const std::int32_t stack = game_->definition().stack[p];
  return stack >= kUnlimitedStack ? -1 : stack - state_.spent[p];
}

void TableHand::apply(const TableAction& action) {
  const int round = state_.round;
  apply_table_action(*game_, state_, action);
  betting_.push_back(action);
  if (state_.round != round) base_ = state_.spent;
}

bool TableHand::takes_whole_stack(const TableAction& action) const {
  const std::int32_t stack = game_->definition().stack[state_.actor];
  const std::int32_t total = action.kind == TableAction::Kind::raise ? action.total : state_.max_spent;
  return stack < kUnlimitedStack && total >= stack;
}

std::string TableHand::words(const TableAction& action) const { return told(action, true); }

std::string TableHand::told(const TableAction& action, bool you) const {
  const std::string s = you ? "" : "s";
  if (action.kind == TableAction::Kind::fold) return "fold" + s;
  const std::int32_t cost = game_->call_cost(state_);
  if (action.kind == TableAction::Kind::call && cost == 0) return "check" + s;
  const std::string all_in = takes_whole_stack(action) ? " (all-in)" : "";
  if (action.kind == TableAction::Kind::call) return "call" + s + " " + std::to_string(cost) + all_in;
  const std::string size = std::to_string(action.total - base(state_.actor));
  return (unopened() ? "bet" + s + " " : "raise" + s + " to ") + size + all_in;
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
