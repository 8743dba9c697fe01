// play: a person against agents at the terminal, or a script through a pipe.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "match_files.h"
#include "open_run.h"
#include "play_session.h"
#include "players.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::vector<std::string> players;
  std::string game;
  std::string policy;
  MatchFiles files;
  PlayOptions options;
  bool seed_given = false;
};

/// Seeds that a person can type again.
std::uint64_t fresh_seed() { return std::random_device()() % 1'000'000'000; }

std::vector<Player> open_agents(const Arguments& arguments, const std::shared_ptr<const Game>& game) {
  const auto others = static_cast<std::size_t>(game->players() - 1);
  if (arguments.players.size() != 1 && arguments.players.size() != others) {
    throw Error(ErrorKind::usage, std::to_string(arguments.players.size()) + " players for the other seats of " + game->name(), "play",
                others == 1 ? "name one" : "name one for all of them, or " + std::to_string(others));
  }
  std::vector<Player> agents;
  for (const std::string& name : arguments.players) {
    agents.push_back(open_player(arguments.policy.empty() ? name : name + ":" + arguments.policy, game));
  }
  return agents;
}

std::string blinds_text(const GameDefinition& d) {
  std::string text;
  bool alike = true;
  for (int p = 0; p < d.players; ++p) alike = alike && d.blind[static_cast<std::size_t>(p)] == d.blind[0];
  if (alike) return "ante " + std::to_string(d.blind[0]);
  std::int32_t small = 0;
  for (int p = 0; p < d.players; ++p) {
    const std::int32_t blind = d.blind[static_cast<std::size_t>(p)];
    if (blind > 0 && blind < d.big_blind()) small = blind;
  }
  return "blinds " + std::to_string(small) + "/" + std::to_string(d.big_blind());
}

std::string limits_text(const GameDefinition& d) {
  if (!d.limit) {
    std::string stacks = ", stacks " + std::to_string(d.stack[0]);
    for (int p = 1; p < d.players; ++p) {
      if (d.stack[static_cast<std::size_t>(p)] != d.stack[0]) stacks = ", stacks by seat";
    }
    return "no-limit" + stacks;
  }
  std::string sizes;
  for (int r = 0; r < d.rounds; ++r) {
    const std::string size = std::to_string(d.raise_size[static_cast<std::size_t>(r)]);
    sizes += (sizes.empty() ? "" : "/") + size;
  }
  return "limit, bets of " + sizes;
}

void introduce(const Arguments& arguments, const Game& game, const std::vector<Player>& agents) {
  const GameDefinition& d = game.definition();
  std::cout << game.name() << ": " << d.players << " players, " << limits_text(d) << ", " << blinds_text(d) << "\n";
  for (std::size_t i = 0; i < agents.size(); ++i) {
    std::cout << (agents.size() == 1 ? (d.players == 2 ? "agent" : "agents") : "agent " + std::to_string(i + 1)) << ": "
              << agents[i].label << "\n";
  }
  std::cout << "The same cards and agents again: --seed " << arguments.options.seed << ". ? helps, q stops.\n";
}

void play(Arguments arguments) {
  if (!arguments.seed_given) arguments.options.seed = fresh_seed();
  const std::shared_ptr<const Game> game = game_of_players(arguments.players, arguments.game);
  std::vector<Player> agents = open_agents(arguments, game);
  std::vector<std::string> names = {"you"};
  for (const Player& agent : agents) names.push_back(agent.name);
  OpenMatchFiles files(arguments.files, *game, names, {static_cast<std::uint32_t>(arguments.options.hands), arguments.options.seed});
  introduce(arguments, *game, agents);
  LineReader input;
  PlaySession session(game, agents, arguments.options, input, std::cout, card_style_of(STDOUT_FILENO), files.observers());
  session.run();
  files.finish(print_score_line(session.totals(), session.player_names()));
}

}  // namespace

void add_play(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("play", "Play against an agent at the terminal");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("PLAYER", arguments->players, "Who sits in the other seats, one for all or one each: " + std::string(kPlayerHelp))
      ->required()
      ->type_name("");
  command->add_option("--game", arguments->game, "The game, where no player is a run: a built-in game or a .game file")
      ->type_name("GAME");
  add_word(*command, "--policy", arguments->policy, agent_policy_names(), "Which policy of a run plays (default: its evaluation.policy)");
  add_whole(*command, "--hands", arguments->options.hands, 0, 1'000'000'000, "Stop after so many hands; 0: when you stop");
  CLI::Option* seed = add_seed(*command, arguments->options.seed, "Cards and the agents' choices; default: another each time");
  command->add_flag("--hint", arguments->options.hint, "Before each of your decisions, show what the agent would do");
  command->add_flag("--show-all", arguments->options.show_all, "Show all cards after each hand, folded ones too");
  add_match_files(*command, arguments->files);
  command->callback([=, &invocation] {
    arguments->seed_given = seed->count() > 0;
    invocation.run = [=] { play(*arguments); };
  });
}

}  // namespace deepcfr
