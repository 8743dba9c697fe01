// resume: goes on with a run.
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "open_run.h"
#include "training_session.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string run_dir;
  std::vector<std::string> sets;
  bool json = false;
};

void resume(const Arguments& arguments, const Invocation& invocation) {
  const LoadedConfig config = load_run_config(arguments.run_dir, arguments.sets);
  const TrainingSession session(invocation, config, arguments.json);
  session.run([&](RunObserver& observer, const std::atomic<int>& stop) {
    return resume_run(config.options, config.resolved_yaml, arguments.run_dir, observer, stop);
  });
}

}  // namespace

void add_resume(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("resume", "Go on with a run from its newest whole checkpoint");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->run_dir, "Folder of a run")->required()->type_name("");
  add_repeated(*command, "--set", arguments->sets, "KEY=VALUE",
               "Change one key: algorithm.iterations, traversal.workers, evaluation.*, checkpoint.*; may be repeated");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=, &invocation] { resume(*arguments, invocation); }; });
}

}  // namespace deepcfr
