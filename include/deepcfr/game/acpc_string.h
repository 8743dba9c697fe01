// ACPC state strings: `STATE:<hand>:<betting>:<cards>` and `MATCHSTATE:<position>:<hand>:<betting>:<cards>`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "deepcfr/game/game.h"

namespace deepcfr {

struct ParsedState {
  State state;
  std::uint32_t hand_id = 0;
  int position = -1;         ///< MATCHSTATE only
  std::size_t consumed = 0;  ///< characters read
};

/// Reads a state as the reference engine does: every illegal action, wrong separator, missing or repeated card is refused with
/// Error{usage} naming the position in the text. `b` is read as `r`. Unknown hole cards (empty) are allowed in MATCHSTATE.
ParsedState parse_acpc_state(const Game& game, std::string_view text);

/// One action as it would be written in `before`: "f", "c", "r" or "r300". Error{usage} for kOffTreeRaise: a history does not
/// hold its size. Whoever applies such raises has to keep the text.
std::string print_acpc_action(const Game& game, const State& before, Action action);
/// The betting part, e.g. "r300c/cr600" (limit: "r"). Error{usage} if the history overflowed or holds an off-tree raise.
std::string print_acpc_betting(const Game& game, const State& state);
/// "STATE:<hand>:<betting>:<cards>" with the hole cards (unknown ones empty), and the board of rounds
/// reached.
std::string print_acpc_state(const Game& game, const State& state, std::uint32_t hand_id);

}  // namespace deepcfr
