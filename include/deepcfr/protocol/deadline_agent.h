// An agent that answers in time: it thinks on a thread of its own, and who asks waits no longer than agreed (reported fault E19).
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "deepcfr/protocol/connection.h"
#include "deepcfr/protocol/policy_agent.h"

namespace deepcfr {

/// One thread may ask at a time. What the thinking throws is thrown by the next act().
class DeadlineAgent {
 public:
  using Think = std::function<TableAction(const TableView&)>;
  /// `think` runs on the agent's thread only, one call at a time.
  explicit DeadlineAgent(Think think);
  /// Waits for a thought that is under way.
  ~DeadlineAgent();
  DeadlineAgent(const DeadlineAgent&) = delete;
  DeadlineAgent& operator=(const DeadlineAgent&) = delete;

  /// nullopt: no answer by the deadline. The late answer is thrown away when it comes; until then further questions wait for it.
  std::optional<TableAction> act(const TableView& view, const Deadline& deadline);

 private:
  void run();

  Think think_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<TableView> question_;  // not yet begun
  std::optional<TableAction> answer_;
  std::exception_ptr failure_;
  bool busy_ = false;  // from a question until it is answered
  bool stop_ = false;
  std::thread thread_;  // last: begins when all else is there
};

}  // namespace deepcfr
