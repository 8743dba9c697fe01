// Game logic of traversals by itself: external sampling with uniform strategies (no network), records included.
//
//   walk_bench [--json] [--rounds N] [GAME...]    one line for each game: decisions/s of one thread (CPU time), best of rounds and
//                                                 worst, and how many decisions a traversal has
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cpu_time.h"
#include "deepcfr/cfr/traversal.h"
#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace {

using namespace deepcfr;

double cpu_seconds() { return bench::thread_seconds(); }

struct Rate {
  double best = 0;
  double worst = 1e300;
  double sum = 0;
  int rounds = 0;
  void add(double rate) {
    best = std::max(best, rate);
    worst = std::min(worst, rate);
    sum += rate;
    ++rounds;
  }
};

struct Walked {
  std::string game;
  Rate interleaved, recursive;
  double decisions_per_traversal = 0;
};

Walked measure(const std::string& name, int rounds) {
  constexpr int kWarmUp = 2;
  constexpr std::uint64_t kIds = 100;
  const Game game = make_game(name);
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  UniformSource uniform;
  Walked walked{.game = name, .interleaved = {}, .recursive = {}};
  const std::array traversals = {make_interleaved_traversal(game, codec, 1.0, make_uniform_backend(), {}),
                                 make_recursive_traversal(game, codec, 1.0, uniform)};
  TraversalCounts all;
  SampleBuffer records;
  std::uint64_t first = 0;
  for (int round = 0; round < kWarmUp + rounds; ++round) {
    for (std::size_t side = 0; side < 2; ++side) {
      const double start = cpu_seconds();
      TraversalCounts counts;
      while (cpu_seconds() - start < 0.1) {
        records.clear();
        const int traverser = static_cast<int>(first / kIds % static_cast<std::uint64_t>(game.players()));
        counts.add(traversals[side]->run({.seed = 1, .iteration = 1, .traverser = traverser, .first_id = first, .count = kIds}, records));
        first += kIds;
      }
      all.add(counts);
      if (round >= kWarmUp) (side == 0 ? walked.interleaved : walked.recursive).add(static_cast<double>(counts.decisions) / (cpu_seconds() - start));
    }
  }
  walked.decisions_per_traversal = static_cast<double>(all.decisions) / static_cast<double>(all.traversals);
  return walked;
}

nlohmann::ordered_json json_of(const Walked& walked) {
  const auto rate = [](const Rate& r) { return nlohmann::ordered_json{{"mean", r.sum / r.rounds}, {"best", r.best}, {"worst", r.worst}}; };
  return {{"game", walked.game},
          {"interleaved_decisions_per_second", rate(walked.interleaved)},
          {"recursive_decisions_per_second", rate(walked.recursive)},
          {"decisions_per_traversal", walked.decisions_per_traversal}};
}

void print(const Walked& walked) {
  std::printf("%-8s interleaved %8.2f M decisions/s (worst %.2f), recursive %8.2f (worst %.2f), %.1f decisions a traversal\n", walked.game.c_str(),
              walked.interleaved.best * 1e-6, walked.interleaved.worst * 1e-6, walked.recursive.best * 1e-6, walked.recursive.worst * 1e-6,
              walked.decisions_per_traversal);
}

}  // namespace

int main(int argc, char** argv) {
  bool json = false;
  int rounds = 10;
  std::vector<std::string> games;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--json") {
      json = true;
    } else if (argument == "--rounds" && i + 1 < argc && std::atoi(argv[i + 1]) > 0) {
      rounds = std::atoi(argv[++i]);
    } else if (argument.starts_with("-")) {
      std::fprintf(stderr, "usage: walk_bench [--json] [--rounds N] [GAME...]\n");
      return 2;
    } else {
      games.push_back(argument);
    }
  }
  if (games.empty()) games = {"leduc", "fhp", "hulh", "hunl", "nlhe6"};
  try {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const std::string& game : games) {
      const Walked walked = measure(game, rounds);
      if (json) {
        all.push_back(json_of(walked));
      } else {
        print(walked);
      }
    }
    if (json) std::printf("%s\n", all.dump(2).c_str());
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.message().c_str());
    return error.exit_code();
  }
}
