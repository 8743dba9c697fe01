// A persistent group of worker threads (short-lived threads leave memory behind in LibTorch: reported fault T10).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace deepcfr {

/// `size` threads that live as long as the group. One thread at a time may call run(), for_each(), start() and wait().
class ThreadGroup {
 public:
  /// size ≥ 1. `on_start(worker)` runs once in each thread before its first task (may be empty).
  explicit ThreadGroup(std::size_t size, std::function<void(std::size_t)> on_start = {});
  ~ThreadGroup();
  ThreadGroup(const ThreadGroup&) = delete;
  ThreadGroup& operator=(const ThreadGroup&) = delete;

  std::size_t size() const noexcept;

  /// Calls task(worker) once in each thread and waits for all. If tasks threw, rethrows the exception of the lowest
  /// worker after all have ended.
  void run(const std::function<void(std::size_t worker)>& task);
  /// The same, and calls meanwhile() once in the calling thread while they run. An exception of a worker comes before one of meanwhile().
  void run(const std::function<void(std::size_t worker)>& task, const std::function<void()>& meanwhile);

  /// The same without waiting: the caller goes on beside the threads until wait(), which must come before the next start(),
  /// run() or for_each() and before the end of the group.
  void start(std::function<void(std::size_t worker)> task);
  void wait();  ///< rethrows as run() does

  /// Calls task(item, worker) for every item in [0, count), items handed out in order to whichever worker is free. After
  /// an exception no further items are handed out; the one of the lowest item is rethrown.
  void for_each(std::size_t count, const std::function<void(std::size_t item, std::size_t worker)>& task);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deepcfr
