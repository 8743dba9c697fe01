// A policy at a real table: it is asked at the abstract state of the hand (translation.h), an action is drawn from its answer, and that is
// turned into a legal real one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "deepcfr/cfr/policy.h"
#include "deepcfr/protocol/betting.h"
#include "deepcfr/protocol/translation.h"

namespace deepcfr {

/// What a player at a table may know at one moment. `state` has the player's own cards, the board of the rounds reached and, after a
/// showdown, the cards that were shown; the others are kNoCard.
struct TableView {
  std::uint32_t hand = 0;
  int position = 0;
  State state;
  Betting betting;
};

/// Not thread-safe; game and policy must outlive it.
class PolicyAgent {
 public:
  /// Draws are functions of (seed, hand, position, actions made): the same as those of eval/match.h, so that matches over TCP and at home
  /// are the same hands as long as nobody leaves the abstraction.
  PolicyAgent(const Game& game, Policy& policy, std::uint64_t seed);

  /// The action at an unfinished state in which the view's position is to act. A pure function of the view and of which abstract actions
  /// this agent chose before in the same hand; it knows them by what it answered, and takes no notice of an answer that was not carried
  /// out.
  TableAction act(const TableView& view);

 private:
  struct Choice {
    std::size_t place;  // number of actions before it
    TableAction real;
    Action meant;
  };
  HandTranslation understand(const TableView& view) const;
  Action draw(const TableView& view, const State& state);

  const Game* game_;
  Policy* policy_;
  std::uint64_t seed_;
  std::uint32_t hand_ = 0;
  int position_ = -1;
  std::vector<Choice> choices_;  // of this hand
  std::vector<double> strategy_;
};

}  // namespace deepcfr
