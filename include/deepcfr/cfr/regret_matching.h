// Regret matching over legal actions (Hart, Mas-Colell 2000; Deep CFR, Brown et al. 2019, section 4).
#pragma once

#include <span>

#include "deepcfr/game/state.h"

namespace deepcfr {

/// strategy(a) ∝ max(advantage(a), 0) over legal actions; if none is positive, probability 1 on the legal action with the largest
/// advantage, the lowest-numbered of equals (statement 1). Illegal actions get exactly 0. `legal` must not be 0; spans have
/// num_actions elements. A NaN or +infinity among the legal advantages is Error{bug}.
void regret_matching(std::span<const float> advantages, ActionMask legal, std::span<double> strategy);
void regret_matching(std::span<const double> advantages, ActionMask legal, std::span<double> strategy);
/// The same, but uniform if none is positive: what tabular CFR does (Zinkevich et al. 2007, eq. 8).
void regret_matching_uniform(std::span<const double> advantages, ActionMask legal, std::span<double> strategy);
void uniform_strategy(ActionMask legal, std::span<double> strategy);
/// Index of the drawn action; `uniform` in [0, 1). Never an action of probability 0.
Action sample_action(std::span<const double> strategy, double uniform);

}  // namespace deepcfr
