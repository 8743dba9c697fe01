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
#include "deepcfr/core/error.h"
#include "deepcfr/core/statistics.h"
#include "deepcfr/eval/match.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "match_arguments.h"
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
  std::string variance = "plain";
  std::vector<std::string> names;
  MatchFiles files;
  bool json = false;
};

/// What one player made of the match, in the game's unit. `ci` is missing where no interval is known.
struct PlayerResult {
  double chips = 0;
  double mean = 0;
  bool has_interval = true;
  double ci_low = 0, ci_high = 0;
};

/// Results of hands as dealt, by player.
class Results final : public TableObserver {
 public:
  Results(const std::vector<std::string>& names, double scale) : names_(names), scale_(scale), of_player_(names.size()), chips_(names.size()) {}

  void hand_over(const HandRecord& hand) override {
    ++hands_;
    for (std::size_t p = 0; p < hand.names.size(); ++p) {
      const auto player = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), hand.names[p]) - names_.begin());
      of_player_[player].add(hand.values[p] * scale_);
      chips_[player] += hand.values[p];
    }
  }
  std::int64_t hands() const { return hands_; }
  const std::vector<double>& chips() const { return chips_; }

  std::vector<PlayerResult> players() const {
    std::vector<PlayerResult> results;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const double half = of_player_[i].half_width_95();
      results.push_back({chips_[i], of_player_[i].mean(), true, of_player_[i].mean() - half, of_player_[i].mean() + half});
    }
    return results;
  }

 private:
  const std::vector<std::string>& names_;
  double scale_;
  std::vector<RunningStatistics> of_player_;
  std::vector<double> chips_;
  std::int64_t hands_ = 0;
};

class Match {
 public:
  explicit Match(const Arguments& arguments)
      : arguments_(arguments),
        game_(game_of_players(arguments.players, arguments.game)),
        names_(table_names(arguments.players, arguments.names)),
        unit_(result_unit(*game_)) {
    if (names_.size() != static_cast<std::size_t>(game_->players())) {
      throw Error(ErrorKind::usage, std::to_string(names_.size()) + " players are named, " + game_->name() + " is for " +
                                        std::to_string(game_->players()));
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      seated_.push_back(seat_player(arguments.players[i], names_[i], game_, arguments.game, arguments.seed));
    }
  }

  void play() {
    TableOptions options;
    options.hands = static_cast<std::uint32_t>(arguments_.hands);
    options.seed = arguments_.seed;
    Results results(names_, unit_.scale);
    OpenMatchFiles files(arguments_.files, *game_, names_, options);
    std::vector<TableObserver*> observers = files.observers();
    observers.push_back(&results);
    const std::vector<PlayerResult> players = same_sizes() ? in_step(observers, results) : at_a_table(options, observers, results);
    files.finish(print_score_line(results.chips(), names_));
    write_down(players, results);
    if (arguments_.json) {
      write_json(as_json(players, results.hands()));
    } else {
      print_text(players, results.hands());
    }
  }

 private:
  bool same_sizes() const {
    return std::all_of(seated_.begin(), seated_.end(), [&](const SeatedPlayer& player) { return player.game->abstraction() == game_->abstraction(); });
  }

  /// All players know the same raise sizes: the match engine, many hands in step.
  std::vector<PlayerResult> in_step(const std::vector<TableObserver*>& observers, const Results& results) {
    std::vector<Policy*> policies;
    for (const SeatedPlayer& player : seated_) policies.push_back(player.player.policy.get());
    MatchOptions options;
    options.games = arguments_.hands;
    options.seed = arguments_.seed;
    const auto& variances = kVarianceReductionNames;
    options.variance = static_cast<VarianceReduction>(std::find(variances.begin(), variances.end(), arguments_.variance) - variances.begin());
    options.observer = [&](const FinishedHand& hand) {
      const HandRecord record = record_of(hand);
      for (TableObserver* observer : observers) observer->hand_over(record);
    };
    const MatchResult match = play_match(*game_, policies, options);
    std::vector<PlayerResult> players = results.players();
    if (options.variance == VarianceReduction::plain) return players;
    for (PlayerResult& player : players) player.has_interval = false;  // hands that share a deal are not independent
    players[0] = {results.chips()[0], match.mean, true, match.ci_low, match.ci_high};
    if (players.size() == 2) players[1] = {results.chips()[1], -match.mean, true, -match.ci_high, -match.ci_low};
    return players;
  }

