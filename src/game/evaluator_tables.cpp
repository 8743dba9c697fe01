// Builds the tables of the evaluator; see evaluator.h for the method.
#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/evaluator.h"

namespace deepcfr::detail {
namespace {

/// A multiset of ranks: bit r of at_least[n - 1] says that rank r is there n times or more.
struct RankMasks {
  std::array<unsigned, 4> at_least = {};
};

/// A multiset of ranks of one group (2..7 or 8..A), with the sum of its terms.
struct RankGroup {
  RankMasks masks;
  std::size_t sum = 0;
  int size = 0;
};

constexpr unsigned choose(unsigned n, unsigned k) noexcept {
  unsigned result = 1;
  for (unsigned i = 1; i <= k; ++i) result = i > n ? 0 : result * (n + 1 - i) / i;
  return result;
}

constexpr auto kChoose = [] {
  std::array<std::array<std::uint16_t, 6>, kRankCount + 1> table = {};
  for (unsigned n = 0; n <= kRankCount; ++n) {
    for (unsigned k = 0; k < 6; ++k) table[n][k] = static_cast<std::uint16_t>(choose(n, k));
  }
  return table;
}();
constexpr unsigned kKickers3 = kChoose[kRankCount][3];
constexpr unsigned kKickers2 = kChoose[kRankCount][2];

unsigned top_rank(unsigned mask) noexcept { return mask == 0 ? 0 : static_cast<unsigned>(std::bit_width(mask)) - 1; }

/// Place of the `count` highest ranks of `mask` (all of them if there are fewer) among the sets of as many ranks, ordered by
/// their highest rank, then the next, and so on. (Combinatorial number system.)
unsigned place_of_top(unsigned mask, int count) noexcept {
  int have = std::popcount(mask);
  for (; have > count; --have) mask &= mask - 1;
  unsigned place = 0;
  for (unsigned i = 1; mask != 0; ++i, mask &= mask - 1) {
    place += kChoose[static_cast<std::size_t>(std::countr_zero(mask))][i];
  }
  return place;
}

/// Highest rank of the best straight in `mask`, or 0. An ace (bit 12) also stands below the two: A2345 gives 3, the five.
unsigned straight_top(unsigned mask) noexcept {
  const unsigned with_low_ace = mask << 1 | mask >> 12;
  unsigned run = with_low_ace;
  for (int i = 1; i < 5; ++i) run &= with_low_ace >> i;
  return run == 0 ? 0 : top_rank(run) + 3;
}

constexpr HandRank make_rank(HandCategory category, unsigned place) noexcept {
  return static_cast<HandRank>(static_cast<unsigned>(category) << 12 | place);
}

/// Rank of a multiset of ranks without regard to suits. Missing kickers (fewer than 5 cards) count as nothing.
HandRank rank_of(const RankMasks& masks) noexcept {
  const auto& [all, pairs, triples, quads] = masks.at_least;
  if (quads != 0) {
    const unsigned quad = top_rank(quads);
    return make_rank(HandCategory::four_of_a_kind, quad * kRankCount + top_rank(all & ~(1U << quad)));
  }
  const unsigned triple = top_rank(triples);
  if (triples != 0 && (pairs & ~(1U << triple)) != 0) {
    return make_rank(HandCategory::full_house, triple * kRankCount + top_rank(pairs & ~(1U << triple)));
  }
  if (const unsigned top = straight_top(all); top != 0) return make_rank(HandCategory::straight, top);
  if (triples != 0) {
    return make_rank(HandCategory::three_of_a_kind, triple * kKickers2 + place_of_top(all & ~(1U << triple), 2));
  }
  if (std::popcount(pairs) >= 2) {
    const unsigned high = 1U << top_rank(pairs);
    const unsigned both = high | 1U << top_rank(pairs & ~high);
    return make_rank(HandCategory::two_pair, place_of_top(both, 2) * kRankCount + top_rank(all & ~both));
  }
  if (pairs != 0) {
    return make_rank(HandCategory::pair, top_rank(pairs) * kKickers3 + place_of_top(all & ~pairs, 3));
  }
  return make_rank(HandCategory::high_card, place_of_top(all, 5));
}

/// All multisets of up to 7 of the ranks first .. first + count - 1, smaller ones first.
std::vector<RankGroup> all_groups(int first, int count) {
  std::vector<RankGroup> groups = {RankGroup{}};
  for (int i = 0; i < count; ++i) {
    const std::size_t known = groups.size();
    for (std::size_t g = 0; g < known; ++g) {
      RankGroup group = groups[g];
      for (std::size_t n = 0; n < 4 && group.size < kMaxHandCards; ++n) {
        group.masks.at_least[n] |= 1U << (first + i);
        group.sum += kRankTerms[static_cast<std::size_t>(i)];
        ++group.size;
        groups.push_back(group);
      }
    }
  }
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
  return groups;
}

RankMasks unite(const RankMasks& a, const RankMasks& b) noexcept {
  RankMasks both;
  for (std::size_t n = 0; n < 4; ++n) both.at_least[n] = a.at_least[n] | b.at_least[n];
  return both;
}

}  // namespace

EvaluatorTables::EvaluatorTables() : low_row{}, high_column{}, ranks{}, flushes{} {
  const std::vector<RankGroup> lows = all_groups(0, kLowRanks);
  const std::vector<RankGroup> highs = all_groups(kLowRanks, kRankCount - kLowRanks);
  // A row holds what goes with one low group: high groups of up to 7 - size cards, which come first among the highs.
  std::size_t begin = 0;
  for (const RankGroup& low : lows) {
    low_row[low.sum] = static_cast<std::uint16_t>(begin / 2);
    std::size_t column = 0;
    for (; column < highs.size() && highs[column].size + low.size <= kMaxHandCards; ++column) {
      DEEPCFR_CHECK(begin + column < ranks.size(), std::to_string(begin));
      ranks[begin + column] = rank_of(unite(low.masks, highs[column].masks));
    }
    begin += column + column % 2;
  }
  DEEPCFR_CHECK(begin == ranks.size());
  for (std::size_t column = 0; column < highs.size(); ++column) {
    high_column[highs[column].sum] = static_cast<std::uint16_t>(column);
  }
  for (unsigned mask = 0; mask < flushes.size(); ++mask) {
    const unsigned top = straight_top(mask);
    flushes[mask] =
        top != 0 ? make_rank(HandCategory::straight_flush, top) : make_rank(HandCategory::flush, place_of_top(mask, 5));
  }
}

const EvaluatorTables& evaluator_tables() {
  static const EvaluatorTables tables;
  return tables;
}

}  // namespace deepcfr::detail
