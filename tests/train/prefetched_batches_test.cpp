#include "prefetched_batches.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>

#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

constexpr RowShape kShape{5, 3};

/// Numbers that are a function of step and place; slow and fast in turns.
class Numbers : public BatchSource {
 public:
  explicit Numbers(std::int64_t rows, bool constant = false) : rows_(rows), constant_(constant) {}
  std::int64_t batch_rows() const override { return rows_; }
  bool constant() const override { return constant_; }
  void fill(std::int64_t step, const BatchView& batch) override {
    ++filled;
    if (pause) std::this_thread::sleep_for(std::chrono::microseconds(mix64(static_cast<std::uint64_t>(step)) % 300));
    if (step == fails_at) throw std::runtime_error("step " + std::to_string(step));
    const CounterRandom random(StreamPurpose::test, {static_cast<std::uint64_t>(step)});
    std::uint64_t place = 0;
    for (const auto part : {batch.features, batch.targets, batch.mask, batch.weights})
      for (float& number : part) number = static_cast<float>(random.uniform(place++));
  }
  std::atomic<int> filled{0};
  std::int64_t fails_at = -1;
  bool pause = false;

 private:
  std::int64_t rows_;
  bool constant_;
};

struct Batch {
  explicit Batch(std::size_t rows) : features(rows * kShape.features), targets(rows * kShape.actions), mask(targets.size()), weights(rows) {}
  BatchView view() { return {features, targets, mask, weights}; }
  bool operator==(const Batch&) const = default;
  std::vector<float> features, targets, mask, weights;
};

TEST(PrefetchedBatches, AreThoseOfTheSourceWhateverTheTiming) {
  constexpr std::int64_t kRows = 40;
  for (const std::size_t threads : {1U, 3U}) {
    ThreadGroup group(threads);
    for (const bool slow_source : {false, true}) {
      for (const bool slow_fit : {false, true}) {
        for (const std::int64_t steps : {1, 2, 7, 100}) {
          Numbers source(kRows), alone(kRows);
          source.pause = slow_source;
          PrefetchedBatches prefetched(source, kShape, steps, group);
          EXPECT_EQ(prefetched.batch_rows(), kRows);
          for (std::int64_t step = 0; step < steps; ++step) {
            Batch ahead(kRows), plain(kRows);
            prefetched.fill(step, ahead.view());
            alone.fill(step, plain.view());
            ASSERT_EQ(ahead, plain) << step;
            if (slow_fit) std::this_thread::sleep_for(std::chrono::microseconds(mix64(static_cast<std::uint64_t>(step) + 9) % 300));
          }
          EXPECT_EQ(source.filled, steps);  // each once
        }
      }
    }
  }
}

TEST(PrefetchedBatches, AreMadeByTheGroupBesideTheFit) {
  ThreadGroup group(1);
  Numbers source(10);
  PrefetchedBatches prefetched(source, kShape, 1000, group);
  Batch batch(10);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (source.filled < 4 && std::chrono::steady_clock::now() < until) std::this_thread::yield();  // nothing has been asked for
  EXPECT_GE(source.filled, 4);
  for (std::int64_t step = 0; step < 4; ++step) prefetched.fill(step, batch.view());
  while (source.filled < 7 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_GE(source.filled, 7);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto batches_ahead = static_cast<std::int64_t>(PrefetchedBatches::bytes_ahead(10, kShape) / (10 * kShape.floats() * sizeof(float)));
  EXPECT_LE(source.filled, 4 + batches_ahead) << "no more than the slots hold";
}

TEST(PrefetchedBatches, AnErrorOfAThreadIsThrownAtItsStepAndTheGroupGoesOn) {
  for (const std::size_t threads : {1U, 2U}) {
    ThreadGroup group(threads);
    for (const std::int64_t bad : {0, 3, 20}) {
      Numbers source(10);
      source.fails_at = bad;
      Batch batch(10);
      {
        PrefetchedBatches prefetched(source, kShape, 50, group);
        std::int64_t step = 0;
        try {
          for (; step < 50; ++step) prefetched.fill(step, batch.view());
          FAIL();
        } catch (const std::runtime_error& error) {
          EXPECT_EQ(error.what(), "step " + std::to_string(bad));
        }
        EXPECT_EQ(step, bad);
      }
      std::atomic<int> calls{0};
      group.run([&](std::size_t) { ++calls; });
      EXPECT_EQ(calls.load(), static_cast<int>(threads));
    }
  }
}

TEST(PrefetchedBatches, AFitThatEndsEarlyLeavesTheGroupFree) {
  ThreadGroup group(2);
  for (int round = 0; round < 50; ++round) {
    Numbers source(10);
    source.pause = round % 2 == 0;
    PrefetchedBatches prefetched(source, kShape, 1'000'000, group);
    Batch batch(10);
    for (std::int64_t step = 0; step < round % 5; ++step) prefetched.fill(step, batch.view());
  }
}

TEST(PrefetchedBatches, NothingIsMadeAheadOfAConstantOrEmptySource) {
  ThreadGroup group(2);
  Numbers constant(10, true), empty(0);
  {
    PrefetchedBatches one(constant, kShape, 100, group);
    PrefetchedBatches none(empty, kShape, 100, group);  // two at once: neither takes the group
    EXPECT_TRUE(one.constant());
    Batch batch(10);
    one.fill(0, batch.view());
    EXPECT_EQ(none.batch_rows(), 0);
  }
  EXPECT_EQ(constant.filled, 1);
  EXPECT_EQ(empty.filled, 0);
}

}  // namespace
}  // namespace deepcfr
