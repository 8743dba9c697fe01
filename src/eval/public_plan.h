// The betting of a two-player game cut into rounds, as walks over boards need it: all betting of a round is gone through for one board before
// the next.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "deepcfr/game/betting_tree.h"

namespace deepcfr {

enum class PublicKind : std::uint8_t {
  decision,
  fold,      ///< ended by a fold: chips do not depend on cards
  showdown,  ///< ended by a showdown on a complete board
  exit,      ///< goes on when the next round's cards are there, or waits for them after an all-in
};

/// Immutable. The game must outlive it.
class PublicPlan {
 public:
  /// Error{usage} naming the size if the betting tree has more than `most_nodes` nodes. Two players.
  PublicPlan(const Game& game, std::size_t most_nodes);

  const BettingTree& tree() const noexcept { return tree_; }
  int last_round() const noexcept { return last_round_; }
  /// What a node is when met in a round.
  PublicKind kind(std::int32_t node, int round) const noexcept;
  /// Chips of player 0 at a fold; chips that the winner of a showdown wins; told for one deal of the cards seen so far.
  double chips(std::int32_t node) const noexcept { return chips_[static_cast<std::size_t>(node)]; }

  /// Where a round begins: the root, or the exits of the round before.
  const std::vector<std::int32_t>& entries(int round) const noexcept { return entries_[static_cast<std::size_t>(round)]; }
  const std::vector<std::int32_t>& exits(int round) const noexcept { return entries_[static_cast<std::size_t>(round) + 1]; }
  /// Place of an exit among the exits of the round.
  std::size_t exit_index(std::int32_t node, int round) const noexcept {
    return static_cast<std::size_t>(exit_index_[static_cast<std::size_t>(round)][static_cast<std::size_t>(node)]);
  }
  /// Decision nodes of a round where a player acts.
  const std::vector<std::int32_t>& decisions(int round, int player) const noexcept {
    return decisions_[static_cast<std::size_t>(round)][static_cast<std::size_t>(player)];
  }
  std::size_t decisions(int round) const noexcept { return decisions(round, 0).size() + decisions(round, 1).size(); }
  /// Place of a decision node among them.
  std::size_t decision_index(std::int32_t node) const noexcept { return decision_index_[static_cast<std::size_t>(node)]; }
  /// Ways to deal the cards of the rounds after `round` when both hands and the board so far are known.
  double completions(int round) const noexcept { return completions_[static_cast<std::size_t>(round)]; }
  /// The most nodes on a way through a round, its first and last included.
  std::size_t depth() const noexcept { return depth_; }

 private:
  void visit(const Game& game, std::int32_t node, int round, std::size_t depth);

  BettingTree tree_;
  int last_round_;
  std::vector<double> chips_;
  std::array<std::vector<std::int32_t>, kMaxRounds + 1> entries_;
  std::array<std::vector<std::int32_t>, kMaxRounds> exit_index_;
  std::array<std::array<std::vector<std::int32_t>, 2>, kMaxRounds> decisions_;
  std::vector<std::size_t> decision_index_;
  std::array<double, kMaxRounds> completions_{};
  std::size_t depth_ = 0;
};

/// n over k.
double combinations(int n, int k) noexcept;

}  // namespace deepcfr
