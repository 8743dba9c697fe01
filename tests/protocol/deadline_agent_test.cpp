#include "deepcfr/protocol/deadline_agent.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

TableView numbered(std::uint32_t hand) {
  TableView view;
  view.hand = hand;
  return view;
}

TableAction raise_to(std::int32_t total) { return {TableAction::Kind::raise, total}; }

/// Thinks until it is let go.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

TEST(DeadlineAgent, AnswersWhatItIsAsked) {
  DeadlineAgent agent([](const TableView& view) { return raise_to(static_cast<std::int32_t>(view.hand)); });
  for (std::uint32_t hand = 0; hand < 1000; ++hand)
    EXPECT_EQ(agent.act(numbered(hand), std::nullopt), raise_to(static_cast<std::int32_t>(hand)));
}

TEST(DeadlineAgent, E19_NoAnswerByTheDeadlineIsNone) {
  Gate gate;
  DeadlineAgent agent([&](const TableView& view) {
    if (view.hand == 0) gate.wait();
    return raise_to(static_cast<std::int32_t>(view.hand));
  });
  EXPECT_EQ(agent.act(numbered(0), deadline_after(0.05)), std::nullopt);
  EXPECT_EQ(agent.act(numbered(1), deadline_after(0.05)), std::nullopt) << "still thinking about the first";
  gate.open();
  EXPECT_EQ(agent.act(numbered(2), std::nullopt), raise_to(2)) << "never the late answer to another question";
}

TEST(DeadlineAgent, ErrorsOfTheThinkingComeOut) {
  DeadlineAgent agent([](const TableView& view) -> TableAction {
    if (view.hand == 0) throw Error(ErrorKind::bug, "wrong");
    return raise_to(1);
  });
  EXPECT_THROW(agent.act(numbered(0), std::nullopt), Error);
  EXPECT_EQ(agent.act(numbered(1), std::nullopt), raise_to(1));
}

}  // namespace
}  // namespace deepcfr
