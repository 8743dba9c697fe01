// solve: the tabular CFR family on a small game.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/cfr/tabular.h"
#include "deepcfr/eval/best_response.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  GameArguments game;
  std::string algorithm = "cfr+";
  std::int64_t iterations = 1000;
  std::uint64_t seed = 1;
  bool merge_suits = false;
  bool json = false;
};

void solve(const Arguments& arguments) {
  TabularOptions options;
  options.algorithm = parse_tabular_algorithm(arguments.algorithm);
  options.seed = arguments.seed;
  // Not merged unless asked for: published figures have it so, and CFR+'s last digits depend on rounding.
  const Game game = arguments.game.make(arguments.merge_suits);
  const auto small_game = std::make_shared<const SmallGame>(game);
  TabularSolver solver(small_game, options);
  for (std::int64_t i = 0; i < arguments.iterations; ++i) solver.iterate();
  const ExploitabilityReport report = exploitability(*small_game, solver.average_strategy());
  const ResultUnit unit = result_unit(game);
  if (arguments.json) {
    Json json = {{"game", game.name()}, {"algorithm", arguments.algorithm}, {"iterations", arguments.iterations}};
    json.update(exploitability_json(report, unit));
    json["infosets"] = small_game->num_infosets();
    write_json(json);
    return;
  }
  std::cout << game.name() << ", " << arguments.algorithm << ", " << show_count(static_cast<std::uint64_t>(arguments.iterations))
            << " iterations, average policy over " << show_count(static_cast<std::uint64_t>(small_game->num_infosets()))
            << " infosets\n"
            << exploitability_text(report, unit);
}

}  // namespace

void add_solve(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("solve", "Solve a small game by tabular CFR, without networks");
  const auto arguments = std::make_shared<Arguments>();
  const auto names = tabular_algorithm_names();
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : "|") + name;
  command->add_option("--game", arguments->game.game, "A name of the command games, or a .game file")
      ->required()
      ->type_name("GAME");
  command->add_option("--algorithm", arguments->algorithm, "Member of the CFR family (cfr+)")->type_name(list);
  add_whole(*command, "--iterations", arguments->iterations, 1, 1'000'000'000, "Passes over all players (1000)");
  add_seed(*command, arguments->seed, "Seed of the sampling members (1)");
  command->add_flag("--merge-suits", arguments->merge_suits,
                    "Cards that are equal up to suits share an infoset: smaller, faster");
  add_rules(*command, arguments->game);
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { solve(*arguments); }; });
}

}  // namespace deepcfr
