// Statements of shared/correctness.md that no other test of this room holds, named by their numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "deepcfr/nn/network_source.h"
#include "deepcfr/nn/trainer.h"
#include "games.h"
#include "loss.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

FitOptions options(int steps, Amp amp) {
  FitOptions o;
  o.steps = steps;
  o.amp = amp;
  return o;
}

/// Outputs for one row.
std::vector<float> outputs(const Network& network, const std::vector<float>& row) {
  std::vector<float> out(static_cast<std::size_t>(network.outputs()));
  network.forward(row, out);
  return out;
}

// Three rows whose weights and losses are unequal, by hand; a mean of the weights before they meet the losses changes it.
TEST(StrategyLoss, Statement7WeightEntersOnceRowByRow) {
  const float third = std::log(3.0F);
  const std::vector<float> out = {0, 0, third, 0, 0, third};  // p = (1/2, 1/2), (3/4, 1/4), (1/4, 3/4)
  const std::vector<float> target = {1, 0, 0.5F, 0.5F, 0, 1};
  const std::vector<float> mask(6, 1.0F), weight = {1, 2, 0.5F};
  const double p[] = {0.5, 0.5, 0.75, 0.25, 0.25, 0.75}, y[] = {1, 0, 0.5, 0.5, 0, 1}, w[] = {1, 2, 0.5};
  std::vector<float> g(6);
  const double cross = nn::strategy_loss({out, target, mask, weight, 2}, StrategyLoss::cross_entropy, g);
  double expected = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    expected -= w[k / 2] * y[k] * std::log(p[k]) / 3;
    EXPECT_NEAR(static_cast<double>(g[k]), w[k / 2] * (p[k] - y[k]) / 3, 1e-6) << k;
  }
  EXPECT_NEAR(cross, expected, 1e-6);
  const double squared = nn::strategy_loss({out, target, mask, weight, 2}, StrategyLoss::mean_squared, g);
  expected = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t other = k ^ 1U;  // dp_k/dout_k = p_k p_other, dp_other/dout_k = −p_k p_other
    expected += w[k / 2] * (p[k] - y[k]) * (p[k] - y[k]) / 3;
    EXPECT_NEAR(static_cast<double>(g[k]), w[k / 2] * 2 * p[k] * p[other] * ((p[k] - y[k]) - (p[other] - y[other])) / 3, 1e-6)
        << k;
  }
  EXPECT_NEAR(squared, expected, 1e-6);
}

/// Rows of equal features, whose targets can only be met in the mean.
class Conflict final : public BatchSource {
 public:
  std::int64_t batch_rows() const override { return 3; }
  bool constant() const override { return true; }
  void fill(std::int64_t, const BatchView& batch) override {
    const float targets[] = {1, 0, 0.5F, 0.5F, 0, 1}, weights[] = {1, 4, 0.5F};
    std::fill(batch.features.begin(), batch.features.end(), 1.0F);
    std::copy(std::begin(targets), std::end(targets), batch.targets.begin());
    std::copy(std::begin(weights), std::end(weights), batch.weights.begin());
    std::fill(batch.mask.begin(), batch.mask.end(), 1.0F);
  }
};

// The fixed point of the regression is the mean weighted once: (1·1 + 4·0.5 + 0.5·0) / 5.5.
TEST(Trainer, Statement7TheFixedPointIsTheMeanWeightedOnce) {
  constexpr double kMean = 3.0 / 5.5;
  Conflict source;
  FitOptions o = options(1500, Amp::off);
  o.learning_rate = 1e-2;
  Network advantage(dense_layout(1), 2, mlp_options(0, 1), stream(3));
  fit(advantage, FitKind::advantage, source, o);
  EXPECT_NEAR(static_cast<double>(outputs(advantage, {1.0F})[0]), kMean, 1e-3);
  Network strategy(dense_layout(1), 2, mlp_options(0, 1), stream(3));
  fit(strategy, FitKind::strategy, source, o);
  const std::vector<float> logits = outputs(strategy, {1.0F});
  EXPECT_NEAR(1.0 / (1.0 + std::exp(static_cast<double>(logits[1] - logits[0]))), kMean, 1e-3);
}

