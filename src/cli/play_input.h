// What a person types at the table.
#pragma once

#include <string>
#include <string_view>

#include "table_hand.h"

namespace deepcfr {

struct PlayInput {
  enum class Kind { move, hint, state, help, quit, problem };
  Kind kind = Kind::problem;
  TableAction move;     ///< of Kind::move: legal
  std::string problem;  ///< of Kind::problem: what is wrong and what would be right, one line
};

/// Reads a line for the acting player of an unfinished hand, in any case: "f", "fold", "c", "call", "check", "r 300", "raise to 300",
/// "bet 300", "300", "half", "pot", "75%", "min", "all-in"; "hint", "state", "?", "q". Amounts are chips of this betting round, as at a
/// table; fractions are of the pot after a call (Game::raise_to), rounded and moved into the legal range. "check" with a bet to call is
/// refused: it is more likely a mistake than a call.
PlayInput parse_play_input(const TableHand& hand, std::string_view line);

/// The legal moves in one line: "fold (f), call 50 (c), raise to 200-20000 (r AMOUNT)". The dash is an en dash.
std::string legal_moves_text(const TableHand& hand);
/// What "?" prints.
std::string play_help(const Game& game);

}  // namespace deepcfr
