#include "traversal_phase.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include "deepcfr/cfr/inference_server.h"
#include "deepcfr/core/bytes.h"
#include "deepcfr/nn/forward_engine.h"
#include "deepcfr/nn/network_source.h"

namespace deepcfr {
namespace {

constexpr std::uint64_t kChunk = 32;         // traversals; small, so that no worker waits for another at the end
constexpr std::uint64_t kTableChunk = 2048;  // the fast path takes well under a microsecond for a node

/// The traversals of a phase, cut into chunks. Workers take and return them in any order, the owner reads them in order.
class ChunkedWork final : public TraversalWork {
 public:
  ChunkedWork(std::uint64_t total, std::uint64_t chunk) : total_(total), chunk_(chunk) {}
  std::uint64_t chunks() const noexcept { return (total_ + chunk_ - 1) / chunk_; }

  bool next(std::uint64_t& first_id, std::uint64_t& count) override {
    const std::lock_guard lock(mutex_);
    if (failed_ || handed_out_ >= total_) return false;
    first_id = handed_out_;
    count = std::min(chunk_, total_ - handed_out_);
    handed_out_ += count;
    return true;
  }

  void done(std::uint64_t first_id, SampleBuffer& records, const TraversalCounts& counts) override {
    const std::lock_guard lock(mutex_);
    Chunk chunk{{}, counts};
    if (!spare_.empty()) {
      chunk.records = std::move(spare_.back());
      spare_.pop_back();
    }
    std::swap(chunk.records, records);
    finished_.emplace(first_id / chunk_, std::move(chunk));
    if (first_id / chunk_ == read_) ready_.notify_one();
  }

  /// A worker ended by an error: the others take no more, the owner waits no longer.
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    ready_.notify_one();
  }

  /// Calls keep(records, counts) for all chunks in order, as they come. Returns early after fail().
  template <typename Keep>
  void read_all(const Keep& keep) {
    for (; read_ < chunks();) {
      Chunk chunk;
      {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return failed_ || finished_.contains(read_); });
        if (failed_) return;
        chunk = std::move(finished_.extract(read_).mapped());
        ++read_;
      }
      keep(chunk.records, chunk.counts);
      chunk.records.clear();
      const std::lock_guard lock(mutex_);
      spare_.push_back(std::move(chunk.records));
    }
  }

 private:
  struct Chunk {
    SampleBuffer records;
    TraversalCounts counts;
  };
  const std::uint64_t total_, chunk_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::uint64_t handed_out_ = 0;
  std::uint64_t read_ = 0;  // chunks; changed by the owner only, under the mutex
  std::map<std::uint64_t, Chunk> finished_;
  std::vector<SampleBuffer> spare_;
  bool failed_ = false;
};

/// An engine of somebody else's.
class BorrowedEngine final : public ForwardEngine {
 public:
  explicit BorrowedEngine(ForwardEngine& engine) : engine_(engine) {}
  RowFormat format(int player) const override { return engine_.format(player); }
  void forward(std::span<Minibatch* const> batches) override { engine_.forward(batches); }
  std::unique_ptr<ForwardEngine> clone() const override { return engine_.clone(); }
  std::string name() const override { return engine_.name(); }

 private:
  ForwardEngine& engine_;
};

/// Where the forwards of a phase run; made once for a phase, because the weights change between phases.
class Inference {
 public:
  Inference(const TrainOptions& options, const RunParts& parts, const RunState& state, DeviceEngines* device)
      : options_(options), num_actions_(parts.game->num_actions()) {
    std::vector<std::unique_ptr<ForwardEngine>> engines;
    if (device != nullptr) {
      for (ForwardEngine* engine : device->of_phase(*parts.game, state.advantage)) engines.push_back(std::make_unique<BorrowedEngine>(*engine));
    } else {
      engine_ = make_forward_engine(*parts.game, state.advantage, {.type = options.inference.dtype, .share_cards = options.inference.share_cards});
      if (options.inference.backend == InferenceKind::local) return;
      const int threads = options.inference.threads > 0 ? options.inference.threads : options.traversal.workers;
      for (int i = 0; i < threads; ++i) engines.push_back(engine_->clone());
    }
    const int cpu_batch = options.inference.batch;
    const int automatic = device != nullptr ? std::max(cpu_batch, kDeviceBatch) : cpu_batch;
    server_ = std::make_unique<InferenceServer>(std::move(engines),
                                                ServerOptions{.max_batch = options.inference.max_batch > 0 ? options.inference.max_batch : automatic,
                                                              .minibatch = cpu_batch,
                                                              .queue_length = options.inference.queue_length});
  }

