#include "deepcfr/nn/trainer.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "deepcfr/core/error.h"
#include "deepcfr/core/thread_group.h"
#include "reference.h"
#include "resident_memory.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

FitOptions options(int steps) {
  FitOptions o;
  o.steps = steps;
  return o;
}

TEST(Trainer, LearnsAFunction) {
  for (const bool cards : {false, true}) {
    const FeatureLayout layout = cards ? flop_layout() : dense_layout(10);
    Network network(layout, 3, cards ? card_bet_options(32, 32) : mlp_options(3, 64), stream(1));
    FunctionBatches source(layout, 3, 100, true);
    const FitResult result = fit(network, FitKind::advantage, source, options(400));
    EXPECT_EQ(result.steps, 400);
    EXPECT_EQ(result.skipped_steps, 0);
    EXPECT_EQ(source.fills, 1);
    EXPECT_LT(result.final_loss, 0.02 * result.first_loss);
  }
}

TEST(Trainer, SampledBatchesAreFilledOnceAStep) {
  Network network(dense_layout(10), 3, mlp_options(2, 32), stream(1));
  FunctionBatches source(dense_layout(10), 3, 64, false);
  const FitResult result = fit(network, FitKind::advantage, source, options(300));
  EXPECT_EQ(source.fills, 300);
  EXPECT_LT(result.final_loss, 0.2 * result.first_loss);
}

// More rows than one block takes.
TEST(Trainer, LargeBatchesGoThroughInBlocks) {
  Network network(dense_layout(10), 3, mlp_options(2, 300), stream(1));
  FunctionBatches source(dense_layout(10), 3, 700, true);
  const FitResult result = fit(network, FitKind::advantage, source, options(60));
  EXPECT_EQ(source.fills, 1);
  EXPECT_LT(result.final_loss, 0.1 * result.first_loss);
}

TEST(Trainer, NothingToFit) {
  Network network(dense_layout(10), 3, mlp_options(2, 32), stream(1));
  const std::uint64_t before = network.hash();
  FunctionBatches source(dense_layout(10), 3, 0, true);
  EXPECT_EQ(fit(network, FitKind::advantage, source, options(10)).steps, 0);
  EXPECT_EQ(network.hash(), before);
}

TEST(Trainer, SameInputsSameBits) {
  for (const bool cards : {false, true}) {
    for (const Amp amp : {Amp::off, Amp::bf16}) {
      const FeatureLayout layout = cards ? flop_layout() : dense_layout(10);
      std::vector<std::uint64_t> hashes;
      for (int i = 0; i < 2; ++i) {
        Network network(layout, 3, cards ? card_bet_options(32, 32) : mlp_options(2, 40), stream(7));
        FunctionBatches source(layout, 3, 77, false);
        FitOptions o = options(30);
        o.amp = amp;
        fit(network, FitKind::advantage, source, o);
        hashes.push_back(network.hash());
      }
      EXPECT_EQ(hashes[0], hashes[1]);
    }
  }
}

TEST(Trainer, SameBitsForAnyNumberOfThreads) {
  for (const bool cards : {false, true}) {
    for (const Amp amp : {Amp::off, Amp::bf16}) {
      for (const std::int64_t rows : {200, 2100, 5000}) {
        const FeatureLayout layout = cards ? flop_layout() : dense_layout(10);
        std::vector<std::uint64_t> hashes;
        for (const std::size_t threads : {0U, 1U, 2U, 3U, 5U}) {
          Network network(layout, 3, cards ? card_bet_options(32, 32) : mlp_options(2, 40), stream(7));
          FunctionBatches source(layout, 3, rows, false);
          FitOptions o = options(5);
          o.amp = amp;
          const auto group = threads > 0 ? std::make_unique<ThreadGroup>(threads) : nullptr;
          fit(network, FitKind::advantage, source, o, StrategyLoss::cross_entropy, group.get());
          hashes.push_back(network.hash());
        }
        EXPECT_EQ(hashes, std::vector(hashes.size(), hashes[0])) << rows;
      }
    }
  }
}

/// One row, two actions, one of them illegal.
class OneRow : public BatchSource {
 public:
  std::int64_t batch_rows() const override { return 1; }
  bool constant() const override { return true; }
  void fill(std::int64_t, const BatchView& batch) override {
    batch.features[0] = 1;
    batch.targets[0] = 0.25F;
    batch.targets[1] = 0.75F;
    batch.mask[0] = 1;
    batch.mask[1] = legal_second;
    batch.weights[0] = 1;
  }
  float legal_second = 1;
};

