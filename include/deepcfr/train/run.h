// One training run: its loop, its directory, and the agent that comes out.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "deepcfr/cfr/advantage_source.h"
#include "deepcfr/cfr/policy.h"
#include "deepcfr/cfr/sample.h"
#include "deepcfr/cfr/small_game.h"
#include "deepcfr/eval/best_response.h"
#include "deepcfr/eval/match.h"
#include "deepcfr/train/options.h"

namespace deepcfr {

/// Result of one evaluation. Chips are turned into `unit`.
struct EvaluationResult {
  std::vector<MatchResult> matches;
  struct Exact {
    ExploitabilityReport report;  ///< in chips
    double nash_conv = 0;         ///< in `unit`
    double exploitability = 0;
  };
  std::optional<Exact> network;   ///< of the strategy network (small games)
  std::optional<Exact> mixture;   ///< of the single-Deep-CFR mixture
  std::optional<Exact> current;   ///< of the last advantage networks: not an average policy
  std::optional<double> disagreement;  ///< mean total variation between network and mixture over strategy records; if both were there
  std::string unit;
};

/// Where a run is, for terminals. Called from the thread that trains.
struct Progress {
  std::int64_t iteration = 0, iterations = 0;
  std::string phase;            ///< "traversal", "advantage network", "strategy network", "evaluation", "checkpoint"
  double phase_fraction = 0;    ///< 0..1
  double seconds_left = 0;      ///< of the run, < 0 unknown
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void progress(const Progress& progress) = 0;
  virtual void line(const std::string& text) = 0;     ///< a finished line: one for each iteration, and remarks
  virtual void warning(const std::string& text) = 0;
};

enum class RunEnd { finished, interrupted };
struct RunOutcome {
  RunEnd end = RunEnd::finished;
  std::int64_t iteration = 0;
  std::string run_dir;
  std::optional<EvaluationResult> last_evaluation;
};

/// Memory that a run will take, told before anything is allocated.
struct MemoryEstimate {
  std::uint64_t advantage_bytes = 0, strategy_bytes = 0;  ///< of all players' memories of records
  bool memories_on_disk = false;   ///< memory.storage: file; they then count as disk, not as RAM
  std::uint64_t traversal_bytes = 0, network_bytes = 0, archive_bytes = 0;
  std::uint64_t batch_bytes = 0;   ///< batches of a fit, made and under way, with the activations of a step
  std::uint64_t merged_bytes = 0;  ///< merged records and the tables of a small game
  std::uint64_t program_bytes = 0; ///< the program and its libraries, as they are now
  std::uint64_t records_bytes() const noexcept { return advantage_bytes + strategy_bytes; }
  std::uint64_t total() const noexcept {  ///< RAM
    return (memories_on_disk ? 0 : records_bytes()) + traversal_bytes + network_bytes + archive_bytes + batch_bytes + merged_bytes + program_bytes;
  }
  std::uint64_t available = 0;     ///< RAM of the machine, or of this process's cgroup, that is free now
};
MemoryEstimate estimate_memory(const TrainOptions& options);
/// Error{usage} naming the key, its value and the capacity that fits if the run needs more RAM than is free; Error{input} naming the folder if
/// memories in files need more than its disk has free. start_run and resume_run ask it before they touch anything.
void require_memory(const TrainOptions& options, const std::string& run_dir);

/// Starts a new run in `run_dir` (must not exist or be empty: Error{input} naming `resume`). `resolved_yaml` is written as
/// config.yaml. `stop`: 1 finishes the phase, saves and returns interrupted; set by signal handlers.
RunOutcome start_run(const TrainOptions& options, const std::string& resolved_yaml, const std::string& run_dir, RunObserver& observer,
                     const std::atomic<int>& stop);
/// Goes on from the newest whole checkpoint; options are those of the run's config.yaml, possibly with changed
/// algorithm.iterations, traversal.workers, evaluation.*, checkpoint.* (others: Error{usage}; compared with those saved in the
/// checkpoint).
RunOutcome resume_run(const TrainOptions& options, const std::string& resolved_yaml, const std::string& run_dir, RunObserver& observer,
                      const std::atomic<int>& stop);

/// A trained agent, read from a checkpoint of a run.
struct Agent {
  std::shared_ptr<const Game> game;
  std::shared_ptr<const SmallGame> small_game;  ///< null unless small
  std::int64_t iteration = 0;
  std::unique_ptr<Policy> network;   ///< strategy network; null if it was not fitted or is not kept
  std::unique_ptr<Policy> mixture;   ///< single Deep CFR
  std::unique_ptr<Policy> current;   ///< last advantage networks
  std::unique_ptr<AdvantageSource> advantages;  ///< what the networks of `current` predict, in chips
  std::vector<bool> advantages_fitted;          ///< by player; false: no network yet, `advantages` answers alike for every action
  std::vector<std::string> warnings; ///< e.g. a damaged checkpoint passed over
};
/// Of the newest whole checkpoint, or as it was after `iteration`: from that checkpoint if it is kept, else its mixture (and the networks that
/// played in that iteration as `current`) from the archive. Error{input} naming the iterations that there are.
Agent load_agent(const TrainOptions& options, const std::string& run_dir, std::optional<std::int64_t> iteration = {});

struct SampleRow {
  std::int64_t iteration = 0;
  std::string infoset;               ///< in words
  std::vector<std::string> legal;    ///< action names
  std::vector<double> targets;       ///< chips (advantage) or probabilities (strategy), one for each legal action
};
/// Records of the newest checkpoint, in memory order; `row` returns false to stop.
void read_samples(const TrainOptions& options, const std::string& run_dir, SampleKind kind, int player,
                  const std::function<bool(const SampleRow&)>& row);

}  // namespace deepcfr
