// Hands in play, advanced together one decision at a time: what matches and comparisons are made of.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "deepcfr/cfr/policy.h"
#include "deepcfr/eval/match.h"
#include "hand_controls.h"
#include "value_function.h"

namespace deepcfr {

/// Plays hands of one match. What a hand brings is a function of (seed, hand number) and the players, not of the hands beside it.
class MatchTable {
 public:
  /// players: as in play_match(). References must outlive the table.
  MatchTable(const Game& game, std::span<Policy* const> players, std::uint64_t seed, VarianceReduction variance);

  struct Hand {
    State state;
    std::uint64_t number = 0;
  };
  /// Plays hands first … first + count − 1 to their ends.
  std::span<const Hand> play(std::uint64_t first, std::size_t count);
  /// Of the i-th hand just played: net chips of every seat, with all-in equity where asked for.
  void values(std::size_t i, std::span<double> out);
  /// Control variates of its hero; none unless asked for.
  std::span<const double> controls(std::size_t i) const;
  /// Their coefficients to begin with.
  const std::vector<double>& prior() const noexcept { return prior_; }

  /// Hands that share a deal: a round of seats, or one (plain).
  std::int64_t hands_per_deal() const noexcept { return static_cast<std::int64_t>(hands_per_deal_); }
  /// Index of the player in a seat.
  std::size_t player_in(std::uint64_t hand, std::size_t seat) const noexcept {
    return (seat + players_.size() - static_cast<std::size_t>(hand % players_.size())) % players_.size();
  }

 private:
  bool advance(Policy& policy);
  std::uint64_t stream_key(StreamPurpose purpose, const Hand& hand) const;

  const Game& game_;
  std::vector<Policy*> players_;
  std::vector<Policy*> policies_;  // distinct
  std::uint64_t seed_;
  std::uint64_t hands_per_deal_;
  std::unique_ptr<ValueFunction> values_;    // null: no control variates
  std::unique_ptr<HandControls> controls_;   // null: results as dealt
  std::vector<double> prior_;
  std::vector<Hand> hands_;
  std::vector<std::size_t> pending_;
  std::vector<const State*> states_;
  std::vector<std::uint64_t> keys_;
  std::vector<double> strategies_;
};

}  // namespace deepcfr
