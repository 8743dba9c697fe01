#include "hand_name.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

constexpr std::array<const char*, kRankCount> kRankNames = {"two",  "three", "four", "five",  "six",  "seven", "eight",
                                                            "nine", "ten",   "jack", "queen", "king", "ace"};
constexpr int kWheelTop = 3;  // A2345 is a straight to the five

std::string rank_name(int rank) { return kRankNames[static_cast<std::size_t>(rank)]; }
std::string plural(int rank) { return rank_name(rank) + (rank == 4 ? "es" : "s"); }  // sixes

/// The ranks that a hand is named after, and those that decide between hands of the same name.
struct MadeHand {
  HandCategory category = HandCategory::high_card;
  std::vector<int> named;
  std::vector<int> kickers;
};

/// Ranks of a suit's cards (-1: of all cards) without repetition, highest first.
std::vector<int> ranks_of(std::span<const Card> cards, int suit) {
  std::vector<int> ranks;
  for (int rank = kRankCount - 1; rank >= 0; --rank) {
    const auto there = [&](Card card) { return card_rank(card) == rank && (suit < 0 || card_suit(card) == suit); };
    if (std::any_of(cards.begin(), cards.end(), there)) ranks.push_back(rank);
  }
  return ranks;
}

int flush_suit(std::span<const Card> cards) {
  for (int suit = 0; suit < kSuitCount; ++suit) {
    if (std::count_if(cards.begin(), cards.end(), [suit](Card card) { return card_suit(card) == suit; }) >= 5) return suit;
  }
  return -1;
}

/// Highest card of the best straight among ranks that are distinct and descending; there is one.
int straight_top(const std::vector<int>& ranks) {
  for (std::size_t i = 0; i + 4 < ranks.size(); ++i) {
    if (ranks[i] - ranks[i + 4] == 4) return ranks[i];
  }
  return kWheelTop;
}

/// Names the hand after its largest groups of equal ranks (of equally large ones the higher); the other cards of the five decide.
void split_groups(std::span<const Card> cards, std::size_t groups, MadeHand& hand) {
  std::array<int, kRankCount> count{};
  for (const Card card : cards) ++count[static_cast<std::size_t>(card_rank(card))];
  const auto size = [&](int rank) { return count[static_cast<std::size_t>(rank)]; };
  std::vector<int> order = ranks_of(cards, -1);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size(a) > size(b); });
  int used = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    hand.named.push_back(order[g]);
    used += size(order[g]);
  }
  std::vector<int> rest(order.begin() + static_cast<std::ptrdiff_t>(groups), order.end());
  std::sort(rest.begin(), rest.end(), std::greater<>());
  for (const int rank : rest) {
    if (used++ < 5) hand.kickers.push_back(rank);
  }
}

/// Three of a kind and the highest other rank that is there twice or more: it may itself be there three times.
void name_full_house(std::span<const Card> cards, MadeHand& hand) {
  split_groups(cards, 1, hand);
  hand.kickers.clear();
  for (const int rank : ranks_of(cards, -1)) {
    const auto count = std::count_if(cards.begin(), cards.end(), [rank](Card card) { return card_rank(card) == rank; });
    if (rank == hand.named[0] || count < 2) continue;
    hand.named.push_back(rank);
    return;
  }
}

MadeHand made_hand(std::span<const Card> cards) {
  require_hand(cards);
  MadeHand hand;
  hand.category = category(evaluate(cards));
  switch (hand.category) {
    case HandCategory::straight_flush:
      hand.named = {straight_top(ranks_of(cards, flush_suit(cards)))};
      break;
    case HandCategory::straight:
      hand.named = {straight_top(ranks_of(cards, -1))};
      break;
    case HandCategory::flush: {
      const std::vector<int> ranks = ranks_of(cards, flush_suit(cards));
      hand.named = {ranks[0]};
      hand.kickers.assign(ranks.begin() + 1, ranks.begin() + 5);
      break;
    }
    case HandCategory::full_house:
      name_full_house(cards, hand);
      break;
    case HandCategory::two_pair:
      split_groups(cards, 2, hand);
      break;
    default:
      split_groups(cards, 1, hand);
      break;
  }
  return hand;
}

std::string words(const MadeHand& hand) {
  const int first = hand.named[0];
  switch (hand.category) {
    case HandCategory::high_card:
      return rank_name(first) + " high";
    case HandCategory::pair:
      return "pair of " + plural(first);
    case HandCategory::two_pair:
      return "two pair, " + plural(first) + " and " + plural(hand.named[1]);
    case HandCategory::three_of_a_kind:
      return "three of a kind, " + plural(first);
    case HandCategory::straight:
      return "straight, " + rank_name(first) + " high";
    case HandCategory::flush:
      return "flush, " + rank_name(first) + " high";
    case HandCategory::full_house:
      return "full house, " + plural(first) + " full of " + plural(hand.named[1]);
    case HandCategory::four_of_a_kind:
      return "four of a kind, " + plural(first);
    case HandCategory::straight_flush:
      break;
  }
  return first == kRankCount - 1 ? "royal flush" : "straight flush, " + rank_name(first) + " high";
}

}  // namespace

std::string hand_name(std::span<const Card> cards) { return words(made_hand(cards)); }

std::string full_hand_name(std::span<const Card> cards) {
  const MadeHand hand = made_hand(cards);
  std::string text = words(hand);
  for (std::size_t i = 0; i < hand.kickers.size(); ++i) {
    text += (i > 0 ? ", " : hand.kickers.size() > 1 ? ", kickers " : ", kicker ") + rank_name(hand.kickers[i]);
  }
  return text;
}

}  // namespace deepcfr
