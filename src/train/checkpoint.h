// Checkpoints: directories that appear by one rename after fsync. Layout and versions: docs/formats.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "state.h"

namespace deepcfr {

inline constexpr int kCheckpointVersion = 1;

/// Where the files of a run lie.
struct RunPaths {
  std::filesystem::path root;
  std::filesystem::path config() const { return root / "config.yaml"; }
  std::filesystem::path metrics() const { return root / "metrics.jsonl"; }
  std::filesystem::path log() const { return root / "log.txt"; }
  std::filesystem::path checkpoints() const { return root / "checkpoints"; }
  std::filesystem::path archive(int player) const { return root / "archive" / ("advantage_p" + std::to_string(player) + ".bin"); }
};

/// Keys that must not change between the parts of a run, as key → text.
nlohmann::ordered_json fixed_options(const TrainOptions& options);
/// Error{usage} naming the first key that differs, both values and what may change.
void require_same_options(const nlohmann::ordered_json& saved, const TrainOptions& options);

/// Saves the state; afterwards the newest `keep` checkpoints are left.
void save_checkpoint(const RunPaths& paths, const TrainOptions& options, const RunParts& parts, RunState& state, std::int64_t keep);

/// Removes what a killed save left behind.
void remove_leftovers(const RunPaths& paths);

/// The newest whole checkpoint. Damaged ones are passed over with a warning naming the file; Error{input} if none is whole.
/// for_training: memories and archives are opened too; otherwise only networks. `iteration`: only checkpoints of that many completed
/// iterations count.
RunState load_checkpoint(const RunPaths& paths, const TrainOptions& options, const RunParts& parts, bool for_training,
                         std::vector<std::string>& warnings, std::optional<std::int64_t> iteration = {});
/// Completed iterations of the checkpoints that a run has, newest first. Nothing is verified.
std::vector<std::int64_t> checkpoint_iterations(const RunPaths& paths);
/// Archived networks by player, up to the marks of a loaded checkpoint.
std::vector<std::vector<ArchivedNetwork>> load_archives(const RunPaths& paths, const std::vector<ArchiveMark>& marks);

/// A player's memory in the newest whole checkpoint: [u64 seen][u64 capacity][u64 record bytes][records].
std::filesystem::path memory_file(const RunPaths& paths, SampleKind kind, int player, std::vector<std::string>& warnings);

}  // namespace deepcfr
