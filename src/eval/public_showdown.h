// Ends of hands as vectors over hands, in time proportional to their number: hands sorted by strength once for each board, sums over weaker
// hands with what they share cards with taken out (Johanson et al. 2011, section 3.3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "public_boards.h"

namespace deepcfr {

/// The hands that a board leaves. On a complete board in ascending order of strength.
class BoardHands {
 public:
  BoardHands(const HandTable& table, const Board& board, bool complete);
  /// The same for the next board, without new memory.
  void set(const Board& board, bool complete);
  std::size_t count() const noexcept { return hands_.size(); }
  /// Numbers in the hand table.
  const std::vector<std::int32_t>& hands() const noexcept { return hands_; }

  /// values[i].of[p] = ±chips × the other player's reach by hands that share no card with hand i: + for player 0.
  void fold(double chips, std::span<const Pair> reach, std::span<Pair> values) const;
  /// values[i].of[p] = chips × (the other player's reach by hands that hand i beats − by hands that beat it), none sharing a card.
  void showdown(double chips, std::span<const Pair> reach, std::span<Pair> values) const;
  /// Number of hands that hand i beats minus number of hands that beat it.
  void margins(std::span<std::int16_t> out) const;

 private:
  template <int Holes>
  void fold_of(double chips, std::span<const Pair> reach, std::span<Pair> values) const;
  template <int Holes>
  void showdown_of(double chips, std::span<const Pair> reach, std::span<Pair> values) const;
  template <int Holes>
  void margins_of(std::span<std::int16_t> out) const;
  void sort_by_strength(const Board& board);

  const HandTable* table_;  // outlives this
  std::vector<std::int32_t> hands_;
  std::vector<std::uint8_t> low_, high_;    // cards of the hands; one hole card: both
  std::vector<std::uint32_t> group_ends_;   // of hands of equal strength
  std::vector<std::uint64_t> keys_, swap_;  // strength and hand, for sorting
};

}  // namespace deepcfr
