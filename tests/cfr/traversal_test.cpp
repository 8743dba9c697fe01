#include "deepcfr/cfr/traversal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/cfr/tabular.h"
#include "deepcfr/core/bytes.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

/// Advantages that are a fixed function of the infoset's bytes: like a network, but without one.
class HashSource final : public AdvantageSource {
 public:
  explicit HashSource(const Game& game, std::uint64_t salt = 0) : game_(game), layout_(game), salt_(salt) {}
  void advantages(int player, std::span<const State* const> states, std::span<float> out) override {
    std::vector<std::byte> bytes(layout_.bytes());
    const auto actions = static_cast<std::size_t>(game_.num_actions());
    for (std::size_t i = 0; i < states.size(); ++i) {
      EXPECT_EQ(states[i]->actor, player);  // statement 3: the acting player's own network is asked
      layout_.pack(infoset_of(game_, *states[i]), bytes.data());
      const CounterRandom random(content_hash(bytes) ^ salt_);
      for (std::size_t a = 0; a < actions; ++a) out[i * actions + a] = static_cast<float>(random.uniform(a) - 0.3);
    }
    calls += 1;
    rows += states.size();
  }
  std::size_t calls = 0;
  std::size_t rows = 0;

 private:
  const Game& game_;
  InfosetLayout layout_;
  std::uint64_t salt_;
};

std::vector<double> strategies_of(const SmallGame& small, AdvantageSource& source) {
  const auto actions = static_cast<std::size_t>(small.game().num_actions());
  std::vector<double> table(static_cast<std::size_t>(small.num_infosets()) * actions);
  std::vector<float> row(actions);
  for (int i = 0; i < small.num_infosets(); ++i) {
    const State* states[] = {&small.sample_state(i)};
    source.advantages(small.player_of(i), states, row);
    regret_matching(std::span<const float>(row), small.legal(i), std::span<double>(table).subspan(static_cast<std::size_t>(i) * actions, actions));
  }
  return table;
}

class Walkers : public testing::TestWithParam<const char*> {};

TEST_P(Walkers, AllWaysGiveTheSameRecords) {
  const Game game = make_game(GetParam());
  const auto small = std::make_shared<const SmallGame>(game);
  const SampleCodec codec(game, small, ValuePrecision::single);
  HashSource source(game);
  const std::vector<double> table = strategies_of(*small, source);
  for (int n = 0; n < 2 * game.players(); ++n) {
    const TraversalKind kind = n < game.players() ? TraversalKind::regrets : TraversalKind::average;
    const TraversalTask task{.seed = 3, .iteration = 5, .traverser = n % game.players(), .kind = kind, .first_id = 40, .count = 300};
    SampleBuffer recursive;
    const TraversalCounts counts = make_recursive_traversal(game, codec, 2.0, source)->run(task, recursive);
    EXPECT_EQ(counts.traversals, 300U);
    EXPECT_EQ(recursive.advantage.empty(), kind == TraversalKind::average);
    EXPECT_EQ(recursive.strategy.empty(), kind == TraversalKind::regrets && game.players() > 2);
    for (const std::uint64_t in_flight : {1U, 7U, 256U, 1000U}) {
      SampleBuffer batched;
      const TraversalCounts same = make_interleaved_traversal(game, codec, 2.0, source, {.in_flight = in_flight, .batch = 16})->run(task, batched);
      EXPECT_EQ(batched.advantage, recursive.advantage) << in_flight;
      EXPECT_EQ(batched.strategy, recursive.strategy) << in_flight;
      EXPECT_EQ(same.decisions, counts.decisions);
      EXPECT_EQ(same.value_sum, counts.value_sum);
    }
    SampleBuffer tabled;
    make_table_traversal(*small, codec, 2.0, table)->run(task, tabled);
    EXPECT_EQ(tabled.advantage, recursive.advantage);
    EXPECT_EQ(tabled.strategy, recursive.strategy);
  }
}
INSTANTIATE_TEST_SUITE_P(Games, Walkers, testing::Values("kuhn", "kuhn3", "leduc"));

class LargeWalkers : public testing::TestWithParam<const char*> {};

