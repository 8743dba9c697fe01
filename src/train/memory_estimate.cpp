// What a run will take, counted before anything is allocated.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include "betting_table.h"
#include "deepcfr/core/error.h"
#include "deepcfr/train/run.h"
#include "machine_memory.h"
#include "prefetched_batches.h"
#include "state.h"

namespace deepcfr {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kHistoryNodes = 100;       // nodes of a traversal under way
constexpr std::uint64_t kRecordsOfTraversal = 200;  // in chunks that wait for their turn

/// Numbers that one row of a step passes through: activations and their gradients.
std::uint64_t floats_per_row(const FeatureLayout& layout, const NetworkOptions& network) {
  const auto width = static_cast<std::uint64_t>(layout.width);
  if (network.type == NetworkType::card_bet) return width + 4 * static_cast<std::uint64_t>(network.card_branch_width) + 20 * static_cast<std::uint64_t>(network.dim);
  return width + 2 * static_cast<std::uint64_t>(network.layers) * static_cast<std::uint64_t>(network.hidden);
}

/// The fit's own batch, those made ahead, the activations, and the table of histories.
std::uint64_t bytes_of_fit(const RunParts& parts, const FeatureLayout& layout, const NetworkOptions& network, const FitOptions& fit) {
  const RowShape shape{static_cast<std::size_t>(layout.width), static_cast<std::size_t>(parts.game->num_actions())};
  const auto rows = static_cast<std::uint64_t>(fit.batch_size);
  const std::uint64_t own = shape.floats() + 3 * shape.actions;  // rows as given, outputs and their gradients
  const std::uint64_t tables = parts.fast_path ? 0 : BettingTable::kMostBytes;
  return PrefetchedBatches::bytes_ahead(fit.batch_size, shape) + sizeof(float) * rows * (own + floats_per_row(layout, network)) + tables;
}

/// Sums kept with the memories of the fast path and its tables, or rows merged before a fit.
std::uint64_t bytes_merged(const TrainOptions& options, const RunParts& parts) {
  const auto actions = static_cast<std::uint64_t>(parts.game->num_actions());
  const auto players = static_cast<std::uint64_t>(parts.game->players());
  std::uint64_t bytes = 0;
  if (parts.small_game) {
    const auto infosets = static_cast<std::uint64_t>(parts.small_game->num_infosets());
    const auto widths = static_cast<std::uint64_t>(parts.advantage_layout.width + parts.strategy_layout.width);
    bytes += infosets * (sizeof(float) * widths + 8 * sizeof(double) * actions);  // features, mixture, strategies
    if (parts.fast_path && parts.merge) bytes += infosets * (2 * players * (16 + 16 * actions) + 16 + 8 * actions);
  }
  if (!parts.fast_path && parts.merge) {
    constexpr std::uint64_t kMapEntry = 64;
    const std::uint64_t row = sizeof(Infoset) + 8 + 8 * actions + kMapEntry;
    bytes += row * static_cast<std::uint64_t>(std::max(options.memory.advantage_capacity, options.memory.strategy_capacity));  // at worst
  }
  return bytes;
}

std::uint64_t bytes_of_traversal(const TrainOptions& options, const RunParts& parts) {
  if (parts.fast_path) return 0;
  const auto workers = static_cast<std::uint64_t>(options.traversal.workers);
  // a node with its strategy and its row in a minibatch
  const std::uint64_t node = sizeof(State) + 64 + 8 * static_cast<std::uint64_t>(parts.game->num_actions());
  const std::uint64_t row = sizeof(float) * static_cast<std::uint64_t>(parts.advantage_layout.width);
  const std::uint64_t under_way = workers * static_cast<std::uint64_t>(options.traversal.in_flight);
  const std::uint64_t minibatches = workers * static_cast<std::uint64_t>(parts.game->players()) * static_cast<std::uint64_t>(options.inference.batch) * 2 * row;
  return under_way * (kHistoryNodes * node + kRecordsOfTraversal * parts.advantage_codec->bytes()) + minibatches;
}

std::string bytes_text(std::uint64_t bytes) {
  char text[32];
  const auto value = static_cast<double>(bytes);
  if (value >= 1e9) {
    std::snprintf(text, sizeof text, "%.1f GB", value / 1e9);
  } else {
    std::snprintf(text, sizeof text, "%.1f MB", value / 1e6);
  }
  return text;
}

/// The key to lower, and the largest value with which the memories take `budget` bytes.
struct Fitting {
  std::string key;
  std::int64_t value;
  std::uint64_t takes;   // bytes of all players
  std::uint64_t largest;  // 0: none as long as the other key stays
  std::uint64_t both;     // the largest that both keys may have
};

Fitting fitting(const TrainOptions& options, const MemoryEstimate& estimate, std::uint64_t budget) {
  const bool advantage = estimate.advantage_bytes >= estimate.strategy_bytes;
  const std::int64_t value = advantage ? options.memory.advantage_capacity : options.memory.strategy_capacity;
  const std::uint64_t takes = advantage ? estimate.advantage_bytes : estimate.strategy_bytes;
  const std::uint64_t other = estimate.records_bytes() - takes;
  const std::uint64_t per_record = takes / static_cast<std::uint64_t>(value);
  const std::uint64_t per_other = other / static_cast<std::uint64_t>(advantage ? options.memory.strategy_capacity : options.memory.advantage_capacity);
  return {advantage ? "memory.advantage_capacity" : "memory.strategy_capacity", value, takes, budget > other ? (budget - other) / per_record : 0,
          budget / (per_record + per_other)};
}

[[noreturn]] void refuse(ErrorKind kind, const Fitting& f, const std::string& free, const std::string& where, const std::string& otherwise) {
  const std::string largest = f.largest > 0 ? "at most " + std::to_string(f.largest) + " fit"
                                            : "at most " + std::to_string(f.both) + " fit in memory.advantage_capacity and memory.strategy_capacity each";
  throw Error(kind, f.key + ": " + std::to_string(f.value) + " records for each player take " + bytes_text(f.takes) + ", but " + free, where,
              largest + otherwise);
}

/// The folder that a path lies in, as far as it is there already.
fs::path existing_part(fs::path path) {
  std::error_code ignored;
  path = fs::absolute(path);
  while (!fs::exists(path, ignored) && path.has_parent_path() && path != path.root_path()) path = path.parent_path();
  return path;
}

}  // namespace

