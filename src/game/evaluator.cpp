#include "deepcfr/game/evaluator.h"

#include <string>

#include "deepcfr/core/error.h"

namespace deepcfr {

const char* category_name(HandCategory category) noexcept {
  switch (category) {
    case HandCategory::high_card:
      return "high card";
    case HandCategory::pair:
      return "pair";
    case HandCategory::two_pair:
      return "two pair";
    case HandCategory::three_of_a_kind:
      return "three of a kind";
    case HandCategory::straight:
      return "straight";
    case HandCategory::flush:
      return "flush";
    case HandCategory::full_house:
      return "full house";
    case HandCategory::four_of_a_kind:
      return "four of a kind";
    case HandCategory::straight_flush:
      return "straight flush";
  }
  return "unknown";
}

HandRank evaluate(std::span<const Card> cards) {
  HandAccumulator hand;
  for (const Card card : cards) hand += card;
  // Adding a card twice or an invalid one loses bits of the masks, so one comparison covers both.
  DEEPCFR_CHECK(!cards.empty() && cards.size() <= kMaxHandCards && hand.size() == static_cast<int>(cards.size()),
                std::to_string(cards.size()) + " cards: " + card_names(cards));
  return evaluate(hand);
}

void require_hand(std::span<const Card> cards) {
  if (cards.empty() || cards.size() > kMaxHandCards) {
    const std::string names = cards.empty() ? "" : " (" + card_names(cards) + ")";
    throw Error(ErrorKind::usage, "a hand of " + std::to_string(cards.size()) + " cards" + names + " is not in 1..7", {},
                "give 1 to 7 cards, hole and board cards together");
  }
  require_distinct(cards);
}

}  // namespace deepcfr
