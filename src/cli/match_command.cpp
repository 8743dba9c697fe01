// match: hands between agents in this process, with logs.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/statistics.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "match_files.h"
#include "report.h"
#include "table_players.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::vector<std::string> players;
  std::string game;
  std::int64_t hands = 1000;
  std::uint64_t seed = 1;
  std::vector<std::string> names;
  MatchFiles files;
  bool json = false;
};

/// Results of a hand by player, in the game's unit.
class Results final : public TableObserver {
 public:
  Results(const std::vector<std::string>& names, double scale) : names_(names), scale_(scale), of_player_(names.size()) {}

  void hand_over(const HandRecord& hand) override {
    for (std::size_t p = 0; p < hand.names.size(); ++p) {
      const auto player = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), hand.names[p]) - names_.begin());
      of_player_[player].add(hand.values[p] * scale_);
    }
  }
  const RunningStatistics& of(std::size_t player) const { return of_player_[player]; }

 private:
  const std::vector<std::string>& names_;
  double scale_;
  std::vector<RunningStatistics> of_player_;
};

Json match_report(const Arguments& arguments, const Game& game, const std::vector<std::string>& names, const TableResult& table,
                  const Results& results) {
  Json json = {{"game", game.name()}, {"hands", table.hands}, {"seed", arguments.seed}, {"unit", result_unit(game).name}};
  json["players"] = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const RunningStatistics& result = results.of(i);
    const double half = result.half_width_95();
    json["players"].push_back({{"name", names[i]},
                               {"player", arguments.players[i]},
                               {"chips", json_number(table.total[i])},
                               {"mean", result.mean()},
                               {"sd", result.standard_deviation()},
                               {"ci_low", result.mean() - half},
                               {"ci_high", result.mean() + half}});
  }
  return json;
}

void print_text(const Json& report) {
  std::cout << report["game"].get<std::string>() << ", " << show_count(report["hands"].get<std::uint64_t>()) << " hands, seed "
            << report["seed"] << "; results for a hand\n";
  for (const Json& player : report["players"]) {
    std::array<char, 200> row;
    std::snprintf(row.data(), row.size(), "%+.2f %s, 95 %% interval %.2f .. %.2f", player["mean"].get<double>(),
                  report["unit"].get<std::string>().c_str(), player["ci_low"].get<double>(), player["ci_high"].get<double>());
    std::cout << "  " << player["name"].get<std::string>() << "  " << row.data() << ", net " << player["chips"] << " chips\n";
  }
}

void play(const Arguments& arguments) {
  const std::shared_ptr<const Game> game = game_of_players(arguments.players, arguments.game);
  const std::vector<std::string> names = table_names(arguments.players, arguments.names);
  TableOptions options;
  options.hands = static_cast<std::uint32_t>(arguments.hands);
  options.seed = arguments.seed;
  std::vector<SeatedPlayer> seated;
  std::vector<TablePlayer*> players;
  for (std::size_t i = 0; i < names.size(); ++i) {
    seated.push_back(seat_player(arguments.players[i], names[i], game, arguments.game, options.seed));
    players.push_back(seated[i].seat.get());
  }
  Results results(names, result_unit(*game).scale);
  OpenMatchFiles files(arguments.files, *game, names, options);
  std::vector<TableObserver*> observers = files.observers();
  observers.push_back(&results);
  const TableResult table = play_table(*game, players, options, observers);
  files.finish(print_score_line(table.total, names));
  const Json report = match_report(arguments, *game, names, table, results);
  if (arguments.json) {
    write_json(report);
  } else {
    print_text(report);
  }
}

}  // namespace

void add_match(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("match", "Play hands between agents here, with logs (ACPC, PHH)");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("PLAYER", arguments->players, "One for each seat: " + std::string(kPlayerHelp))->required()->type_name("");
  command->add_option("--game", arguments->game, "The game (that of the first run); runs may then have raise sizes of their own")
      ->type_name("GAME");
  add_whole(*command, "--hands", arguments->hands, 1, 1'000'000'000, "How many hands; positions rotate (1000)");
  add_seed(*command, arguments->seed, "Seed of cards and draws (1)");
  add_list(*command, "--names", arguments->names, "A,B,...", "Names for the logs, one for each player (what they are called here)");
  add_match_files(*command, arguments->files);
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { play(*arguments); }; });
}

}  // namespace deepcfr
