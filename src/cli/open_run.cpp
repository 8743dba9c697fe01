#include "open_run.h"

#include <filesystem>
#include <iostream>

#include "deepcfr/core/error.h"
#include "deepcfr/nn/network.h"

namespace deepcfr {

namespace fs = std::filesystem;

LoadedConfig load_run_config(const std::string& run_dir, const std::vector<std::string>& sets) {
  std::error_code ignored;
  if (!fs::is_directory(run_dir, ignored)) {
    const bool config = fs::is_regular_file(run_dir, ignored);
    throw Error(ErrorKind::input, config ? "is a file, where the folder of a run is expected" : "no such run", run_dir,
                config ? "runs are started with: train CONFIG" : "runs are folders like runs/leduc");
  }
  const fs::path path = fs::path(run_dir) / "config.yaml";
  if (!fs::exists(path, ignored)) throw Error(ErrorKind::input, "is not the folder of a run: it has no config.yaml", run_dir);
  return load_config(path.string(), {"", sets});
}

void show_warning(const std::string& text) { std::cerr << "warning: " << text << std::endl; }

OpenRun open_run(const std::string& run_dir, std::optional<std::int64_t> iteration) {
  LoadedConfig config = load_run_config(run_dir);
  configure_libtorch(1);
  Agent agent = load_agent(config.options, run_dir, iteration);
  for (const std::string& warning : agent.warnings) show_warning(warning);
  return {std::move(config), std::move(agent)};
}

const std::vector<std::string>& agent_policy_names() {
  static const std::vector<std::string> names = {"network", "mixture", "current"};
  return names;
}

std::string resolved_policy_name(const OpenRun& run, const std::string& name) {
  if (!name.empty()) return name;
  if (run.agent.network == nullptr) return "mixture";
  return run.config.options.evaluation.policy == AveragePolicy::mixture ? "mixture" : "network";
}

Policy& agent_policy(OpenRun& run, const std::string& name) {
  const std::string resolved = resolved_policy_name(run, name);
  Agent& agent = run.agent;
  Policy* policy = resolved == "network"   ? agent.network.get()
                   : resolved == "mixture" ? agent.mixture.get()
                                           : agent.current.get();
  if (policy == nullptr) {
    throw Error(ErrorKind::input, "there is no strategy network of iteration " + std::to_string(run.agent.iteration), "network",
                "use mixture; resuming the run to its end fits the strategy network");
  }
  return *policy;
}

std::string policy_label(const std::string& name) {
  if (name == "network") return "average policy: strategy network";
  if (name == "mixture") return "average policy: mixture of all advantage networks (single Deep CFR)";
  return "current policy: last advantage networks, not an average";
}

}  // namespace deepcfr
