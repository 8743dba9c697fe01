// Terms of the hole cards alone, less their expectation before the deal: the part of a result that the first deal decides and that equity
// does not see, such as that a cautious opponent folds most hands whatever the other holds.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// With x the strength of the hero's hole cards and y that of another player's (equity against one random hand, less a half): x, x², y, y²
/// and x·y, the last three as means over the others, each less its expectation over all deals, which is exact because all hands are
/// counted. Immutable after construction, thread-safe.
class HoleTerms {
 public:
  static constexpr std::size_t kTerms = 5;

  /// Some milliseconds. Strengths of large games are sampled, keyed by the cards: any numbers would do.
  explicit HoleTerms(const Game& game);
  /// Adds the terms to out[0 … kTerms).
  void add(const Deal& deal, int hero, std::span<double> out) const;

 private:
  std::size_t place(std::span<const Card> sorted) const;
  double strength(const Deal& deal, std::size_t player) const;

  std::size_t players_;
  std::size_t hole_cards_;
  std::vector<double> strength_;  // by place
  double mean_ = 0, mean_square_ = 0, mean_product_ = 0;
  bool products_ = true;  // with three hole cards there are too many pairs of hands to count
};

}  // namespace deepcfr
