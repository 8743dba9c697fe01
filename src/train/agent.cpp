// Reading a run back: the agent for evaluation and play, and its records.
#include <fstream>
#include <sstream>
#include <string>

#include "batches.h"
#include "checkpoint.h"
#include "deepcfr/core/error.h"
#include "deepcfr/nn/network_source.h"
#include "deepcfr/train/run.h"
#include "small_tables.h"

namespace deepcfr {
namespace {

/// All three policies of a small game as tables.
void load_tables(const TrainOptions& options, const RunParts& parts, const RunState& state, const std::vector<std::vector<ArchivedNetwork>>& archives, Agent& agent) {
  const SmallGame& small = *parts.small_game;
  const FeatureTable advantage_features(small, parts.advantage_layout.kind);
  const FeatureTable strategy_features(small, parts.strategy_layout.kind);
  std::vector<double> table(static_cast<std::size_t>(small.num_infosets()) * static_cast<std::size_t>(parts.game->num_actions()));
  std::vector<double> network_table = table;
  MixtureTable mixture(parts.small_game);
  bool fitted = true;
  for (int p = 0; p < parts.game->players(); ++p) {
    Network network = parts.fresh_network(options, false, p, 0);
    for (const ArchivedNetwork& entry : archives[static_cast<std::size_t>(p)]) {
      if (!entry.weights.empty()) network.set_weights(entry.weights);
      advantage_strategies(small, advantage_features, p, entry.weights.empty() ? nullptr : &network, table);
      mixture.add(p, entry.iteration, table);
    }
    if (state.strategy[static_cast<std::size_t>(p)]) {
      network_strategies(small, strategy_features, p, *state.strategy[static_cast<std::size_t>(p)], network_table);
    } else {
      fitted = false;
    }
  }
  for (int p = 0; p < parts.game->players(); ++p) {
    advantage_strategies(small, advantage_features, p, state.advantage[static_cast<std::size_t>(p)].get(), table);
  }
  if (fitted) agent.network = std::make_unique<TabularPolicy>(parts.small_game, network_table, "network");
  agent.mixture = std::make_unique<TabularPolicy>(parts.small_game, mixture.average(), "mixture");
  agent.current = std::make_unique<TabularPolicy>(parts.small_game, table, "current");
}

/// The last advantage networks as a policy; not an average.
std::vector<std::vector<ArchivedNetwork>> only_current(const RunState& state) {
  std::vector<std::vector<ArchivedNetwork>> result;
  for (const auto& network : state.advantage) {
    result.push_back({ArchivedNetwork{1, network ? network->weights() : std::vector<float>{}}});
  }
  return result;
}

void load_networks(const TrainOptions& options, const RunParts& parts, const RunState& state, std::vector<std::vector<ArchivedNetwork>> archives, Agent& agent) {
  bool fitted = true;
  for (const auto& network : state.strategy) fitted = fitted && network != nullptr;
  if (fitted) agent.network = make_strategy_network_policy(parts.game, state.strategy);
  agent.mixture = make_mixture_policy(parts.game, options.advantage_network, std::move(archives));
  agent.current = make_mixture_policy(parts.game, options.advantage_network, only_current(state));
}

}  // namespace

Agent load_agent(const TrainOptions& options, const std::string& run_dir) {
  const RunPaths paths{run_dir};
  const RunParts parts = make_parts(options);
  Agent agent;
  agent.game = parts.game;
  agent.small_game = parts.small_game;
  const RunState state = load_checkpoint(paths, options, parts, false, agent.warnings);
  agent.iteration = state.position.completed;
  std::vector<std::vector<ArchivedNetwork>> archives = load_archives(paths, state.archive_marks);
  if (parts.small_game) {
    load_tables(options, parts, state, archives, agent);
  } else {
    load_networks(options, parts, state, std::move(archives), agent);
  }
  if (!agent.network) {
    agent.warnings.push_back("the newest checkpoint has no strategy network (they are fitted at evaluations that play them and at the end; checkpoint.strategy_network: true for every checkpoint): the mixture is used");
  } else if (state.strategy_iteration != state.position.completed) {
    agent.warnings.push_back("the strategy network is that of iteration " + std::to_string(state.strategy_iteration) + ", the mixture that of " +
                             std::to_string(state.position.completed));
  }
  return agent;
}

void read_samples(const TrainOptions& options, const std::string& run_dir, SampleKind kind, int player,
                  const std::function<bool(const SampleRow&)>& row) {
  const RunPaths paths{run_dir};
  const RunParts parts = make_parts(options);
  if (player < 0 || player >= parts.game->players()) {
    throw Error(ErrorKind::usage, "player " + std::to_string(player) + " is not in 0.." + std::to_string(parts.game->players() - 1), "--player");
  }
  std::vector<std::string> warnings;
  std::ifstream file;  // buffered: records are read one by one
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file.open(memory_file(paths, kind, player, warnings), std::ios::binary);
  std::uint64_t head[3];
  file.read(reinterpret_cast<char*>(head), sizeof head);
  const auto [seen, capacity, record_bytes] = head;
  const SampleCodec& codec = kind == SampleKind::advantage ? *parts.advantage_codec : *parts.strategy_codec;
  if (record_bytes != codec.bytes()) throw Error(ErrorKind::input, "the records have another size than the config says", run_dir);
  const double scale = kind == SampleKind::advantage ? parts.scale : 1.0;
  std::vector<std::byte> record(record_bytes);
  for (std::uint64_t i = 0; i < std::min(seen, capacity); ++i) {
    file.read(reinterpret_cast<char*>(record.data()), static_cast<std::streamsize>(record.size()));
    const Sample sample = codec.unpack(record.data());
    SampleRow out;
    out.iteration = sample.iteration;
    out.infoset = describe(*parts.game, sample.infoset);
    const ActionMask legal = parts.game->legal_actions(state_of(*parts.game, sample.infoset));
    for (std::size_t a = 0; a < static_cast<std::size_t>(codec.num_actions()); ++a) {
      if (((legal >> a) & 1) == 0) continue;
      out.legal.push_back(parts.game->action_name(static_cast<Action>(a)));
      out.targets.push_back(sample.values[a] * scale);
    }
    if (!row(out)) return;
  }
}

}  // namespace deepcfr
