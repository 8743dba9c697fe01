// An infoset: everything the acting player knows, as exact bytes. Equality of these bytes is equality of infosets (statement 14);
// a hash is never a key by itself (statement 18).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// Own hole cards (sorted), board by round (each round's cards sorted), both with suits canonicalised if the game says so, and
/// the whole betting history. The player is the actor that the history leads to.
struct Infoset {
  std::array<Card, kMaxHoleCards> hole;
  std::array<Card, kMaxBoardCards> board;  ///< only the cards of rounds reached; the rest kNoCard
  History history;
  bool operator==(const Infoset&) const = default;
};

/// The infoset of the acting player. Error{usage} if the history overflowed or holds an off-tree raise.
Infoset infoset_of(const Game& game, const State& state);
/// Canonical cards: equal results for equal cards up to a permutation of suits and of cards within a round. Where a hand has
/// fewer than five cards in all (Kuhn, Leduc) only ranks count, and the suits of each rank are permuted by themselves.
/// `board_count` cards of `board` are visible.
void canonical_cards(const Game& game, std::span<const Card> hole, std::span<const Card> board, int board_count,
                     std::array<Card, kMaxHoleCards>& hole_out, std::array<Card, kMaxBoardCards>& board_out);
/// The public state that a history leads to, with the infoset's cards in the actor's hand and on the board.
State state_of(const Game& game, const Infoset& infoset);
/// In words: "Ks | Qh | cr/c" (own cards, board, betting with sizes).
std::string describe(const Game& game, const Infoset& infoset);

/// Fixed-size packing: [history size u8][hole][board][history nibbles, as many bytes as the game can need].
class InfosetLayout {
 public:
  explicit InfosetLayout(const Game& game);
  std::size_t bytes() const noexcept { return bytes_; }
  void pack(const Infoset& infoset, std::byte* out) const noexcept;
  /// The same in two parts: the card part of an infoset (hole, then board), and with it a whole packing.
  std::size_t card_bytes() const noexcept { return static_cast<std::size_t>(hole_cards_ + board_cards_); }
  void pack_cards(const Infoset& infoset, std::byte* cards) const noexcept;
  void pack(const std::byte* cards, const History& history, std::byte* out) const noexcept;
  Infoset unpack(const std::byte* in) const noexcept;

 private:
  int hole_cards_;
  int board_cards_;
  int history_bytes_;
  std::size_t bytes_;
};

}  // namespace deepcfr
