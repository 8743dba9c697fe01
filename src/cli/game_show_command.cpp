// game show: definition, actions, sizes and what the networks see.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/game/betting_tree.h"
#include "deepcfr/game/encoder.h"
#include "report.h"

namespace deepcfr {
namespace {

std::vector<std::string> action_names(const Game& game) {
  std::vector<std::string> names;
  for (int action = 0; action < game.num_actions(); ++action) names.push_back(game.action_name(static_cast<Action>(action)));
  return names;
}

Json size_json(const GameSize& size, int rounds) {
  Json json;
  json["complete"] = size.betting.complete;
  json["decision_points"] =
      std::vector<std::uint64_t>(size.betting.decision_points.begin(), size.betting.decision_points.begin() + rounds);
  json["terminals"] = size.betting.terminals;
  json["infosets"] = json_number(size.infosets);
  json["deals"] = json_number(size.deals);
  json["histories"] = json_number(size.histories);
  return json;
}

struct Arguments {
  GameArguments game;
  bool json = false;
};

void show(const Arguments& arguments) {
  const Game game = arguments.game.make();
  const GameSize size = game_size(game);
  const int mlp_width = Encoder(game, FeatureKind::dense).width();
  const int card_bet_width = Encoder(game, FeatureKind::cards).width();
  const ResultUnit unit = result_unit(game);
  const std::string definition = print_game_definition(game.definition());
  if (arguments.json) {
    Json json;
    json["name"] = game.name();
    json["players"] = game.players();
    json["rounds"] = game.rounds();
    json["limit"] = game.definition().limit;
    json["rules"] = arguments.game.rules;
    json["actions"] = action_names(game);
    json["unit"] = unit.name;
    json["input_width"] = {{"mlp", mlp_width}, {"card_bet", card_bet_width}};
    json["size"] = size_json(size, game.rounds());
    json["definition"] = definition;
    write_json(json);
    return;
  }
  std::cout << definition << "\n";
  std::cout << "actions:      ";
  for (const std::string& name : action_names(game)) std::cout << (name == game.action_name(kFold) ? "" : ", ") << name;
  const std::string at_least = size.betting.complete ? "" : "more than ";
  std::cout << "\nresults in:   " << unit.name << "\ninput width:  mlp " << mlp_width << ", card_bet " << card_bet_width
            << "\nbetting:      " << at_least;
  std::uint64_t decisions = 0;
  for (const std::uint64_t count : size.betting.decision_points) decisions += count;
  std::cout << show_count(decisions) << " decision points, " << show_count(size.betting.terminals) << " terminal sequences"
            << "\ninfosets:     " << at_least << show_large(size.infosets) << "\ndeals:        " << show_large(size.deals)
            << "\n";
}

}  // namespace

void add_game_show(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("show", "Definition, actions and size of a game");
  const auto arguments = std::make_shared<Arguments>();
  add_game_positional(*command, arguments->game);
  add_rules(*command, arguments->game);
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { show(*arguments); }; });
}

}  // namespace deepcfr