TEST_P(LargeWalkers, BatchedEqualsRecursiveAndAsksInBatches) {
  const Game game = make_game(GetParam());
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  HashSource one_by_one(game);
  HashSource in_batches(game);
  const TraversalTask task{.seed = 11, .iteration = 2, .traverser = 1, .first_id = 0, .count = 20};
  SampleBuffer recursive;
  SampleBuffer batched;
  make_recursive_traversal(game, codec, 100.0, one_by_one)->run(task, recursive);
  make_interleaved_traversal(game, codec, 100.0, in_batches, {.in_flight = 20, .batch = 16})->run(task, batched);
  EXPECT_EQ(batched.advantage, recursive.advantage);
  EXPECT_EQ(batched.strategy, recursive.strategy);
  EXPECT_EQ(in_batches.rows, one_by_one.rows);
  EXPECT_LT(in_batches.calls * 5, one_by_one.calls);
}
INSTANTIATE_TEST_SUITE_P(Games, LargeWalkers, testing::Values("fhp", "hulh", "hunl", "nlhe6"));

TEST(Traversal, ChunksOfIdsJoinToTheWhole) {
  const Game game = make_game("leduc");
  const SampleCodec codec(game, nullptr, ValuePrecision::single);
  HashSource source(game);
  const auto traversal = make_interleaved_traversal(game, codec, 1.0, source, {.in_flight = 16, .batch = 16});
  TraversalTask task{.seed = 9, .iteration = 1, .traverser = 0, .first_id = 0, .count = 100};
  SampleBuffer whole;
  traversal->run(task, whole);
  SampleBuffer parts;
  for (const auto& [first, count] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 33}, {33, 1}, {34, 66}}) {
    task.first_id = first;
    task.count = count;
    traversal->run(task, parts);
  }
  EXPECT_EQ(parts.advantage, whole.advantage);
  EXPECT_EQ(parts.strategy, whole.strategy);
}

class Oracle : public testing::TestWithParam<const char*> {};

TEST_P(Oracle, Statement5VisitsTimesTargetIsTheCounterfactualRegret) {
  const Game game = make_game(GetParam());
  const SmallGame small(game);
  HashSource source(game);
  const std::vector<double> table = strategies_of(small, source);
  const auto actions = static_cast<std::size_t>(game.num_actions());
  for (int traverser = 0; traverser < game.players(); ++traverser) {
    const ExpectedSamples expected = expected_samples(small, traverser, table);
    const CounterfactualValues exact = counterfactual_values(small, traverser, table);
    double largest = 0;
    for (int i = 0; i < small.num_infosets(); ++i) {
      if (small.player_of(i) != traverser) continue;
      const auto row = static_cast<std::size_t>(i) * actions;
      double mean = 0;
      for (std::size_t a = 0; a < actions; ++a) mean += table[row + a] * exact.action_values[row + a];
      for (std::size_t a = 0; a < actions; ++a) {
        if (((small.legal(i) >> a) & 1) == 0) continue;
        largest = std::max(largest, std::abs(expected.target_sum[row + a] - (exact.action_values[row + a] - mean)));
      }
    }
    EXPECT_LT(largest, 1e-9) << "player " << traverser;
  }
}

