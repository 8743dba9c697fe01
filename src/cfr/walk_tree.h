// The betting tree as traversals meet it: nodes are made when they are first reached. What depends on the betting alone (rules, legal
// actions, payoffs but for who wins, betting features) is computed once for each node and shared by all traversals of a worker, as long as
// the shared part has room; nodes beyond it live in the traversal that reached them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "deepcfr/cfr/inference.h"
#include "deepcfr/game/encoder.h"

namespace deepcfr {

/// Betting features of nodes in the form that rows want them. encoder may be null: none are kept.
struct BettingRows {
  const Encoder* encoder = nullptr;
  RowType type = RowType::float32;
  std::size_t row_bytes() const noexcept {
    return encoder == nullptr ? 0 : static_cast<std::size_t>(encoder->layout().bet_width) * (type == RowType::float32 ? 4 : 2);
  }
  void begin(std::byte* row) const;
  /// row: the parent's, becomes the child's.
  void extend(const State& before, Action action, int turn, const State& after, std::byte* row) const;
};

/// Nodes of one owner. Numbers stay valid while it grows, references do not.
class NodePool {
 public:
  static constexpr std::uint32_t kUnknown = 0xffffffffU;
  using Outcomes = std::array<std::array<double, 3>, 2>;

  struct Node {
    std::uint32_t children = 0;  ///< place of the first child's number, one for each legal action in order
    ActionMask legal = 0;        ///< 0: the hand is over
    std::uint8_t actor = 0;
    std::uint8_t round = 0;
    std::uint8_t turn = 0;       ///< actions that this round has seen
    bool showdown = false;       ///< over, with two or more players left
  };

  /// with_outcomes: payoffs are worked out for every end of the hand, which pays for nodes that are met again.
  explicit NodePool(bool with_outcomes = false) : with_outcomes_(with_outcomes) {}
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(nodes_.size()); }
  void clear() noexcept;
  std::uint32_t add(const Game& game, const BettingRows& rows, const State& state, int turn);
  std::uint32_t add_child(const Game& game, const BettingRows& rows, const NodePool& parents, std::uint32_t parent, Action action);

  const Node& node(std::uint32_t n) const noexcept { return nodes_[n]; }
  const State& state(std::uint32_t n) const noexcept { return states_[n]; }  ///< without cards
  const std::byte* betting(std::uint32_t n, std::size_t row_bytes) const noexcept { return betting_.data() + n * row_bytes; }
  bool with_outcomes() const noexcept { return with_outcomes_; }
  /// Only with_outcomes. Two players: net chips of each if it loses, ties, wins the showdown; the same thrice after a fold.
  const Outcomes& outcomes(std::uint32_t n) const noexcept { return outcomes_[n]; }
  std::uint32_t& child(const Node& node, Action action) noexcept {
    return children_[node.children + static_cast<std::uint32_t>(std::popcount(node.legal & ((1U << action) - 1U)))];
  }

 private:
  void describe(const Game& game, std::uint32_t n, int turn);

  bool with_outcomes_;
  std::vector<Node> nodes_;
  std::vector<State> states_;
  std::vector<Outcomes> outcomes_;
  std::vector<std::uint32_t> children_;
  AlignedVector<std::byte> betting_;
};

/// The shared part of one worker. Places in it or in a traversal's own pool are told apart by the highest bit.
class WalkTree {
 public:
  using Place = std::uint32_t;
  static constexpr Place kOwn = 0x80000000U;

  WalkTree(const Game& game, BettingRows rows, std::uint32_t shared_nodes);
  Place root() const noexcept { return 0; }
  const NodePool& pool(Place place, const NodePool& own) const noexcept { return (place & kOwn) != 0 ? own : shared_; }
  const NodePool::Node& node(Place place, const NodePool& own) const noexcept { return pool(place, own).node(place & ~kOwn); }
  const State& state(Place place, const NodePool& own) const noexcept { return pool(place, own).state(place & ~kOwn); }
  /// Null unless they are known and there are two players.
  const NodePool::Outcomes* outcomes(Place place, const NodePool& own) const noexcept {
    const NodePool& of = pool(place, own);
    return of.with_outcomes() ? &of.outcomes(place & ~kOwn) : nullptr;
  }
  const std::byte* betting(Place place, const NodePool& own) const noexcept { return pool(place, own).betting(place & ~kOwn, row_bytes_); }
  std::size_t betting_bytes() const noexcept { return row_bytes_; }
  Place child(Place place, Action action, NodePool& own) {
    const bool in_own = (place & kOwn) != 0;
    NodePool& parents = in_own ? own : shared_;
    const std::uint32_t n = place & ~kOwn;
    const std::uint32_t known = parents.child(parents.node(n), action);
    return known != NodePool::kUnknown ? known : grow(parents, n, in_own, action, own);
  }

 private:
  Place grow(NodePool& parents, std::uint32_t parent, bool in_own, Action action, NodePool& own);

  const Game& game_;
  BettingRows rows_;
  std::size_t row_bytes_;
  std::uint32_t shared_nodes_;
  NodePool shared_;  // with outcomes if there are two players
};

}  // namespace deepcfr
