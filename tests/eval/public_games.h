// Games small enough to be written out and to be walked in public, and policies over them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/cfr/small_game.h"
#include "deepcfr/core/random.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr::testing {

/// Flop hold'em with a small deck: two suits, `ranks` ranks, two hole cards, three board cards.
inline Game small_flop_holdem(int ranks, bool canonical_suits, int raises = 1, int suits = 2, const std::string& boards = "0 3") {
  std::string rounds, first, max, size;
  int count = 0;
  for (const char c : boards) count += c != ' ' ? 1 : 0;
  for (int r = 0; r < count; ++r) {
    first += r == 0 ? "2" : " 1";
    max += (r == 0 ? "" : " ") + std::to_string(raises);
    size += (r == 0 ? "" : " ") + std::to_string(100 * (r + 1));
  }
  const std::string text = "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = " + std::to_string(count) + "\nblind = 100 50\nraiseSize = " + size +
                           "\nfirstPlayer = " + first + "\nmaxRaises = " + max + "\nnumSuits = " + std::to_string(suits) +
                           "\nnumRanks = " + std::to_string(ranks) + "\nnumHoleCards = 2\nnumBoardCards = " + boards + "\nEND GAMEDEF\n";
  return Game(parse_game_definition(text, "small_fhp"), RuleSet::acpc, {}, canonical_suits);
}

/// No-limit, so that hands end all-in before the board is complete.
inline Game small_no_limit(bool canonical_suits) {
  const std::string text =
      "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 3\nstack = 300 500\nblind = 100 50\nfirstPlayer = 2 1 1\nnumSuits = 2\nnumRanks = 4\n"
      "numHoleCards = 1\nnumBoardCards = 0 1 1\nEND GAMEDEF\n";
  BetAbstraction abstraction;
  abstraction.pot_fractions.fill({1});
  abstraction.max_raises = 2;
  return Game(parse_game_definition(text, "small_nl"), RuleSet::acpc, abstraction, canonical_suits);
}

/// Random probabilities for every infoset, some of them 0.
inline std::unique_ptr<TabularPolicy> random_policy(std::shared_ptr<const SmallGame> small, std::uint64_t seed) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {seed}));
  const auto actions = static_cast<std::size_t>(small->game().num_actions());
  std::vector<double> table(static_cast<std::size_t>(small->num_infosets()) * actions, 0.0);
  std::vector<double> weights(actions);
  for (int i = 0; i < small->num_infosets(); ++i) {
    for (double& weight : weights) weight = random.uniform() - 0.3;
    regret_matching(std::span<const double>(weights), small->legal(i), std::span(table).subspan(static_cast<std::size_t>(i) * actions, actions));
  }
  return std::make_unique<TabularPolicy>(std::move(small), std::move(table), "random table");
}

}  // namespace deepcfr::testing