TEST_P(Oracle, Statement4MeanOfTraversalsIsTheExactValue) {
  const Game game = make_game(GetParam());
  const auto small = std::make_shared<const SmallGame>(game);
  const SampleCodec codec(game, small, ValuePrecision::double_precision);
  HashSource source(game);
  const std::vector<double> table = strategies_of(*small, source);
  const auto actions = static_cast<std::size_t>(game.num_actions());
  const auto infosets = static_cast<std::size_t>(small->num_infosets());
  for (int traverser = 0; traverser < game.players(); ++traverser) {
    const ExpectedSamples expected = expected_samples(*small, traverser, table);
    constexpr std::uint64_t kTraversals = 400'000;
    SampleBuffer buffer;
    const TraversalCounts counts =
        make_table_traversal(*small, codec, 1.0, table)->run({.seed = 21, .iteration = 1, .traverser = traverser, .first_id = 0, .count = kTraversals}, buffer);
    const double spread = 2.0 * std::abs(small->game().definition().big_blind()) * 13 / std::sqrt(double{kTraversals});
    EXPECT_NEAR(counts.value_sum / double{kTraversals}, expected.value, spread);
    std::vector<double> visits(infosets, 0.0), sums(infosets * actions, 0.0), squares(infosets * actions, 0.0);
    for (std::size_t at = 0; at < buffer.advantage.size(); at += codec.bytes()) {
      const Sample sample = codec.unpack(buffer.advantage.data() + at);
      const auto i = static_cast<std::size_t>(sample.infoset_number);
      ++visits[i];
      for (std::size_t a = 0; a < actions; ++a) {
        sums[i * actions + a] += sample.values[a];
        squares[i * actions + a] += sample.values[a] * sample.values[a];
      }
    }
    for (std::size_t i = 0; i < infosets; ++i) {
      EXPECT_NEAR(visits[i] / double{kTraversals}, expected.visits[i], 6 * std::sqrt(expected.visits[i] / double{kTraversals}) + 1e-9);
      for (std::size_t a = 0; a < actions; ++a) {
        const double error = std::sqrt(squares[i * actions + a]) / double{kTraversals};
        EXPECT_NEAR(sums[i * actions + a] / double{kTraversals}, expected.target_sum[i * actions + a], 6 * error + 1e-9);
      }
    }
  }
}

// Visits must be in proportion to own reach: with two players from the traversals for regrets, with more from walks of their own.
class AverageOracle : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Games, AverageOracle, testing::Values("kuhn", "kuhn3", "leduc"));

