#include "batches.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

/// Leduc records with random values, many of equal infosets.
class BatchesTest : public testing::Test {
 protected:
  void fill(const SampleCodec& codec, Reservoir& memory, std::uint64_t count) {
    std::vector<std::byte> record(codec.bytes());
    const CounterRandom random(StreamPurpose::test, {1});
    for (std::uint64_t i = 0; i < count; ++i) {
      const double values[] = {random.uniform(5 * i), random.uniform(5 * i + 1), random.uniform(5 * i + 2)};
      const auto infoset = static_cast<std::int32_t>(random.below(5 * i + 3, 12));
      codec.pack(small->key(infoset), static_cast<std::uint32_t>(1 + random.below(5 * i + 4, 9)), values, record.data());
      memory.add(record.data());
    }
  }
  BatchSetup setup(const SampleCodec& codec, int batch_size) const {
    return {.game = &game, .codec = &codec, .encoder = &encoder, .features = codec.small_game() != nullptr ? &features : nullptr,
            .iteration = 9, .batch_size = batch_size, .stream = CounterRandom(StreamPurpose::test, {2})};
  }
  struct Batch {
    std::vector<float> features, targets, mask, weights;
    BatchView view() { return {features, targets, mask, weights}; }
  };
  Batch batch(BatchSource& source) const {
    const auto rows = static_cast<std::size_t>(source.batch_rows());
    Batch b{std::vector<float>(rows * static_cast<std::size_t>(encoder.width())), std::vector<float>(rows * 3), std::vector<float>(rows * 3), std::vector<float>(rows)};
    return b;
  }
  const Game game = make_game("leduc");
  const std::shared_ptr<const SmallGame> small = std::make_shared<const SmallGame>(game);
  const Encoder encoder{game, FeatureKind::dense};
  const FeatureTable features{*small, FeatureKind::dense};
};

/// Gradient of Σ w (x − v)² ÷ records with respect to an output x(infoset, a) at 0.3, by infoset row features.
using Gradients = std::map<std::vector<float>, std::vector<double>>;

