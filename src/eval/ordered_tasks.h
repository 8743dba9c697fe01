// Work that is done in any order by several threads and taken in the order of its numbers: sums then have the same bits for any number of
// threads.
#pragma once

#include <cstddef>
#include <functional>

namespace deepcfr {

/// make(item, worker, slot) for every item in [0, count), in `threads` threads; take(item, slot) in the calling thread, item by item in order,
/// while the others go on. A slot, one of `slots`, belongs to an item from make to take. The first exception of either is rethrown after all
/// have stopped. threads, slots ≥ 1.
void run_in_order(std::size_t threads, std::size_t count, std::size_t slots,
                  const std::function<void(std::size_t item, std::size_t worker, std::size_t slot)>& make,
                  const std::function<void(std::size_t item, std::size_t slot)>& take);

}  // namespace deepcfr
