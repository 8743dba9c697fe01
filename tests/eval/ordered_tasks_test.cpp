#include "ordered_tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace deepcfr {
namespace {

TEST(OrderedTasks, AreTakenInOrderWithTheirSlots) {
  for (const std::size_t threads : {1U, 2U, 5U})
    for (const std::size_t slots : {1U, 3U, 64U}) {
      std::vector<std::size_t> made(slots), taken;
      run_in_order(
          threads, 100, slots, [&](std::size_t item, std::size_t, std::size_t slot) { made[slot] = item * item; },
          [&](std::size_t item, std::size_t slot) {
            EXPECT_EQ(made[slot], item * item);
            taken.push_back(item);
          });
      ASSERT_EQ(taken.size(), 100U);
      for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(taken[i], i);
    }
}

TEST(OrderedTasks, NothingToDo) {
  run_in_order(2, 0, 2, [](std::size_t, std::size_t, std::size_t) { FAIL(); }, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(OrderedTasks, FailuresComeOutOfEitherSide) {
  std::atomic<int> made{0};
  const auto make = [&](std::size_t item, std::size_t, std::size_t) {
    ++made;
    if (item == 7) throw std::runtime_error("make");
  };
  EXPECT_THROW(run_in_order(3, 1000, 4, make, [](std::size_t, std::size_t) {}), std::runtime_error);
  EXPECT_LT(made, 20);  // no further items are handed out
  const auto fine = [](std::size_t, std::size_t, std::size_t) {};
  const auto take = [](std::size_t item, std::size_t) {
    if (item == 7) throw std::logic_error("take");
  };
  EXPECT_THROW(run_in_order(3, 1000, 4, fine, take), std::logic_error);
}

}  // namespace
}  // namespace deepcfr
