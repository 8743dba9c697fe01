// The server gives the records of the local backend and cannot hang, whatever the workers, batch sizes and traversals.
#include "deepcfr/cfr/inference_server.h"

#include <gtest/gtest.h>

#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "deepcfr/cfr/traversal.h"
#include "deepcfr/core/thread_group.h"
#include "deepcfr/game/catalogue.h"
#include "row_hash_engine.h"
#include "shared_ranges.h"

namespace deepcfr {
namespace {

using test::RowHash;
using test::RowHashEngine;
using test::RowHashSource;
using test::SharedRanges;

/// Ends the process when a test hangs.
class Watchdog {
 public:
  explicit Watchdog(int seconds)
      : thread_([this, seconds] {
          std::unique_lock lock(mutex_);
          if (wake_.wait_for(lock, std::chrono::seconds(seconds), [this] { return over_; })) return;
          std::fprintf(stderr, "watchdog: the test hangs\n");
          std::abort();
        }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_;
};

struct Setting {
  std::size_t workers = 2;
  std::size_t threads = 2;  // of the server
  int depth = 1;
  std::uint64_t traversals = 200;
  ServerOptions server{};
  InterleavedOptions traversal{};
};

SampleBuffer run_served(const Game& game, const RowHashEngine& engine, const Setting& setting) {
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  std::vector<std::unique_ptr<ForwardEngine>> engines;
  for (std::size_t i = 0; i < setting.threads; ++i) engines.push_back(engine.clone());
  InferenceServer server(std::move(engines), setting.server);
  SharedRanges work(setting.traversals, 8);
  ThreadGroup group(setting.workers);
  group.run([&](std::size_t) {
    const auto traversal = make_interleaved_traversal(game, codec, 2.0, server.client(setting.depth), setting.traversal);
    traversal->run({.seed = 5, .iteration = 3, .traverser = 0}, work);
  });
  return work.joined();
}

SampleBuffer run_recursive(const Game& game, RowHash hash, std::uint64_t traversals) {
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  RowHashSource source(game, hash);
  SampleBuffer records;
  make_recursive_traversal(game, codec, 2.0, source)->run({.seed = 5, .iteration = 3, .traverser = 0, .count = traversals}, records);
  return records;
}

TEST(InferenceServer, SameRecordsForAnyNumberOfWorkersThreadsAndDepth) {
  const Watchdog watchdog(60);
  for (const RowHash& hash : {RowHash{}, RowHash{FeatureKind::cards, RowType::bfloat16, true, -1}}) {
    const Game game = make_game("leduc");
    const RowHashEngine engine(game, hash);
    const SampleBuffer expected = run_recursive(game, hash, 200);
    for (const std::size_t workers : {1U, 2U, 3U}) {
      for (const int depth : {1, 2, 4}) {
        for (const std::uint64_t in_flight : {1U, 8U, 64U, 512U}) {
          const Setting setting{.workers = workers, .threads = 3 - workers % 2, .depth = depth, .traversal = {.in_flight = in_flight, .batch = 16}};
          const SampleBuffer records = run_served(game, engine, setting);
          EXPECT_EQ(records.advantage, expected.advantage);
          EXPECT_EQ(records.strategy, expected.strategy);
        }
      }
    }
  }
}

TEST(InferenceServer, CannotHang) {
  const Game game = make_game("leduc");
  const RowHashEngine engine(game, {});
  const std::vector<Setting> settings = {
      {.workers = 2, .threads = 1, .server = {.max_batch = 1024}},
      {.workers = 1, .threads = 1, .server = {.max_batch = 1024}},
      {.workers = 1, .threads = 4, .traversals = 1},
      {.workers = 3, .threads = 1, .traversals = 1, .server = {.max_batch = 100000}},
      {.workers = 8, .threads = 1, .depth = 2, .server = {.max_batch = 1, .queue_length = 1}, .traversal = {.in_flight = 4, .batch = 3}},
      {.workers = 8, .threads = 2, .depth = 3, .server = {.max_batch = 1024, .queue_length = 1}, .traversal = {.in_flight = 64, .batch = 8}},
      {.workers = 8, .threads = 3, .traversals = 5, .server = {.max_batch = 7, .queue_length = 2}},
      {.workers = 2, .threads = 2, .traversals = 0},
      {.workers = 3, .threads = 2, .server = {.max_batch = 64, .minibatch = 64}, .traversal = {.in_flight = 16, .batch = 64}},
  };
  for (const Setting& setting : settings) {
    const Watchdog watchdog(60);
    const SampleBuffer expected = run_recursive(game, {}, setting.traversals);
    for (int repeat = 0; repeat < 20; ++repeat) EXPECT_EQ(run_served(game, engine, setting).advantage, expected.advantage);
  }
}

TEST(InferenceServer, ComputesMinibatchesOfSeveralWorkersTogether) {
  const Watchdog watchdog(60);
  const Game game = make_game("leduc");
  const RowHashEngine engine(game, {});
  std::vector<std::unique_ptr<ForwardEngine>> engines;
  engines.push_back(engine.clone());
  InferenceServer server(std::move(engines), {.max_batch = 1024});
  constexpr std::size_t kWorkers = 3;
  std::vector<std::unique_ptr<InferenceBackend>> clients;
  for (std::size_t w = 0; w < kWorkers; ++w) clients.push_back(server.client(1));
  for (const auto& client : clients) client->enter();
  std::barrier all_submitted(kWorkers);
  ThreadGroup group(kWorkers);
  group.run([&](std::size_t w) {
    CardSlots cards;
    Minibatch batch;
    batch.prepare(0, engine.format(0), 8, game.num_actions(), &cards);
    batch.rows = static_cast<std::int64_t>(w) + 1;
    clients[w]->submit(batch);
    all_submitted.arrive_and_wait();
    clients[w]->wait(batch);
    EXPECT_NE(batch.advantages[0], 0.0F);
  });
  for (const auto& client : clients) client->leave();
  // too few rows for a full forward: computed when the last of the three waits, all at once
  EXPECT_EQ(server.statistics().forwards, 1U);
  EXPECT_EQ(server.statistics().minibatches, kWorkers);
  EXPECT_EQ(server.statistics().rows, 6U);
  EXPECT_EQ(engine.calls->load(), 1);
}

TEST(InferenceServer, DoesNotWaitForCompanyThatWouldNotFit) {
  const Watchdog watchdog(60);
  const Game game = make_game("leduc");
  const RowHashEngine engine(game, {});
  std::vector<std::unique_ptr<ForwardEngine>> engines;
  engines.push_back(engine.clone());
  InferenceServer server(std::move(engines), {.max_batch = 8, .minibatch = 8});
  const auto client = server.client(1), busy_elsewhere = server.client(1);
  client->enter();
  busy_elsewhere->enter();  // never waits
  CardSlots cards;
  Minibatch batch;
  batch.prepare(0, engine.format(0), 8, game.num_actions(), &cards);
  batch.rows = 5;
  client->submit(batch);
  client->wait(batch);
  EXPECT_EQ(server.statistics().rows, 5U);
  client->leave();
  busy_elsewhere->leave();
}

TEST(InferenceServer, ErrorsReachTheWorkersAndNothingHangs) {
  const Game game = make_game("leduc");
  for (const int fail_at : {0, 1, 5, 20}) {
    for (const int depth : {1, 2}) {
      const Watchdog watchdog(60);
      RowHashEngine engine(game, {});
      engine.fail_at = fail_at;
      try {
        run_served(game, engine, {.workers = 3, .threads = 2, .depth = depth, .server = {.max_batch = 64, .queue_length = 2}, .traversal = {.in_flight = 8, .batch = 16}});
        FAIL() << "no error";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("the engine fails as told"), std::string::npos);
      }
    }
  }
}

TEST(CheckBackend, PassesEqualAnswersAndNamesTheRowOfOthers) {
  const Game game = make_game("leduc");
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  const TraversalTask task{.seed = 5, .iteration = 3, .traverser = 0, .count = 50};
  for (const RowHash& hash : {RowHash{}, RowHash{FeatureKind::cards, RowType::float32, true, -1}}) {
    RowHashEngine engine(game, hash);
    SampleBuffer records;
    make_interleaved_traversal(game, codec, 2.0, make_check_backend(make_local_backend(engine.clone()), make_local_backend(engine.clone()), game.num_actions()), {})
        ->run(task, records);
    EXPECT_EQ(records.advantage, run_recursive(game, hash, 50).advantage);
    const auto good = engine.clone();
    engine.perturbed = true;
    const auto differing =
        make_interleaved_traversal(game, codec, 2.0, make_check_backend(make_local_backend(good->clone()), make_local_backend(engine.clone()), game.num_actions()), {});
    try {
      differing->run(task, records);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("row 0 of"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace deepcfr
