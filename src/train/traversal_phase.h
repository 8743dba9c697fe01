// The traversals of one player and iteration, by all workers.
#pragma once

#include <functional>
#include <memory>

#include "deepcfr/cfr/traversal.h"
#include "deepcfr/core/thread_group.h"
#include "deepcfr/nn/device.h"
#include "state.h"

namespace deepcfr {

/// Engines on a device, kept for a whole run: their buffers and graphs stay, weights change in place.
class DeviceEngines {
 public:
  DeviceEngines(ComputeDevice device, const ForwardOptions& options);
  ~DeviceEngines();
  /// With the networks of the phase that begins. No forward may be under way.
  std::vector<ForwardEngine*> of_phase(const Game& game, const std::vector<std::shared_ptr<const Network>>& networks);

 private:
  ComputeDevice device_;
  ForwardOptions options_;
  std::unique_ptr<DeviceEngine> engine_;
  std::unique_ptr<ForwardEngine> second_;
};

/// What phases of a run share.
struct PhaseTools {
  ThreadGroup& workers;
  DeviceEngines* device = nullptr;  ///< null: on the CPU. On a device all forwards go through the server.
};

/// Splits the traversals into chunks, runs them in the workers' threads, adds the records to the memories in chunk order: the result
/// does not depend on the number of workers. `strategies` is the table of the fast path, empty otherwise.
/// `progress(fraction)` is called from this thread.
TraversalCounts run_traversals(const TrainOptions& options, const RunParts& parts, RunState& state, int traverser,
                               std::span<const double> strategies, const PhaseTools& tools,
                               const std::function<void(double)>& progress);

}  // namespace deepcfr
