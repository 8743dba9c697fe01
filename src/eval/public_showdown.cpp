#include "public_showdown.h"

#include <algorithm>
#include <array>

#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

using CardSums = std::array<Pair, kDeckSize>;

inline void add(Pair& to, const Pair& x) noexcept {
  to.of[0] += x.of[0];
  to.of[1] += x.of[1];
}
inline void subtract(Pair& from, const Pair& x) noexcept {
  from.of[0] -= x.of[0];
  from.of[1] -= x.of[1];
}

/// Sorts by the low 16 bits of the keys, 8 bits at a time; equal keys keep their order.
void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& swap) {
  swap.resize(keys.size());
  for (int shift = 0; shift < 16; shift += 8) {
    std::array<std::uint32_t, 257> place{};
    for (const std::uint64_t key : keys) ++place[((key >> shift) & 255) + 1];
    for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
    for (const std::uint64_t key : keys) swap[place[(key >> shift) & 255]++] = key;
    keys.swap(swap);
  }
}

}  // namespace

BoardHands::BoardHands(const HandTable& table, const Board& board, bool complete) : table_(&table) { set(board, complete); }

void BoardHands::set(const Board& board, bool complete) {
  hands_.clear();
  group_ends_.clear();
  for (std::int32_t h = 0; h < table_->count(); ++h)
    if ((table_->mask(h) & board.mask) == 0) hands_.push_back(h);
  if (complete) sort_by_strength(board);
  low_.resize(hands_.size());
  high_.resize(hands_.size());
  const auto last = static_cast<std::size_t>(table_->hole_cards() - 1);
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    low_[i] = table_->hole(hands_[i])[0];
    high_[i] = table_->hole(hands_[i])[last];
  }
}

void BoardHands::sort_by_strength(const Board& board) {
  const Evaluator evaluator;
  HandAccumulator common;
  for (int c = 0; c < board.count; ++c) common += board.cards[static_cast<std::size_t>(c)];
  keys_.clear();
  for (const std::int32_t h : hands_) {
    HandAccumulator hand = common;
    for (int c = 0; c < table_->hole_cards(); ++c) hand += table_->hole(h)[static_cast<std::size_t>(c)];
    keys_.push_back(static_cast<std::uint64_t>(h) << 16 | evaluator(hand));
  }
  radix_sort(keys_, swap_);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    hands_[i] = static_cast<std::int32_t>(keys_[i] >> 16);
    if (i + 1 == keys_.size() || ((keys_[i] ^ keys_[i + 1]) & 0xffff) != 0) group_ends_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

template <int Holes>
void BoardHands::fold_of(double chips, std::span<const Pair> reach, std::span<Pair> values) const {
  Pair total;
  CardSums by_card{};
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    add(total, reach[i]);
    add(by_card[low_[i]], reach[i]);
    if constexpr (Holes == 2) add(by_card[high_[i]], reach[i]);
  }
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    Pair left = total;
    subtract(left, by_card[low_[i]]);
    if constexpr (Holes == 2) {
      subtract(left, by_card[high_[i]]);
      add(left, reach[i]);  // taken out with either card
    }
    values[i].of[0] = chips * left.of[1];
    values[i].of[1] = -chips * left.of[0];
  }
}

template <int Holes>
void BoardHands::showdown_of(double chips, std::span<const Pair> reach, std::span<Pair> values) const {
  Pair total;
  CardSums all{};
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    add(total, reach[i]);
    add(all[low_[i]], reach[i]);
    if constexpr (Holes == 2) add(all[high_[i]], reach[i]);
  }
  // wins − losses = (weaker) − (all − weaker and equal), each without hands that share a card.
  Pair sum;
  CardSums by_card{};
  std::size_t first = 0;
  const auto without_shared = [&](std::size_t i) {
    Pair left = sum;
    subtract(left, by_card[low_[i]]);
    if constexpr (Holes == 2) subtract(left, by_card[high_[i]]);
    return left;
  };
  for (const std::uint32_t end : group_ends_) {
    for (std::size_t i = first; i < end; ++i) values[i] = without_shared(i);
    for (std::size_t i = first; i < end; ++i) {
      add(sum, reach[i]);
      add(by_card[low_[i]], reach[i]);
      if constexpr (Holes == 2) add(by_card[high_[i]], reach[i]);
    }
    for (std::size_t i = first; i < end; ++i) {
      Pair margin = values[i];
      add(margin, without_shared(i));
      subtract(margin, total);
      add(margin, all[low_[i]]);
      if constexpr (Holes == 2) add(margin, all[high_[i]]);
      values[i].of[0] = chips * margin.of[1];
      values[i].of[1] = chips * margin.of[0];
    }
    first = end;
  }
}

template <int Holes>
void BoardHands::margins_of(std::span<std::int16_t> out) const {
  std::array<int, kDeckSize> all{}, by_card{};
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    ++all[low_[i]];
    if constexpr (Holes == 2) ++all[high_[i]];
  }
  int sum = 0;
  const int total = static_cast<int>(hands_.size());
  std::size_t first = 0;
  const auto without_shared = [&](std::size_t i) { return sum - by_card[low_[i]] - (Holes == 2 ? by_card[high_[i]] : 0); };
  for (const std::uint32_t end : group_ends_) {
    for (std::size_t i = first; i < end; ++i) out[i] = static_cast<std::int16_t>(without_shared(i));
    for (std::size_t i = first; i < end; ++i) {
      ++sum;
      ++by_card[low_[i]];
      if constexpr (Holes == 2) ++by_card[high_[i]];
    }
    for (std::size_t i = first; i < end; ++i)
      out[i] = static_cast<std::int16_t>(out[i] + without_shared(i) - total + all[low_[i]] + (Holes == 2 ? all[high_[i]] : 0));
    first = end;
  }
}

void BoardHands::fold(double chips, std::span<const Pair> reach, std::span<Pair> values) const {
  return table_->hole_cards() == 2 ? fold_of<2>(chips, reach, values) : fold_of<1>(chips, reach, values);
}

void BoardHands::showdown(double chips, std::span<const Pair> reach, std::span<Pair> values) const {
  return table_->hole_cards() == 2 ? showdown_of<2>(chips, reach, values) : showdown_of<1>(chips, reach, values);
}

void BoardHands::margins(std::span<std::int16_t> out) const {
  return table_->hole_cards() == 2 ? margins_of<2>(out) : margins_of<1>(out);
}

}  // namespace deepcfr
