// Local best response: a LOWER BOUND of how much a policy can be beaten for, in two-player games of any size. Lisý, Bowling:
// "Equilibrium Approximation Quality of Current No-Limit Poker Bots" (AAAI-17 Workshop on Computer Poker and Imperfect
// Information Games).
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "deepcfr/cfr/policy.h"
#include "deepcfr/core/statistics.h"

namespace deepcfr {

struct LocalResponseOptions {
  std::int64_t hands = 1000;  ///< rounded up to pairs: one deal, the responder in either seat
  std::uint64_t seed = 1;
  int threads = 1;           ///< results are the same bits for any number
  int rollout_boards = 200;  ///< complete boards that the chances of a hand are judged by; all, where there are no more
  std::function<void(double)> progress;  ///< in the calling thread, 0..1
};

/// The responder's result for a hand, in chips. Its expectation is at most the value of a best response, so that the mean of both
/// seats is a lower bound of the exploitability (statement 22). It may be negative.
struct LocalResponseReport {
  RunningStatistics both;                    ///< over pairs: mean of both seats
  std::array<RunningStatistics, 2> by_seat;  ///< over hands of that seat
};

/// The responder knows the policy and its own cards, keeps the policy's probability for each hand that the opponent can hold, and
/// takes of fold, call and the game's raises the one that is best if both check and call from there on; a raise also wins the pot
/// as often as the policy folds to it. The opponent holds no hand: it acts by all hands together, and at a showdown each counts
/// with its probability, which has the same expectation and less variance. One or two hole cards. Error{bug} for other games
/// (has_public_walk).
LocalResponseReport local_best_response(const Game& game, Policy& policy, const LocalResponseOptions& options);

}  // namespace deepcfr
