#include "deepcfr/cfr/reservoir.h"

#include "deepcfr/core/error.h"

namespace deepcfr {

Reservoir::Reservoir(std::size_t record_bytes, std::uint64_t capacity, CounterRandom stream)
    : Reservoir(record_bytes, capacity, stream, RecordStorage::in_ram(record_bytes * capacity)) {}

Reservoir::Reservoir(std::size_t record_bytes, std::uint64_t capacity, CounterRandom stream, RecordStorage storage)
    : record_bytes_(record_bytes), capacity_(capacity), stream_(stream), storage_(std::move(storage)) {
  DEEPCFR_CHECK(record_bytes > 0 && capacity > 0 && storage_.bytes() / record_bytes == capacity && storage_.bytes() % record_bytes == 0);
}

}  // namespace deepcfr
