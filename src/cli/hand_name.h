// Made hands in words, as they are called at a table.
#pragma once

#include <span>
#include <string>

#include "deepcfr/game/cards.h"

namespace deepcfr {

/// The best hand that 1 to 7 cards make: "two pair, aces and tens", "straight, five high", "flush, king high", "full house, aces
/// full of twos", "ace high". Fewer than five cards (toy games): pairs and the like, no straights and no flushes, as the evaluator
/// has it. Error{usage} unless the cards are distinct and 1 to 7.
std::string hand_name(std::span<const Card> cards);

/// The same with the cards that decide between hands of one name: "pair of aces, kickers king, nine, four". Two hands of equally
/// many cards have the same full name exactly if they tie.
std::string full_hand_name(std::span<const Card> cards);

}  // namespace deepcfr
