// Reading a run back: the agent for evaluation and play, and its records.
#include <algorithm>
#include <fstream>
#include <optional>
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

/// Predicted advantages in chips: networks are fitted to chips divided by `scale`.
class AdvantagesInChips final : public AdvantageSource {
 public:
  AdvantagesInChips(std::shared_ptr<const Game> game, const std::vector<std::shared_ptr<const Network>>& networks, double scale)
      : game_(std::move(game)), source_(*game_, networks), scale_(static_cast<float>(scale)) {}
  void advantages(int player, std::span<const State* const> states, std::span<float> out) override {
    source_.advantages(player, states, out);
    for (float& value : out) value *= scale_;
  }

 private:
  std::shared_ptr<const Game> game_;
  NetworkSource source_;
  float scale_;
};

/// Whether a checkpoint holds just this iteration; false if only the archive of a later one does; Error{input} if neither.
bool has_checkpoint(const RunPaths& paths, const std::string& run_dir, std::int64_t iteration) {
  const std::vector<std::int64_t> kept = checkpoint_iterations(paths);
  if (std::find(kept.begin(), kept.end(), iteration) != kept.end()) return true;
  if (iteration >= 1 && !kept.empty() && iteration < kept.front()) return false;
  std::string list;
  for (const std::int64_t known : kept) list += (list.empty() ? "" : ", ") + std::to_string(known);
  throw Error(ErrorKind::input, "has no iteration " + std::to_string(iteration), run_dir,
              kept.empty() ? "it holds no checkpoint"
                           : "checkpoints: " + list + "; the mixture of any iteration from 1 to " + std::to_string(kept.front()));
}

/// The archive as it was after `iteration`: what played later is left out.
void keep_until(std::vector<std::vector<ArchivedNetwork>>& archives, std::int64_t iteration) {
  for (auto& archive : archives) std::erase_if(archive, [&](const ArchivedNetwork& entry) { return entry.iteration > iteration; });
}

/// An agent of an iteration whose checkpoint is gone: the networks that played then are in the archive, the strategy network is not.
RunState back_to(const RunParts& parts, const TrainOptions& options, std::int64_t iteration,
                 std::vector<std::vector<ArchivedNetwork>>& archives) {
  keep_until(archives, iteration);
  RunState state;
  state.position.completed = iteration;
  const auto players = static_cast<std::size_t>(parts.game->players());
  state.strategy.resize(players);
  for (std::size_t p = 0; p < players; ++p) {
    Network network = parts.fresh_network(options, false, static_cast<int>(p), 0);
    const ArchivedNetwork& last = archives[p].back();
    if (!last.weights.empty()) network.set_weights(last.weights);
    state.advantage.push_back(last.weights.empty() ? nullptr : std::make_shared<const Network>(std::move(network)));
  }
  return state;
}

}  // namespace

Agent load_agent(const TrainOptions& options, const std::string& run_dir, std::optional<std::int64_t> iteration) {
  const RunPaths paths{run_dir};
  const RunParts parts = make_parts(options);
  Agent agent;
  agent.game = parts.game;
  agent.small_game = parts.small_game;
  const bool gone = iteration && !has_checkpoint(paths, run_dir, *iteration);
  RunState state = load_checkpoint(paths, options, parts, false, agent.warnings, gone ? std::nullopt : iteration);
  std::vector<std::vector<ArchivedNetwork>> archives = load_archives(paths, state.archive_marks);
  if (gone) state = back_to(parts, options, *iteration, archives);
  agent.iteration = state.position.completed;
  agent.advantages = std::make_unique<AdvantagesInChips>(parts.game, state.advantage, parts.scale);
  for (const auto& network : state.advantage) agent.advantages_fitted.push_back(network != nullptr);
  if (parts.small_game) {
    load_tables(options, parts, state, archives, agent);
  } else {
    load_networks(options, parts, state, std::move(archives), agent);
  }
  if (!agent.network) {
    agent.warnings.push_back(gone ? "no checkpoint of iteration " + std::to_string(*iteration) + " is left, so its strategy network is gone: the mixture is used" : "the checkpoint has no strategy network (they are fitted at evaluations that play them and at the end; checkpoint.strategy_network: true for every checkpoint): the mixture is used");
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