TEST_F(BatchesTest, MergingKeepsTheGradientOfTheLoss) {
  for (const bool numbered : {true, false}) {
    const SampleCodec codec(game, numbered ? small : nullptr, ValuePrecision::single);
    Reservoir memory(codec.bytes(), 5000, CounterRandom(StreamPurpose::test, {3}));
    fill(codec, memory, 2000);
    const auto width = static_cast<std::size_t>(encoder.width());
    Gradients straight;
    for (std::uint64_t i = 0; i < memory.size(); ++i) {
      const Sample sample = codec.unpack(memory.record(i));
      std::vector<float> row(width);
      encoder.encode(sample.infoset, row.data());
      std::vector<double>& gradient = straight[row];
      gradient.resize(3, 0.0);
      for (std::size_t a = 0; a < 3; ++a) gradient[a] += 2 * (2.0 * sample.iteration / 9.0) * (0.3 - sample.values[a]) / 2000.0;
    }
    const auto merged = make_merged_batches(setup(codec, 16), merge_memory(setup(codec, 16), memory));
    EXPECT_TRUE(merged->constant());
    ASSERT_EQ(merged->batch_rows(), 12);
    Batch b = batch(*merged);
    merged->fill(0, b.view());
    for (std::size_t row = 0; row < 12; ++row) {
      const std::vector<float> key(b.features.begin() + static_cast<std::ptrdiff_t>(row * width), b.features.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
      ASSERT_TRUE(straight.contains(key));
      for (std::size_t a = 0; a < 3; ++a) {
        EXPECT_NEAR(2 * b.weights[row] * (0.3 - b.targets[row * 3 + a]) / 12.0, straight[key][a], 1e-6);
      }
    }
  }
}

TEST_F(BatchesTest, MergedRowsBeyondABatchAreDrawnByWeight) {
  const SampleCodec codec(game, small, ValuePrecision::single);
  MergedMemory merged;
  for (int i = 0; i < 288; ++i) {
    for (int copy = 0; copy < 10; ++copy) {  // 2,880 rows: more than a constant batch takes
      merged.infoset_numbers.push_back(i);
      merged.weights.push_back(i == 0 ? 5.0 : 1.0);
      merged.values.insert(merged.values.end(), {double(i), 0, 0});
    }
  }
  merged.records = 2880;
  const auto source = make_merged_batches(setup(codec, 1000), merged);
  EXPECT_FALSE(source->constant());
  Batch b = batch(*source);
  int first = 0;
  for (int step = 0; step < 50; ++step) {
    source->fill(step, b.view());
    for (std::size_t row = 0; row < 1000; ++row) first += b.targets[row * 3] == 0.0F;
    EXPECT_NEAR(b.weights[0], (2870.0 + 50.0) / 2880.0, 1e-5);
  }
  EXPECT_NEAR(first / 50'000.0, 50.0 / 2920.0, 0.004);
}

TEST_F(BatchesTest, SampledRowsAreUniformOverTheMemoryWithTheWeightOnce) {
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  Reservoir memory(codec.bytes(), 100, CounterRandom(StreamPurpose::test, {3}));
  const double values[] = {0, 0, 0};
  std::vector<std::byte> record(codec.bytes());
  for (std::uint32_t t = 1; t <= 3; ++t) {
    codec.pack(small->key(static_cast<int>(t)), t, values, record.data());
    memory.add(record.data());
  }
  const auto source = make_sampled_batches(setup(codec, 3000), memory);
  Batch b = batch(*source);
  source->fill(0, b.view());
  std::map<float, int> counts;
  for (const float weight : b.weights) ++counts[weight];
  ASSERT_EQ(counts.size(), 3U);
  for (std::uint32_t t = 1; t <= 3; ++t) EXPECT_NEAR(counts[static_cast<float>(2.0 * t / 9.0)], 1000, 130);
  const std::vector<float> first = b.weights;
  source->fill(0, b.view());
  EXPECT_EQ(b.weights, first);  // a pure function of the step
  source->fill(1, b.view());
  EXPECT_NE(b.weights, first);
}

TEST_F(BatchesTest, MasksAreTheLegalActions) {
  const SampleCodec numbered(game, small, ValuePrecision::single);
  const SampleCodec packed(game, nullptr, ValuePrecision::single);
  for (const SampleCodec* codec : {&numbered, &packed}) {
    Reservoir memory(codec->bytes(), 1000, CounterRandom(StreamPurpose::test, {3}));
    fill(*codec, memory, 500);
    const auto source = make_merged_batches(setup(*codec, 16), merge_memory(setup(*codec, 16), memory));
    Batch b = batch(*source);
    source->fill(0, b.view());
    for (std::size_t row = 0; row < 12; ++row) EXPECT_EQ(b.mask[row * 3 + kCall], 1.0F);
    float sum = 0;
    for (const float m : b.mask) sum += m;
    EXPECT_LT(sum, 36);
  }
}

TEST_F(BatchesTest, SumsKeptUpToDateAreThoseMadeAnew) {
  const SampleCodec codec(game, small, ValuePrecision::single);
  Reservoir memory(codec.bytes(), 300, CounterRandom(StreamPurpose::test, {3}));
  MergedSums sums(codec);
  std::vector<std::byte> record(codec.bytes());
  const CounterRandom random(StreamPurpose::test, {4});
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const double values[] = {20 * random.uniform(4 * i) - 10, random.uniform(4 * i + 1), 0};
    codec.pack(static_cast<std::int32_t>(random.below(4 * i + 2, 288)), static_cast<std::uint32_t>(1 + i / 100), values, record.data());
    memory.add(record.data(), [&](const std::byte* displaced) {
      if (displaced != nullptr) sums.remove(displaced);
      sums.add(record.data());
    });
  }
  const MergedMemory kept = sums.merged(50);
  const MergedMemory anew = merge_memory(setup(codec, 16), memory);
  EXPECT_EQ(kept.records, 300U);
  EXPECT_EQ(kept.infoset_numbers, anew.infoset_numbers);
  EXPECT_EQ(kept.values, anew.values);
  double weight = 0;
  for (std::uint64_t i = 0; i < memory.size(); ++i) weight += 2.0 * SampleCodec::iteration(memory.record(i)) / 50;
  double sum = 0;
  for (const double w : kept.weights) sum += w;
  EXPECT_NEAR(sum, weight, 1e-9);
}

TEST_F(BatchesTest, Statement19SumsRefuseWhatIsNotFinite) {
  const SampleCodec codec(game, small, ValuePrecision::single);
  MergedSums sums(codec);
  std::vector<std::byte> record(codec.bytes());
  for (const double bad : {std::nan(""), HUGE_VAL, 1e13}) {
    const double values[] = {bad, 0, 0};
    codec.pack(3, 1, values, record.data());
    EXPECT_THROW(sums.add(record.data()), Error);
  }
}

// The whole rows of larger games, drawn and merged, with histories looked up and replayed.
TEST(Batches, LookedUpHistoriesGiveTheSameBits) {
  for (const char* name : {"fhp", "hulh", "hunl"}) {
    const Game game = make_game(name);
    for (const FeatureKind kind : {FeatureKind::dense, FeatureKind::cards}) {
      const Encoder encoder(game, kind);
      const SampleCodec codec(game, nullptr, ValuePrecision::half);
      Reservoir memory(codec.bytes(), 600, CounterRandom(StreamPurpose::test, {3}));
      std::vector<std::byte> record(codec.bytes());
      std::vector<double> values(static_cast<std::size_t>(game.num_actions()), 0.5);
      for (std::uint64_t hand = 0; memory.size() < 600; ++hand) {
        State state = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::test, {hand})));
        for (std::uint64_t step = 0; !state.finished; ++step) {
          codec.pack(infoset_of(game, state), 1 + static_cast<std::uint32_t>(hand % 7), values, record.data());
          memory.add(record.data());
          const ActionMask legal = game.legal_actions(state);
          Action action = static_cast<Action>(mix64(hand * 100 + step) % static_cast<std::uint64_t>(game.num_actions()));
          if (((legal >> action) & 1) == 0 || action == kFold) action = kCall;
          game.apply(state, action);
        }
      }
      BatchSetup plain{.game = &game, .codec = &codec, .encoder = &encoder, .features = nullptr, .iteration = 9, .batch_size = 300,
                       .stream = CounterRandom(StreamPurpose::test, {2})};
      BettingTable whole(game), small(game, 4096);
      for (BettingTable* betting : {&whole, &small}) {
        BatchSetup looked_up = plain;
        looked_up.betting = betting;
        const std::unique_ptr<BatchSource> sources[] = {make_sampled_batches(plain, memory), make_sampled_batches(looked_up, memory),
                                                        make_merged_batches(plain, merge_memory(plain, memory)),
                                                        make_merged_batches(looked_up, merge_memory(looked_up, memory))};
        for (std::size_t pair = 0; pair < 4; pair += 2) {
          std::vector<float> bits[2][4];
          for (std::size_t i = 0; i < 2; ++i) {
            const auto rows = static_cast<std::size_t>(sources[pair + i]->batch_rows());
            const std::size_t widths[] = {static_cast<std::size_t>(encoder.width()), values.size(), values.size(), 1};
            for (std::size_t part = 0; part < 4; ++part) bits[i][part].assign(rows * widths[part], -7.0F);
            sources[pair + i]->fill(1, {bits[i][0], bits[i][1], bits[i][2], bits[i][3]});
          }
          for (std::size_t part = 0; part < 4; ++part) EXPECT_EQ(bits[0][part], bits[1][part]) << name << " part " << part;
        }
      }
      EXPECT_GT(whole.size(), small.size());
    }
  }
}

TEST_F(BatchesTest, AnEmptyMemoryHasNothingToFit) {
  const SampleCodec codec(game, small, ValuePrecision::single);
  const Reservoir memory(codec.bytes(), 10, CounterRandom(StreamPurpose::test, {3}));
  EXPECT_EQ(make_sampled_batches(setup(codec, 16), memory)->batch_rows(), 0);
  EXPECT_EQ(make_merged_batches(setup(codec, 16), merge_memory(setup(codec, 16), memory))->batch_rows(), 0);
}

}  // namespace
}  // namespace deepcfr
