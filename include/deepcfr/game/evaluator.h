// Hand evaluator: the strength of 1 to 7 cards as one number, HIGHER IS BETTER.
//
// With 5, 6 or 7 cards: the best five; these ranks share one scale of 7,462 classes. With fewer than 5 cards (toy games:
// hole and board cards together) there are no straights and no flushes; pairs, two pairs, three and four of a kind and the
// other cards count, as in the ACPC reference engine: a Leduc pair beats any high card. Ranks of fewer than 5 cards compare
// only with ranks of equally many cards. Suits never rank.
//
// Method: every card adds a constant to one 64-bit word; the word then holds a sum for the ranks 2..7, a sum for the ranks
// 8..A and a counter for each suit. The sums are distinct for distinct multisets of ranks, so two small tables turn them
// into the coordinates of one dense table of all 76,155 multisets of up to 7 ranks. Five cards of a suit among at most seven
// exclude full houses and four of a kind, so a flush is read from a table of suit masks alone. 272 KiB of tables in all.
// Additive rank keys and suit counters are common to table evaluators; the split into a dense table is ours.
//
// Threads: any number may evaluate. The tables are built by the first use in the process, about a millisecond, on whichever
// thread comes first (others wait), are never written again and never destroyed: calls from constructors and destructors of
// static objects are safe.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "deepcfr/game/cards.h"

namespace deepcfr {

/// In ascending order of strength.
enum class HandCategory : std::uint8_t {
  high_card,
  pair,
  two_pair,
  three_of_a_kind,
  straight,
  flush,
  full_house,
  four_of_a_kind,
  straight_flush,
};
inline constexpr int kHandCategoryCount = 9;
inline constexpr int kMaxHandCards = 7;

constexpr HandCategory category(HandRank rank) noexcept { return static_cast<HandCategory>(rank >> 12); }
/// "high card", "pair", "two pair", ...
const char* category_name(HandCategory category) noexcept;

class HandAccumulator;
/// Rank of a hand of 1 to 7 cards: two dependent table reads.
inline HandRank evaluate(const HandAccumulator& hand);
/// The same, checked: throws Error{bug} unless there are 1 to 7 distinct cards of 0..51. For cards from a user call
/// require_hand first.
HandRank evaluate(std::span<const Card> cards);
/// Throws Error{usage} unless there are 1 to 7 distinct cards.
void require_hand(std::span<const Card> cards);

namespace detail {
struct CardTerms;
struct EvaluatorTables;
const EvaluatorTables& evaluator_tables();
}  // namespace detail

/// A handle on the tables: `evaluate` without the check whether they are built, for inner loops (measured: about twice as
/// fast in an enumeration). Make one before the loop; copies are free; never invalid.
class Evaluator {
 public:
  Evaluator() : tables_(&detail::evaluator_tables()) {}
  HandRank operator()(const HandAccumulator& hand) const noexcept;

 private:
  const detail::EvaluatorTables* tables_;
};

/// A set of at most 7 distinct cards, ready to be evaluated; value type of 16 bytes. Sets add up: build the board once, then
/// add each hand. Cards are 0..51, distinct and at most 7: not checked in release builds.
class HandAccumulator {
 public:
  constexpr HandAccumulator() noexcept = default;
  constexpr HandAccumulator& operator+=(Card card) noexcept;
  constexpr HandAccumulator& operator+=(const HandAccumulator& other) noexcept {
    sums_ += other.sums_;
    masks_ += other.masks_;
    return *this;
  }
  friend constexpr HandAccumulator operator+(HandAccumulator hand, Card card) noexcept { return hand += card; }
  friend constexpr HandAccumulator operator+(HandAccumulator hand, const HandAccumulator& other) noexcept {
    return hand += other;
  }
  /// Number of cards, 0..7. Adding an invalid card or one that is already there makes it less than the number added.
  constexpr int size() const noexcept { return std::popcount(masks_); }

 private:
  friend class Evaluator;
  friend struct detail::CardTerms;

  constexpr HandAccumulator(std::uint64_t sums, std::uint64_t masks) noexcept : sums_(sums), masks_(masks) {}

  std::uint64_t sums_ = 0;   // bits 0-15: sum of ranks 8..A, 16-31: sum of ranks 2..7, 32-47: four bits for each suit
  std::uint64_t masks_ = 0;  // 16 bits for each suit, bit r: rank r is there
};

namespace detail {  // what the inline functions need; not for other use

/// The smallest increasing numbers such that all sums of up to 7 of them, each at most 4 times, are distinct.
inline constexpr std::array<std::uint16_t, 7> kRankTerms = {1, 5, 24, 112, 521, 2247, 9244};
inline constexpr int kLowRanks = 6;  // ranks 2..7 use the first six, ranks 8..A all seven

/// Built once, immutable.
struct EvaluatorTables {
  EvaluatorTables();

  std::array<std::uint16_t, 4 * 2247 + 3 * 521 + 1> low_row;       // by sum of ranks 2..7: half the first place of its row
  std::array<std::uint16_t, 4 * 9244 + 3 * 2247 + 1> high_column;  // by sum of ranks 8..A: place in the row
  std::array<HandRank, 76842> ranks;                               // rows begin at even places
  std::array<HandRank, 8192> flushes;                              // by mask of one suit's ranks; 5 to 7 bits set
};

/// What each card adds. Indexes above 51 add nothing, so that size() tells.
struct CardTerms {
  constexpr CardTerms() noexcept {
    for (int card = 0; card < kDeckSize; ++card) {
      const int rank = card_rank(static_cast<Card>(card));
      const int suit = card_suit(static_cast<Card>(card));
      const bool low = rank < kLowRanks;
      const std::uint64_t term = kRankTerms[static_cast<std::size_t>(low ? rank : rank - kLowRanks)];
      of[static_cast<std::size_t>(card)] = HandAccumulator((term << (low ? 16 : 0)) + (std::uint64_t{1} << (32 + 4 * suit)),
                                                           std::uint64_t{1} << (16 * suit + rank));
    }
  }
  std::array<HandAccumulator, 256> of = {};
};
inline constexpr CardTerms kCardTerms;

}  // namespace detail

constexpr HandAccumulator& HandAccumulator::operator+=(Card card) noexcept { return *this += detail::kCardTerms.of[card]; }

inline HandRank Evaluator::operator()(const HandAccumulator& hand) const noexcept {
  assert(hand.size() >= 1 && hand.size() <= kMaxHandCards);
  // A counter plus 3 reaches its top bit from 5 on, and does not overflow at 7.
  const std::uint64_t flush = (hand.sums_ + (std::uint64_t{0x3333} << 32)) & (std::uint64_t{0x8888} << 32);
  if (flush != 0) [[unlikely]] {
    const int suit = (std::countr_zero(flush) - 32) / 4;
    return tables_->flushes[(hand.masks_ >> (16 * suit)) & 0x1fffU];
  }
  const std::size_t row = 2 * std::size_t{tables_->low_row[(hand.sums_ >> 16) & 0xffffU]};
  return tables_->ranks[row + tables_->high_column[hand.sums_ & 0xffffU]];
}

inline HandRank evaluate(const HandAccumulator& hand) { return Evaluator()(hand); }

}  // namespace deepcfr
