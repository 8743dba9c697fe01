// The public betting tree of a game under its abstraction, or with every whole raise, and sizes of games.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "deepcfr/game/game.h"

namespace deepcfr {

struct BettingCounts {
  std::array<std::uint64_t, kMaxRounds> decision_points{};  ///< by round
  std::uint64_t terminals = 0;                              ///< terminal betting sequences
  bool complete = true;                                     ///< false: stopped at the limit
};
/// Counts without storing the tree; equal starts of a round are walked once. every_raise: all whole raises instead of the
/// abstraction's. Stops once decision points + terminals exceed `limit` (at most 2^62); the counts are then lower bounds.
BettingCounts count_betting(const Game& game, bool every_raise, std::uint64_t limit = 2'000'000'000);

struct BettingNode {
  State state;  ///< with no cards dealt
  std::int32_t parent = -1;
  Action action = 0;             ///< taken at the parent
  ActionMask legal = 0;          ///< 0 at terminals
  std::int32_t first_child = 0;  ///< children lie in order of action; child of the i-th legal action = first_child + i
  std::int32_t decision = -1;    ///< number among decision nodes (depth-first), −1 at terminals
};

class BettingTree {
 public:
  /// Error{usage} naming the size if there are more than `limit` nodes.
  explicit BettingTree(const Game& game, std::size_t limit = 1'000'000);
  const std::vector<BettingNode>& nodes() const noexcept { return nodes_; }
  const BettingNode& node(std::int32_t i) const noexcept { return nodes_[static_cast<std::size_t>(i)]; }
  std::int32_t child(std::int32_t node_index, Action action) const noexcept;  ///< the action must be legal
  std::int32_t find(const History& history) const noexcept;                   ///< −1 if not in the tree
  int decisions() const noexcept { return decisions_; }

 private:
  std::vector<BettingNode> nodes_;  // root first
  int decisions_ = 0;
};

/// How large a game is, in closed form over cards times the counted betting tree.
struct GameSize {
  BettingCounts betting;
  double infosets = 0;   ///< of all players, suits not merged (3.194e14 for hulh)
  double deals = 0;      ///< ways to deal everything (hole cards as sets by player, board as sets by round)
  double histories = 0;  ///< deals × betting nodes: work of one full walk
};
GameSize game_size(const Game& game, std::uint64_t limit = 20'000'000);

}  // namespace deepcfr