TEST_P(AverageOracle, Statement6WeightedStrategyRecordsAreTheTabularAverage) {
  const Game game = make_game(GetParam());
  const auto small = std::make_shared<const SmallGame>(game);
  const SampleCodec codec(game, small, ValuePrecision::double_precision);
  const auto actions = static_cast<std::size_t>(game.num_actions());
  const auto infosets = static_cast<std::size_t>(small->num_infosets());
  std::vector<double> numerator(infosets * actions, 0.0), denominator(infosets, 0.0);  // exact: Σ t · own reach · σ
  std::vector<double> sums(infosets * actions, 0.0), weights(infosets, 0.0), weights_squared(infosets, 0.0);
  for (std::uint32_t t = 1; t <= 3; ++t) {
    HashSource source(game, t);
    const std::vector<double> table = strategies_of(*small, source);
    for (int traverser = 0; traverser < game.players(); ++traverser) {
      const int recorded = (traverser + 1) % game.players();
      const CounterfactualValues exact = counterfactual_values(*small, recorded, table);
      for (int i = 0; i < small->num_infosets(); ++i) {
        if (small->player_of(i) != recorded) continue;
        const auto n = static_cast<std::size_t>(i);
        denominator[n] += t * exact.own_reach[n];
        for (std::size_t a = 0; a < actions; ++a) numerator[n * actions + a] += t * exact.own_reach[n] * table[n * actions + a];
      }
      SampleBuffer buffer;
      const TraversalKind kind = game.players() == 2 ? TraversalKind::regrets : TraversalKind::average;
      make_table_traversal(*small, codec, 1.0, table)->run({.seed = 4, .iteration = t, .traverser = traverser, .kind = kind, .first_id = 0, .count = 200'000}, buffer);
      for (std::size_t at = 0; at < buffer.strategy.size(); at += codec.bytes()) {
        const Sample sample = codec.unpack(buffer.strategy.data() + at);
        const auto n = static_cast<std::size_t>(sample.infoset_number);
        ASSERT_EQ(small->player_of(sample.infoset_number), recorded);
        weights[n] += sample.iteration;
        weights_squared[n] += double{1} * sample.iteration * sample.iteration;
        for (std::size_t a = 0; a < actions; ++a) sums[n * actions + a] += sample.iteration * sample.values[a];
      }
    }
  }
  int compared = 0;
  for (std::size_t i = 0; i < infosets; ++i) {
    if (weights[i] < 3000) continue;
    ++compared;
    const double tolerance = 5 * std::sqrt(weights_squared[i]) / weights[i];
    for (std::size_t a = 0; a < actions; ++a) {
      EXPECT_NEAR(sums[i * actions + a] / weights[i], numerator[i * actions + a] / denominator[i], tolerance);
    }
  }
  EXPECT_GT(compared, static_cast<int>(infosets) / 4);
}
INSTANTIATE_TEST_SUITE_P(Games, Oracle, testing::Values("kuhn", "kuhn3", "leduc"));

TEST(Traversal, OneAdvantageRecordForEachVisitedOwnNode) {
  const Game game = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(game);
  const SampleCodec codec(game, small, ValuePrecision::single);
  UniformSource source;
  SampleBuffer buffer;
  const TraversalCounts counts = make_recursive_traversal(game, codec, 1.0, source)->run({.seed = 1, .iteration = 1, .traverser = 0, .first_id = 0, .count = 500}, buffer);
  EXPECT_EQ(buffer.advantage.size() / codec.bytes() + buffer.strategy.size() / codec.bytes(), counts.decisions);
}

TEST(Traversal, Statement2IterationOneIsUniform) {
  const Game game = make_game("leduc");
  const SampleCodec codec(game, nullptr, ValuePrecision::double_precision);
  UniformSource source;
  SampleBuffer buffer;
  make_interleaved_traversal(game, codec, 1.0, source, {.in_flight = 64, .batch = 16})->run({.seed = 1, .iteration = 1, .traverser = 0, .first_id = 0, .count = 200}, buffer);
  for (std::size_t at = 0; at < buffer.strategy.size(); at += codec.bytes()) {
    const Sample sample = codec.unpack(buffer.strategy.data() + at);
    const ActionMask legal = game.legal_actions(state_of(game, sample.infoset));
    for (std::size_t a = 0; a < 3; ++a) EXPECT_DOUBLE_EQ(sample.values[a], ((legal >> a) & 1) != 0 ? 1.0 / std::popcount(legal) : 0.0);
  }
}

TEST(Traversal, A11PublicCardPairsPlayerZeroOneTimeInFive) {
  const Game game = make_game("leduc");
  int pairs = 0;
  constexpr int kDeals = 100'000;
  for (std::uint64_t i = 0; i < kDeals; ++i) {
    const Deal deal = game.sample_deal(CounterRandom(StreamPurpose::test, {i}));
    pairs += card_rank(deal.board[0]) == card_rank(deal.hole[0][0]);
  }
  EXPECT_NEAR(pairs / double{kDeals}, 0.2, 0.005);
}

TEST(Traversal, A31NoFieldOfARecordIsConstantByAccident) {
  const Game game = make_game("hulh");
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  HashSource source(game);
  SampleBuffer buffer;
  for (std::uint32_t t = 1; t <= 2; ++t) {
    make_interleaved_traversal(game, codec, 10.0, source, {.in_flight = 64, .batch = 16})->run({.seed = 1, .iteration = t, .traverser = 0, .first_id = 0, .count = 400}, buffer);
  }
  std::vector<std::set<std::byte>> seen(codec.bytes());
  for (std::size_t at = 0; at < buffer.advantage.size(); ++at) seen[at % codec.bytes()].insert(buffer.advantage[at]);
  // iteration: low byte varies, the others are 0 here; then size, 2 + 5 cards, betting, three values
  const std::size_t first_key = sizeof(std::uint32_t);
  EXPECT_EQ(seen[0].size(), 2U);
  for (std::size_t i = first_key; i < first_key + 8; ++i) EXPECT_GT(seen[i].size(), 3U) << "byte " << i;
  for (std::size_t i = first_key + codec.key_bytes(); i < codec.bytes(); ++i) EXPECT_GT(seen[i].size(), 3U) << "byte " << i;
}

TEST(Traversal, Bar9AnFhpAdvantageRecordTakesAtMost32Bytes) {
  const Game game = make_game("fhp");
  EXPECT_LE(SampleCodec(game, nullptr, ValuePrecision::half).bytes(), 32U);
}

}  // namespace
}  // namespace deepcfr
