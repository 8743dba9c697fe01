// OpenSpiel's game logic in C++: external sampling with uniform strategies, no network, no records. Compiled by scripts/bench_peers.sh against
// the headers in OpenSpiel's wheel and called from Python through ctypes, with pyspiel.so loaded before.
#include <cstdint>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "open_spiel/spiel.h"

namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Walk {
  int traverser = 0;
  bool tensor = false;  // with the network's input at each decision
  std::mt19937_64 random{1};
  std::uint64_t decisions = 0;
  std::vector<float> row;

  double uniform() { return static_cast<double>(random() >> 11) * 0x1.0p-53; }

  /// Consumes the state: it is copied only where a traverser's node has more actions to follow.
  double run(std::unique_ptr<open_spiel::State> state) {
    while (!state->IsTerminal()) {
      if (state->IsChanceNode()) {
        state->ApplyAction(open_spiel::SampleAction(state->ChanceOutcomes(), uniform()).first);
        continue;
      }
      ++decisions;
      if (tensor) state->InformationStateTensor(state->CurrentPlayer(), absl::MakeSpan(row));
      const std::vector<open_spiel::Action> legal = state->LegalActions();
      if (state->CurrentPlayer() != traverser) {
        state->ApplyAction(legal[random() % legal.size()]);
        continue;
      }
      double sum = 0;
      for (std::size_t i = 0; i + 1 < legal.size(); ++i) sum += run(state->Child(legal[i]));
      state->ApplyAction(legal.back());
      return (sum + run(std::move(state))) / static_cast<double>(legal.size());
    }
    return state->PlayerReturn(traverser);
  }
};

}  // namespace

/// Decisions/s of one thread (CPU time); traversers take turns.
extern "C" double openspiel_walk(const char* game_name, int tensor, double seconds, double* decisions_per_traversal) {
  const std::shared_ptr<const open_spiel::Game> game = open_spiel::LoadGame(game_name);
  Walk walk;
  walk.tensor = tensor != 0;
  walk.row.resize(static_cast<std::size_t>(game->InformationStateTensorSize()));
  std::uint64_t traversals = 0;
  const double start = cpu_seconds();
  while (cpu_seconds() - start < seconds) {
    for (int i = 0; i < 20; ++i) {
      walk.traverser = static_cast<int>(traversals++ % 2);
      walk.run(game->NewInitialState());
    }
  }
  *decisions_per_traversal = static_cast<double>(walk.decisions) / static_cast<double>(traversals);
  return static_cast<double>(walk.decisions) / (cpu_seconds() - start);
}
