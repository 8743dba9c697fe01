#include "deepcfr/game/equity.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "deepcfr/core/error.h"
#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

HandAccumulator accumulate(std::span<const Card> cards) noexcept {
  HandAccumulator hand;
  for (const Card card : cards) hand += card;
  return hand;
}

std::string count_of(std::size_t n, const char* singular) { return std::to_string(n) + " " + singular + (n == 1 ? "" : "s"); }

/// Hole cards and board in one list, for the checks and for what is left of the deck.
std::vector<Card> known_cards(std::span<const std::vector<Card>> hands, std::span<const Card> board) {
  std::vector<Card> known;
  for (const std::vector<Card>& hand : hands) known.insert(known.end(), hand.begin(), hand.end());
  known.insert(known.end(), board.begin(), board.end());
  return known;
}

void require_sizes(std::span<const std::vector<Card>> hands, std::span<const Card> board, int board_cards) {
  if (hands.size() < 2) {
    throw Error(ErrorKind::usage, count_of(hands.size(), "hand") + " given; equity needs two or more", {},
                "give hands as in AcAd KcKd");
  }
  for (const std::vector<Card>& hand : hands) {
    if (hand.empty() || hand.size() != hands[0].size()) {
      throw Error(ErrorKind::usage, "hands of different sizes: \"" + card_names(hands[0]) + "\" and \"" + card_names(hand) + "\"",
                  {}, "give every hand the same number of cards");
    }
  }
  if (board_cards < 0 || hands[0].size() + static_cast<std::size_t>(board_cards) > kMaxHandCards) {
    throw Error(ErrorKind::usage, count_of(hands[0].size(), "hole card") + " and a board of " + std::to_string(board_cards) +
                                      ": a complete hand has 1 to 7 cards");
  }
  if (board.size() > static_cast<std::size_t>(board_cards)) {
    throw Error(ErrorKind::usage, "board " + card_names(board) + " has " + count_of(board.size(), "card") +
                                      "; a complete one has " + std::to_string(board_cards));
  }
}

/// The deck without the known cards; refuses cards that appear twice or are not in the deck.
std::vector<Card> remaining_deck(std::span<const Card> known, const EquityOptions& options) {
  require_distinct(known);
  std::vector<Card> deck = make_deck(options.deck_ranks, options.deck_suits);
  for (const Card card : known) {
    const auto place = std::find(deck.begin(), deck.end(), card);
    if (place == deck.end()) throw Error(ErrorKind::usage, "card " + card_name(card) + " is not in this game's deck");
    deck.erase(place);
  }
  return deck;
}

/// Depth-first walk over the boards; the sums of a prefix are shared by all boards that begin with it.
class Enumeration {
 public:
  Enumeration(std::span<const std::vector<Card>> hands, std::vector<Card> deck)
      : deck_(std::move(deck)), ranks_(hands.size()), shares_(hands.size() * (hands.size() + 1)) {
    for (const std::vector<Card>& hand : hands) holes_.push_back(accumulate(hand));
  }

  void walk(std::size_t first, std::size_t missing, const HandAccumulator& board) {
    if (missing == 0) return count(board);
    for (std::size_t i = first; i + missing <= deck_.size(); ++i) walk(i + 1, missing - 1, board + deck_[i]);
  }

  std::vector<EquityCounts> results() const {
    std::vector<EquityCounts> all(holes_.size());
    for (std::size_t h = 0; h < all.size(); ++h) {
      double pots = 0;
      for (std::size_t winners = 1; winners <= all.size(); ++winners) {
        const std::uint64_t boards = shares_[h * (all.size() + 1) + winners];
        (winners == 1 ? all[h].win : all[h].tie) += boards;
        pots += static_cast<double>(boards) / static_cast<double>(winners);
      }
      all[h].lose = boards_ - all[h].win - all[h].tie;
      all[h].pot_share = pots / static_cast<double>(boards_);
    }
    return all;
  }

 private:
  void count(const HandAccumulator& board) {
    HandRank best = 0;
    std::size_t winners = 0;
    for (std::size_t h = 0; h < holes_.size(); ++h) {
      const HandRank rank = evaluate_(holes_[h] + board);
      ranks_[h] = rank;
      winners = rank > best ? 1 : winners + (rank == best ? 1 : 0);
      best = std::max(best, rank);
    }
    for (std::size_t h = 0; h < holes_.size(); ++h) {
      if (ranks_[h] == best) ++shares_[h * (holes_.size() + 1) + winners];
    }
    ++boards_;
  }

  Evaluator evaluate_;
  std::vector<Card> deck_;
  std::vector<HandAccumulator> holes_;
  std::vector<HandRank> ranks_;        // of the board at hand
  std::vector<std::uint64_t> shares_;  // [hand][k]: boards on which the hand is one of k best
  std::uint64_t boards_ = 0;
};

}  // namespace

std::vector<EquityCounts> equity(std::span<const std::vector<Card>> hands, std::span<const Card> board,
                                 const EquityOptions& options) {
  require_sizes(hands, board, options.board_cards);
  std::vector<Card> deck = remaining_deck(known_cards(hands, board), options);
  const std::size_t missing = static_cast<std::size_t>(options.board_cards) - board.size();
  if (missing > deck.size()) {
    throw Error(ErrorKind::usage,
                count_of(deck.size(), "card") + " left in the deck for " + std::to_string(missing) + " board cards to come");
  }
  Enumeration enumeration(hands, std::move(deck));
  enumeration.walk(0, missing, accumulate(board));
  return enumeration.results();
}

}  // namespace deepcfr
