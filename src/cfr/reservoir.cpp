#include "deepcfr/cfr/reservoir.h"

#include "deepcfr/core/error.h"

namespace deepcfr {

Reservoir::Reservoir(std::size_t record_bytes, std::uint64_t capacity, CounterRandom stream)
    : record_bytes_(record_bytes),
      capacity_(capacity),
      stream_(stream),
      data_(std::make_unique_for_overwrite<std::byte[]>(record_bytes * capacity)) {
  DEEPCFR_CHECK(record_bytes > 0 && capacity > 0);
}

}  // namespace deepcfr
