// A policy's play with every hand that the acting player can hold.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "card_style.h"
#include "deepcfr/cfr/policy.h"
#include "deepcfr/game/game.h"

namespace deepcfr {

/// Hands that are called alike: "AKs", "AKo", "77"; with one hole card "K".
struct HandClass {
  std::string name;
  int row = 0, column = 0;        ///< in the grid, from the highest rank: suited above the diagonal, offsuit below
  int combos = 0;                 ///< card combinations that the board leaves; 0: none is possible
  double reach = 0;               ///< probability that the player gets here with them: own actions only, mean over combos
  std::vector<double> frequency;  ///< by action of the game, mean over combos; all 0 without combos
};

struct Range {
  int side = 0;                    ///< ranks of the deck: the grid has side × side classes (one hole card: side classes)
  std::vector<HandClass> classes;  ///< row by row
  double combos = 0;
  std::vector<double> frequency;  ///< mean over all combos
  std::vector<double> reached;    ///< the same, each combo weighted by its reach; empty if no hand gets here
};

/// Asks the policy about every hand. `state`: unfinished, of the policy's game (no off-tree raise), board cards in its deal; the acting
/// player's cards in it count for nothing. Error{usage} for games with three hole cards.
Range range_of(const Game& game, const State& state, Policy& policy);

/// One action as a grid of whole percents (two hole cards), shaded where the terminal can; "." where the board leaves no such hand.
/// `action` < 0: the reach instead.
std::string range_grid(const Range& range, int action, const CardStyle& style);
/// One hole card: a line for each rank with all `actions`, headed by their `names`.
std::string range_table(const Range& range, std::span<const int> actions, std::span<const std::string> names);

}  // namespace deepcfr
