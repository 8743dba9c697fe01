// Rows of an encoder as an engine wants to have them.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "bfloat16_kernel.h"
#include "deepcfr/nn/forward_engine.h"
#include "reference.h"

namespace deepcfr::test {

/// One worker's rows for one player: encoded rows in, advantages out.
class Rows {
 public:
  /// Slots: one for each different hand among the rows, numbered as they come.
  Rows(const ForwardEngine& engine, const FeatureLayout& layout, int player, int actions, std::span<const float> rows)
      : width_(static_cast<std::size_t>(layout.width)), card_count_(static_cast<std::size_t>(layout.card_count)) {
    const RowFormat format = engine.format(player);
    const std::size_t count = rows.size() / width_;
    if (format.shared_cards) slots_.resize(count, layout.card_count, format.card_vector);
    batch_.prepare(player, format, static_cast<std::int64_t>(std::max<std::size_t>(1, count)), actions, &slots_);
    batch_.rows = static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < count; ++i) fill(i, rows.subspan(i * width_, width_));
  }
  Minibatch& batch() { return batch_; }
  CardSlots& slots() { return slots_; }
  std::size_t hands() const { return hands_.size(); }
  std::vector<float> advantages() const { return batch_.advantages; }

 private:
  void fill(std::size_t i, std::span<const float> row) {
    if (batch_.format.shared_cards) {
      const auto slot = hands_.try_emplace({row.begin(), row.begin() + static_cast<std::ptrdiff_t>(card_count_)}, hands_.size());
      batch_.card_slot[i] = static_cast<std::uint32_t>(slot.first->second);
      std::copy_n(row.begin(), card_count_,
                  slots_.numbers.begin() + static_cast<std::ptrdiff_t>(slot.first->second * card_count_));
      row = row.subspan(card_count_);
    }
    ASSERT_EQ(row.size(), static_cast<std::size_t>(batch_.format.width));
    std::byte* to = batch_.row(static_cast<std::int64_t>(i));
    if (batch_.format.type == RowType::float32)
      std::copy(row.begin(), row.end(), reinterpret_cast<float*>(to));
    else
      std::transform(row.begin(), row.end(), reinterpret_cast<nn::Bfloat16Bits*>(to), to_bfloat16);
  }

  std::size_t width_, card_count_;
  CardSlots slots_;
  Minibatch batch_;
  std::map<std::vector<float>, std::size_t> hands_;
};

inline void run(ForwardEngine& engine, std::vector<Minibatch*> batches) { engine.forward(batches); }

/// Advantages of rows in one minibatch.
inline std::vector<float> answers(ForwardEngine& engine, const Network& network, std::span<const float> rows, int player = 0) {
  Rows batch(engine, network.layout(), player, network.outputs(), rows);
  run(engine, {&batch.batch()});
  return batch.advantages();
}

/// Rows whose cards are one of `hands` hands, in turn.
inline std::vector<float> rows_with_hands(const FeatureLayout& layout, std::int64_t count, std::int64_t hands,
                                          std::uint64_t seed) {
  std::vector<float> rows = random_rows(layout, count, seed);
  const auto width = static_cast<std::size_t>(layout.width);
  for (std::size_t i = static_cast<std::size_t>(hands); i < static_cast<std::size_t>(count); ++i)
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(i % static_cast<std::size_t>(hands) * width), layout.card_count,
                rows.begin() + static_cast<std::ptrdiff_t>(i * width));
  return rows;
}

}  // namespace deepcfr::test
