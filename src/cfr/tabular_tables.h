// What the solvers of the CFR family keep, shared by the exact and the sampling ones.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "deepcfr/cfr/small_game.h"
#include "deepcfr/core/random.h"

namespace deepcfr {

struct TabularTables {
  explicit TabularTables(std::shared_ptr<const SmallGame> small_game);

  std::shared_ptr<const SmallGame> game;
  std::size_t actions;                        // of the game: width of a row
  std::vector<double> regrets;                // [infoset][action], cumulative
  std::vector<double> strategy_sums;          // [infoset][action]: numerators of the average strategy
  std::vector<std::vector<int>> infosets_of;  // by player, ascending

  std::span<double> row(std::vector<double>& table, int infoset) const {
    return std::span(table).subspan(static_cast<std::size_t>(infoset) * actions, actions);
  }
  /// Regret matching on the cumulative regrets, uniform where none is positive.
  void match(int infoset, std::span<double> strategy) const;
};

/// One traversal for `player` by external sampling (Lanctot et al. 2009, section 4.2).
void sample_external(TabularTables& tables, int player, SequentialRandom random);
/// One episode for `player` by outcome sampling (Lanctot et al. 2009, section 4.1).
void sample_outcome(TabularTables& tables, int player, double exploration, SequentialRandom random);

/// What outcome sampling draws from at the traverser's nodes: exploration · uniform + (1 − exploration) · strategy over legal
/// actions; sums to 1.
void exploring_distribution(std::span<const double> strategy, ActionMask legal, double exploration, std::span<double> out);

}  // namespace deepcfr
