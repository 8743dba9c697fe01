// What train and resume share: a run with a terminal, signals and a report at the end.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "command.h"
#include "deepcfr/config/config.h"
#include "deepcfr/train/run.h"

namespace deepcfr {

/// Starts or goes on; called once.
using StartRun = std::function<RunOutcome(RunObserver& observer, const std::atomic<int>& stop)>;

/// LibTorch set up, devices that the options ask for checked (Error{device}), warnings and memory needs shown; then the run, then
/// what it has learned, or the command that goes on. json: the report is one JSON object on stdout, everything else on stderr.
/// The first two steps write nothing to disk.
class TrainingSession {
 public:
  TrainingSession(const Invocation& invocation, const LoadedConfig& config, bool json);
  void run(const StartRun& start) const;

 private:
  void report_interrupted(const RunOutcome& outcome) const;
  void report_finished(const RunOutcome& outcome) const;

  std::string program_;
  const LoadedConfig& config_;
  bool json_;
};

}  // namespace deepcfr
