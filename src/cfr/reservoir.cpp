#include "deepcfr/cfr/reservoir.h"

#include <cstring>

#include "deepcfr/core/error.h"

namespace deepcfr {

Reservoir::Reservoir(std::size_t record_bytes, std::uint64_t capacity, CounterRandom stream)
    : record_bytes_(record_bytes),
      capacity_(capacity),
      stream_(stream),
      data_(std::make_unique_for_overwrite<std::byte[]>(record_bytes * capacity)) {
  DEEPCFR_CHECK(record_bytes > 0 && capacity > 0);
}

void Reservoir::add(const std::byte* record) noexcept {
  std::uint64_t slot = seen_;
  if (seen_ >= capacity_) slot = stream_.below(seen_, seen_ + 1);  // item n (1-based) survives with probability capacity / n
  if (slot < capacity_) std::memcpy(data_.get() + slot * record_bytes_, record, record_bytes_);
  ++seen_;
}

void Reservoir::add_all(std::span<const std::byte> records) noexcept {
  for (std::size_t at = 0; at < records.size(); at += record_bytes_) add(records.data() + at);
}

}  // namespace deepcfr
