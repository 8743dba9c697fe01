// What evaluations cost.
//
//   evaluation_bench rates [--games N] [--hidden N] [--json]   hands/s of a network (3 layers, random weights) against every bot in
//                                                               hulh and hunl, with each kind of variance reduction; one thread
//   evaluation_bench share [--json]                             share of evaluations in iterations of HULH: 10,000 traversals a player and
//                                                               fits of 4,000 steps of 2,048 rows. A short run is measured (200 traversals,
//                                                               40 steps, evaluations of 1,000 games against three bots) and
//                                                               its traversals and fits scaled up; evaluations are as they are
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/bots.h"
#include "deepcfr/eval/match.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/network_source.h"
#include "deepcfr/train/run.h"

namespace {

using namespace deepcfr;
using Json = nlohmann::ordered_json;

struct Arguments {
  std::string task;
  std::int64_t games = 10'000;
  int hidden = 512;
  bool json = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Strategy networks of all players with random weights.
std::unique_ptr<Policy> random_network(const std::shared_ptr<const Game>& game, int hidden) {
  NetworkOptions options;
  options.hidden = hidden;
  std::vector<std::shared_ptr<const Network>> networks;
  for (int p = 0; p < game->players(); ++p) {
    networks.push_back(std::make_shared<const Network>(Encoder(*game, FeatureKind::dense).layout(), game->num_actions(), options,
                                                       CounterRandom(static_cast<std::uint64_t>(p + 1))));
  }
  return make_strategy_network_policy(game, networks);
}

void rates(const Arguments& arguments) {
  for (const char* name : {"hulh", "hunl"}) {
    const auto game = std::make_shared<const Game>(make_game(name));
    const std::unique_ptr<Policy> hero = random_network(game, arguments.hidden);
    for (const std::string& opponent : bot_names()) {
      Json row = {{"game", name}, {"hidden", arguments.hidden}, {"opponent", opponent}, {"games", arguments.games}};
      if (!arguments.json) std::printf("%s 3 x %d v %-12s hands/s", name, arguments.hidden, opponent.c_str());
      for (std::size_t v = 0; v < kVarianceReductionNames.size(); ++v) {
        const auto bot = make_bot(*game, opponent);  // with nothing in its cache
        const auto start = std::chrono::steady_clock::now();
        const MatchResult result = play_match(*game, *hero, *bot, {.games = arguments.games, .variance = static_cast<VarianceReduction>(v)});
        const double rate = static_cast<double>(result.hands) / seconds_since(start);
        row[kVarianceReductionNames[v]] = {{"hands_per_second", rate}, {"standard_error", result.standard_error}};
        if (!arguments.json) std::printf("  %s %.0f (se %.1f)", kVarianceReductionNames[v], rate, result.standard_error);
      }
      if (arguments.json) std::printf("%s\n", row.dump().c_str());
      else std::printf("\n");
      std::fflush(stdout);
    }
  }
}

class Silent final : public RunObserver {
 public:
  void progress(const Progress& /*progress*/) override {}
  void line(const std::string& /*text*/) override {}
  void warning(const std::string& /*text*/) override {}
};

struct Costs {
  double iteration = 0;    ///< traversals and advantage fits, scaled up
  double evaluation = 0;   ///< one, the last
  double strategy = 0;     ///< one fit of the strategy networks, scaled up
};

Costs measure(int hidden, std::int64_t games, AveragePolicy policy) {
  constexpr std::int64_t kTraversals = 200, kWantedTraversals = 10'000;
  constexpr int kSteps = 40, kWantedSteps = 4000;
  TrainOptions options;
  options.game.name = "hulh";
  options.algorithm.iterations = 4;
  options.algorithm.traversals = kTraversals;
  options.advantage_network.hidden = options.strategy_network.hidden = hidden;
  options.advantage_fit.steps = options.strategy_fit.steps = kSteps;
  options.advantage_fit.batch_size = options.strategy_fit.batch_size = 2048;
  options.memory.advantage_capacity = options.memory.strategy_capacity = 1'000'000;
  options.evaluation.eval_every = 2;
  options.evaluation.games = games;
  options.evaluation.policy = policy;
  options.checkpoint.every = 0;
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("evaluation_bench_" + std::to_string(::getpid()));
  Silent observer;
  const std::atomic<int> stop{0};
  start_run(options, "", folder.string(), observer, stop);
  Costs costs;
  std::ifstream metrics(folder / "metrics.jsonl");
  for (std::string line; std::getline(metrics, line);) {
    const Json row = Json::parse(line);
    costs.iteration = row["traversal_seconds"].get<double>() * kWantedTraversals / kTraversals +
                      row["advantage_network_seconds"].get<double>() * kWantedSteps / kSteps;
    if (row["evaluation_seconds"].get<double>() > 0) costs.evaluation = row["evaluation_seconds"];
    if (row["policy_network_seconds"].get<double>() > 0) costs.strategy = row["policy_network_seconds"].get<double>() * kWantedSteps / kSteps;
  }
  std::filesystem::remove_all(folder);
  return costs;
}

void share(const Arguments& arguments) {
  for (const int hidden : {64, 256, 512}) {
    for (const std::int64_t games : {1000, 10'000}) {
      const Costs costs = measure(hidden, games, AveragePolicy::mixture);
      for (const int every : {1, 5, 10}) {
        const double percent = 100 * costs.evaluation / every / (costs.iteration + costs.evaluation / every);
        if (arguments.json) {
          std::printf("%s\n", Json({{"hidden", hidden}, {"games", games}, {"eval_every", every}, {"iteration_seconds", costs.iteration},
                                    {"evaluation_seconds", costs.evaluation}, {"share_percent", percent}}).dump().c_str());
        } else {
          std::printf("hulh 3 x %d: iteration %.1f s; evaluation of %lld games against three bots %.3f s; eval_every %d: %.3f %% of the time\n", hidden,
                      costs.iteration, static_cast<long long>(games), costs.evaluation, every, percent);
        }
        std::fflush(stdout);
      }
    }
  }
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool value = i + 1 < argc;
    if (word == "--json") arguments.json = true;
    else if (word == "--games" && value) arguments.games = std::atoll(argv[++i]);
    else if (word == "--hidden" && value) arguments.hidden = std::atoi(argv[++i]);
    else if (word == "rates" || word == "share") arguments.task = word;
    else throw Error(ErrorKind::usage, "not understood: " + word, {}, "evaluation_bench rates|share [--games N] [--hidden N] [--json]");
  }
  if (arguments.task.empty()) throw Error(ErrorKind::usage, "no task", {}, "evaluation_bench rates|share [--games N] [--hidden N] [--json]");
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments = parse(argc, argv);
    configure_libtorch(1);
    if (arguments.task == "rates") {
      rates(arguments);
    } else {
      share(arguments);
    }
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return error.exit_code();
  }
}
