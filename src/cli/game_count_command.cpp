// game count: the betting tree, counted.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/game/betting_tree.h"
#include "deepcfr/game/catalogue.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  GameArguments game;
  bool all_raises = false;
  std::int64_t limit = 200'000'000;
  bool json = false;
};

bool is_built_in(const std::string& name) {
  const auto catalogue = game_catalogue();
  return std::any_of(catalogue.begin(), catalogue.end(), [&](const CatalogueEntry& entry) { return entry.name == name; });
}

void count(const Arguments& arguments) {
  const Game game = arguments.game.make();
  // A definition file says nothing about an abstraction: its own tree is the one with every whole raise.
  const bool every_raise = !game.definition().limit && (arguments.all_raises || !is_built_in(arguments.game.game));
  const BettingCounts counts = count_betting(game, every_raise, static_cast<std::uint64_t>(arguments.limit));
  const std::vector<std::uint64_t> by_round(counts.decision_points.begin(), counts.decision_points.begin() + game.rounds());
  const std::string raises = game.definition().limit ? "limit" : every_raise ? "every whole raise" : "abstraction";
  if (arguments.json) {
    Json json;
    json["game"] = game.name();
    json["raises"] = raises;
    json["decision_points"] = by_round;
    json["terminals"] = counts.terminals;
    json["complete"] = counts.complete;
    write_json(json);
    return;
  }
  const std::string at_least = counts.complete ? "" : "more than ";
  std::cout << game.name() << " (" << raises << ")\n";
  for (std::size_t round = 0; round < by_round.size(); ++round) {
    std::cout << "decision points in round " << round << ": " << at_least << show_count(by_round[round]) << "\n";
  }
  std::cout << "terminal betting sequences: " << at_least << show_count(counts.terminals) << "\n";
  if (!counts.complete)
    std::cout << "stopped at the limit of " << show_count(static_cast<std::uint64_t>(arguments.limit)) << "; --limit raises it\n";
}

}  // namespace

void add_game_count(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("count", "Count decision points by round and terminal betting sequences");
  const auto arguments = std::make_shared<Arguments>();
  add_game_positional(*command, arguments->game);
  add_rules(*command, arguments->game);
  command->add_flag("--all-raises", arguments->all_raises,
                    "No-limit: every whole raise instead of the abstraction (always so for a .game file)");
  add_whole(*command, "--limit", arguments->limit, 1, 1'000'000'000'000,
            "Stop beyond so many decision points and terminals (200000000)");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { count(*arguments); }; });
}

}  // namespace deepcfr
