#include "cell.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "deepcfr/cfr/inference_server.h"
#include "deepcfr/cfr/traversal.h"
#include "deepcfr/core/bytes.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/thread_group.h"
#include "deepcfr/nn/network_source.h"
#include "doors.h"

namespace deepcfr::bench {
namespace {

struct Moment {
  Usage usage;
  std::vector<std::uint64_t> rows, calls, timed;  // by worker
  std::uint64_t forwards = 0;
};

/// Hands out traversals 0, 1, … until enough are done for long enough.
class WindowedWork final : public TraversalWork {
 public:
  struct Plan {
    std::uint64_t common = 0;  ///< traversals whose records count
    std::uint64_t warm_up = 0; ///< traversals that are done before the window opens
    std::uint64_t chunk = 1;
    double seconds = 0;
  };
  WindowedWork(const Plan& plan, std::function<Moment()> look) : plan_(plan), look_(std::move(look)) {}

  bool next(std::uint64_t& first_id, std::uint64_t& count) override {
    const std::lock_guard lock(mutex_);
    if (end_ || failed_) return false;
    if (!begin_ && done_ >= plan_.warm_up) begin_ = look_();
    if (begin_ && handed_out_ >= plan_.common && wall_seconds() - begin_->usage.wall >= plan_.seconds) {
      end_ = look_();
      return false;
    }
    first_id = handed_out_;
    count = handed_out_ < plan_.common ? std::min(plan_.chunk, plan_.common - handed_out_) : plan_.chunk;
    handed_out_ += count;
    return true;
  }
  void done(std::uint64_t first_id, SampleBuffer& records, const TraversalCounts& counts) override {
    const std::lock_guard lock(mutex_);
    done_ += counts.traversals;
    counts_.add(counts);
    if (first_id < plan_.common) std::swap(records_[first_id], records);
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
  }

  // after the run
  const Moment& begin() const { return *begin_; }
  const Moment& end() const { return *end_; }
  const TraversalCounts& counts() const noexcept { return counts_; }
  std::uint64_t checksum() const {
    ContentHash hash;
    for (const auto& [first, records] : records_) {
      hash.update(records.advantage.data(), records.advantage.size());
    }
    for (const auto& [first, records] : records_) {
      hash.update(records.strategy.data(), records.strategy.size());
    }
    return hash.digest();
  }

 private:
  const Plan plan_;
  const std::function<Moment()> look_;
  std::mutex mutex_;
  std::uint64_t handed_out_ = 0;
  std::uint64_t done_ = 0;
  TraversalCounts counts_;
  std::map<std::uint64_t, SampleBuffer> records_;
  std::optional<Moment> begin_, end_;
  bool failed_ = false;
};

double percentile(std::vector<float>& values, double share) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

std::string mode_name(Mode mode) {
  switch (mode) {
    case Mode::recursive: return "recursive";
    case Mode::interleaved: return "interleaved";
    case Mode::server: return "server";
    case Mode::async: return "async";
  }
  return {};
}

struct Cell::Impl {
  std::vector<int> cores;
  std::unique_ptr<ForwardEngine> engine;
  std::unique_ptr<InferenceServer> server;
  std::vector<CallLog> logs;
  std::vector<std::unique_ptr<AdvantageSource>> sources;
  std::vector<std::unique_ptr<Traversal>> traversals;
  ThreadGroup group;

  Impl(int workers, std::vector<int> on_cores)
      : cores(std::move(on_cores)), logs(static_cast<std::size_t>(workers)), group(static_cast<std::size_t>(workers)) {}
  ~Impl() { traversals.clear(); }  // clients go before their server

  std::unique_ptr<InferenceBackend> backend(Mode mode) {
    if (mode == Mode::interleaved) return make_local_backend(engine->clone());
    return server->client(mode == Mode::async ? 2 : 1);
  }

