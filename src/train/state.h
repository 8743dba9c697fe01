// Everything that a run is, between two steps. What a checkpoint saves and a resume restores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "archive.h"
#include "batches.h"
#include "deepcfr/cfr/reservoir.h"
#include "deepcfr/cfr/sample.h"
#include "deepcfr/nn/network.h"
#include "deepcfr/train/options.h"

namespace deepcfr {

/// One iteration consists of 2 × players steps: player 0's traversals, player 0's fit, player 1's traversals, …
struct Position {
  std::int64_t completed = 0;  ///< whole iterations
  int step = 0;                ///< steps done of iteration completed + 1
  auto operator<=>(const Position&) const = default;
};

/// What the metrics line of an iteration will say, gathered step by step. Times are kept apart: checkpoints of whole iterations hold
/// none, so that equal runs have equal bytes.
struct IterationStats {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  nlohmann::ordered_json seconds = nlohmann::ordered_json::object();
  void add_seconds(const char* phase, double seconds_taken) { seconds[phase] = seconds.value(phase, 0.0) + seconds_taken; }
};

struct RunState {
  Position position;
  std::vector<std::shared_ptr<const Network>> advantage;  ///< by player; null before the first fit
  std::vector<std::shared_ptr<const Network>> strategy;   ///< by player; null before the first fit
  std::int64_t strategy_iteration = 0;                    ///< whole iterations when the strategy networks were fitted
  std::vector<Reservoir> advantage_memory;
  std::vector<Reservoir> strategy_memory;
  std::vector<MergedSums> advantage_sums;                 ///< of the memories; empty unless the fast path merges
  std::vector<MergedSums> strategy_sums;
  std::vector<std::unique_ptr<ArchiveWriter>> archive;    ///< by player; of a run that trains
  std::vector<ArchiveMark> archive_marks;                 ///< by player: as loaded
  std::uint64_t samples_hash = 0;                         ///< chain over all records ever made
  std::uint64_t total_traversals = 0;
  std::uint64_t total_decisions = 0;
  IterationStats partial;                                 ///< of the iteration under way
};

/// The fixed parts that state is made of.
struct RunParts {
  std::shared_ptr<const Game> game;
  std::shared_ptr<const SmallGame> small_game;       ///< null unless the game is small
  bool fast_path = false;                            ///< traversals by table
  std::shared_ptr<const SampleCodec> advantage_codec;
  std::shared_ptr<const SampleCodec> strategy_codec;
  FeatureLayout advantage_layout;
  FeatureLayout strategy_layout;
  bool merge = false;  ///< equal infosets of a memory are merged before a fit
  double scale = 1;    ///< chips per unit of a target

  Network fresh_network(const TrainOptions& options, bool strategy, int player, std::int64_t iteration) const;
};
RunParts make_parts(const TrainOptions& options);
/// Empty memories, no networks, no archive. Memories in files lie in memory.directory, which is relative to `run_dir` and made if needed.
RunState make_state(const TrainOptions& options, const RunParts& parts, const std::filesystem::path& run_dir = {});
/// Makes the sums anew from the memories: what a loaded state needs.
void rebuild_sums(const RunParts& parts, RunState& state);

}  // namespace deepcfr
