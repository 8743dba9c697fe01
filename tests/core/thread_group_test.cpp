#include "deepcfr/core/thread_group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace deepcfr {
namespace {

TEST(ThreadGroup, RunsEachWorkerOnce) {
  ThreadGroup group(3);
  std::vector<int> calls(3, 0);
  for (int round = 0; round < 50; ++round) group.run([&](std::size_t worker) { ++calls[worker]; });
  EXPECT_EQ(calls, (std::vector<int>{50, 50, 50}));
}

TEST(ThreadGroup, T10ThreadsPersist) {
  ThreadGroup group(2);
  std::vector<std::set<std::thread::id>> ids(2);
  for (int round = 0; round < 100; ++round) group.run([&](std::size_t worker) { ids[worker].insert(std::this_thread::get_id()); });
  EXPECT_EQ(ids[0].size(), 1U);
  EXPECT_EQ(ids[1].size(), 1U);
}

TEST(ThreadGroup, ForEachDoesEveryItemOnce) {
  ThreadGroup group(4);
  std::vector<std::atomic<int>> done(1000);
  group.for_each(done.size(), [&](std::size_t item, std::size_t) { ++done[item]; });
  for (const auto& count : done) EXPECT_EQ(count.load(), 1);
  group.for_each(0, [&](std::size_t, std::size_t) { FAIL(); });
}

TEST(ThreadGroup, RethrowsTheExceptionOfTheLowestItemAndGoesOn) {
  ThreadGroup group(2);
  try {
    group.for_each(100, [&](std::size_t item, std::size_t) {
      if (item == 3) throw std::runtime_error("item 3");
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "item 3");
  }
  std::atomic<int> count{0};
  group.run([&](std::size_t) { ++count; });
  EXPECT_EQ(count.load(), 2);
}

TEST(ThreadGroup, StartedThreadsRunBesideTheCaller) {
  ThreadGroup group(2);
  for (int round = 0; round < 100; ++round) {
    std::atomic<bool> open{false};
    std::atomic<int> passed{0};
    group.start([&](std::size_t) {
      while (!open) std::this_thread::yield();
      ++passed;
    });
    EXPECT_EQ(passed.load(), 0);
    open = true;  // run() would never get here
    group.wait();
    EXPECT_EQ(passed.load(), 2);
  }
  group.wait();  // nothing to wait for
  group.start([](std::size_t worker) {
    if (worker == 1) throw std::runtime_error("worker 1");
  });
  EXPECT_THROW(group.start([](std::size_t) {}), std::exception);
  EXPECT_THROW(group.wait(), std::runtime_error);
  EXPECT_NO_THROW(group.run([](std::size_t) {}));
}

TEST(ThreadGroup, AFailingStartIsReported) {
  ThreadGroup group(2, [](std::size_t worker) {
    if (worker == 1) throw std::runtime_error("no start");
  });
  EXPECT_THROW(group.run([](std::size_t) {}), std::runtime_error);
}

}  // namespace
}  // namespace deepcfr
