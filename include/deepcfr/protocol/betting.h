// Betting as it is played at a table: any whole raise, not only the sizes of an abstraction. A State's history cannot hold such sizes, so
// whoever needs a hand again keeps its line of actions. Pure functions; any thread may call them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// One action at a table. `total`: for raises, the chips that the player has then put in over the whole hand; limit games too.
struct TableAction {
  enum class Kind : std::uint8_t { fold, call, raise };
  Kind kind = Kind::call;
  std::int32_t total = 0;
  bool operator==(const TableAction&) const = default;
};
using Betting = std::vector<TableAction>;

/// Applies an action to an unfinished state. Error{usage} if the rules do not allow it.
void apply_table_action(const Game& game, State& state, const TableAction& action);
/// The state after the actions, beginning with the blinds. Error{usage} naming the action's place if one is illegal or comes after the end.
State replay_betting(const Game& game, const Deal& deal, std::span<const TableAction> betting);
/// The actions of a state's history. Error{usage} if it overflowed or holds a raise off the tree, whose size it does not know.
Betting betting_of(const Game& game, const State& state);
/// The raise that is nearest to `total` among the legal ones; a call if no raise is legal.
TableAction nearest_raise(const Game& game, const State& state, std::int64_t total);
/// "fold", "check", "call 50", "raise to 300".
std::string describe_action(const Game& game, const State& before, const TableAction& action);

// -- ACPC: rounds joined by '/', 'f', 'c', 'r' (limit) or 'rN', N the total over the whole hand -------------------------------------------
std::string print_acpc_action(const Game& game, const TableAction& action);
/// With the empty rounds that an all-in leaves.
std::string print_acpc_betting(const Game& game, std::span<const TableAction> betting);
/// "" and unfinished lines are fine. Error{usage} naming the character for whatever is not legal play in this notation.
Betting parse_acpc_betting(const Game& game, std::string_view text);

// -- Slumbot: the same rounds, 'k' check, 'c' call, 'bN' bet or raise to N on this street (reported fault E13)
// -----------------------------
/// Error{usage} for limit games, for which there is no such notation.
std::string print_slumbot_betting(const Game& game, std::span<const TableAction> betting);
Betting parse_slumbot_betting(const Game& game, std::string_view text);

}  // namespace deepcfr
