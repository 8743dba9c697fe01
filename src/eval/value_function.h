// Cheap values of positions for control variates: linear in terms whose weights are fitted to the results.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// u(position) = Σ β_k · term_k(position), in chips from the hero's view. Any terms give unbiased results; good ones give small
/// intervals. Thread-safe.
class ValueFunction {
 public:
  virtual ~ValueFunction() = default;
  /// β to begin with, one for each term.
  virtual std::vector<double> prior() const = 0;
  /// The terms of a state whose hole cards are known but whose board cards to come are not: those enter by `edge` alone (Runouts::edges
  /// of the players left; zeros when one is left). Where chance acts next (nobody has acted in the round) every term must be affine
  /// in `edge`: its expectation over the cards to come is then its value at the expected edge. out.size() == prior().size().
  virtual void terms(const State& state, std::span<const double> edge, int hero, std::span<double> out) const = 0;
};

/// Terms: the result of a hand that has ended; and for each round, where it goes on: what checking and calling to the end is worth; the edge
/// times √(pot · chips left to bet), and times those chips; what is lost or won if those who face a bet fold; and that times
/// their own edge. The game must outlive it.
std::unique_ptr<ValueFunction> make_pot_value(const Game& game);

}  // namespace deepcfr
