// What a run will take, counted before anything is allocated.
#include <algorithm>
#include <fstream>
#include <string>

#include "deepcfr/train/run.h"
#include "state.h"

namespace deepcfr {
namespace {

std::uint64_t available_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  std::uint64_t kilobytes = 0;
  std::string unit;
  while (meminfo >> key >> kilobytes) {
    if (key == "MemAvailable:") return kilobytes * 1024;
    std::getline(meminfo, unit);
  }
  return 0;
}

}  // namespace

MemoryEstimate estimate_memory(const TrainOptions& options) {
  const RunParts parts = make_parts(options);
  const auto players = static_cast<std::uint64_t>(parts.game->players());
  MemoryEstimate estimate;
  estimate.advantage_bytes = players * static_cast<std::uint64_t>(options.memory.advantage_capacity) * parts.advantage_codec->bytes();
  estimate.strategy_bytes = players * static_cast<std::uint64_t>(options.memory.strategy_capacity) * parts.strategy_codec->bytes();
  // a node of a traversal under way with its strategy, a few dozen nodes for a traversal
  const std::uint64_t node_bytes = sizeof(State) + 64 + 8 * static_cast<std::uint64_t>(parts.game->num_actions());
  if (!parts.fast_path) {
    estimate.traversal_bytes = static_cast<std::uint64_t>(options.traversal.workers) * static_cast<std::uint64_t>(options.traversal.in_flight) * 100 * node_bytes;
  }
  const std::uint64_t advantage = parts.fresh_network(options, false, 0, 0).parameter_count() * sizeof(float);
  const std::uint64_t strategy = parts.fresh_network(options, true, 0, 0).parameter_count() * sizeof(float);
  const std::uint64_t copies = 2 + static_cast<std::uint64_t>(options.traversal.workers);
  estimate.network_bytes = players * (advantage * copies + strategy * 2) + 4 * std::max(advantage, strategy);
  // the mixture of a larger game is read whole at an evaluation
  estimate.archive_bytes = parts.small_game ? 0 : players * advantage * static_cast<std::uint64_t>(options.algorithm.iterations);
  estimate.available = available_bytes();
  return estimate;
}

}  // namespace deepcfr
