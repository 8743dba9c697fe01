// eval: matches of a trained agent against bots, other agents and solutions of toy games.
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "deepcfr/eval/bots.h"
#include "deepcfr/eval/match.h"
#include "match_arguments.h"
#include "open_run.h"
#include "players.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string run;
  std::vector<std::string> opponents;
  std::string policy;
  MatchArguments match;
  bool json = false;
};

/// RUN with --policy behind it. A name that can only be a folder is looked for as one, so that the error is about that.
std::string hero_name(const Arguments& arguments) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(arguments.run, ignored);
  if (folder || arguments.run.find_first_of("@:") == std::string::npos) load_run_config(arguments.run);
  return arguments.policy.empty() ? arguments.run : arguments.run + ":" + arguments.policy;
}

std::vector<std::string> chosen_opponents(const Arguments& arguments, const EvaluationOptions& standard) {
  std::vector<std::string> names = arguments.opponents.empty() ? standard.opponents : arguments.opponents;
  if (names.empty()) names.assign(bot_names().begin(), bot_names().end());
  return names;
}

void print_head(const Game& game, const Player& hero, const MatchOptions& options) {
  std::cout << game.name() << ", iteration " << hero.iteration << ", " << policy_label(hero.policy_name) << ", seed " << options.seed << ", "
            << variance_text(options.variance) << "; the agent's result for a hand against\n";
}

void evaluate_run(const Arguments& arguments) {
  std::vector<std::string> names = {hero_name(arguments)};
  names.insert(names.end(), arguments.opponents.begin(), arguments.opponents.end());
  const std::shared_ptr<const Game> game = game_of_players(names, "");
  const Player hero = open_player(names[0], game);
  const EvaluationOptions standard = load_run_config(hero.run_dir).options.evaluation;
  const MatchOptions options = arguments.match.options(standard.games, standard.seed, standard.variance);
  Json json = {{"run", arguments.run},
               {"game", game->name()},
               {"iteration", hero.iteration},
               {"policy", hero.policy_name},
               {"seed", options.seed},
               {"variance", variance_name(options.variance)},
               {"opponents", Json::object()}};
  std::vector<Player> opponents;
  for (const std::string& name : chosen_opponents(arguments, standard)) opponents.push_back(open_player(name, game));
  if (!arguments.json) print_head(*game, hero, options);
  for (const Player& opponent : opponents) {
    MatchResult match = play_match(*game, *hero.policy, *opponent.policy, options);
    match.opponent = opponent.name;
    append_to_ledger("eval", hero, opponent.label, *game, options, match);
    json["opponents"][opponent.name] = match_json(match);
    if (options.until_half_width > 0) json["opponents"][opponent.name]["until_reached"] = match.until_reached;
    if (arguments.json) continue;
    const std::string until = until_text(options.until_half_width, match.ci_high - match.mean, match.until_reached, match.unit, match.hands);
    std::cout << "  " << match_text(match) << (until.empty() ? "" : "\n    " + until) << std::endl;
  }
  if (arguments.json) write_json(json);
}

}  // namespace

void add_eval(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("eval", "Play a trained agent against bots and other agents, seats rotated");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->run, "Folder of a run; RUN@ITERATION for an older checkpoint")->required()->type_name("");
  add_repeated(*command, "--opponent", arguments->opponents, "PLAYER",
               std::string("May be repeated: ") + kPlayerHelp + " (evaluation.opponents of the run)");
  add_word(*command, "--policy", arguments->policy, agent_policy_names(), "Which policy plays (evaluation.policy of the run)");
  add_match_arguments(*command, arguments->match, "Games against each opponent (evaluation.games of the run)",
                      "Seed of deals and actions (evaluation.seed of the run)", "What is done against luck (evaluation.variance of the run)");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { evaluate_run(*arguments); }; });
}

}  // namespace deepcfr
