// A policy: probabilities over legal actions at the acting player's infoset. What evaluation, play and export see.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// One thread at a time per object unless a class says otherwise.
class Policy {
 public:
  virtual ~Policy() = default;
  /// states: unfinished; out: states.size() × game.num_actions(), row by row. Illegal actions get exactly 0, a row sums to 1
  /// within 1e-6. Looks only at what the acting player knows.
  virtual void probabilities(std::span<const State* const> states, std::span<double> out) = 0;
  virtual std::string name() const = 0;
  /// The same within played hands: a policy that mixes over whole strategies (single Deep CFR) plays one of them for a whole hand,
  /// drawn by hand_keys[i] (a pure function of match seed, game and seat) and the acting player. Others ignore the key.
  virtual void probabilities_in_hands(std::span<const State* const> states, std::span<const std::uint64_t> hand_keys,
                                      std::span<double> out) {
    (void)hand_keys;
    probabilities(states, out);
  }
  /// A copy for another thread.
  virtual std::unique_ptr<Policy> clone() const = 0;
};

/// Fixed policies for reference values: uniform; always_call; always_raise (the largest legal raise, else call); always_fold
/// (fold when legal, else check). Thread-safe.
std::unique_ptr<Policy> make_fixed_policy(const Game& game, const std::string& name);
/// The names above.
std::span<const std::string> fixed_policy_names();

}  // namespace deepcfr