// Statement 12, on the whole way: what an illegal action's output is made of does not move.
TEST(Trainer, S12IllegalOutputsAreNotTrained) {
  for (const FitKind kind : {FitKind::advantage, FitKind::strategy}) {
    Network network(dense_layout(1), 2, mlp_options(0, 1), stream(3));
    const std::vector<float> before = network.weights();
    OneRow source;
    source.legal_second = 0;
    fit(network, kind, source, options(50));
    const std::vector<float> after = network.weights();  // head.weight [2, 1], head.bias [2]
    EXPECT_EQ(after[1], before[1]);
    EXPECT_EQ(after[3], before[3]);
    if (kind == FitKind::advantage) {
      EXPECT_NE(after[0], before[0]);
    }
  }
}

TEST(Trainer, StrategyFitsReachTheTargetProbabilities) {
  for (const StrategyLoss loss : {StrategyLoss::cross_entropy, StrategyLoss::mean_squared}) {
    Network network(dense_layout(1), 2, mlp_options(1, 16), stream(3));
    OneRow source;
    FitOptions o = options(600);
    o.learning_rate = 1e-2;
    fit(network, FitKind::strategy, source, o, loss);
    std::vector<float> out(2);
    network.forward(std::vector<float>{1.0F}, out);
    EXPECT_NEAR(1.0 / (1.0 + std::exp(static_cast<double>(out[1] - out[0]))), 0.25, 2e-3);
  }
}

// One step of Adam moves each weight with a gradient by the learning rate, so the schedule can be read off one weight.
TEST(Trainer, SchedulesFallToOnePercent) {
  const auto moved = [](LearningRateSchedule schedule, int steps) {
    class Slope : public OneRow {  // gradient of constant sign
      void fill(std::int64_t step, const BatchView& batch) override {
        OneRow::fill(step, batch);
        batch.targets[0] = batch.targets[1] = 1e6F;
      }
    } source;
    Network network(dense_layout(1), 2, mlp_options(0, 1), stream(3));
    const float before = network.weights()[2];
    FitOptions o = options(steps);
    o.schedule = schedule;
    o.learning_rate = 1e-2;
    fit(network, FitKind::advantage, source, o);
    return static_cast<double>(network.weights()[2] - before);
  };
  EXPECT_NEAR(moved(LearningRateSchedule::constant, 100), 1.0, 0.01);
  EXPECT_NEAR(moved(LearningRateSchedule::linear, 100), 0.505, 0.01);
  EXPECT_NEAR(moved(LearningRateSchedule::cosine, 100), 0.505, 0.01);
  EXPECT_NEAR(moved(LearningRateSchedule::linear, 2) - moved(LearningRateSchedule::linear, 1), 1e-4, 1e-5);
}

/// Good batches with a bad number at some steps.
class Faulty : public FunctionBatches {
 public:
  explicit Faulty(std::vector<std::int64_t> bad_steps, float bad = std::numeric_limits<float>::quiet_NaN())
      : FunctionBatches(dense_layout(10), 3, 32, false), bad_steps_(std::move(bad_steps)), bad_(bad) {}
  void fill(std::int64_t step, const BatchView& batch) override {
    FunctionBatches::fill(step, batch);
    if (std::find(bad_steps_.begin(), bad_steps_.end(), step) != bad_steps_.end()) batch.targets[4] = bad_;
  }

 private:
  std::vector<std::int64_t> bad_steps_;
  float bad_;
};

// Statement 19: a loss or gradient that is not finite skips the step and is counted; if it persists, an error.
TEST(Trainer, S19NotFiniteStepsAreSkippedAndCounted) {
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    Network network(dense_layout(10), 3, mlp_options(2, 32), stream(1));
    Faulty source({0, 7, 50});
    FitOptions o = options(100);
    o.amp = amp;
    const FitResult result = fit(network, FitKind::advantage, source, o);
    EXPECT_EQ(result.skipped_steps, 3);
    EXPECT_TRUE(std::isfinite(result.first_loss) && std::isfinite(result.final_loss));
    for (const float w : network.weights()) ASSERT_TRUE(std::isfinite(w));
  }
}

TEST(Trainer, S19FiniteLossWithInfiniteGradientIsSkipped) {
  class Large : public OneRow {
    void fill(std::int64_t step, const BatchView& batch) override {
      OneRow::fill(step, batch);
      batch.features[0] = 3e38F;  // its product with an error of 10 is beyond the largest float
      batch.targets[0] = 10;
    }
  } source;
  Network network(dense_layout(1), 2, mlp_options(0, 1), stream(3));
  network.set_weights(std::vector<float>{0, 0, 0, 0});
  const std::uint64_t before = network.hash();
  EXPECT_EQ(fit(network, FitKind::advantage, source, options(3)).skipped_steps, 3);
  EXPECT_EQ(network.hash(), before);
}