  /// Raise sizes differ: everybody understands the others' bets by translation.
  std::vector<PlayerResult> at_a_table(const TableOptions& options, const std::vector<TableObserver*>& observers, const Results& results) {
    if (arguments_.variance != "plain") {
      throw Error(ErrorKind::usage, arguments_.variance + " needs players who know the same raise sizes", "--variance", "plain works");
    }
    std::vector<TablePlayer*> players;
    for (const SeatedPlayer& player : seated_) players.push_back(player.seat.get());
    play_table(*game_, players, options, observers);
    return results.players();
  }

  HandRecord record_of(const FinishedHand& hand) const {
    HandRecord record;
    record.game = game_;
    record.label = std::to_string(hand.number);
    record.deal = hand.state->deal;
    record.betting = betting_of(*game_, *hand.state);
    for (const int player : hand.player_of_seat) record.names.push_back(names_[static_cast<std::size_t>(player)]);
    record.values.resize(names_.size());
    game_->values(*hand.state, record.values);
    return record;
  }

  /// Each agent's result into the ledger of its run.
  void write_down(const std::vector<PlayerResult>& players, const Results& results) const {
    for (std::size_t i = 0; i < seated_.size(); ++i) {
      std::string others;
      for (std::size_t j = 0; j < seated_.size(); ++j) {
        if (j != i) others += (others.empty() ? "" : "; ") + seated_[j].player.label;
      }
      Json line = {{"hands", results.hands()}, {"mean", players[i].mean}};
      line["ci_low"] = players[i].has_interval ? Json(players[i].ci_low) : Json();
      line["ci_high"] = players[i].has_interval ? Json(players[i].ci_high) : Json();
      line["unit"] = unit_.name;
      line["variance"] = arguments_.variance;
      append_to_ledger("match", seated_[i].player, others, *game_, arguments_.seed, line);
    }
  }

  Json as_json(const std::vector<PlayerResult>& players, std::int64_t hands) const {
    Json json = {{"game", game_->name()}, {"hands", hands}, {"seed", arguments_.seed}, {"variance", arguments_.variance}, {"unit", unit_.name}};
    json["players"] = Json::array();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const PlayerResult& result = players[i];
      Json player = {{"name", names_[i]}, {"player", arguments_.players[i]}, {"chips", json_number(result.chips)}, {"mean", result.mean}};
      player["ci_low"] = result.has_interval ? Json(result.ci_low) : Json();
      player["ci_high"] = result.has_interval ? Json(result.ci_high) : Json();
      json["players"].push_back(player);
    }
    return json;
  }

  void print_text(const std::vector<PlayerResult>& players, std::int64_t hands) const {
    std::cout << game_->name() << ", " << show_count(static_cast<std::uint64_t>(hands)) << " hands, seed " << arguments_.seed
              << "; results for a hand\n";
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const PlayerResult& result = players[i];
      std::array<char, 200> row;
      std::snprintf(row.data(), row.size(), "%+.2f %s, 95 %% interval %.2f .. %.2f", result.mean, unit_.name.c_str(), result.ci_low, result.ci_high);
      std::string text = row.data();
      if (!result.has_interval) text.resize(text.find(','));
      std::cout << "  " << names_[i] << "  " << text << ", net " << print_chips(result.chips) << " chips\n";
    }
  }

  const Arguments& arguments_;
  std::shared_ptr<const Game> game_;
  std::vector<std::string> names_;
  ResultUnit unit_;
  std::vector<SeatedPlayer> seated_;
};

}  // namespace

void add_match(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("match", "Play hands between agents here, with logs (ACPC, PHH)");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("PLAYER", arguments->players, "One for each seat: " + std::string(kPlayerHelp))->required()->type_name("");
  command->add_option("--game", arguments->game, "The game (that of the first run); runs may then have raise sizes of their own")
      ->type_name("GAME");
  add_whole(*command, "--hands", arguments->hands, 1, 1'000'000'000, "How many hands, rounded up to whole rounds of seats; positions rotate (1000)");
  add_seed(*command, arguments->seed, "Seed of cards and draws (1)");
  add_word(*command, "--variance", arguments->variance, {kVarianceReductionNames.begin(), kVarianceReductionNames.end()},
           "What is done against luck; duplicate: the hands of a round of seats share a deal (plain)");
  add_list(*command, "--names", arguments->names, "A,B,...", "Names for the logs, one for each player (what they are called here)");
  add_match_files(*command, arguments->files);
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { Match(*arguments).play(); }; });
}

}  // namespace deepcfr
