#include "deepcfr/core/thread_group.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "deepcfr/core/error.h"

namespace deepcfr {

struct ThreadGroup::Impl {
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable done;
  std::function<void(std::size_t)> task;
  std::uint64_t generation = 0;
  std::size_t running = 0;
  bool stopping = false;
  std::vector<std::exception_ptr> failures;
  std::vector<std::thread> threads;
  std::function<void(std::size_t)> on_start;

  void loop(std::size_t worker) {
    std::exception_ptr start_failure;
    try {
      if (on_start) on_start(worker);
    } catch (...) {
      start_failure = std::current_exception();  // reported by the first run()
    }
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return stopping || generation != seen; });
      if (stopping) return;
      seen = generation;
      lock.unlock();  // the task stays as it is until all have ended
      std::exception_ptr failure = std::exchange(start_failure, nullptr);
      if (!failure) {
        try {
          task(worker);
        } catch (...) {
          failure = std::current_exception();
        }
      }
      lock.lock();
      failures[worker] = failure;
      if (--running == 0) done.notify_all();
    }
  }

  void stop() noexcept {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread& thread : threads) thread.join();
  }
};

ThreadGroup::ThreadGroup(std::size_t size, std::function<void(std::size_t)> on_start)
    : impl_(std::make_unique<Impl>()) {
  DEEPCFR_CHECK(size >= 1);
  impl_->on_start = std::move(on_start);
  impl_->failures.resize(size);
  impl_->threads.reserve(size);
  try {
    for (std::size_t i = 0; i < size; ++i) impl_->threads.emplace_back([this, i] { impl_->loop(i); });
  } catch (...) {
    impl_->stop();
    throw;
  }
}

ThreadGroup::~ThreadGroup() { impl_->stop(); }

std::size_t ThreadGroup::size() const noexcept { return impl_->threads.size(); }

void ThreadGroup::run(const std::function<void(std::size_t)>& task) { run(task, {}); }

void ThreadGroup::run(const std::function<void(std::size_t)>& task, const std::function<void()>& meanwhile) {
  start([&task](std::size_t worker) { task(worker); });
  std::exception_ptr own_failure;
  try {
    if (meanwhile) meanwhile();
  } catch (...) {
    own_failure = std::current_exception();
  }
  wait();
  if (own_failure) std::rethrow_exception(own_failure);
}

void ThreadGroup::start(std::function<void(std::size_t)> task) {
  {
    const std::lock_guard lock(impl_->mutex);
    DEEPCFR_CHECK(!impl_->task, "the threads have not been waited for");
    impl_->task = std::move(task);
    impl_->running = impl_->threads.size();
    ++impl_->generation;
  }
  impl_->wake.notify_all();
}

void ThreadGroup::wait() {
  std::unique_lock lock(impl_->mutex);
  impl_->done.wait(lock, [&] { return impl_->running == 0; });
  impl_->task = nullptr;
  std::exception_ptr first;
  for (std::exception_ptr& failure : impl_->failures) {
    if (failure && !first) first = failure;
    failure = nullptr;
  }
  lock.unlock();
  if (first) std::rethrow_exception(first);
}

void ThreadGroup::for_each(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task) {
  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex;
  std::size_t failed_item = count;
  std::exception_ptr failure;
  run([&](std::size_t worker) {
    while (true) {
      const std::size_t item = next.fetch_add(1);
      if (item >= count) return;
      try {
        task(item, worker);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (item < failed_item) {
          failed_item = item;
          failure = std::current_exception();
        }
        next.store(count);
        return;
      }
    }
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace deepcfr
