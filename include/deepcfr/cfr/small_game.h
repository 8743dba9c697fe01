// Small games written out: every deal, every betting node, every infoset numbered. The ground of tabular CFR, exact best
// response and the fast path of Deep CFR.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/cfr/policy.h"
#include "deepcfr/game/betting_tree.h"
#include "deepcfr/game/infoset.h"

namespace deepcfr {

struct SmallGameLimits {
  double max_infosets = 500'000;        ///< of all players
  double max_deal_nodes = 400'000'000;  ///< deals × betting nodes, the work of one walk
};

/// Immutable after construction, thread-safe. The game must outlive it.
class SmallGame {
 public:
  /// True if the game fits the limits; decided by counting, in well under 2 s for any game.
  static bool fits(const Game& game, const SmallGameLimits& limits = {});
  /// Error{usage} with the game's size and the alternatives (evaluate against bots, a smaller game) if it does not fit.
  explicit SmallGame(const Game& game, const SmallGameLimits& limits = {});

  const Game& game() const noexcept { return *game_; }
  const BettingTree& tree() const noexcept { return tree_; }

  // deals: unordered within a hand and within a round's board; all equally likely
  int num_deals() const noexcept { return static_cast<int>(deals_.size()); }
  const Deal& deal(int d) const noexcept { return deals_[static_cast<std::size_t>(d)]; }
  /// Deals that agree in all cards dealt up to and in `round` lie together, this many of them.
  int deals_alike(int round) const noexcept { return deals_alike_[static_cast<std::size_t>(round)]; }

  // infosets: (decision node, class of the actor's cards there). Equal cards up to suits are one class if the game
  // canonicalises suits: leduc has 288 then, 936 otherwise.
  int num_infosets() const noexcept { return num_infosets_; }
  /// Infoset of the actor at a decision node under a deal.
  int infoset(std::int32_t node, int deal) const noexcept {
    const auto n = static_cast<std::size_t>(node);
    return infoset_offset_[n] + card_class(actor_[n], round_[n], deal);
  }
  int num_classes(int round) const noexcept { return num_classes_[static_cast<std::size_t>(round)]; }
  int card_class(int player, int round, int deal) const noexcept {
    return card_classes(player, round)[static_cast<std::size_t>(deal)];
  }
  /// card_class() of every deal, and what infoset() adds to it at a node: for walks over all deals at once.
  std::span<const std::int32_t> card_classes(int player, int round) const noexcept {
    const std::size_t row = static_cast<std::size_t>(player) * num_classes_.size() + static_cast<std::size_t>(round);
    return {class_.data() + row * deals_.size(), deals_.size()};
  }
  int infoset_offset(std::int32_t node) const noexcept { return infoset_offset_[static_cast<std::size_t>(node)]; }
  /// Of each infoset: its player, legal actions, decision node, the infoset itself.
  int player_of(int infoset) const noexcept { return actor_[static_cast<std::size_t>(node_of(infoset))]; }
  std::int32_t node_of(int infoset) const noexcept { return node_of_[static_cast<std::size_t>(infoset)]; }
  ActionMask legal(int infoset) const noexcept { return tree_.node(node_of(infoset)).legal; }
  const Infoset& key(int infoset) const noexcept { return keys_[static_cast<std::size_t>(infoset)]; }
  /// A state in which the infoset's player acts, cards of the infoset in hand, others' unknown.
  const State& sample_state(int infoset) const noexcept { return states_[static_cast<std::size_t>(infoset)]; }
  /// The previous infoset of the same player on the way here and the action taken there; −1 if none (perfect recall makes it
  /// unique).
  int parent_infoset(int infoset) const noexcept { return parent_infoset_[static_cast<std::size_t>(infoset)]; }
  Action parent_action(int infoset) const noexcept { return parent_action_[static_cast<std::size_t>(infoset)]; }
  /// The number of the infoset of a state's actor; −1 if it is not in the game.
  int find(const State& state) const;
  int find(const Infoset& infoset) const;
  /// Index of the deal with these cards.
  int find_deal(const Deal& deal) const;

  /// Net chips of `player` at a terminal node under a deal.
  double value(std::int32_t terminal_node, int deal, int player) const noexcept {
    return outcome_values(terminal_node, player)[static_cast<std::size_t>(outcomes()[static_cast<std::size_t>(deal)])];
  }
  /// Values depend on the cards only through who beats whom: the outcome of every deal, and the value of each outcome.
  std::span<const std::int32_t> outcomes() const noexcept { return outcome_; }
  std::span<const double> outcome_values(std::int32_t terminal_node, int player) const noexcept {
    const auto terminal = static_cast<std::size_t>(terminal_of_[static_cast<std::size_t>(terminal_node)]);
    const std::size_t row = terminal * static_cast<std::size_t>(game_->players()) + static_cast<std::size_t>(player);
    return {values_.data() + row * num_outcomes_, num_outcomes_};
  }

 private:
  void number_infosets();
  void classify_cards();
  void classify_outcomes();
  void link_parents();
  std::vector<std::int32_t> coarser_classes(int round, int earlier) const;

  const Game* game_;
  BettingTree tree_;
  std::vector<Deal> deals_;
  std::vector<int> deals_alike_;  // by round
  int num_infosets_ = 0;
  std::vector<int> num_classes_;              // by round
  std::vector<std::int32_t> class_;           // [player][round][deal]
  std::vector<std::int32_t> infoset_offset_;  // by node
  std::vector<std::uint8_t> actor_, round_;   // by node
  std::vector<std::int32_t> node_of_;         // by infoset
  std::vector<Infoset> keys_;
  std::vector<State> states_;
  std::vector<int> parent_infoset_;
  std::vector<Action> parent_action_;
  std::vector<std::int32_t> terminal_of_;  // by node
  std::size_t num_outcomes_ = 0;
  std::vector<std::int32_t> outcome_;  // by deal
  std::vector<double> values_;         // [terminal][player][outcome]
  struct Index;
  std::shared_ptr<const Index> index_;
};

/// A policy as a table: probabilities [infoset][action].
class TabularPolicy final : public Policy {
 public:
  TabularPolicy(std::shared_ptr<const SmallGame> game, std::vector<double> table, std::string name);
  void probabilities(std::span<const State* const> states, std::span<double> out) override;
  std::string name() const override { return name_; }
  bool treats_suits_alike() const override { return game_->game().canonical_suits(); }  ///< one class of cards, one row
  std::unique_ptr<Policy> clone() const override;
  std::span<const double> table() const noexcept { return table_; }

 private:
  std::shared_ptr<const SmallGame> game_;
  std::vector<double> table_;
  std::string name_;
};

/// Asks a policy for every infoset of the game: [infoset][action].
std::vector<double> tabulate(const SmallGame& game, Policy& policy);

}  // namespace deepcfr