TEST(Trainer, S19PersistentFaultsEndInAnErrorThatNamesTheRemedy) {
  Network network(dense_layout(10), 3, mlp_options(2, 32), stream(1));
  std::vector<std::int64_t> all;
  for (std::int64_t step = 0; step < 100; ++step) all.push_back(step);
  Faulty source(all, std::numeric_limits<float>::infinity());
  try {
    fit(network, FitKind::advantage, source, options(100));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(error.message().find("did not stay finite"), std::string::npos);
    EXPECT_NE(error.hint().find("learning_rate"), std::string::npos);
  }
  for (const float w : network.weights()) ASSERT_TRUE(std::isfinite(w));
}

// Reported fault A06: a fit changes its own network only. T14: forwards between fits do no harm.
TEST(Trainer, A06OtherNetworksStayAsTheyAre) {
  std::vector<Network> players;
  for (std::uint64_t p = 0; p < 3; ++p) players.emplace_back(dense_layout(10), 3, mlp_options(2, 32), stream(p));
  const std::uint64_t second = players[1].hash(), third = players[2].hash(), first = players[0].hash();
  FunctionBatches source(dense_layout(10), 3, 32, false);
  fit(players[0], FitKind::advantage, source, options(20));
  EXPECT_NE(players[0].hash(), first);
  EXPECT_EQ(players[1].hash(), second);
  EXPECT_EQ(players[2].hash(), third);
  std::vector<float> out(3 * 5);
  const std::vector<float> rows = random_rows(dense_layout(10), 5, 1);
  players[0].forward(rows, out);
  const std::vector<float> before = out;
  fit(players[0], FitKind::advantage, source, options(20));
  players[0].forward(rows, out);
  EXPECT_NE(out, before);
}

// A fit neither depends on nor changes what is global in LibTorch.
TEST(Trainer, LeavesGlobalStateAlone) {
  const auto random_state = [] {
    const at::Tensor state = at::detail::getDefaultCPUGenerator().get_state();
    return std::vector<std::uint8_t>(state.data_ptr<std::uint8_t>(), state.data_ptr<std::uint8_t>() + state.numel());
  };
  const auto before = random_state();
  const int threads = at::get_num_threads();
  const auto type = at::get_default_dtype_as_scalartype();
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    Network network(dense_layout(10), 3, mlp_options(2, 32), stream(1));
    FunctionBatches source(dense_layout(10), 3, 32, false);
    FitOptions o = options(5);
    o.amp = amp;
    fit(network, FitKind::advantage, source, o);
  }
  EXPECT_EQ(random_state(), before);
  EXPECT_EQ(at::get_num_threads(), threads);
  EXPECT_EQ(at::get_default_dtype_as_scalartype(), type);
  EXPECT_TRUE(at::GradMode::is_enabled());
  EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
}

// Reported fault T15: no stale weights under AMP.
TEST(Trainer, T15Bfloat16FitsSeeTheirOwnWeights) {
  const FeatureLayout layout = dense_layout(10);
  Network exact(layout, 3, mlp_options(2, 64), stream(1));
  Network rounded = exact.clone();
  FunctionBatches source(layout, 3, 128, true);
  FitOptions o = options(300);
  const FitResult a = fit(exact, FitKind::advantage, source, o);
  o.amp = Amp::bf16;
  const FitResult b = fit(rounded, FitKind::advantage, source, o);
  EXPECT_LT(b.final_loss, 0.05 * b.first_loss);
  EXPECT_NEAR(a.first_loss, b.first_loss, 0.05 * a.first_loss);
  const std::vector<float> rows = random_rows(layout, 128, 1000);  // those that the source gives
  std::vector<float> out(128 * 3), other(128 * 3);
  exact.forward(rows, out);
  rounded.forward(rows, other);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    difference = std::max(difference, std::abs(static_cast<double>(out[i] - other[i])));
    size = std::max(size, std::abs(static_cast<double>(out[i])));
  }
  EXPECT_LT(difference / size, 0.1);
}

// Reported faults T15, T28: fits give back their memory.
TEST(Trainer, MemoryStaysFlatOverManyFits) {
  SKIP_UNDER_SANITIZERS();
  const auto run = [](int fits) {
    for (int i = 0; i < fits; ++i) {
      Network network(dense_layout(40), 3, mlp_options(3, 64), stream(1));
      FunctionBatches source(dense_layout(40), 3, 256, true);
      FitOptions o = options(3);
      o.amp = i % 2 == 0 ? Amp::off : Amp::bf16;
      fit(network, FitKind::advantage, source, o);
    }
  };
  run(20);
  const double before = resident_bytes();
  run(200);
  EXPECT_LT(resident_bytes() - before, 4e6);
}

}  // namespace
}  // namespace deepcfr
