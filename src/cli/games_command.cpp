// games: the built-in games.
#include <iostream>
#include <memory>

#include "arguments.h"
#include "command.h"
#include "deepcfr/game/catalogue.h"
#include "report.h"

namespace deepcfr {
namespace {

void list_games(bool json) {
  Json list = Json::array();
  for (const CatalogueEntry& entry : game_catalogue()) {
    const std::string name(entry.name);
    if (!json) {
      std::cout << name << std::string(name.size() < 8 ? 8 - name.size() : 1, ' ') << entry.summary << "\n";
      continue;
    }
    const Game game = make_game(name);
    list.push_back({{"name", name},
                    {"summary", std::string(entry.summary)},
                    {"players", game.players()},
                    {"rounds", game.rounds()},
                    {"limit", game.definition().limit},
                    {"actions", game.num_actions()},
                    {"unit", result_unit(game).name}});
  }
  if (json) write_json(list);
}

}  // namespace

void add_games(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("games", "List the built-in games");
  const auto json = std::make_shared<bool>(false);
  add_json(*command, *json);
  command->callback([=, &invocation] { invocation.run = [=] { list_games(*json); }; });
}

}  // namespace deepcfr
