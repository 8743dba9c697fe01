// The checks of tests/nn/device_checks.h on CUDA, and what only CUDA has: graphs, streams. Skipped where no device is visible.
#include <thread>

#include "deepcfr/core/error.h"
#include "nn/device_checks.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

constexpr ComputeDevice kCuda = ComputeDevice::cuda;

class DeviceGpu : public testing::Test {
 protected:
  void SetUp() override {
    const DeviceReport report = report_devices();
    ASSERT_TRUE(report.cuda_built) << "preset gpu, but LibTorch has no CUDA: was libtorch_cuda dropped by the linker?";
    if (report.cuda_devices == 0) GTEST_SKIP() << "no CUDA device is visible";
  }
};

TEST_F(DeviceGpu, EngineAgreesWithTheHostsKernels) {
  for (const EngineCase& c : engine_cases()) check_engine_agrees(kCuda, c, 10000);
}

TEST_F(DeviceGpu, RowsDoNotDependOnTheirBatch) {
  for (const EngineCase& c : engine_cases()) check_engine_batches(kCuda, c);
}

TEST_F(DeviceGpu, WeightsChangeInPlaceUnderGraphs) {
  for (const EngineCase& c : engine_cases()) check_engine_update(kCuda, c);
}

TEST_F(DeviceGpu, BfloatRowsAgreeWithLibTorchsOnTheHost) {
  for (const NetworkType type : {NetworkType::mlp, NetworkType::card_bet}) {
    const DeviceSetup setup("hulh", {type, RowType::bfloat16, true}, 128);
    const auto host = engine_of(setup, ComputeDevice::cpu);
    const auto device = engine_of(setup, kCuda);
    const std::vector<float> rows = setup.rows(10000, 5);
    const std::vector<float> expected = Questions(setup, *host, 0, rows, {10000}).ask(*host);
    const Agreement agreement = compare(Questions(setup, *device, 0, rows, {10000}).ask(*device), expected, setup.actions());
    EXPECT_LT(agreement.largest, 2e-2 * std::max(1.0, largest(expected)));
    EXPECT_GE(agreement.same_best, 0.99);
  }
}

TEST_F(DeviceGpu, GraphsGiveTheSameBitsAsKernelByKernel) {
  for (const EngineCase& c : engine_cases()) {
    const DeviceSetup setup("leduc", c);
    const auto graphs = engine_of(setup, kCuda);
    const auto eager = engine_of(setup, kCuda, {.max_rows = 2048, .graphs = false});
    EXPECT_NE(graphs->name(), eager->name());
    for (const std::int64_t count : {10, 256, 257, 2000}) {
      const std::vector<float> rows = setup.rows(count, static_cast<std::uint64_t>(count));
      EXPECT_EQ(Questions(setup, *graphs, 0, rows, {count}).ask(*graphs), Questions(setup, *eager, 0, rows, {count}).ask(*eager));
    }
  }
}

// Each clone captures and replays on a stream of its own while the others do.
TEST_F(DeviceGpu, ClonesComputeAtTheSameTime) {
  const DeviceSetup setup("hulh", {NetworkType::card_bet, RowType::float32, true});
  const auto engine = engine_of(setup, kCuda);
  std::vector<std::thread> threads;
  for (std::uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto clone = engine->clone();
      for (std::uint64_t round = 0; round < 50; ++round) {
        const auto count = static_cast<std::int64_t>(100 + (round * 177 + t * 311) % 3000);
        const std::vector<float> rows = setup.rows(count, t * 1000 + round);
        std::vector<float> expected(static_cast<std::size_t>(count) * setup.actions());
        setup.networks[round % 2]->clone().forward(rows, expected);
        EXPECT_LT(compare(Questions(setup, *clone, static_cast<int>(round % 2), rows, {count}).ask(*clone), expected, setup.actions()).largest, 1e-3);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DeviceGpu, FitsAgreeWithTheHosts) {
  for (const NetworkType type : {NetworkType::mlp, NetworkType::card_bet}) {
    for (const FitKind kind : {FitKind::advantage, FitKind::strategy}) {
      for (const bool constant : {false, true}) {
        const FitPair pair = fit_both(kCuda, {.type = type, .kind = kind, .constant = constant}, 200);
        EXPECT_EQ(pair.device.skipped_steps, 0);
        EXPECT_NEAR(pair.host.first_loss, pair.device.first_loss, 2e-3 * pair.host.first_loss);
        EXPECT_NEAR(pair.host.final_loss, pair.device.final_loss, 5e-2 * pair.host.final_loss + 1e-5 * pair.host.first_loss);
        EXPECT_LT(compare(pair.host_outputs, pair.device_outputs, 3).largest, 0.1 * largest(pair.host_outputs));
      }
    }
  }
}

TEST_F(DeviceGpu, CapturedStepsAreTheSteps) {
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    const FitCase c{.amp = amp};
    const FitPair captured = fit_both(kCuda, c, 60);
    const FitPair eager = fit_both(kCuda, c, 60, {.graph = false});
    EXPECT_NEAR(captured.device.final_loss, eager.device.final_loss, 1e-3 * eager.device.final_loss);
    EXPECT_LT(compare(captured.device_outputs, eager.device_outputs, 3).largest, 0.02 * largest(eager.device_outputs));
  }
}

TEST_F(DeviceGpu, S19SkippedStepsWithoutAWait) {
  const FitPair pair = fit_both(kCuda, {.poison_every = 20}, 100);
  EXPECT_EQ(pair.device.skipped_steps, 5);
  for (const float w : pair.device_weights) ASSERT_TRUE(std::isfinite(w));
  EXPECT_NEAR(pair.host.final_loss, pair.device.final_loss, 2e-2 * pair.host.final_loss);
  EXPECT_THROW(fit_both(kCuda, {.poison_every = 6}, 60), Error);
}

// Reported fault T15: outputs right after a bfloat16 fit against float32 of the same weights.
TEST_F(DeviceGpu, T15AutocastStaysNearFloat32) {
  for (const NetworkType type : {NetworkType::mlp, NetworkType::card_bet}) {
    const FitPair exact = fit_both(kCuda, {.type = type}, 150);
    const FitPair rounded = fit_both(kCuda, {.type = type, .amp = Amp::bf16}, 150);
    EXPECT_NE(rounded.device_weights, exact.device_weights);
    EXPECT_NEAR(rounded.device.final_loss, exact.device.final_loss, 0.1 * exact.device.final_loss);
  }
}

// Fits one after the other leave no memory behind that the next could trip over.
TEST_F(DeviceGpu, ManyFits) {
  for (int i = 0; i < 20; ++i) EXPECT_EQ(fit_both(kCuda, {.type = i % 2 == 0 ? NetworkType::mlp : NetworkType::card_bet}, 10).device.steps, 10);
}

}  // namespace
}  // namespace deepcfr
