// The walk under every exact solver of the family, one recursion of four cases: terminal, a round begins (chance), the player who
// learns, another player. Every node holds vectors over the cards dealt so far ("hands", in the order of SmallGame's deals): the
// reach of all others goes down, the player's expected value comes up. Own reach needs no walk: by perfect recall it is a product
// along the player's own infosets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "deepcfr/cfr/small_game.h"

namespace deepcfr {

/// What happened at a node of the learning player. Pointers are to vectors over hands.
struct OwnNode {
  std::int32_t node;
  ActionMask legal;
  const double* others;                                   ///< product of the other players' action probabilities
  double chance;                                          ///< probability of each hand
  const double* value;                                    ///< expected value at the node
  const std::vector<std::vector<double>>* action_values;  ///< [k-th legal action][hand]
  const int* infoset;                                     ///< [hand]
  std::size_t hands;
};

/// visit(const OwnNode&) is called once for each node of `player`, children before parents, but for nodes that the others never
/// reach.
template <typename Visit>
class CounterfactualWalk {
 public:
  CounterfactualWalk(const SmallGame& game, int player, std::span<const double> strategy, Visit visit)
      : game_(game),
        player_(player),
        strategy_(strategy),
        actions_(static_cast<std::size_t>(game.game().num_actions())),
        visit_(visit) {
    // The product of the chances in the order of the deal.
    const GameDefinition& definition = game.game().definition();
    int unseen = definition.deck_size();
    double chance = 1;
    const auto deal = [&](int cards) {
      double ways = 1;
      for (int i = 0; i < cards; ++i) ways = ways * (unseen - i) / (i + 1);
      chance *= 1 / ways;
      unseen -= cards;
    };
    for (int p = 0; p < definition.players; ++p) deal(definition.hole_cards);
    for (int r = 0; r < definition.rounds; ++r) {
      deal(definition.board_cards[static_cast<std::size_t>(r)]);
      chance_.push_back(chance);
    }
  }

  void run() {
    const int round = game_.tree().node(0).state.round;
    std::vector<double> values(hands(round));
    walk(0, round, std::vector<double>(hands(round), 1.0), values);
  }

 private:
  using Vector = std::vector<double>;

  std::size_t hands(int round) const { return static_cast<std::size_t>(game_.num_deals() / game_.deals_alike(round)); }

  /// `others` and `out` are over the hands of `round`, the round of the parent.
  void walk(std::int32_t node, int round, const Vector& others, Vector& out) {
    const BettingNode& betting = game_.tree().node(node);
    if (betting.decision < 0) {
      terminal(node, round, out);
    } else if (betting.state.round != round) {
      next_round(node, betting, others, out);
    } else if (betting.state.actor == player_) {
      player_acts(node, betting, others, out);
    } else {
      other_acts(node, betting, others, out);
    }
  }

  void terminal(std::int32_t node, int round, Vector& out) const {
    const std::span<const std::int32_t> outcome = game_.outcomes();
    const std::span<const double> values = game_.outcome_values(node, player_);
    const auto alike = static_cast<std::size_t>(game_.deals_alike(round));
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end()) {
      std::fill(out.begin(), out.end(), values.front());  // cards do not matter
    } else if (alike == 1) {
      for (std::size_t h = 0; h < out.size(); ++h) out[h] = values[static_cast<std::size_t>(outcome[h])];
    } else {
      for (std::size_t h = 0; h < out.size(); ++h) {
        double sum = 0;
        for (std::size_t d = h * alike; d < (h + 1) * alike; ++d) sum += values[static_cast<std::size_t>(outcome[d])];
        out[h] = sum / static_cast<double>(alike);
      }
    }
  }

  void next_round(std::int32_t node, const BettingNode& betting, const Vector& others, Vector& out) {
    const std::size_t ways = hands(betting.state.round) / out.size();
    Vector reach(out.size() * ways), values(out.size() * ways);
    for (std::size_t h = 0; h < reach.size(); ++h) reach[h] = others[h / ways];
    walk(node, betting.state.round, reach, values);
    const double probability = 1 / static_cast<double>(ways);
    for (std::size_t h = 0; h < out.size(); ++h) {
      double value = 0;
      for (std::size_t i = 0; i < ways; ++i) value += probability * values[h * ways + i];
      out[h] = value;
    }
  }

  void player_acts(std::int32_t node, const BettingNode& betting, const Vector& others, Vector& out) {
    const std::vector<int> infoset = infosets(node, betting);
    std::vector<Vector> action_values;
    std::fill(out.begin(), out.end(), 0.0);
    std::int32_t child = betting.first_child;
    for (std::size_t a = 0; a < actions_; ++a) {
      if (((betting.legal >> a) & 1) == 0) continue;
      Vector& values = action_values.emplace_back(out.size());
      walk(child++, betting.state.round, others, values);
      for (std::size_t h = 0; h < out.size(); ++h) out[h] += probability(infoset[h], a) * values[h];
    }
    visit_(OwnNode{node, betting.legal, others.data(), chance_[betting.state.round], out.data(), &action_values, infoset.data(),
                   out.size()});
  }

  void other_acts(std::int32_t node, const BettingNode& betting, const Vector& others, Vector& out) {
    const std::vector<int> infoset = infosets(node, betting);
    Vector reach(out.size()), values(out.size());
    std::fill(out.begin(), out.end(), 0.0);
    std::int32_t child = betting.first_child;
    for (std::size_t a = 0; a < actions_; ++a) {
      if (((betting.legal >> a) & 1) == 0) continue;
      bool reached = false;
      for (std::size_t h = 0; h < out.size(); ++h) {
        reach[h] = others[h] * probability(infoset[h], a);
        reached = reached || reach[h] > 0;
      }
      const std::int32_t next = child++;
      if (!reached) continue;  // what is below has no weight in anything above
      walk(next, betting.state.round, reach, values);
      for (std::size_t h = 0; h < out.size(); ++h) out[h] += probability(infoset[h], a) * values[h];
    }
  }

  double probability(int infoset, std::size_t action) const {
    return strategy_[static_cast<std::size_t>(infoset) * actions_ + action];
  }

  std::vector<int> infosets(std::int32_t node, const BettingNode& betting) const {
    const std::span<const std::int32_t> classes = game_.card_classes(betting.state.actor, betting.state.round);
    const auto alike = static_cast<std::size_t>(game_.deals_alike(betting.state.round));
    const int offset = game_.infoset_offset(node);
    std::vector<int> result(hands(betting.state.round));
    for (std::size_t h = 0; h < result.size(); ++h) result[h] = offset + classes[h * alike];
    return result;
  }

  const SmallGame& game_;
  int player_;
  std::span<const double> strategy_;
  std::size_t actions_;
  Visit visit_;
  std::vector<double> chance_;  // by round
};

}  // namespace deepcfr