MemoryEstimate estimate_memory(const TrainOptions& options) {
  const RunParts parts = make_parts(options);
  const auto players = static_cast<std::uint64_t>(parts.game->players());
  MemoryEstimate estimate;
  estimate.program_bytes = resident_bytes();
  estimate.advantage_bytes = players * static_cast<std::uint64_t>(options.memory.advantage_capacity) * parts.advantage_codec->bytes();
  estimate.strategy_bytes = players * static_cast<std::uint64_t>(options.memory.strategy_capacity) * parts.strategy_codec->bytes();
  estimate.memories_on_disk = options.memory.storage == MemoryStorage::file;
  estimate.traversal_bytes = bytes_of_traversal(options, parts);
  const std::uint64_t advantage = parts.fresh_network(options, false, 0, 0).parameter_count() * sizeof(float);
  const std::uint64_t strategy = parts.fresh_network(options, true, 0, 0).parameter_count() * sizeof(float);
  const std::uint64_t copies = 2 + static_cast<std::uint64_t>(options.traversal.workers);
  // of a fit: weights, gradient, two moments
  estimate.network_bytes = players * (advantage * copies + strategy * 2) + 4 * std::max(advantage, strategy);
  // the mixture of a larger game is read whole at an evaluation
  estimate.archive_bytes = parts.small_game ? 0 : players * advantage * static_cast<std::uint64_t>(options.algorithm.iterations);
  estimate.batch_bytes = std::max(bytes_of_fit(parts, parts.advantage_layout, options.advantage_network, options.advantage_fit),
                                  bytes_of_fit(parts, parts.strategy_layout, options.strategy_network, options.strategy_fit));
  estimate.merged_bytes = bytes_merged(options, parts);
  estimate.available = available_ram();
  return estimate;
}

void require_memory(const TrainOptions& options, const std::string& run_dir) {
  const MemoryEstimate estimate = estimate_memory(options);
  const std::uint64_t rest = estimate.total() - estimate.program_bytes - (estimate.memories_on_disk ? 0 : estimate.records_bytes());
  if (estimate.available > 0 && rest + (estimate.memories_on_disk ? 0 : estimate.records_bytes()) > estimate.available) {
    const std::uint64_t budget = estimate.available - std::min(estimate.available, rest);
    const std::string free = bytes_text(estimate.available) + " of RAM are free, of which " + bytes_text(rest) + " go to the rest of the run";
    if (budget < estimate.records_bytes() && !estimate.memories_on_disk && fitting(options, estimate, budget).both > 0) {
      refuse(ErrorKind::usage, fitting(options, estimate, budget), free, {}, "; or set memory.storage: file");
    }
    throw Error(ErrorKind::usage, "the run needs " + bytes_text(rest) + " beside its memories, but " + bytes_text(estimate.available) + " of RAM are free", {},
                "lower training.batch_size, the networks' sizes, algorithm.iterations (archived networks) or set algorithm.merge: off");
  }
  if (!estimate.memories_on_disk) return;
  const fs::path directory = fs::path(run_dir) / options.memory.directory;
  const std::uint64_t disk = free_disk_bytes(existing_part(directory));
  if (estimate.records_bytes() <= disk) return;
  refuse(ErrorKind::input, fitting(options, estimate, disk), bytes_text(disk) + " of its disk are free", directory.string(),
         "; or let memory.directory name another disk");
}

}  // namespace deepcfr
