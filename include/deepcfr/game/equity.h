// All-in equity: how often each of several known hands wins once the board is complete, by exact enumeration of every
// board that can still come. No sampling, so no error bars.
// Pure functions: any thread may call them; one call uses one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "deepcfr/game/cards.h"

namespace deepcfr {

/// Counts of complete boards for one hand.
struct EquityCounts {
  std::uint64_t win = 0;   ///< this hand alone is best
  std::uint64_t lose = 0;  ///< another hand is better
  std::uint64_t tie = 0;   ///< this hand shares the first place
  double pot_share = 0;    ///< mean part of the pot, 0..1: a tie of k hands pays 1/k; sums to 1 over the hands

  std::uint64_t boards() const noexcept { return win + lose + tie; }
};

/// Board sizes above 5 with one hole card are the largest case: C(50, 6) = 15,890,700 boards; two-card hold'em hands need at
/// most C(48, 5) = 1,712,304, about 20 ms for two hands on one core.
struct EquityOptions {
  int board_cards = 5;  ///< cards of a complete board, 0..6
  int deck_ranks = kRankCount;
  int deck_suits = kSuitCount;  ///< the deck is make_deck(deck_ranks, deck_suits)
};

/// Counts for each of `hands` (two or more, all of the same size, 1 to 7 cards with the complete board), given the board
/// cards known so far (0 .. board_cards). Cards not in a hand and not on the board are equally likely to come.
/// Throws Error{usage} for too few or unequal hands, too many cards, a card used twice or not in the deck.
std::vector<EquityCounts> equity(std::span<const std::vector<Card>> hands, std::span<const Card> board = {},
                                 const EquityOptions& options = {});

}  // namespace deepcfr
