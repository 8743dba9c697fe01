// Everything that a training run can be told. Filled by the config room from YAML; every field is one key of
// docs/configuration.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "deepcfr/cfr/inference.h"
#include "deepcfr/eval/match.h"
#include "deepcfr/game/game.h"
#include "deepcfr/nn/options.h"

namespace deepcfr {

enum class Switch { automatic, on, off };
enum class TraversalMode { interleaved, recursive };
enum class InferenceKind { local, server, check };
enum class AveragePolicy { network, mixture };

struct GameOptions {
  std::string name = "leduc";  ///< catalogue name or path of a .game file
  RuleSet rules = RuleSet::acpc;
  bool canonical_suits = true;
  std::vector<double> pot_fractions;  ///< empty: the game's default; the same in every round
  std::optional<bool> all_in;
  std::optional<int> max_raises;
};

enum class MemoryStorage { ram, file };

struct MemoryOptions {
  std::int64_t advantage_capacity = 4'000'000;  ///< records for each player
  std::int64_t strategy_capacity = 4'000'000;   ///< records for each player
  MemoryStorage storage = MemoryStorage::ram;   ///< same results
  std::string directory = "memory";  ///< of the files, relative to the run directory
};

struct EvaluationOptions {
  std::int64_t eval_every = 10;   ///< iterations; 0: only at the end
  std::int64_t games = 1000;      ///< against each opponent
  std::vector<std::string> opponents = {"random", "always_call", "tight"};
  Switch exploitability = Switch::automatic;  ///< exact NashConv at each evaluation, if the game is small
  std::uint64_t seed = 2024;      ///< of the matches, apart from the training seed: the same deals at every evaluation
  AveragePolicy policy = AveragePolicy::network;  ///< what is played against bots
  VarianceReduction variance = VarianceReduction::control;
};

struct CheckpointOptions {
  std::int64_t every = 10;  ///< iterations; 0: only at the end
  std::int64_t keep = 2;
  bool strategy_network = false;  ///< fitted for a checkpoint too, not only for evaluations and at the end
};

struct TrainOptions {
  std::uint64_t seed = 1;          ///< resolved: `seed: random` is drawn and written to the run's config.yaml
  GameOptions game;
  struct {
    std::int64_t iterations = 100;
    std::int64_t traversals = 1000;  ///< for each player and iteration
    Switch small_game = Switch::automatic;  ///< the fast path of games with few infosets
    Switch merge = Switch::automatic;       ///< equal infosets of a memory merged before a fit
  } algorithm;
  struct {
    int workers = 1;               ///< threads
    TraversalMode mode = TraversalMode::interleaved;
    int in_flight = 64;            ///< traversals that one worker has under way at once
  } traversal;
  NetworkOptions advantage_network;
  NetworkOptions strategy_network;
  FitOptions advantage_fit;
  FitOptions strategy_fit;
  struct {
    bool warm_start = false;       ///< start a fit from the last weights instead of fresh ones
    double target_scale = 0;       ///< targets are divided by it; 0: the big blind
    StrategyLoss strategy_loss = StrategyLoss::cross_entropy;
    Device device = Device::automatic;
    int threads = 1;               ///< LibTorch intra-op threads of a fit
  } training;
  struct {
    Device device = Device::automatic;
    InferenceKind backend = InferenceKind::local;
    RowType dtype = RowType::float32;
    bool asynchronous = false;     ///< server: workers step other traversals while it computes
    bool share_cards = true;       ///< card_bet: the card branch once for each player, round and traversal
    int batch = 256;               ///< rows of a worker's minibatch
    int max_batch = 0;             ///< server: rows of one forward; 0: one minibatch on a CPU, 16384 on a device
    int threads = 0;               ///< server; 0: as many as workers
    int queue_length = 64;         ///< server: minibatches that may wait
  } inference;
  MemoryOptions memory;
  EvaluationOptions evaluation;
  CheckpointOptions checkpoint;
};

/// The game that the options name, abstraction applied.
Game make_game(const GameOptions& options);

}  // namespace deepcfr
