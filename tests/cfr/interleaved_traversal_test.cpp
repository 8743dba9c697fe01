// The interleaved traversal gives the records of the recursive one, whatever its options, the form of rows and the backend.
#include <gtest/gtest.h>

#include "deepcfr/cfr/inference_server.h"
#include "deepcfr/cfr/traversal.h"
#include "deepcfr/game/catalogue.h"
#include "row_hash_engine.h"
#include "shared_ranges.h"

namespace deepcfr {
namespace {

using test::RowHash;
using test::RowHashEngine;
using test::RowHashSource;

struct Records {
  SampleBuffer buffer;
  TraversalCounts counts;
};

void expect_same(const Records& a, const Records& b) {
  EXPECT_EQ(a.buffer.advantage, b.buffer.advantage);
  EXPECT_EQ(a.buffer.strategy, b.buffer.strategy);
  EXPECT_EQ(a.counts.traversals, b.counts.traversals);
  EXPECT_EQ(a.counts.decisions, b.counts.decisions);
  EXPECT_EQ(a.counts.terminals, b.counts.terminals);
}

Records run(Traversal& traversal, const TraversalTask& task) {
  Records records;
  records.counts = traversal.run(task, records.buffer);
  return records;
}

struct Form {
  const char* game;
  RowHash hash;
  std::uint64_t traversals;
};

class RowForms : public testing::TestWithParam<Form> {};

TEST_P(RowForms, SameRecordsAsTheRecursiveWalk) {
  const Form& form = GetParam();
  const Game game = make_game(form.game);
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  RowHashSource source(game, form.hash);
  const RowHashEngine engine(game, form.hash);
  for (const TraversalKind kind : {TraversalKind::regrets, TraversalKind::average}) {
    const TraversalTask task{.seed = 5, .iteration = 3, .traverser = 1, .kind = kind, .first_id = 17, .count = form.traversals};
    const Records expected = run(*make_recursive_traversal(game, codec, 20.0, source), task);
    for (const InterleavedOptions& options :
         {InterleavedOptions{1, 1, 1}, InterleavedOptions{8, 64, 65536}, InterleavedOptions{64, 7, 10}, InterleavedOptions{512, 256, 300}}) {
      SCOPED_TRACE(options.in_flight);
      const auto traversal = make_interleaved_traversal(game, codec, 20.0, make_local_backend(engine.clone()), options);
      expect_same(run(*traversal, task), expected);
      expect_same(run(*traversal, task), expected);  // a worker's object is used again: nothing is left of the first run
    }
  }
}

constexpr RowHash kDense{};
constexpr RowHash kDenseHalfUniform{FeatureKind::dense, RowType::float32, false, 0};
constexpr RowHash kNarrow{FeatureKind::dense, RowType::bfloat16, false, -1};
constexpr RowHash kCards{FeatureKind::cards, RowType::float32, false, -1};
constexpr RowHash kShared{FeatureKind::cards, RowType::float32, true, -1};
constexpr RowHash kSharedNarrow{FeatureKind::cards, RowType::bfloat16, true, 1};
INSTANTIATE_TEST_SUITE_P(Forms, RowForms,
                         testing::Values(Form{"kuhn", kDense, 100}, Form{"kuhn3", kDense, 100}, Form{"kuhn3", kShared, 100}, Form{"leduc", kDense, 200},
                                         Form{"leduc", kDenseHalfUniform, 200}, Form{"leduc", kNarrow, 200}, Form{"leduc", kCards, 200},
                                         Form{"leduc", kShared, 200}, Form{"leduc", kSharedNarrow, 200}, Form{"fhp", kDense, 50}, Form{"fhp", kShared, 50},
                                         Form{"hulh", kDense, 20}, Form{"hulh", kNarrow, 20}, Form{"hulh", kShared, 20}, Form{"hunl", kDense, 10},
                                         Form{"hunl", kSharedNarrow, 10}, Form{"nlhe6", kDense, 5}, Form{"nlhe6", kShared, 5}));

TEST(InterleavedTraversal, RangesJoinToTheWhole) {
  const Game game = make_game("leduc");
  const SampleCodec codec(game, nullptr, ValuePrecision::single);
  RowHashSource source(game, {});
  const TraversalTask task{.seed = 5, .iteration = 3, .traverser = 0, .count = 331};
  const Records expected = run(*make_recursive_traversal(game, codec, 2.0, source), task);
  for (const std::uint64_t size : {1U, 32U, 1000U}) {
    test::SharedRanges ranges(331, size);
    make_interleaved_traversal(game, codec, 2.0, source, {.in_flight = 50, .batch = 20})->run(task, ranges);
    expect_same({ranges.joined(), ranges.counts()}, expected);
  }
}

TEST(InterleavedTraversal, FullMinibatchesButForTheEnd) {
  const Game game = make_game("hulh");
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  const RowHashEngine engine(game, {});
  const auto traversal = make_interleaved_traversal(game, codec, 2.0, make_local_backend(engine.clone()), {.in_flight = 64, .batch = 128});
  const Records records = run(*traversal, {.seed = 5, .iteration = 3, .traverser = 0, .count = 300});
  const double mean = static_cast<double>(records.counts.decisions) / engine.calls->load();
  EXPECT_GT(mean, 0.9 * 128);
}

TEST(InterleavedTraversal, AnErrorLeavesTheObjectUsable) {
  const Game game = make_game("leduc");
  const SampleCodec codec(game, nullptr, ValuePrecision::single);
  RowHashSource source(game, {});
  const TraversalTask task{.seed = 5, .iteration = 3, .traverser = 0, .count = 100};
  const Records expected = run(*make_recursive_traversal(game, codec, 2.0, source), task);
  RowHashEngine engine(game, {});
  engine.fail_at = 3;
  // the count of calls goes on from run to run, so the engine is made to fail by number and then renewed by its shared counter
  const auto traversal = make_interleaved_traversal(game, codec, 2.0, make_local_backend(engine.clone()), {.in_flight = 20, .batch = 10});
  SampleBuffer lost;
  EXPECT_THROW(traversal->run(task, lost), Error);
  engine.calls->store(-1000000);
  expect_same(run(*traversal, task), expected);
}

}  // namespace
}  // namespace deepcfr
