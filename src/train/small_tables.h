// Small games: networks evaluated on all infosets at once, and single Deep CFR's average kept as a table.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "deepcfr/cfr/small_game.h"
#include "deepcfr/nn/network.h"

namespace deepcfr {

/// Feature rows of all infosets, grouped by player. Immutable.
class FeatureTable {
 public:
  FeatureTable(const SmallGame& game, FeatureKind kind);
  /// Infosets of a player, ascending.
  std::span<const std::int32_t> infosets(int player) const { return infosets_[static_cast<std::size_t>(player)]; }
  std::span<const float> row(std::int32_t infoset) const {
    return {rows_.data() + static_cast<std::size_t>(place_[static_cast<std::size_t>(infoset)]) * width_, width_};
  }
  /// Rows of infosets(player), back to back.
  std::span<const float> rows(int player) const;

 private:
  std::size_t width_;
  std::vector<std::vector<std::int32_t>> infosets_;
  std::vector<std::size_t> first_;    // by player: place of its first row
  std::vector<std::int32_t> place_;   // by infoset
  std::vector<float> rows_;
};

/// Writes the strategies that a player's advantage network means into its rows of [infoset][action]; null: uniform.
void advantage_strategies(const SmallGame& game, const FeatureTable& features, int player, const Network* network, std::span<double> table);
/// The same for a strategy network (masked softmax of its logits).
void network_strategies(const SmallGame& game, const FeatureTable& features, int player, const Network& network, std::span<double> table);

/// Σ_t t·π_t(I)·σ_t(I, a) over the strategies that played, own reach only: single Deep CFR (Steinberger 2019, eq. 5) exactly.
class MixtureTable {
 public:
  explicit MixtureTable(std::shared_ptr<const SmallGame> game);
  /// The strategy of `player` in iteration t, read from its rows of [infoset][action].
  void add(int player, std::int64_t iteration, std::span<const double> table);
  /// The average; where own reach was 0 throughout, the plain weighted mean; uniform before the first add.
  std::vector<double> average() const;

 private:
  std::shared_ptr<const SmallGame> game_;
  std::size_t num_actions_;
  std::vector<std::int32_t> by_depth_;  // infosets, parents first
  std::vector<double> reach_sum_, plain_sum_;
  std::vector<double> reach_;           // scratch: own reach of an infoset
};

}  // namespace deepcfr
