// connect: an agent plays at an ACPC dealer's table.
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "deepcfr/protocol/client.h"
#include "open_run.h"
#include "report.h"
#include "table_players.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string player;
  std::string host;
  std::string port;
  std::string game;
  std::uint64_t seed = 1;
  double wait_seconds = 10;
  double answer_seconds = ClientOptions{}.answer_seconds;
  double test_delay_seconds = 0;
  bool json = false;
};

Json result_json(const Arguments& arguments, const Game& game, const ClientResult& result) {
  const ResultUnit unit = result_unit(game);
  Json json = {{"player", arguments.player}, {"game", game.name()}, {"hands", result.hands}, {"chips", json_number(result.chips)}};
  json["mean"] = result.hands == 0 ? 0 : result.chips * unit.scale / static_cast<double>(result.hands);
  json["unit"] = unit.name;
  json["answers"] = result.answers;
  json["late"] = result.late;
  return json;
}

void connect(const Arguments& arguments) {
  const std::uint16_t port = parse_port(arguments.port, 1);
  // Everything that takes time comes before the connection: from then on the dealer's clock runs (reported fault E19).
  const std::shared_ptr<const Game> game = game_of_players({&arguments.player, 1}, arguments.game);
  if (game->rules() != RuleSet::acpc) {
    throw Error(ErrorKind::usage, "was trained with the rules of card rooms; an ACPC dealer deals by others", arguments.player,
                "train with game.rules: acpc");
  }
  Player player = open_player(arguments.player, game);
  PolicyAgent policy_agent(*game, *player.policy, arguments.seed);
  DeadlineAgent agent([&](const TableView& view) {
    if (arguments.test_delay_seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(arguments.test_delay_seconds));
    return policy_agent.act(view);
  });
  if (const std::optional<TableView> opening = opening_view(*game)) agent.act(*opening, std::nullopt);
  Connection connection = Connection::connect(arguments.host, port, arguments.wait_seconds);
  std::cerr << player.label << " plays " << game_in_words(*game) << " at " << connection.peer() << std::endl;
  ClientOptions options;
  options.answer_seconds = arguments.answer_seconds;
  const ClientResult result = run_client(connection, *game, agent, options, show_warning);
  if (arguments.json) {
    write_json(result_json(arguments, *game, result));
    return;
  }
  const ResultUnit unit = result_unit(*game);
  std::cout << show_count(result.hands) << " hands, net " << print_chips(result.chips) << " chips";
  if (result.hands > 0)
    std::cout << " (" << show_value(result.chips * unit.scale / static_cast<double>(result.hands)) << " " << unit.name << ")";
  std::cout << ", " << show_count(result.answers) << " answers, " << show_count(result.late) << " of them check or call for want of time\n";
}

}  // namespace

void add_connect(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("connect", "Play at the table of an ACPC dealer (protocol 2.0.0)");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("PLAYER", arguments->player, kPlayerHelp)->required()->type_name("");
  command->add_option("HOST", arguments->host, "Where the dealer runs")->required()->type_name("");
  command->add_option("PORT", arguments->port, "The port that the dealer has given this player")->required()->type_name("");
  command->add_option("--game", arguments->game, "The dealer's game; needed for bots, compared with a run's")->type_name("GAME");
  add_seed(*command, arguments->seed, "Seed of the player's draws (1)");
  add_seconds(*command, "--wait", arguments->wait_seconds, 0, "Try for so long to connect (10)");
  add_seconds(*command, "--answer-seconds", arguments->answer_seconds, 0.01, "For one answer, then it is check or call (2)");
  add_seconds(*command, "--test-delay", arguments->test_delay_seconds, 0, "Think for so long about each answer: for tests")->group("");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { connect(*arguments); }; });
}

}  // namespace deepcfr
