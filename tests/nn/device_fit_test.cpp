#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "deepcfr/core/error.h"
#include "device_autocast.h"
#include "device_checks.h"
#include "device_loss.h"
#include "loss.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

/// Largest difference of outputs, relative to the largest output.
double distance(const FitPair& pair) {
  return compare(pair.host_outputs, pair.device_outputs, 3).largest / largest(pair.host_outputs);
}

// One step of Adam moves a weight by the learning rate times g / (|g| + ε): by the same amount up to rounding wherever the gradient is not
// lost in it.
TEST(DeviceFit, OneStepMovesEveryWeightAlike) {
  for (const NetworkType type : {NetworkType::mlp, NetworkType::card_bet}) {
    const FitPair pair = fit_both(ComputeDevice::cpu, {.type = type}, 1);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < pair.host_weights.size(); ++i) differ += std::abs(pair.host_weights[i] - pair.device_weights[i]) > 3e-5F ? 1 : 0;  // 1 % of a step
    EXPECT_LE(differ, pair.host_weights.size() / 200);
    EXPECT_NEAR(pair.host.first_loss, pair.device.first_loss, 1e-6 * pair.host.first_loss);
  }
}

TEST(DeviceFit, AgreesWithFitOverHundredsOfSteps) {
  for (const NetworkType type : {NetworkType::mlp, NetworkType::card_bet}) {
    for (const bool constant : {false, true}) {
      const FitPair pair = fit_both(ComputeDevice::cpu, {.type = type, .constant = constant}, 200);
      EXPECT_EQ(pair.device.steps, 200);
      EXPECT_EQ(pair.device.skipped_steps, 0);
      EXPECT_LT(pair.host.final_loss, 0.7 * pair.host.first_loss);
      EXPECT_NEAR(pair.host.first_loss, pair.device.first_loss, 1e-3 * pair.host.first_loss);
      // a batch learned by heart ends with losses that are rounding themselves
      EXPECT_NEAR(pair.host.final_loss, pair.device.final_loss, 2e-2 * pair.host.final_loss + 1e-6 * pair.host.first_loss);
      EXPECT_LT(distance(pair), 0.03);
    }
  }
}

TEST(DeviceFit, LossesSchedulesAndClipping) {
  for (const StrategyLoss loss : {StrategyLoss::cross_entropy, StrategyLoss::mean_squared}) {
    const FitPair pair = fit_both(ComputeDevice::cpu, {.kind = FitKind::strategy, .loss = loss, .schedule = LearningRateSchedule::cosine}, 100);
    EXPECT_NEAR(pair.host.final_loss, pair.device.final_loss, 1e-3 * pair.host.final_loss);
    EXPECT_LT(distance(pair), 0.02);
  }
  for (const double clip : {0.0, 0.01}) {
    const FitPair pair = fit_both(ComputeDevice::cpu, {.schedule = LearningRateSchedule::constant, .clip_norm = clip}, 50);
    EXPECT_NEAR(pair.host.final_loss, pair.device.final_loss, 1e-3 * pair.host.final_loss);
  }
}

