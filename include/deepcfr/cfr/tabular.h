// The CFR family on tables: the oracle that Deep CFR is proved against.
// CFR: Zinkevich et al. 2007. CFR+: Tammelin 2014. Linear and discounted CFR: Brown, Sandholm 2019 (α 3/2, β 0, γ 2).
// External and outcome sampling: Lanctot et al. 2009.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/cfr/small_game.h"

namespace deepcfr {

enum class TabularAlgorithm { cfr, cfr_plus, linear_cfr, discounted_cfr, external_sampling, outcome_sampling };
/// "cfr", "cfr+", "lcfr", "dcfr", "es-mccfr", "os-mccfr"; Error{usage} with the nearest name otherwise.
TabularAlgorithm parse_tabular_algorithm(std::string_view name);
std::span<const std::string> tabular_algorithm_names();

struct TabularOptions {
  TabularAlgorithm algorithm = TabularAlgorithm::cfr_plus;
  std::uint64_t seed = 1;                  ///< sampling variants
  double exploration = 0.6;                ///< outcome sampling: ε of the sampling policy at the traverser's nodes
};

/// Alternating updates: one iteration updates each player in turn. One thread at a time.
class TabularSolver {
 public:
  TabularSolver(std::shared_ptr<const SmallGame> game, TabularOptions options);
  ~TabularSolver();
  /// One pass over all players (one traversal for each with sampling).
  void iterate();
  std::int64_t iterations() const noexcept;
  /// [infoset][action].
  std::vector<double> average_strategy() const;
  std::vector<double> current_strategy() const;
  std::vector<double> cumulative_regrets() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Exact counterfactual values of `player` under a strategy table, for tests of the samplers: for each infoset the reach of all
/// others (chance included) and, for each action, Σ over histories of that reach × expected value after the action; and own reach.
struct CounterfactualValues {
  std::vector<double> others_reach;   ///< [infoset]
  std::vector<double> action_values;  ///< [infoset][action], already weighted by others' reach
  std::vector<double> own_reach;      ///< [infoset]
};
CounterfactualValues counterfactual_values(const SmallGame& game, int player, std::span<const double> strategy);

}  // namespace deepcfr
