// dealer: deals a match between agents in this process and programs that connect over TCP (ACPC protocol 2.0.0).
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/config/numbers.h"
#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "deepcfr/protocol/hand_writers.h"
#include "deepcfr/protocol/remote_player.h"
#include "match_files.h"
#include "open_run.h"
#include "table_players.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string game;
  std::string hands;
  std::string seed;
  std::vector<std::string> players;
  std::vector<std::string> ports;
  std::vector<std::string> names;
  std::string bind = "127.0.0.1";
  double start_seconds = 120;
  double answer_seconds = 600;
  MatchFiles files;
};

/// "acpc" or "acpc:PORT".
bool is_remote(const std::string& spec) { return spec == "acpc" || spec.starts_with("acpc:"); }

/// A listener for each remote player, nothing for the others; in the players' order.
std::vector<std::optional<Listener>> listen(const Arguments& arguments) {
  std::vector<std::optional<Listener>> listeners;
  std::size_t next = 0;
  for (const std::string& spec : arguments.players) {
    listeners.emplace_back();
    if (!is_remote(spec)) continue;
    std::string port = spec == "acpc" ? "0" : spec.substr(5);
    if (spec == "acpc" && next < arguments.ports.size()) port = arguments.ports[next++];
    listeners.back().emplace(arguments.bind, parse_port(port, 0));
  }
  if (next < arguments.ports.size()) {
    throw Error(ErrorKind::usage, "more ports than players named acpc", "--ports", "one for each, in their order");
  }
  return listeners;
}

/// As the reference dealer prints them: numbers in the players' order, on the first line.
void print_ports(const std::vector<std::optional<Listener>>& listeners) {
  std::string line;
  for (const auto& listener : listeners) {
    if (listener) line += (line.empty() ? "" : " ") + std::to_string(listener->port());
  }
  if (!line.empty()) std::cout << line << std::endl;
}

std::unique_ptr<RemotePlayer> wait_for_player(const Game& game, Listener& listener, const std::string& name, const Arguments& arguments,
                                              const Deadline& deadline) {
  std::optional<Connection> connection = listener.accept(deadline);
  if (!connection) {
    throw Error(ErrorKind::input, "nobody has connected to port " + std::to_string(listener.port()), "player " + name,
                "--start-seconds waits longer");
  }
  auto player = std::make_unique<RemotePlayer>(game, name, std::move(*connection), arguments.answer_seconds, show_warning);
  player->read_version(deadline);
  return player;
}

class Dealer {
 public:
  explicit Dealer(const Arguments& arguments) : arguments_(arguments) {
    options_.hands = static_cast<std::uint32_t>(read("HANDS", arguments.hands, 1, std::numeric_limits<std::uint32_t>::max()));
    options_.seed = read("SEED", arguments.seed, 0, std::numeric_limits<std::uint64_t>::max());
    game_ = std::make_shared<const Game>(make_game(arguments.game));
    if (arguments.players.size() != static_cast<std::size_t>(game_->players())) {
      throw Error(ErrorKind::usage, std::to_string(arguments.players.size()) + " players are named, " + game_->name() + " is for " +
                                        std::to_string(game_->players()));
    }
    names_ = table_names(arguments.players, arguments.names);
  }

  void deal() {
    // Agents are loaded first: no program waits for that.
    for (std::size_t i = 0; i < names_.size(); ++i) {
      seated_.emplace_back();
      if (!is_remote(arguments_.players[i]))
        seated_[i] = seat_player(arguments_.players[i], names_[i], game_, arguments_.game, options_.seed);
    }
    OpenMatchFiles files(arguments_.files, *game_, names_, options_);
    admit();
    const TableResult result = play_table(*game_, players_, options_, files.observers());
    const std::string score = print_score_line(result.total, names_);
    files.finish(score);
    std::cerr << game_->name() << ": " << result.hands << " hands";
    for (std::size_t i = 0; i < names_.size(); ++i) std::cerr << "; " << names_[i] << ": " << result.corrected[i] << " actions corrected";
    std::cerr << std::endl;
    std::cout << score << std::endl;
  }

 private:
  static std::uint64_t read(const std::string& what, const std::string& text, std::uint64_t min, std::uint64_t max) {
    try {
      return parse_unsigned_number(text, min, max);
    } catch (const Error& error) {
      throw Error(error.kind(), error.message(), what, error.hint());
    }
  }

  void admit() {
    std::vector<std::optional<Listener>> listeners = listen(arguments_);
    print_ports(listeners);
    const Deadline deadline = deadline_after(arguments_.start_seconds);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      remote_.push_back(listeners[i] ? wait_for_player(*game_, *listeners[i], names_[i], arguments_, deadline) : nullptr);
      if (remote_[i]) {
        players_.push_back(remote_[i].get());
      } else {
        players_.push_back(seated_[i].seat.get());
      }
    }
  }

  const Arguments& arguments_;
  TableOptions options_;
  std::shared_ptr<const Game> game_;
  std::vector<std::string> names_;
  std::vector<SeatedPlayer> seated_;
  std::vector<std::unique_ptr<RemotePlayer>> remote_;
  std::vector<TablePlayer*> players_;
};

}  // namespace

void add_dealer(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("dealer", "Deal a match between agents here and programs over TCP (ACPC protocol 2.0.0)");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("GAME", arguments->game, "A name of the command games, or a .game file")->required()->type_name("");
  command->add_option("HANDS", arguments->hands, "How many hands")->required()->type_name("");
  command->add_option("SEED", arguments->seed, "Seed of the cards and of the agents' draws")->required()->type_name("");
  command
      ->add_option("PLAYER", arguments->players,
                   "One for each seat: acpc or acpc:PORT for a program that connects, else " + std::string(kPlayerHelp))
      ->required()
      ->type_name("");
  add_list(*command, "-p,--ports", arguments->ports, "P1,P2,...",
           "Ports of the players named acpc, in their order (any free ones; they are printed)");
  add_list(*command, "--names", arguments->names, "A,B,...", "Names for the log, one for each player (what they are called here)");
  command->add_option("--bind", arguments->bind, "Address to listen on; 0.0.0.0: reachable from other machines (127.0.0.1)")
      ->type_name("ADDRESS");
  add_seconds(*command, "--start-seconds", arguments->start_seconds, 0, "Wait for the programs to connect (120)");
  add_seconds(*command, "--answer-seconds", arguments->answer_seconds, 0.001, "Wait for one answer (600)");
  add_match_files(*command, arguments->files);
  command->callback([=, &invocation] { invocation.run = [=] { Dealer(*arguments).deal(); }; });
}

}  // namespace deepcfr
