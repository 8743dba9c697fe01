// Hands and boards as the public walks see them: hole card combinations numbered, boards up to permutations of suits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "deepcfr/game/cards.h"
#include "deepcfr/game/definition.h"

namespace deepcfr {

/// What the two players' walks carry for a hand: one number of each player, or each responder.
struct Pair {
  double of[2] = {0, 0};
};

/// Every hole card combination of a deck. One or two hole cards. Immutable.
class HandTable {
 public:
  explicit HandTable(const GameDefinition& definition);
  int count() const noexcept { return static_cast<int>(masks_.size()); }
  int hole_cards() const noexcept { return hole_cards_; }
  const std::array<Card, kMaxHoleCards>& hole(int hand) const noexcept { return holes_[static_cast<std::size_t>(hand)]; }
  std::uint64_t mask(int hand) const noexcept { return masks_[static_cast<std::size_t>(hand)]; }
  /// The hand of a set of cards.
  int find(std::uint64_t mask) const noexcept;

 private:
  int hole_cards_;
  std::vector<std::array<Card, kMaxHoleCards>> holes_;  // cards ascending
  std::vector<std::uint64_t> masks_;
  std::vector<std::int32_t> by_cards_;  // [low card][high card]
};

/// A board with its cards by round, and what is left of the symmetry of suits.
struct Board {
  std::array<Card, kMaxBoardCards> cards;
  int count = 0;
  std::uint64_t mask = 0;
  double weight = 1;            ///< continuations of the parent that are equal to this one up to the parent's symmetries, this one included
  std::vector<int> symmetries;  ///< permutations of suits that keep every round's cards
};

/// Boards of a game. Immutable.
class BoardTable {
 public:
  /// merge_suits: boards that are equal up to suits are walked once.
  BoardTable(const GameDefinition& definition, const HandTable& hands, bool merge_suits);

  Board no_board() const;
  /// The continuations by the cards of `round`, one of each class; weights sum to the number of continuations. The board itself if none are dealt.
  std::vector<Board> next(const Board& board, int round) const;
  /// Replaces values[hand] by their mean over the board's symmetries; `stride` numbers a hand.
  void symmetrise(const Board& board, std::span<double> values, std::size_t stride) const;
  /// The smallest hand that a hand is equal to under the board's symmetries.
  int representative(const Board& board, int hand) const noexcept;
  /// The hand that a permutation of suits makes of a hand.
  int image(int symmetry, int hand) const noexcept {
    return images_[static_cast<std::size_t>(symmetry) * static_cast<std::size_t>(hands_->count()) + static_cast<std::size_t>(hand)];
  }
  std::uint64_t image_of_cards(int symmetry, std::uint64_t mask) const noexcept;

 private:
  const GameDefinition* definition_;  // outlives this, as hands
  const HandTable* hands_;
  std::vector<Card> deck_;
  std::vector<std::array<std::uint8_t, 4>> suits_;  // permutations, the identity first
  std::vector<std::int32_t> images_;                // [permutation][hand]
};

}  // namespace deepcfr
