// Exact best response, NashConv, exploitability and game value on small games.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "deepcfr/cfr/small_game.h"

namespace deepcfr {

/// All in chips. NashConv is the sum over players of best-response value − value under the policy; exploitability is NashConv
/// ÷ players (statement 17). Gains are ≥ 0 up to rounding; best-response values may be negative.
struct ExploitabilityReport {
  std::vector<double> value;           ///< of each player when all follow the policy
  std::vector<double> best_response;   ///< value of each player's best response against the others' policy
  double nash_conv = 0;
  double exploitability = 0;
};

/// table: [infoset][action] of the game. Works for n players.
ExploitabilityReport exploitability(const SmallGame& game, std::span<const double> table);
ExploitabilityReport exploitability(const SmallGame& game, Policy& policy);

/// Expected value of each player under a joint strategy table.
std::vector<double> expected_values(const SmallGame& game, std::span<const double> table);

}  // namespace deepcfr