  /// One worker's door; any thread.
  std::unique_ptr<InferenceBackend> backend() const {
    const int depth = options_.inference.asynchronous ? 2 : 1;
    if (!engine_) return server_->client(depth);  // on a device
    switch (options_.inference.backend) {
      case InferenceKind::local:
        break;
      case InferenceKind::server:
        return server_->client(depth);
      case InferenceKind::check:
        return make_check_backend(make_local_backend(engine_->clone()), server_->client(1), num_actions_);
    }
    return make_local_backend(engine_->clone());
  }

 private:
  static constexpr int kDeviceBatch = 16384;
  const TrainOptions& options_;
  int num_actions_;
  std::unique_ptr<ForwardEngine> engine_;  // on the CPU
  std::unique_ptr<InferenceServer> server_;
};

/// One worker's tools.
struct Worker {
  std::unique_ptr<AdvantageSource> source;
  std::unique_ptr<Traversal> traversal;
};

Worker make_worker(const TrainOptions& options, const RunParts& parts, const RunState& state, std::span<const double> strategies,
                   const Inference* inference) {
  Worker worker;
  const SampleCodec& codec = *parts.advantage_codec;
  if (!strategies.empty()) {
    worker.traversal = make_table_traversal(*parts.small_game, codec, parts.scale, strategies);
  } else if (options.traversal.mode == TraversalMode::recursive) {
    worker.source = std::make_unique<NetworkSource>(*parts.game, state.advantage, 1024, options.inference.dtype);
    worker.traversal = make_recursive_traversal(*parts.game, codec, parts.scale, *worker.source);
  } else {
    worker.traversal = make_interleaved_traversal(
        *parts.game, codec, parts.scale, inference->backend(),
        {.in_flight = static_cast<std::uint64_t>(options.traversal.in_flight), .batch = options.inference.batch});
  }
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
    if (sums.empty()) return memory.add_all(records);
    for (std::size_t at = 0; at < records.size(); at += memory.record_bytes()) {
      const std::byte* record = records.data() + at;
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
                         std::span<const double> strategies, const PhaseTools& tools, const std::function<void(double)>& progress) {
  const bool networks = strategies.empty() && options.traversal.mode == TraversalMode::interleaved;
  const std::unique_ptr<const Inference> inference = networks ? std::make_unique<const Inference>(options, parts, state, tools.device) : nullptr;
  ChunkedWork work(static_cast<std::uint64_t>(options.algorithm.traversals), strategies.empty() ? kChunk : kTableChunk);
  const TraversalTask task{.seed = options.seed,
                           .iteration = static_cast<std::uint32_t>(state.position.completed + 1),
                           .traverser = traverser,
                           .kind = kind};
  TraversalCounts sum;
  Keeper keeper(state, traverser);
  std::uint64_t read = 0;
  tools.workers.run(
      [&](std::size_t) {
        try {
          make_worker(options, parts, state, strategies, inference.get()).traversal->run(task, work);
        } catch (...) {
          work.fail();
          throw;
        }
      },
      [&] {
        work.read_all([&](const SampleBuffer& records, const TraversalCounts& counts) {
          keeper.keep(records);
          sum.add(counts);
          progress(static_cast<double>(++read) / static_cast<double>(work.chunks()));
        });
      });
  keeper.finish();
  return sum;
}

}  // namespace

DeviceEngines::DeviceEngines(ComputeDevice device, const ForwardOptions& options) : device_(device), options_(options) {}
DeviceEngines::~DeviceEngines() = default;

std::vector<ForwardEngine*> DeviceEngines::of_phase(const Game& game, const std::vector<std::shared_ptr<const Network>>& networks) {
  if (!engine_) {
    engine_ = make_device_engine(game, networks, options_, device_);
    second_ = engine_->clone();  // packs while the first one computes
  } else {
    engine_->update(networks);
  }
  return {engine_.get(), second_.get()};
}

TraversalCounts run_traversals(const TrainOptions& options, const RunParts& parts, RunState& state, int traverser,
                               std::span<const double> strategies, const PhaseTools& tools, const std::function<void(double)>& progress) {
  TraversalCounts counts = run_kind(options, parts, state, traverser, TraversalKind::regrets, strategies, tools, progress);
  if (parts.game->players() > 2) {
    const TraversalCounts average = run_kind(options, parts, state, traverser, TraversalKind::average, strategies, tools, progress);
    counts.decisions += average.decisions;  // traversals are those of the regrets
    counts.terminals += average.terminals;
  }
  return counts;
}

}  // namespace deepcfr
