// samples: what the memories of a run hold, as JSON lines.
#include <iostream>
#include <memory>
#include <string>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "deepcfr/train/run.h"
#include "open_run.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string run;
  std::string kind = "advantage";
  std::int64_t player = 0;
  std::int64_t limit = 0;  // 0: all
  bool json = false;
};

void list_samples(const Arguments& arguments) {
  const LoadedConfig config = load_run_config(arguments.run);
  const int players = make_game(config.options.game).players();
  if (arguments.player >= players) {
    throw Error(ErrorKind::usage, std::to_string(arguments.player) + " is not in 0.." + std::to_string(players - 1), "--player",
                "players are counted from 0");
  }
  const SampleKind kind = arguments.kind == "advantage" ? SampleKind::advantage : SampleKind::strategy;
  std::int64_t shown = 0;
  read_samples(config.options, arguments.run, kind, static_cast<int>(arguments.player), [&](const SampleRow& row) {
    const Json json = {{"iteration", row.iteration}, {"infoset", row.infoset}, {"legal", row.legal}, {"targets", row.targets}};
    write_json(json, true);
    return ++shown != arguments.limit && std::cout.good();
  });
}

}  // namespace

void add_samples(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("samples", "Records of a run's memories, one JSON line each: iteration, infoset, legal, targets");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->run, "Folder of a run")->required()->type_name("");
  add_word(*command, "--kind", arguments->kind, {"advantage", "strategy"},
           "Which memory (advantage); targets are chips or probabilities");
  add_whole(*command, "--player", arguments->player, 0, kMaxPlayers - 1, "Whose records, counted from 0 (0)");
  add_whole(*command, "--limit", arguments->limit, 1, 1'000'000'000'000, "At most so many (all)");
  command->add_flag("--json", arguments->json, "JSON lines, which is the only form");
  command->callback([=, &invocation] { invocation.run = [=] { list_samples(*arguments); }; });
}

}  // namespace deepcfr
