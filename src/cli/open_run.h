// A finished or interrupted run, opened for reading.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "deepcfr/config/config.h"
#include "deepcfr/train/run.h"

namespace deepcfr {

/// RUN/config.yaml; Error{input} if there is none.
LoadedConfig load_run_config(const std::string& run_dir, const std::vector<std::string>& sets = {});

/// "warning: ..." on stderr.
void show_warning(const std::string& text);

struct OpenRun {
  LoadedConfig config;
  Agent agent;
};
/// The agent of the newest whole checkpoint, or as it was after `iteration` (load_agent); sets up LibTorch for one thread and shows warnings.
OpenRun open_run(const std::string& run_dir, std::optional<std::int64_t> iteration = {});

/// "network", "mixture", "current".
const std::vector<std::string>& agent_policy_names();
/// The policy of that name; "" : the one that evaluation.policy names, the mixture if there is no strategy network. Error{input} if a run has
/// no strategy network and it is asked for by name.
Policy& agent_policy(OpenRun& run, const std::string& name);
std::string resolved_policy_name(const OpenRun& run, const std::string& name);
/// "strategy network", "mixture of all advantage networks (single Deep CFR)", "current advantage networks (not an average
/// policy)".
std::string policy_label(const std::string& name);

}  // namespace deepcfr
