// Uniform reservoir over a stream of packed records (Vitter 1985, algorithm R).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "deepcfr/core/random.h"

namespace deepcfr {

/// After n records each is kept with probability capacity / n (statement 9). Draws are keyed by (stream, n), so the whole state is
/// the records and the 64-bit count. One thread at a time for changes; any number for reads between changes. Memory is one
/// flat array, reserved at once and touched as it fills.
class Reservoir {
 public:
  Reservoir(std::size_t record_bytes, std::uint64_t capacity, CounterRandom stream);

  void add(const std::byte* record) noexcept {
    add(record, [](const std::byte*) noexcept {});
  }
  /// The same; `kept(old)` is called before a record is stored, with the record that it displaces or null. Not called if it is not kept.
  template <typename Kept>
  void add(const std::byte* record, Kept&& kept) {
    std::uint64_t slot = seen_;
    if (seen_ >= capacity_) slot = stream_.below(seen_, seen_ + 1);  // item n (1-based) survives with probability capacity / n
    if (slot < capacity_) {
      std::byte* place = data_.get() + slot * record_bytes_;
      kept(seen_ < capacity_ ? nullptr : static_cast<const std::byte*>(place));
      std::memcpy(place, record, record_bytes_);
    }
    ++seen_;
  }

  std::uint64_t size() const noexcept { return seen_ < capacity_ ? seen_ : capacity_; }
  std::uint64_t seen() const noexcept { return seen_; }
  std::uint64_t capacity() const noexcept { return capacity_; }
  std::size_t record_bytes() const noexcept { return record_bytes_; }
  const std::byte* record(std::uint64_t i) const noexcept { return data_.get() + i * record_bytes_; }  ///< i < size()
  std::span<const std::byte> bytes() const noexcept { return {data_.get(), size() * record_bytes_}; }

  /// Replaces all contents: `seen` items went by, `fill` writes the size() × record_bytes bytes that are kept.
  template <typename Fill>
  void restore(std::uint64_t seen, Fill&& fill) {
    seen_ = seen;
    fill(std::span<std::byte>(data_.get(), size() * record_bytes_));
  }

 private:
  std::size_t record_bytes_;
  std::uint64_t capacity_;
  CounterRandom stream_;
  std::uint64_t seen_ = 0;
  std::unique_ptr<std::byte[]> data_;
};

}  // namespace deepcfr