/// The second of two actions is illegal in every row.
class SecondIllegal final : public BatchSource {
 public:
  std::int64_t batch_rows() const override { return 5; }
  bool constant() const override { return true; }
  void fill(std::int64_t, const BatchView& batch) override {
    for (std::size_t i = 0; i < batch.features.size(); ++i) batch.features[i] = static_cast<float>(i % 7) - 3.0F;
    std::fill(batch.weights.begin(), batch.weights.end(), 1.0F);
    for (std::size_t k = 0; k < batch.targets.size(); ++k) {
      batch.targets[k] = k % 2 == 0 ? 1.0F : 50.0F;
      batch.mask[k] = k % 2 == 0 ? 1.0F : 0.0F;
    }
  }
};

// Through the whole fit, in float32 and in bfloat16: the illegal output's own weights do not move at all.
TEST(Trainer, Statement12GradientOfAnIllegalOutputIsExactlyZero) {
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    for (const FitKind kind : {FitKind::advantage, FitKind::strategy}) {
      Network network(dense_layout(4), 2, mlp_options(1, 8), stream(3));
      const std::vector<float> before = network.weights();
      SecondIllegal source;
      fit(network, kind, source, options(20, amp));
      const std::vector<float> after = network.weights();
      for (const ParameterInfo& info : network.parameters()) {
        if (info.name.find("head") != 0) continue;
        for (std::size_t i = info.count / 2; i < info.count; ++i)
          EXPECT_EQ(after[info.offset + i], before[info.offset + i]) << info.name;
      }
      if (kind == FitKind::advantage) {
        EXPECT_NE(after, before);
      }
    }
  }
}

/// card_bet whose last features are equal in every row, at the start of the fit.
Network constant_features(float value) {
  Network network(flop_layout(), 3, card_bet_options(16, 24), stream(1));
  std::vector<float> weights = network.weights();
  for (const ParameterInfo& info : network.parameters())
    if (info.name.find("trunk") == 0)
      for (std::size_t i = 0; i < info.count; ++i) weights[info.offset + i] = info.shape.size() == 1 ? value : 0.0F;
  network.set_weights(weights);
  return network;
}

// A fit that begins with rows without any spread goes on and learns; no step is lost. `value` 0: all features are 0.
TEST(Trainer, Statement13FitsBeginWithConstantFeaturesInFloat32AndBfloat16) {
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    for (const float value : {0.0F, 1.0F, 1.7F}) {
      Network network = constant_features(value);
      FunctionBatches source(flop_layout(), 3, 50, true);
      const FitResult result = fit(network, FitKind::advantage, source, options(200, amp));
      EXPECT_EQ(result.skipped_steps, 0) << value;
      EXPECT_TRUE(std::isfinite(result.first_loss) && std::isfinite(result.final_loss));
      EXPECT_LT(result.final_loss, result.first_loss);
      for (const float w : network.weights()) ASSERT_TRUE(std::isfinite(w)) << value;
    }
  }
}

// The network of a hand follows from the hand's key and the player alone: not from what was asked before, with what, or of which
// copy.
TEST(MixturePolicy, Statement15TheNetworkOfAHandIsTheSameAskedOneDecisionAtATime) {
  const SmallSetup leduc("leduc");
  const NetworkOptions shape = mlp_options(1, 8);
  std::vector<std::vector<ArchivedNetwork>> archive(2);
  for (std::int64_t t = 1; t <= 6; ++t)
    for (std::uint64_t p = 0; p < 2; ++p)
      archive[p].push_back({t, leduc.network(shape, static_cast<std::uint64_t>(t) * 2 + p).weights()});
  const auto policy = make_mixture_policy(leduc.game, shape, archive);
  const auto copy = policy->clone();
  const std::vector<const State*> states = leduc.states();
  std::vector<double> whole(states.size() * leduc.actions()), one(leduc.actions());
  for (std::uint64_t hand = 0; hand < 60; ++hand) {
    policy->probabilities_in_hands(states, std::vector<std::uint64_t>(states.size(), hand), whole);
    for (std::size_t i = hand % 7; i < states.size(); i += 7) {
      const auto asked = hand % 2 == 0 ? policy.get() : copy.get();
      asked->probabilities_in_hands({&states[i], 1}, {&hand, 1}, one);
      for (std::size_t a = 0; a < one.size(); ++a) ASSERT_EQ(one[a], whole[i * leduc.actions() + a]) << "hand " << hand;
    }
  }
}

}  // namespace
}  // namespace deepcfr
