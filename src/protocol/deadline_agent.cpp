#include "deepcfr/protocol/deadline_agent.h"

#include <exception>
#include <utility>

namespace deepcfr {
namespace {

template <typename Condition>
bool wait_by(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, const Deadline& deadline, Condition condition) {
  if (deadline) return changed.wait_until(lock, *deadline, condition);
  changed.wait(lock, condition);
  return true;
}

}  // namespace

DeadlineAgent::DeadlineAgent(Think think) : think_(std::move(think)), thread_([this] { run(); }) {}

DeadlineAgent::~DeadlineAgent() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::optional<TableAction> DeadlineAgent::act(const TableView& view, const Deadline& deadline) {
  std::unique_lock lock(mutex_);
  if (!wait_by(changed_, lock, deadline, [this] { return !busy_; })) return std::nullopt;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  busy_ = true;
  answer_.reset();
  question_ = view;
  changed_.notify_all();
  if (!wait_by(changed_, lock, deadline, [this] { return !busy_; })) return std::nullopt;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return std::exchange(answer_, std::nullopt);
}

void DeadlineAgent::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return question_ || stop_; });
    if (stop_) return;
    const TableView view = std::move(*question_);
    question_.reset();
    lock.unlock();
    std::optional<TableAction> answer;
    std::exception_ptr failure;
    try {
      answer = think_(view);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    answer_ = answer;  // the next question throws it away if nobody waits any more
    failure_ = failure;
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace deepcfr
