// Doors to networks that count what goes through them.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "clock.h"
#include "deepcfr/cfr/advantage_source.h"
#include "deepcfr/cfr/inference.h"

namespace deepcfr::bench {

/// Calls of one worker. Written by the worker, read by others while it runs.
struct alignas(kCacheLine) CallLog {
  static constexpr std::size_t kKept = 1 << 20;  // times; older ones are overwritten
  std::atomic<std::uint64_t> rows{0};
  std::atomic<std::uint64_t> calls{0};
  std::atomic<std::uint64_t> timed{0};
  std::vector<float> microseconds = std::vector<float>(kKept);

  void call(std::int64_t of_rows) noexcept {
    rows.store(rows.load(std::memory_order_relaxed) + static_cast<std::uint64_t>(of_rows), std::memory_order_relaxed);
    calls.store(calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void time(double seconds) noexcept {
    const std::uint64_t n = timed.load(std::memory_order_relaxed);
    microseconds[n % kKept] = static_cast<float>(seconds * 1e6);
    timed.store(n + 1, std::memory_order_release);
  }
};

/// Times every minibatch from submit() until wait() returns.
class TimedBackend final : public InferenceBackend {
 public:
  TimedBackend(std::unique_ptr<InferenceBackend> inner, CallLog& log) : inner_(std::move(inner)), log_(log) {}
  RowFormat format(int player) const override { return inner_->format(player); }
  void enter() override { inner_->enter(); }
  void leave() noexcept override { inner_->leave(); }
  int depth() const noexcept override { return inner_->depth(); }
  void submit(Minibatch& batch) override {
    begun_.push_back({&batch, wall_seconds()});
    inner_->submit(batch);
  }
  void wait(Minibatch& batch) override {
    inner_->wait(batch);
    const auto found = std::find_if(begun_.begin(), begun_.end(), [&](const Begun& begun) { return begun.batch == &batch; });
    if (found == begun_.end()) return;  // of a run that failed
    log_.time(wall_seconds() - found->at);
    log_.call(batch.rows);
    begun_.erase(found);
  }

 private:
  struct Begun {
    const Minibatch* batch;
    double at;
  };
  std::unique_ptr<InferenceBackend> inner_;
  CallLog& log_;
  std::vector<Begun> begun_;
};

/// Counts calls; times one in 16 of them, because two looks at the clock would slow down a forward of half a microsecond.
class TimedSource final : public AdvantageSource {
 public:
  TimedSource(std::unique_ptr<AdvantageSource> inner, CallLog& log) : inner_(std::move(inner)), log_(log) {}
  void advantages(int player, std::span<const State* const> states, std::span<float> out) override {
    const bool timed = log_.calls.load(std::memory_order_relaxed) % 16 == 0;
    const double start = timed ? wall_seconds() : 0;
    inner_->advantages(player, states, out);
    if (timed) log_.time(wall_seconds() - start);
    log_.call(static_cast<std::int64_t>(states.size()));
  }

 private:
  std::unique_ptr<AdvantageSource> inner_;
  CallLog& log_;
};

}  // namespace deepcfr::bench
