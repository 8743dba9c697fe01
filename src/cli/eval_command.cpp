// eval: matches of a trained agent against bots.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "deepcfr/eval/bots.h"
#include "deepcfr/eval/match.h"
#include "open_run.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string run;
  std::int64_t games = 0;  // 0: as in the run's config
  std::optional<std::uint64_t> seed;
  std::uint64_t seed_value = 0;
  std::vector<std::string> opponents;
  std::string policy;
  bool json = false;
};

void check_opponents(const std::vector<std::string>& opponents) {
  const auto names = bot_names();
  for (const std::string& name : opponents) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
    const std::string near = nearest_word(name, names.data(), names.data() + names.size());
    throw Error(ErrorKind::usage, name + " is no bot", "--opponent",
                near.empty() ? "there are " + list : "did you mean " + near + "?");
  }
}

void evaluate_run(const Arguments& arguments) {
  check_opponents(arguments.opponents);
  OpenRun run = open_run(arguments.run);
  const EvaluationOptions& standard = run.config.options.evaluation;
  MatchOptions options;
  options.games = arguments.games > 0 ? arguments.games : standard.games;
  options.seed = arguments.seed.value_or(standard.seed);
  std::vector<std::string> opponents = arguments.opponents.empty() ? standard.opponents : arguments.opponents;
  if (opponents.empty()) opponents.assign(bot_names().begin(), bot_names().end());
  const std::string chosen = resolved_policy_name(run, arguments.policy);
  Policy& hero = agent_policy(run, chosen);
  const Game& game = *run.agent.game;

  Json json = {{"run", arguments.run},
               {"game", game.name()},
               {"iteration", run.agent.iteration},
               {"policy", chosen},
               {"seed", options.seed}};
  json["opponents"] = Json::object();
  if (!arguments.json) {
    std::cout << game.name() << ", iteration " << run.agent.iteration << ", " << policy_label(chosen) << ", seed " << options.seed
              << "; the agent's result for a hand against\n";
  }
  for (const std::string& name : opponents) {
    MatchResult match = play_match(game, hero, *make_bot(game, name), options);
    match.opponent = name;
    json["opponents"][name] = match_json(match);
    if (!arguments.json) std::cout << "  " << match_text(match) << std::endl;
  }
  if (arguments.json) write_json(json);
}

}  // namespace

void add_eval(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("eval", "Play a trained agent against bots, seats rotated");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->run, "Folder of a run")->required()->type_name("");
  add_whole(*command, "--games", arguments->games, 1, 1'000'000'000, "Games against each opponent (evaluation.games of the run)");
  CLI::Option* seed = add_seed(*command, arguments->seed_value, "Seed of deals and actions (evaluation.seed of the run)");
  add_repeated(*command, "--opponent", arguments->opponents, "BOT", "A bot, may be repeated (evaluation.opponents of the run)");
  add_word(*command, "--policy", arguments->policy, agent_policy_names(), "Which policy plays (evaluation.policy of the run)");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] {
    if (seed->count() > 0) arguments->seed = arguments->seed_value;
    invocation.run = [=] { evaluate_run(*arguments); };
  });
}

}  // namespace deepcfr
