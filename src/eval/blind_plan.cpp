#include "blind_plan.h"

#include <algorithm>
#include <bit>
#include <map>

#include "deepcfr/core/error.h"

namespace deepcfr {

BlindPlan::BlindPlan(const Game& game, const PublicPlan& plan, Policy& policy) : last_round_(plan.last_round()) {
  DEEPCFR_CHECK(!policy.looks_at_cards(), policy.name());
  const std::vector<BettingNode>& betting = plan.tree().nodes();
  const auto actions = static_cast<std::size_t>(game.num_actions());
  std::vector<const State*> states;
  for (const BettingNode& b : betting)
    if (b.decision >= 0) states.push_back(&b.state);
  std::vector<double> strategy(states.size() * actions);
  policy.probabilities(states, strategy);
  std::size_t row = strategy.size();
  std::map<std::vector<std::uint64_t>, std::int32_t> known;
  std::vector<std::int32_t> number(betting.size());
  for (std::size_t i = betting.size(); i-- > 0;) {  // children lie behind their parents
    const BettingNode& b = betting[i];
    BlindNode node;
    if (b.decision < 0) {
      node.kind = b.state.folded != 0 ? PublicKind::fold : PublicKind::showdown;
      node.chips = plan.chips(static_cast<std::int32_t>(i));
    } else {
      row -= actions;
      node.round = b.state.round;
      node.actor = b.state.actor;
      std::size_t child = static_cast<std::size_t>(b.first_child);
      for (unsigned set = b.legal; set != 0; set &= set - 1)
        node.branches.push_back({number[child++], strategy[row + static_cast<std::size_t>(std::countr_zero(set))]});
    }
    std::vector<std::uint64_t> key{static_cast<std::uint64_t>(node.kind), static_cast<std::uint64_t>(node.round),
                                   static_cast<std::uint64_t>(node.actor), std::bit_cast<std::uint64_t>(node.chips)};
    for (const BlindNode::Branch& branch : node.branches) {
      key.push_back(static_cast<std::uint64_t>(branch.child));
      key.push_back(std::bit_cast<std::uint64_t>(branch.probability));
    }
    const auto [at, fresh] = known.emplace(std::move(key), static_cast<std::int32_t>(nodes_.size()));
    number[i] = at->second;
    if (fresh) nodes_.push_back(std::move(node));
  }
  root_ = number[0];
  find_entries();
}

void BlindPlan::find_entries() {
  entries_[0] = {root_};
  for (int round = 0; round <= last_round_; ++round) {
    const auto r = static_cast<std::size_t>(round);
    std::vector<bool> seen(nodes_.size(), false);
    const auto visit = [&](auto& self, std::int32_t index) -> void {
      if (seen[static_cast<std::size_t>(index)]) return;
      seen[static_cast<std::size_t>(index)] = true;
      if (leaves(index, round)) {
        entries_[r + 1].push_back(index);
      } else {
        for (const BlindNode::Branch& branch : node(index).branches) self(self, branch.child);
      }
    };
    for (const std::int32_t entry : entries_[r]) visit(visit, entry);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(nodes_.size()); ++i)
      if (seen[static_cast<std::size_t>(i)] && node(i).kind == PublicKind::decision && node(i).round == round) decisions_[r].push_back(i);
    entry_index_[r].assign(nodes_.size(), -1);
    for (std::size_t e = 0; e < entries_[r].size(); ++e)
      entry_index_[r][static_cast<std::size_t>(entries_[r][e])] = static_cast<std::int32_t>(e);
  }
}

double BlindPlan::value() const {
  std::vector<double> values(nodes_.size(), 0.0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind == PublicKind::fold) values[i] = nodes_[i].chips;
    for (const BlindNode::Branch& branch : nodes_[i].branches) values[i] += branch.probability * values[static_cast<std::size_t>(branch.child)];
  }
  return values[static_cast<std::size_t>(root_)];
}

}  // namespace deepcfr
