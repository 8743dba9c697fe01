// Regret matching: Hart, Mas-Colell 2000; Zinkevich et al. 2007, equation 8. Where no advantage is positive Deep CFR (Brown et
// al. 2019, section 4) takes the action with the largest advantage, tabular CFR all legal actions alike.
#include "deepcfr/cfr/regret_matching.h"

#include <bit>
#include <cmath>
#include <cstddef>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// Writes max(advantage, 0) over legal actions, 0 elsewhere; returns the sum. `best` is the legal action with the largest
/// advantage.
template <typename Number>
double positive_parts(std::span<const Number> advantages, ActionMask legal, std::span<double> strategy, std::size_t& best) {
  DEEPCFR_CHECK(legal != 0, "regret matching without a legal action");
  DEEPCFR_CHECK(advantages.size() == strategy.size() && (legal >> strategy.size()) == 0, "spans do not fit the legal actions");
  double sum = 0;
  bool nan = false;
  best = static_cast<std::size_t>(std::countr_zero(legal));
  for (std::size_t a = 0; a < strategy.size(); ++a) {
    const bool is_legal = ((legal >> a) & 1) != 0;
    const double advantage = is_legal ? static_cast<double>(advantages[a]) : 0.0;
    nan = nan || std::isnan(advantage);
    strategy[a] = advantage > 0 ? advantage : 0.0;
    sum += strategy[a];
    if (is_legal && advantages[a] > advantages[best]) best = a;
  }
  DEEPCFR_CHECK(!nan && std::isfinite(sum), "advantage of a legal action is not a number or infinite");
  return sum;
}

void normalise(std::span<double> strategy, double sum) {
  for (double& probability : strategy) probability /= sum;
}

template <typename Number>
void match_or_best(std::span<const Number> advantages, ActionMask legal, std::span<double> strategy) {
  std::size_t best = 0;
  const double sum = positive_parts(advantages, legal, strategy, best);
  if (sum > 0) {
    normalise(strategy, sum);
  } else {
    strategy[best] = 1;
  }
}

}  // namespace

void regret_matching(std::span<const float> advantages, ActionMask legal, std::span<double> strategy) {
  match_or_best(advantages, legal, strategy);
}

void regret_matching(std::span<const double> advantages, ActionMask legal, std::span<double> strategy) {
  match_or_best(advantages, legal, strategy);
}

void regret_matching_uniform(std::span<const double> advantages, ActionMask legal, std::span<double> strategy) {
  std::size_t best = 0;
  const double sum = positive_parts(advantages, legal, strategy, best);
  if (sum > 0) {
    normalise(strategy, sum);
  } else {
    uniform_strategy(legal, strategy);
  }
}

void uniform_strategy(ActionMask legal, std::span<double> strategy) {
  DEEPCFR_CHECK(legal != 0 && (legal >> strategy.size()) == 0, "no legal action, or one out of range");
  const double share = 1.0 / std::popcount(legal);
  for (std::size_t a = 0; a < strategy.size(); ++a) strategy[a] = ((legal >> a) & 1) != 0 ? share : 0.0;
}

Action sample_action(std::span<const double> strategy, double uniform) {
  double cumulative = 0;
  int last = -1;
  for (std::size_t a = 0; a < strategy.size(); ++a) {
    if (!(strategy[a] > 0)) continue;
    cumulative += strategy[a];
    last = static_cast<int>(a);
    if (uniform < cumulative) return static_cast<Action>(a);
  }
  // Rounding can leave the sum a little below `uniform`.
  DEEPCFR_CHECK(last >= 0, "strategy without a positive probability");
  return static_cast<Action>(last);
}

}  // namespace deepcfr
