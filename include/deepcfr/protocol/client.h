// The player's side of the ACPC protocol 2.0.0.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "deepcfr/protocol/connection.h"
#include "deepcfr/protocol/deadline_agent.h"

namespace deepcfr {

struct ClientOptions {
  /// For one answer; then it is check or call. The competition's dealer allows 7 seconds a hand on average.
  double answer_seconds = 2;
};

struct ClientResult {
  std::uint64_t hands = 0;  ///< seen to their end
  double chips = 0;         ///< net, of those whose values the cards shown decide
  std::uint64_t answers = 0;
  std::uint64_t late = 0;  ///< answers that were check or call because the time was over
};

/// Plays until the dealer closes the connection. Sends the version before it reads anything (reported fault E16); answers only states in
/// which it is to act, with the received line byte for byte (E17); knows hand and position from each message alone (E20). `log` gets a line
/// for whatever is not as it should be. Error{input}: the connection ended before a hand was over, or before the first (E22); a state that
/// is none of the game (E24, naming both).
ClientResult run_client(Connection& connection, const Game& game, DeadlineAgent& agent, const ClientOptions& options,
                        const std::function<void(const std::string&)>& log);

/// "hunl (no-limit, 2 players, stacks 20000 20000, blinds 100 50)".
std::string game_in_words(const Game& game);

}  // namespace deepcfr
