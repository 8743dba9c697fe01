// Uniform reservoir over a stream of packed records (Vitter 1985, algorithm R).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "deepcfr/cfr/record_storage.h"
#include "deepcfr/core/random.h"

namespace deepcfr {

/// After n records each is kept with probability capacity / n (statement 9). Draws are keyed by (stream, n), so the whole state is
/// the records and the 64-bit count. One thread at a time for changes; any number for reads between changes. Memory is one
/// flat array, reserved at once and touched as it fills.
class Reservoir {
 public:
  /// In RAM. record_bytes · capacity < 2^63.
  Reservoir(std::size_t record_bytes, std::uint64_t capacity, CounterRandom stream);
  /// In `storage` of record_bytes · capacity bytes.
  Reservoir(std::size_t record_bytes, std::uint64_t capacity, CounterRandom stream, RecordStorage storage);

  void add(const std::byte* record) noexcept {
    add(record, [](const std::byte*) noexcept {});
  }
  /// The same; `kept(old)` is called before a record is stored, with the record that it displaces or null. Not called if it is not kept.
  template <typename Kept>
  void add(const std::byte* record, Kept&& kept) {
    store(record, slot_of(seen_), kept);
  }
  /// Records back to back, as if added one by one; faster, since the places of the next ones are fetched in the meantime.
  template <typename Kept>
  void add_all(std::span<const std::byte> records, Kept&& kept) {
    const std::uint64_t count = records.size() / record_bytes_;
    const std::uint64_t first = seen_;
    std::array<std::uint64_t, kLookahead> slots;
    const auto call_for = [&](std::uint64_t i) {
      const std::uint64_t slot = slots[i % kLookahead] = slot_of(first + i);
      if (slot >= capacity_) return;
      __builtin_prefetch(storage_.data() + slot * record_bytes_, 1);
      __builtin_prefetch(storage_.data() + (slot + 1) * record_bytes_ - 1, 1);
    };
    const std::byte* record = records.data();
    for (std::uint64_t i = 0; i < count && i < kLookahead; ++i) call_for(i);
    for (std::uint64_t i = 0; i < count; ++i, record += record_bytes_) {
      store(record, slots[i % kLookahead], kept);
      if (i + kLookahead < count) call_for(i + kLookahead);
    }
  }
  void add_all(std::span<const std::byte> records) {
    add_all(records, [](const std::byte*) noexcept {});
  }

  std::uint64_t size() const noexcept { return seen_ < capacity_ ? seen_ : capacity_; }
  std::uint64_t seen() const noexcept { return seen_; }
  std::uint64_t capacity() const noexcept { return capacity_; }
  std::size_t record_bytes() const noexcept { return record_bytes_; }
  const std::byte* record(std::uint64_t i) const noexcept { return storage_.data() + i * record_bytes_; }  ///< i < size()
  std::span<const std::byte> bytes() const noexcept { return {storage_.data(), size() * record_bytes_}; }

  /// Replaces all contents: `seen` items went by, `fill` writes the size() × record_bytes bytes that are kept.
  template <typename Fill>
  void restore(std::uint64_t seen, Fill&& fill) {
    seen_ = seen;
    fill(std::span<std::byte>(storage_.data(), size() * record_bytes_));
  }

 private:
  static constexpr std::uint64_t kLookahead = 16;  // records

  /// Where the n-th record (from 0) goes; at or beyond the capacity: nowhere. Item n + 1 survives with probability capacity / (n + 1).
  std::uint64_t slot_of(std::uint64_t n) const noexcept { return n < capacity_ ? n : stream_.below(n, n + 1); }
  template <typename Kept>
  void store(const std::byte* record, std::uint64_t slot, Kept&& kept) {
    if (slot < capacity_) {
      std::byte* place = storage_.data() + slot * record_bytes_;
      kept(seen_ < capacity_ ? nullptr : static_cast<const std::byte*>(place));
      std::memcpy(place, record, record_bytes_);
    }
    ++seen_;
  }

  std::size_t record_bytes_;
  std::uint64_t capacity_;
  CounterRandom stream_;
  std::uint64_t seen_ = 0;
  RecordStorage storage_;
};

}  // namespace deepcfr
