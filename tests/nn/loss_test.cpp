#include "loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "deepcfr/core/random.h"

namespace deepcfr::nn {
namespace {

// Statement 7: three rows, two actions, by hand. loss = (1·(1 + 4) + 2·(9) + 0.5·(0.25 + 1)) / 3.
TEST(AdvantageLoss, WeightEntersOnceAfterTheSumOverActions) {
  const std::vector<float> out = {1, 2, 3, 7, 0.5F, -1};
  const std::vector<float> target = {0, 0, 0, 100, 0, 0};
  const std::vector<float> mask = {1, 1, 1, 0, 1, 1};
  const std::vector<float> weight = {1, 2, 0.5F};
  std::vector<float> g(6, 99.0F);
  const double loss = advantage_loss({out, target, mask, weight, 2}, g);
  EXPECT_NEAR(loss, (5.0 + 18.0 + 0.625) / 3, 1e-6);
  const std::vector<double> expected = {2.0 / 3, 4.0 / 3, 12.0 / 3, 0, 0.5 / 3, -1.0 / 3};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(static_cast<double>(g[i]), expected[i], 1e-6) << i;
  EXPECT_EQ(g[3], 0.0F);
}

struct Case {
  std::vector<float> out, target, mask, weight;
};

Case random_case(int rows, int actions) {
  Case c;
  const CounterRandom random(StreamPurpose::test, {9});
  std::uint64_t place = 0;
  for (int i = 0; i < rows; ++i) {
    double sum = 0;
    for (int a = 0; a < actions; ++a) {
      c.mask.push_back(a == 0 || random.uniform(place++) < 0.7 ? 1.0F : 0.0F);
      c.out.push_back(static_cast<float>(4 * random.uniform(place++) - 2));
      c.target.push_back(c.mask.back() * static_cast<float>(random.uniform(place++)));
      sum += static_cast<double>(c.target.back());
    }
    for (int a = 0; a < actions; ++a) c.target[c.target.size() - 1 - static_cast<std::size_t>(a)] /= static_cast<float>(sum);
    c.weight.push_back(static_cast<float>(random.uniform(place++)) + 0.1F);
  }
  return c;
}

template <typename Loss>
void expect_numeric_gradient(Case c, int actions, const Loss& loss) {
  std::vector<float> gradient(c.out.size()), scratch(c.out.size());
  loss(c, gradient);
  for (std::size_t i = 0; i < c.out.size(); ++i) {
    if (c.mask[i] == 0.0F) {
      EXPECT_EQ(gradient[i], 0.0F);
      continue;
    }
    const float was = c.out[i];
    c.out[i] = was + 1e-2F;
    const double up = loss(c, scratch);
    c.out[i] = was - 1e-2F;
    const double down = loss(c, scratch);
    c.out[i] = was;
    EXPECT_NEAR(static_cast<double>(gradient[i]), (up - down) / 2e-2, 2e-4) << i % static_cast<std::size_t>(actions);
  }
}

TEST(AdvantageLoss, GradientIsTheDerivative) {
  expect_numeric_gradient(random_case(7, 5), 5, [](const Case& c, std::span<float> g) {
    return advantage_loss({c.out, c.target, c.mask, c.weight, 5}, g);
  });
}

TEST(StrategyLoss, GradientIsTheDerivative) {
  for (const StrategyLoss kind : {StrategyLoss::cross_entropy, StrategyLoss::mean_squared})
    expect_numeric_gradient(random_case(7, 5), 5, [kind](const Case& c, std::span<float> g) {
      return strategy_loss({c.out, c.target, c.mask, c.weight, 5}, kind, g);
    });
}

TEST(StrategyLoss, CrossEntropyByHand) {
  const std::vector<float> out = {0, std::log(3.0F), 50}, target = {0.5F, 0.5F, 0}, mask = {1, 1, 0}, weight = {2};
  std::vector<float> g(3);
  const double loss = strategy_loss({out, target, mask, weight, 3}, StrategyLoss::cross_entropy, g);
  EXPECT_NEAR(loss, -2 * 0.5 * (std::log(0.25) + std::log(0.75)), 1e-6);
  EXPECT_NEAR(static_cast<double>(g[0]), 2 * (0.25 - 0.5), 1e-6);
  EXPECT_NEAR(static_cast<double>(g[1]), 2 * (0.75 - 0.5), 1e-6);
  EXPECT_EQ(g[2], 0.0F);
}

TEST(AdvantageLoss, PartsOfABatchAddUp) {
  const Case c = random_case(7, 5);
  std::vector<float> whole(c.out.size()), part(c.out.size());
  const double loss = advantage_loss({c.out, c.target, c.mask, c.weight, 5}, whole);
  double sum = 0;
  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 4}, {4, 3}}) {
    const auto cut = [first = first, count = count](std::span<const float> v, std::size_t width) {
      return v.subspan(first * width, count * width);
    };
    sum += advantage_loss({cut(c.out, 5), cut(c.target, 5), cut(c.mask, 5), cut(c.weight, 1), 5, 7},
                          std::span(part).subspan(first * 5, count * 5));
  }
  EXPECT_NEAR(sum, loss, 1e-9);
  EXPECT_EQ(part, whole);
}

// Rows of weight 0 (padding) count in the divisor only, whatever they hold.
TEST(Loss, PaddedRowsCountOnlyInTheDivisor) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> out = {1, 1, 0, 0}, target = {0, 0, nan, nan}, mask = {1, 1, 1, 1}, weight = {1, 0};
  std::vector<float> g(4);
  EXPECT_NEAR(advantage_loss({out, target, mask, weight, 2}, g), 1.0, 1e-7);
  EXPECT_EQ(g[2], 0.0F);
  EXPECT_TRUE(std::isfinite(strategy_loss({out, target, mask, weight, 2}, StrategyLoss::cross_entropy, g)));
  EXPECT_EQ(g[3], 0.0F);
}

// Statement 19: what is not finite shows in the loss.
TEST(Loss, NotFiniteShows) {
  std::vector<float> g(2);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const std::vector<float> good = {0, 0}, bad_pair = {bad, 0}, mask = {1, 1}, weight = {1};
    EXPECT_FALSE(std::isfinite(advantage_loss({good, bad_pair, mask, weight, 2}, g)));
    EXPECT_FALSE(std::isfinite(advantage_loss({bad_pair, good, mask, weight, 2}, g)));
    EXPECT_FALSE(std::isfinite(strategy_loss({bad_pair, {good}, mask, weight, 2}, StrategyLoss::cross_entropy, g)));
  }
}

TEST(MaskedSoftmax, LargeLogitsAndIllegalActions) {
  const std::vector<float> out = {1e30F, -1e30F, 3}, mask = {1, 1, 0};
  std::vector<float> p(3);
  masked_softmax(out, mask, p);
  EXPECT_EQ(p, (std::vector<float>{1, 0, 0}));
}

}  // namespace
}  // namespace deepcfr::nn
