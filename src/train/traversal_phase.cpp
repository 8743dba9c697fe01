#include "traversal_phase.h"

#include <algorithm>
#include <vector>

#include "deepcfr/core/bytes.h"
#include "deepcfr/nn/network_source.h"

namespace deepcfr {
namespace {

constexpr std::uint64_t kTableChunk = 2048;  // traversals; the fast path takes well under a microsecond for a node

/// One worker's tools; made once for a phase.
struct Worker {
  std::unique_ptr<AdvantageSource> source;
  std::unique_ptr<Traversal> traversal;
};

Worker make_worker(const TrainOptions& options, const RunParts& parts, const RunState& state, std::span<const double> strategies) {
  Worker worker;
  const SampleCodec& codec = *parts.advantage_codec;
  if (!strategies.empty()) {
    worker.traversal = make_table_traversal(*parts.small_game, codec, parts.scale, strategies);
    return worker;
  }
  worker.source = std::make_unique<NetworkSource>(*parts.game, state.advantage);
  worker.traversal = options.traversal.mode == TraversalMode::recursive
                         ? make_recursive_traversal(*parts.game, codec, parts.scale, *worker.source)
                         : make_batched_traversal(*parts.game, codec, parts.scale, *worker.source,
                                                  static_cast<std::uint64_t>(options.traversal.in_flight));
  return worker;
}

/// Takes the buffers in chunk order; what comes out does not depend on how the traversals were cut into chunks.
class Keeper {
 public:
  Keeper(RunState& state, int traverser)
      : state_(state),
        advantage_player_(static_cast<std::size_t>(traverser)),
        strategy_player_((advantage_player_ + 1) % state.strategy_memory.size()) {}
  void keep(const SampleBuffer& buffer) {
    advantage_hash_.update(buffer.advantage.data(), buffer.advantage.size());
    strategy_hash_.update(buffer.strategy.data(), buffer.strategy.size());
    add(buffer.advantage, state_.advantage_memory[advantage_player_], state_.advantage_sums, advantage_player_);
    add(buffer.strategy, state_.strategy_memory[strategy_player_], state_.strategy_sums, strategy_player_);
  }
  void finish() { state_.samples_hash = mix_key({state_.samples_hash, advantage_hash_.digest(), strategy_hash_.digest()}); }

 private:
  static void add(std::span<const std::byte> records, Reservoir& memory, std::vector<MergedSums>& sums, std::size_t player) {
    for (std::size_t at = 0; at < records.size(); at += memory.record_bytes()) {
      const std::byte* record = records.data() + at;
      if (sums.empty()) {
        memory.add(record);
        continue;
      }
      memory.add(record, [&](const std::byte* displaced) {
        if (displaced != nullptr) sums[player].remove(displaced);
        sums[player].add(record);
      });
    }
  }

  RunState& state_;
  std::size_t advantage_player_;
  std::size_t strategy_player_;
  ContentHash advantage_hash_, strategy_hash_;
};

TraversalCounts run_kind(const TrainOptions& options, const RunParts& parts, RunState& state, int traverser, TraversalKind kind,
                         std::span<const double> strategies, ThreadGroup& group, const std::function<void(double)>& progress) {
  const auto total = static_cast<std::uint64_t>(options.algorithm.traversals);
  const std::uint64_t chunk = strategies.empty() ? static_cast<std::uint64_t>(options.traversal.in_flight) : kTableChunk;
  const std::uint64_t chunks = (total + chunk - 1) / chunk;
  const std::uint64_t wave = group.size() * 8;  // bounds the records held outside the memories
  std::vector<Worker> workers(group.size());
  std::vector<SampleBuffer> buffers(std::min(wave, chunks));
  std::vector<TraversalCounts> counts(buffers.size());
  TraversalCounts sum;
  Keeper keeper(state, traverser);
  for (std::uint64_t first = 0; first < chunks; first += wave) {
    const std::uint64_t last = std::min(chunks, first + wave);
    group.for_each(last - first, [&](std::size_t item, std::size_t w) {
      if (!workers[w].traversal) workers[w] = make_worker(options, parts, state, strategies);
      const std::uint64_t first_id = (first + item) * chunk;
      buffers[item].clear();
      counts[item] = workers[w].traversal->run({.seed = options.seed,
                                                .iteration = static_cast<std::uint32_t>(state.position.completed + 1),
                                                .traverser = traverser,
                                                .kind = kind,
                                                .first_id = first_id,
                                                .count = std::min(chunk, total - first_id)},
                                               buffers[item]);
    });
    for (std::size_t item = 0; item < last - first; ++item) {
      keeper.keep(buffers[item]);
      sum.add(counts[item]);
    }
    progress(static_cast<double>(last) / static_cast<double>(chunks));
  }
  keeper.finish();
  return sum;
}

}  // namespace

TraversalCounts run_traversals(const TrainOptions& options, const RunParts& parts, RunState& state, int traverser,
                               std::span<const double> strategies, ThreadGroup& group, const std::function<void(double)>& progress) {
  TraversalCounts counts = run_kind(options, parts, state, traverser, TraversalKind::regrets, strategies, group, progress);
  if (parts.game->players() > 2) {
    const TraversalCounts average = run_kind(options, parts, state, traverser, TraversalKind::average, strategies, group, progress);
    counts.decisions += average.decisions;  // traversals are those of the regrets
    counts.terminals += average.terminals;
  }
  return counts;
}

}  // namespace deepcfr
