#include "ordered_tasks.h"

#include <condition_variable>
#include <mutex>
#include <vector>

#include "deepcfr/core/thread_group.h"

namespace deepcfr {
namespace {

class OrderedTasks {
 public:
  OrderedTasks(std::size_t count, std::size_t slots) : count_(count), made_(slots, false) {}

  /// The next item whose slot is free; count if there is none.
  std::size_t next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || next_ == count_ || next_ < taken_ + made_.size(); });
    return stopped_ || next_ == count_ ? count_ : next_++;
  }
  void made(std::size_t item) {
    const std::lock_guard lock(mutex_);
    made_[item % made_.size()] = true;
    changed_.notify_all();
  }
  /// Waits until the item is made; false if that will not be.
  bool wait(std::size_t item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || made_[item % made_.size()]; });
    return !stopped_;
  }
  void taken(std::size_t item) {
    const std::lock_guard lock(mutex_);
    made_[item % made_.size()] = false;
    ++taken_;
    changed_.notify_all();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_;
  std::vector<bool> made_;  // by slot
  std::size_t next_ = 0, taken_ = 0;
  bool stopped_ = false;
};

}  // namespace

void run_in_order(std::size_t threads, std::size_t count, std::size_t slots,
                  const std::function<void(std::size_t, std::size_t, std::size_t)>& make,
                  const std::function<void(std::size_t, std::size_t)>& take) {
  OrderedTasks tasks(count, slots);
  const auto work = [&](std::size_t worker) {
    try {
      for (std::size_t item = tasks.next(); item < count; item = tasks.next()) {
        make(item, worker, item % slots);
        tasks.made(item);
      }
    } catch (...) {
      tasks.stop();
      throw;
    }
  };
  const auto collect = [&] {
    try {
      for (std::size_t item = 0; item < count && tasks.wait(item); ++item) {
        take(item, item % slots);
        tasks.taken(item);
      }
    } catch (...) {
      tasks.stop();
      throw;
    }
  };
  ThreadGroup(threads).run(work, collect);
}

}  // namespace deepcfr
