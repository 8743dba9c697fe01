// Matches between policies with seats rotated; results in the game's unit with a 95 % interval.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/cfr/policy.h"
#include "deepcfr/core/statistics.h"

namespace deepcfr {

/// What is done against luck; each does what those before it do, and none changes the expectation of a result.
/// plain: every hand has a deal of its own.
/// duplicate: the hands of one round of seats share a deal, so that everybody plays the same cards from every seat.
/// all_in: once no decision can follow, the result is the expectation over the boards to come instead of the dealt one.
/// control: control variates from cheap values of positions, at every deal and every decision (AIVAT without ranges).
enum class VarianceReduction { plain, duplicate, all_in, control };
inline constexpr std::array<const char*, 4> kVarianceReductionNames{"plain", "duplicate", "all_in", "control"};

/// A hand that has ended; valid during the call only.
struct FinishedHand {
  std::int64_t number = 0;              ///< from 0; hands arrive in this order
  const State* state = nullptr;         ///< finished, with all cards dealt
  std::span<const int> player_of_seat = {};  ///< which of the match's players sits in each seat of the game
};
using HandObserver = std::function<void(const FinishedHand&)>;

struct MatchOptions {
  std::int64_t games = 1000;
  std::uint64_t seed = 1;     ///< deals and actions are a function of (seed, game number, seat) alone
  std::int64_t batch = 1024;  ///< games advanced in step; results do not depend on it
  VarianceReduction variance = VarianceReduction::duplicate;
  double until_half_width = 0;  ///< > 0: the match ends once the interval's half-width, in the unit, is not above it; `games` at most.
                                ///< Looked at every kLookEvery samples. Stopping there makes the interval cover a little less than 95 %.
  HandObserver observer = nullptr;  ///< may be empty; called from the thread that plays
};
inline constexpr std::int64_t kLookEvery = 256;

struct MatchResult {
  std::string opponent;
  std::int64_t hands = 0;
  std::int64_t distinct_deals = 0;  ///< a standard deviation of 0 over many is no sign of a fixed deck
  std::int64_t samples = 0;         ///< independent ones, that the interval is over: rounds of seats, or hands (plain)
  VarianceReduction variance = VarianceReduction::duplicate;
  bool until_reached = false;       ///< the half-width asked for
  double mean = 0, ci_low = 0, ci_high = 0;  ///< of the hero's result for a hand, in `unit`
  double standard_error = 0;                 ///< of mean
  double p_value = 1;                        ///< two-sided, of a mean that is really 0: mean ÷ standard error under Student's t with samples − 1
  double standard_deviation = 0;             ///< of the hero's result for one hand as dealt
  std::string unit;
  std::vector<double> mean_by_seat;    ///< hero's mean in each seat, without control variates
  std::vector<double> mean_by_player;  ///< of every player of the match, without control variates; [0] is the hero's
};

/// players[i] sits in seat (i + g) mod players of the game in hand g; players[0] is the hero, whose result is told. One policy may
/// sit in several places. The interval is over rounds of seats (plain: hands). games is rounded up to whole rounds. Games advance
/// in step: all pending decisions of one policy are one call of Policy::probabilities_in_hands, so that a policy mixing over whole
/// strategies plays one of them for a hand. Error{usage} if there are not as many players as the game has, or for options out of
/// range.
MatchResult play_match(const Game& game, std::span<Policy* const> players, const MatchOptions& options);
/// Hero in one seat, opponent's policy in all others.
MatchResult play_match(const Game& game, Policy& hero, Policy& opponent, const MatchOptions& options);

/// A and B, each against the same opponents on the same deals.
struct PairedResult {
  MatchResult a, b;
  double difference = 0, ci_low = 0, ci_high = 0;  ///< A's mean − B's, in a.unit
  double standard_error = 0;
  double p_value = 1;  ///< two-sided, of a difference that is really 0: a paired t test over a.samples pairs of samples
};
/// Equal places of both matches have the same cards and the same draws, so what A and B do alike cancels. until_half_width is that
/// of the difference; the observer sees nothing.
PairedResult compare_against(const Game& game, Policy& a, Policy& b, Policy& opponent, const MatchOptions& options);

}  // namespace deepcfr
