#include "state.h"

#include "deepcfr/core/error.h"

namespace deepcfr {

Network RunParts::fresh_network(const TrainOptions& options, bool strategy, int player, std::int64_t iteration) const {
  const CounterRandom init(StreamPurpose::network_weights,
                           {options.seed, strategy ? 1U : 0U, static_cast<std::uint64_t>(player), static_cast<std::uint64_t>(iteration)});
  return Network(strategy ? strategy_layout : advantage_layout, game->num_actions(),
                 strategy ? options.strategy_network : options.advantage_network, init);
}

RunParts make_parts(const TrainOptions& options) {
  RunParts parts;
  parts.game = std::make_shared<const Game>(make_game(options.game));
  const bool small = SmallGame::fits(*parts.game);
  if (options.algorithm.small_game == Switch::on && !small) {
    (void)SmallGame(*parts.game);  // throws with the size
  }
  if (small) parts.small_game = std::make_shared<const SmallGame>(*parts.game);
  parts.fast_path = small && options.algorithm.small_game != Switch::off;
  const ValuePrecision precision = parts.fast_path ? ValuePrecision::single : ValuePrecision::half;
  const auto keys = parts.fast_path ? parts.small_game : nullptr;
  parts.advantage_codec = std::make_shared<const SampleCodec>(*parts.game, keys, precision);
  parts.strategy_codec = parts.advantage_codec;
  parts.advantage_layout = Encoder(*parts.game, feature_kind(options.advantage_network.type)).layout();
  parts.strategy_layout = Encoder(*parts.game, feature_kind(options.strategy_network.type)).layout();
  parts.merge = options.algorithm.merge == Switch::on || (options.algorithm.merge == Switch::automatic && parts.fast_path);
  parts.scale = options.training.target_scale > 0 ? options.training.target_scale : parts.game->definition().big_blind();
  return parts;
}

RunState make_state(const TrainOptions& options, const RunParts& parts, const std::filesystem::path& run_dir) {
  RunState state;
  const std::filesystem::path directory = run_dir / options.memory.directory;
  if (options.memory.storage == MemoryStorage::file) std::filesystem::create_directories(directory);
  const auto make_memory = [&](const SampleCodec& codec, std::int64_t records, CounterRandom stream) {
    const auto capacity = static_cast<std::uint64_t>(records);
    if (options.memory.storage == MemoryStorage::ram) return Reservoir(codec.bytes(), capacity, stream);
    return Reservoir(codec.bytes(), capacity, stream, RecordStorage::in_file(directory, codec.bytes() * capacity));
  };
  const auto players = static_cast<std::size_t>(parts.game->players());
  state.advantage.resize(players);
  state.strategy.resize(players);
  for (std::size_t p = 0; p < players; ++p) {
    state.advantage_memory.push_back(make_memory(*parts.advantage_codec, options.memory.advantage_capacity,
                                                 CounterRandom(StreamPurpose::reservoir, {options.seed, 0, p})));
    state.strategy_memory.push_back(make_memory(*parts.strategy_codec, options.memory.strategy_capacity,
                                                CounterRandom(StreamPurpose::reservoir, {options.seed, 1, p})));
  }
  rebuild_sums(parts, state);
  return state;
}

void rebuild_sums(const RunParts& parts, RunState& state) {
  state.advantage_sums.clear();
  state.strategy_sums.clear();
  if (!parts.fast_path || !parts.merge) return;
  const auto sums_of = [](const SampleCodec& codec, const Reservoir& memory) {
    MergedSums sums(codec);
    for (std::uint64_t i = 0; i < memory.size(); ++i) sums.add(memory.record(i));
    return sums;
  };
  for (std::size_t p = 0; p < state.advantage_memory.size(); ++p) {
    state.advantage_sums.push_back(sums_of(*parts.advantage_codec, state.advantage_memory[p]));
    state.strategy_sums.push_back(sums_of(*parts.strategy_codec, state.strategy_memory[p]));
  }
}

}  // namespace deepcfr
