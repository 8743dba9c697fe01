// What can still come: boards that complete a deal, and every player's hand on each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// Boards to come given all cards that have been dealt face down, folded hands included: all of them where there are at most
/// kExactBoards, else kSampledBoards drawn by `stream`. The mean of anything over them is then the expectation given the cards
/// known, or an unbiased estimate of it. One thread at a time.
class Runouts {
 public:
  static constexpr double kExactBoards = 2000;          ///< hold'em: from the flop on (990)
  static constexpr std::size_t kSampledBoards = 256;    ///< before the flop; standard error of a share of the pot at most 0.03

  /// Boards that can come after `round`; the deal must be complete.
  void fill(const Game& game, const Deal& deal, int round, CounterRandom stream);
  void clear() noexcept { ranks_.clear(); }
  bool empty() const noexcept { return ranks_.empty(); }
  std::size_t boards() const noexcept { return players_ == 0 ? 0 : ranks_.size() / players_; }

  /// Of each player in `live` (bit p): the mean share of one pot that all of them are in for, less 1 ÷ players in `live`; 0 for the
  /// others. Sums to 0 up to rounding; of two players one is exactly minus the other. out.size() == players; `live` not 0.
  void edges(unsigned live, std::span<double> out) const;
  /// Net chips of every player at a finished state of this deal, mean over the boards.
  void values(const Game& game, const State& finished, std::span<double> out) const;

 private:
  void edges_of_two(unsigned live, std::span<double> out) const;

  std::size_t players_ = 0;
  std::vector<HandRank> ranks_;  // [board][player]
};

}  // namespace deepcfr
