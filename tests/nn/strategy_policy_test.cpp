#include <gtest/gtest.h>

#include <cmath>

#include "deepcfr/nn/network_source.h"
#include "games.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

std::shared_ptr<const Network> shared(Network network) { return std::make_shared<const Network>(std::move(network)); }

void expect_probabilities(const SmallSetup& setup, const std::vector<double>& table) {
  for (std::size_t i = 0; i < setup.infosets(); ++i) {
    double sum = 0;
    for (std::size_t a = 0; a < setup.actions(); ++a) {
      const double p = table[i * setup.actions() + a];
      if ((setup.small->legal(static_cast<int>(i)) >> a & 1) == 0) {
        ASSERT_EQ(p, 0.0);
      }
      ASSERT_GE(p, 0.0);
      sum += p;
    }
    ASSERT_NEAR(sum, 1.0, 1e-6);
  }
}

// Statement 12, reported fault A10: over all infosets of Leduc.
TEST(StrategyNetworkPolicy, S12A10IllegalMassIsExactlyZero) {
  const SmallSetup leduc("leduc");
  for (const NetworkOptions& options : {mlp_options(3, 64), card_bet_options(16, 24)}) {
    const auto policy =
        make_strategy_network_policy(leduc.game, {shared(leduc.network(options, 1)), shared(leduc.network(options, 2))});
    expect_probabilities(leduc, tabulate(*leduc.small, *policy));
    // Extreme logits.
    Network wild = leduc.network(options, 3);
    std::vector<float> weights = wild.weights();
    for (float& w : weights) w *= 100;
    wild.set_weights(weights);
    const auto wild_policy = make_strategy_network_policy(leduc.game, {shared(std::move(wild))});
    expect_probabilities(leduc, tabulate(*leduc.small, *wild_policy));
  }
}

TEST(StrategyNetworkPolicy, IsTheSoftmaxOfThePlayersOwnLogits) {
  const SmallSetup leduc("leduc");
  const std::vector<std::shared_ptr<const Network>> networks = {shared(leduc.network(mlp_options(2, 32), 1)),
                                                                shared(leduc.network(mlp_options(2, 32), 2))};
  for (const std::size_t count : {2U, 1U}) {
    const auto policy = make_strategy_network_policy(leduc.game, {networks.begin(), networks.begin() + static_cast<long>(count)});
    const std::vector<double> table = tabulate(*leduc.small, *policy->clone());
    const std::vector<float> logits[] = {leduc.outputs(*networks[0]), leduc.outputs(*networks[1])};
    for (std::size_t i = 0; i < leduc.infosets(); ++i) {
      const auto n = count == 1 ? 0U : static_cast<std::size_t>(leduc.small->player_of(static_cast<int>(i)));
      double sum = 0;
      const auto e = [&](std::size_t a) {
        const bool legal = (leduc.small->legal(static_cast<int>(i)) >> a & 1) != 0;
        return legal ? std::exp(static_cast<double>(logits[n][i * leduc.actions() + a])) : 0.0;
      };
      for (std::size_t a = 0; a < leduc.actions(); ++a) sum += e(a);
      for (std::size_t a = 0; a < leduc.actions(); ++a) ASSERT_NEAR(table[i * leduc.actions() + a], e(a) / sum, 1e-12);
    }
  }
}

}  // namespace
}  // namespace deepcfr
