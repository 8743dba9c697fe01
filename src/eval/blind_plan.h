// The betting of a two-player game under a policy that does not look at cards, as a graph of distinct subgames: betting states after which the
// same chips, options and probabilities follow are one node.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "deepcfr/cfr/policy.h"
#include "public_plan.h"

namespace deepcfr {

struct BlindNode {
  PublicKind kind = PublicKind::decision;  ///< decision, fold or showdown
  int round = 0;                           ///< of a decision
  int actor = 0;
  double chips = 0;  ///< as PublicPlan::chips
  struct Branch {
    std::int32_t child;
    double probability;  ///< of the policy
  };
  std::vector<Branch> branches;  ///< one for each legal action
};

class BlindPlan {
 public:
  /// The policy must not look at cards.
  BlindPlan(const Game& game, const PublicPlan& plan, Policy& policy);

  const BlindNode& node(std::int32_t i) const noexcept { return nodes_[static_cast<std::size_t>(i)]; }
  std::size_t size() const noexcept { return nodes_.size(); }
  int last_round() const noexcept { return last_round_; }
  /// Where a round begins: the root, or distinct subgames in which the round before ends with no fold. A showdown may be one in any round.
  const std::vector<std::int32_t>& entries(int round) const noexcept { return entries_[static_cast<std::size_t>(round)]; }
  /// Decision nodes of a round, each after the ones that it leads to.
  const std::vector<std::int32_t>& decisions(int round) const noexcept { return decisions_[static_cast<std::size_t>(round)]; }
  /// Whether a node that is met in a round waits for the next one.
  bool leaves(std::int32_t node_index, int round) const noexcept {
    const BlindNode& n = node(node_index);
    return n.kind == PublicKind::showdown ? round < last_round_ : n.kind == PublicKind::decision && n.round > round;
  }
  /// Place of a node among the entries of a round.
  std::size_t entry_index(std::int32_t node_index, int round) const noexcept {
    return static_cast<std::size_t>(entry_index_[static_cast<std::size_t>(round)][static_cast<std::size_t>(node_index)]);
  }
  /// Chips of player 0 when both follow the policy: hands are alike, so showdowns are worth nothing.
  double value() const;

 private:
  void find_entries();

  std::vector<BlindNode> nodes_;  // children first
  std::int32_t root_ = 0;
  int last_round_;
  std::array<std::vector<std::int32_t>, kMaxRounds> entries_, decisions_, entry_index_;
};

}  // namespace deepcfr
