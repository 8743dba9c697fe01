// The traversals of one player and iteration, by all workers.
#pragma once

#include <functional>
#include <memory>

#include "deepcfr/cfr/traversal.h"
#include "deepcfr/core/thread_group.h"
#include "state.h"

namespace deepcfr {

/// Splits the traversals into chunks, runs them in the group's threads, adds the records to the memories in chunk order: the result
/// does not depend on the number of workers. `strategies` is the table of the fast path, empty otherwise.
/// `progress(fraction)` is called from this thread.
TraversalCounts run_traversals(const TrainOptions& options, const RunParts& parts, RunState& state, int traverser,
                               std::span<const double> strategies, ThreadGroup& workers,
                               const std::function<void(double)>& progress);

}  // namespace deepcfr
