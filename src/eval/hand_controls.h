// What takes luck out of the results of hands without changing their expectation: all-in equity and control variates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "deepcfr/game/game.h"
#include "hole_terms.h"
#include "runouts.h"
#include "value_function.h"

namespace deepcfr {

/// All-in equity: when no decision can follow, the result of a hand is its expectation over the boards to come (Runouts), not what
/// the dealt board makes of it.
/// Control variates, after AIVAT (Burch, Schmid, Moravcik, Morrill, Bowling: "AIVAT: A New Variance Reduction Technique for Agent
/// Evaluation in Imperfect Information Games", AAAI 2018): at every chance event and every decision, terms(after) −
/// E[terms(after)], the expectation over what chance or the acting player's policy could have done. Each has expectation 0
/// whatever the terms, because the policies of all players are known here. AIVAT's averaging over the hands that a player might
/// have held is left out: it would need the policy at all of them. A value function acts through sums of these (ControlledMean).
/// Hole cards: HoleTerms; edges are symmetric in the seats, so their expectation before the deal is 0; board cards: the edge is its own
/// expectation over the next cards. Before the flop of hold'em the edge is an unbiased estimate from boards of its own,
/// drawn by (seed, deal), which keeps every expectation exact.
/// Cost: about a thousand boards for each deal before the flop and on it, some dozens later. One thread at a time.
class HandControls {
 public:
  /// values null: all-in equity only. Hands with equal number ÷ hands_per_deal have the same deal. References must outlive it.
  HandControls(const Game& game, std::uint64_t seed, std::uint64_t hands_per_deal, const ValueFunction* values);
  /// β to begin with for controls(): those of the value function, then 0 for the terms of the hole cards.
  std::vector<double> prior() const;

  /// Makes room for hands first … first + count − 1 and forgets all others.
  void begin(std::uint64_t first, std::size_t count);
  /// Hand first + i begins.
  void start(std::size_t i, const State& initial, int hero);
  /// Its actor took `action`, drawn from `strategy` by sample_action().
  void acted(std::size_t i, const State& before, std::span<const double> strategy, Action action, const State& after);
  /// Net chips of all players at its end, with all-in equity.
  void result(std::size_t i, const State& finished, std::span<double> out);
  /// Sums of the control variates of its hero, one for each term.
  std::span<const double> controls(std::size_t i) const { return std::span(sums_).subspan(i * terms_, terms_); }
  std::size_t terms() const noexcept { return terms_; }

 private:
  using Edges = std::array<double, kMaxPlayers>;
  struct Hand {
    int hero = 0;
    int round = 0;      // whose board cards the players have seen
    unsigned live = 0;  // players that `edges` is for
    Edges edges{};
  };
  const Runouts& runouts(std::size_t i, const Deal& deal, int round);
  Edges edges_after(std::size_t i, const State& after);
  void add(std::size_t i, double weight, const State& state, const Edges& edges);
  void deal_cards(std::size_t i, const State& state, const Edges& expected);

  const Game& game_;
  std::uint64_t seed_;
  std::uint64_t hands_per_deal_;
  const ValueFunction* values_;
  std::optional<HoleTerms> hole_terms_;  // with `values`
  std::size_t value_terms_;
  std::size_t terms_;
  std::size_t players_;
  std::uint64_t first_deal_ = 0;
  std::uint64_t first_ = 0;
  std::vector<Hand> hands_;
  std::vector<double> sums_;       // [hand][term]
  std::vector<Runouts> runouts_;   // [deal][round], empty until asked for
  std::vector<double> one_;        // terms of one position
};

}  // namespace deepcfr
