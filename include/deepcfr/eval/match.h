// Matches between policies with seats rotated; results in the game's unit with a 95 % interval.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/cfr/policy.h"
#include "deepcfr/core/statistics.h"

namespace deepcfr {

struct MatchOptions {
  std::int64_t games = 1000;
  std::uint64_t seed = 1;     ///< deals and actions are a function of (seed, game number, seat) alone
  std::int64_t batch = 1024;  ///< games advanced in step; results do not depend on it
};

struct MatchResult {
  std::string opponent;
  std::int64_t hands = 0;
  std::int64_t distinct_deals = 0;  ///< of hands ÷ players deals; a standard deviation of 0 over many is no sign of a fixed deck
  double mean = 0, standard_deviation = 0, ci_low = 0, ci_high = 0;  ///< of the hero's result for a hand, in `unit`
  std::string unit;
  std::vector<double> mean_by_seat;  ///< hero's mean in each seat
};

/// Hero in one seat, opponent's policy in all others; hand g has hero in seat g mod players, and the hands of one round of seats
/// share a deal (duplicate). The interval is over those rounds. games is rounded up to whole rounds. Games advance in step: all
/// pending decisions of one policy are one call of probabilities_in_hands(). Uses
/// Policy::probabilities_in_hands, so that a policy mixing over whole strategies plays one of them for a hand.
MatchResult play_match(const Game& game, Policy& hero, Policy& opponent, const MatchOptions& options);

}  // namespace deepcfr