  Moment look() const {
    Moment moment;
    for (const CallLog& log : logs) {
      moment.timed.push_back(log.timed.load(std::memory_order_acquire));
      moment.rows.push_back(log.rows.load(std::memory_order_relaxed));
      moment.calls.push_back(log.calls.load(std::memory_order_relaxed));
    }
    if (server) moment.forwards = server->statistics().forwards;
    moment.usage = usage_now(cores);
    return moment;
  }

  std::uint64_t all_rows() const {
    std::uint64_t sum = 0;
    for (const CallLog& log : logs) sum += log.rows.load();
    return sum;
  }

  void fill_in(const Moment& begin, const Moment& end, CellRun& run) const {
    std::vector<float> times;
    for (std::size_t i = 0; i < logs.size(); ++i) {
      run.rows += end.rows[i] - begin.rows[i];
      run.calls += end.calls[i] - begin.calls[i];
      for (std::uint64_t n = begin.timed[i]; n < end.timed[i]; ++n) times.push_back(logs[i].microseconds[n % CallLog::kKept]);
    }
    run.forwards = server ? end.forwards - begin.forwards : run.calls;
    run.p50 = percentile(times, 0.50);
    run.p99 = percentile(times, 0.99);
    run.wall = end.usage.wall - begin.usage.wall;
    run.seconds = own_seconds(begin.usage, end.usage, cores.size());
  }
};

Cell::Cell(Arena& arena, const CellSpec& spec) : spec_(spec) {
  const Pinned pinned(spec.workers);  // the threads made here inherit it
  impl_ = std::make_unique<Impl>(spec.workers, pinned.cores());
  const bool recursive = spec.mode == Mode::recursive;
  impl_->engine = arena.engine(spec.model, spec.dtype, spec.share_cards && !recursive);
  if (spec.mode == Mode::server || spec.mode == Mode::async) {
    std::vector<std::unique_ptr<ForwardEngine>> engines;
    const int threads = arena.device() == ComputeDevice::cpu ? spec.workers : 2;
    for (int i = 0; i < threads; ++i) engines.push_back(impl_->engine->clone());
    impl_->server = std::make_unique<InferenceServer>(std::move(engines), ServerOptions{.max_batch = spec.max_batch, .minibatch = spec.batch});
  }
  for (CallLog& log : impl_->logs) {
    if (!recursive) {
      impl_->traversals.push_back(make_interleaved_traversal(arena.game(), arena.codec(), arena.scale(),
                                                             std::make_unique<TimedBackend>(impl_->backend(spec.mode), log),
                                                             {.in_flight = spec.in_flight, .batch = spec.batch}));
      continue;
    }
    auto source = std::make_unique<NetworkSource>(arena.game(), impl_->engine->clone());
    impl_->sources.push_back(std::make_unique<TimedSource>(std::move(source), log));
    impl_->traversals.push_back(make_recursive_traversal(arena.game(), arena.codec(), arena.scale(), *impl_->sources.back()));
  }
}

Cell::~Cell() = default;

CellRun Cell::run(std::uint64_t common, double seconds) {
  const bool recursive = spec_.mode == Mode::recursive;
  WindowedWork work({.common = common,
                     .warm_up = recursive ? 0 : spec_.in_flight * static_cast<std::uint64_t>(spec_.workers),
                     .chunk = recursive ? std::uint64_t{1} : std::clamp<std::uint64_t>(spec_.in_flight / 4, 1, 32),
                     .seconds = seconds},
                    [this] { return impl_->look(); });
  const TraversalTask task{.seed = 3, .iteration = 2, .traverser = 0};
  const std::uint64_t rows_before = impl_->all_rows();
  impl_->group.run([&](std::size_t worker) {
    try {
      impl_->traversals[worker]->run(task, work);
    } catch (...) {
      work.fail();
      throw;
    }
  });
  DEEPCFR_CHECK(impl_->all_rows() - rows_before == work.counts().decisions, "rows and decisions differ");
  CellRun run;
  impl_->fill_in(work.begin(), work.end(), run);
  run.checksum = work.checksum();
  run.decisions_per_traversal = static_cast<double>(work.counts().decisions) / static_cast<double>(work.counts().traversals);
  return run;
}

}  // namespace deepcfr::bench
