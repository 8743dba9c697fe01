// Game logic of traversals by itself: external sampling with uniform strategies (no network), records included.
//
//   walk_bench [GAME...]    one line for each game: decisions/s of one thread (CPU time), best of rounds and spread
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "deepcfr/cfr/traversal.h"
#include "deepcfr/game/catalogue.h"

namespace {

using namespace deepcfr;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Rate {
  double best = 0;
  double worst = 1e300;
  void add(double rate) {
    best = std::max(best, rate);
    worst = std::min(worst, rate);
  }
};

void measure(const std::string& name) {
  const Game game = make_game(name);
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  UniformSource uniform;
  const auto recursive = make_recursive_traversal(game, codec, 1.0, uniform);
  const auto interleaved = make_interleaved_traversal(game, codec, 1.0, make_uniform_backend(), {});
  Rate rates[2];
  SampleBuffer records;
  std::uint64_t first = 0;
  for (int round = 0; round < 12; ++round) {
    for (int side = 0; side < 2; ++side) {
      Traversal& traversal = side == 0 ? *recursive : *interleaved;
      records.clear();
      const double start = cpu_seconds();
      std::uint64_t decisions = 0;
      while (cpu_seconds() - start < 0.1) {
        records.clear();
        decisions += traversal.run({.seed = 1, .iteration = 1, .traverser = static_cast<int>(first % 2), .first_id = first, .count = 100}, records).decisions;
        first += 100;
      }
      if (round >= 2) rates[side].add(static_cast<double>(decisions) / (cpu_seconds() - start));
    }
  }
  std::printf("%-8s interleaved %8.2f M decisions/s (worst %.2f), recursive %8.2f (worst %.2f)\n", name.c_str(), rates[1].best * 1e-6,
              rates[1].worst * 1e-6, rates[0].best * 1e-6, rates[0].worst * 1e-6);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> games(argv + 1, argv + argc);
  if (games.empty()) games = {"leduc", "fhp", "hulh", "hunl", "nlhe6"};
  for (const std::string& game : games) measure(game);
}
