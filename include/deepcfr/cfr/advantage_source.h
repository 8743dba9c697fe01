// The port between a traversal and whatever knows advantages: a table, a network, a server. The traversal cannot tell.
#pragma once

#include <span>

#include "deepcfr/game/game.h"

namespace deepcfr {

class AdvantageSource {
 public:
  virtual ~AdvantageSource() = default;
  /// Advantages of `player`, who acts in every one of `states`. out: states.size() × num_actions floats, row by row; entries of
  /// illegal actions are unspecified. One thread at a time per object; a row does not depend on the rows around it.
  virtual void advantages(int player, std::span<const State* const> states, std::span<float> out) = 0;
};

/// Iteration 1: advantages 1 for every action, so that regret matching plays uniformly (statement 2). Thread-safe.
class UniformSource final : public AdvantageSource {
 public:
  void advantages(int player, std::span<const State* const> states, std::span<float> out) override;
};

}  // namespace deepcfr