// Statement 19: a step without a finite loss or gradient changes nothing and is counted; too many end the fit.
TEST(DeviceFit, S19SkippedSteps) {
  const FitPair pair = fit_both(ComputeDevice::cpu, {.poison_every = 20}, 100);
  EXPECT_EQ(pair.host.skipped_steps, 5);
  EXPECT_EQ(pair.device.skipped_steps, 5);
  EXPECT_NEAR(pair.host.final_loss, pair.device.final_loss, 2e-3 * pair.host.final_loss);
  EXPECT_LT(distance(pair), 0.02);
  for (const float w : pair.device_weights) ASSERT_TRUE(std::isfinite(w));
  const auto message = [](bool on_device) -> std::string {
    const FitCase c{.poison_every = 6};
    Network network(dense_layout(24), 3, mlp_options(1, 8), stream(1));
    PoisonedBatches source(dense_layout(24), 3, 32, c);
    FitOptions options;
    options.steps = 60;
    try {
      if (on_device) fit_on_device(network, c.kind, source, options, c.loss, ComputeDevice::cpu);
      if (!on_device) fit(network, c.kind, source, options, c.loss);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message(true), "");
  EXPECT_EQ(message(true), message(false));
}

TEST(DeviceFit, AutocastStaysNearFloat32) {
  for (const NetworkType type : {NetworkType::mlp, NetworkType::card_bet}) {
    const FitPair exact = fit_both(ComputeDevice::cpu, {.type = type}, 150);
    const FitPair rounded = fit_both(ComputeDevice::cpu, {.type = type, .amp = Amp::bf16}, 150);
    EXPECT_NE(rounded.device_weights, exact.device_weights);
    EXPECT_NEAR(rounded.device.final_loss, exact.device.final_loss, 0.1 * exact.device.final_loss);
    EXPECT_NEAR(rounded.device.first_loss, rounded.host.first_loss, 0.02 * rounded.host.first_loss);
  }
}

TEST(DeviceFit, SameInputsSameBits) {
  const FitCase c{.type = NetworkType::card_bet, .amp = Amp::bf16};
  EXPECT_EQ(fit_both(ComputeDevice::cpu, c, 20).device_weights, fit_both(ComputeDevice::cpu, c, 20).device_weights);
}

TEST(DeviceFit, NothingToFit) {
  Network network(dense_layout(10), 3, mlp_options(2, 32), stream(1));
  FunctionBatches source(dense_layout(10), 3, 0, true);
  EXPECT_EQ(fit_on_device(network, FitKind::advantage, source, {}, StrategyLoss::cross_entropy, ComputeDevice::cpu).steps, 0);
}

// Reported fault T15: the state is of the thread and outlives a scope, and a cast weight outlives its update.
TEST(DeviceFit, T15AutocastLeavesNothingBehind) {
  const at::ScalarType type_before = at::autocast::get_autocast_dtype(at::kCPU);
  at::Tensor weight = at::ones({4, 4}).requires_grad_(true);
  const at::Tensor x = at::ones({1, 4});
  const auto product = [&] {
    const nn::AutocastGuard guard(at::kCPU, true);
    const at::Tensor y = at::linear(x, weight);
    EXPECT_EQ(y.scalar_type(), at::kBFloat16);
    return y[0][0].item<float>();
  };
  EXPECT_EQ(product(), 4.0F);
  {
    const at::NoGradGuard no_gradient;
    weight.mul_(2);
  }
  EXPECT_EQ(product(), 8.0F);
  try {
    const nn::AutocastGuard guard(at::kCPU, true);
    throw std::runtime_error("in the middle");
  } catch (const std::runtime_error&) {
  }
  EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
  EXPECT_EQ(at::autocast::get_autocast_dtype(at::kCPU), type_before);
  EXPECT_EQ(at::autocast::increment_nesting(), 1);
  at::autocast::decrement_nesting();
  {
    const nn::AutocastGuard outer(at::kCPU, true);
    { const nn::AutocastGuard inner(at::kCPU, false); }
    EXPECT_TRUE(at::autocast::is_autocast_enabled(at::kCPU));
  }
}

// Against loss.cpp: values, gradients, and exact zeros where nothing may move.
TEST(DeviceLoss, AgreesWithTheHosts) {
  constexpr std::size_t kRows = 50;
  constexpr std::size_t kActions = 4;
  const CounterRandom random = stream(5);
  std::vector<float> outputs(kRows * kActions), targets(outputs.size()), mask(outputs.size()), weights(kRows);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] = static_cast<float>(6 * random.uniform(i) - 3);
    mask[i] = random.below(1000 + i, 3) == 0 ? 0.0F : 1.0F;
    targets[i] = mask[i] == 0.0F ? std::nanf("") : static_cast<float>(random.uniform(2000 + i));
  }
  for (std::size_t i = 0; i < kRows; ++i) weights[i] = i % 7 == 3 ? 0.0F : static_cast<float>(random.uniform(3000 + i));
  std::fill_n(mask.begin() + 8, kActions, 0.0F);             // a row without legal actions
  std::fill_n(targets.begin() + 12, kActions, std::nanf("")); // a row of weight 0
  const auto tensor = [](std::vector<float>& v, at::IntArrayRef shape) { return at::from_blob(v.data(), shape, at::kFloat); };
  const auto rows = static_cast<std::int64_t>(kRows);
  const nn::DeviceLossRows on_device{tensor(targets, {rows, 4}), tensor(mask, {rows, 4}), tensor(weights, {rows})};
  const nn::LossRows on_host{outputs, targets, mask, weights, 4, 0};
  for (int which = 0; which < 3; ++which) {
    const FitKind kind = which == 0 ? FitKind::advantage : FitKind::strategy;
    const StrategyLoss strategy = which == 1 ? StrategyLoss::cross_entropy : StrategyLoss::mean_squared;
    std::vector<float> gradient(outputs.size());
    const double expected = which == 0 ? nn::advantage_loss(on_host, gradient) : nn::strategy_loss(on_host, strategy, gradient);
    at::Tensor x = tensor(outputs, {rows, 4}).clone().requires_grad_(true);
    const at::Tensor loss = nn::device_loss(kind, strategy, x, on_device);
    EXPECT_NEAR(loss.item<double>(), expected, 1e-5 * std::abs(expected));
    const at::Tensor g = torch::autograd::grad({loss}, {x})[0].contiguous();
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const float got = g.const_data_ptr<float>()[i];
      EXPECT_NEAR(got, gradient[i], 1e-6) << which << " " << i;
      if (mask[i] == 0.0F || weights[i / kActions] == 0.0F) {
        EXPECT_EQ(got, 0.0F) << which << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace deepcfr
