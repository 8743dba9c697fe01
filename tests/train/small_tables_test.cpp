#include "small_tables.h"

#include <gtest/gtest.h>

#include "deepcfr/cfr/tabular.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/network_source.h"

namespace deepcfr {
namespace {

std::vector<double> random_strategies(const SmallGame& small, std::uint64_t key) {
  const auto actions = static_cast<std::size_t>(small.game().num_actions());
  std::vector<double> table(static_cast<std::size_t>(small.num_infosets()) * actions, 0.0);
  const CounterRandom random(StreamPurpose::test, {key});
  for (int i = 0; i < small.num_infosets(); ++i) {
    double sum = 0;
    const auto row = static_cast<std::size_t>(i) * actions;
    for (std::size_t a = 0; a < actions; ++a) {
      if (((small.legal(i) >> a) & 1) != 0) sum += table[row + a] = random.uniform(row + a) < 0.3 ? 0.0 : random.uniform(1'000'000 + row + a);
    }
    for (std::size_t a = 0; a < actions; ++a) {
      if (((small.legal(i) >> a) & 1) == 0) continue;
      table[row + a] = sum > 0 ? table[row + a] / sum : 1.0 / std::popcount(small.legal(i));
    }
  }
  return table;
}

TEST(MixtureTable, Statement15WeighsByTAndOwnReachOnly) {
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) {
    const Game game = make_game(name);
    const auto small = std::make_shared<const SmallGame>(game);
    const auto actions = static_cast<std::size_t>(game.num_actions());
    MixtureTable mixture(small);
    std::vector<double> numerator(static_cast<std::size_t>(small->num_infosets()) * actions, 0.0);
    for (std::int64_t t = 1; t <= 5; ++t) {
      const std::vector<double> table = random_strategies(*small, static_cast<std::uint64_t>(t));
      for (int player = 0; player < game.players(); ++player) {
        mixture.add(player, t, table);
        const CounterfactualValues exact = counterfactual_values(*small, player, table);
        for (int i = 0; i < small->num_infosets(); ++i) {
          if (small->player_of(i) != player) continue;
          for (std::size_t a = 0; a < actions; ++a) {
            const auto at = static_cast<std::size_t>(i) * actions + a;
            numerator[at] += static_cast<double>(t) * exact.own_reach[static_cast<std::size_t>(i)] * table[at];
          }
        }
      }
    }
    const std::vector<double> average = mixture.average();
    for (int i = 0; i < small->num_infosets(); ++i) {
      double sum = 0;
      const auto row = static_cast<std::size_t>(i) * actions;
      for (std::size_t a = 0; a < actions; ++a) sum += numerator[row + a];
      if (sum == 0) continue;
      for (std::size_t a = 0; a < actions; ++a) EXPECT_NEAR(average[row + a], numerator[row + a] / sum, 1e-12);
    }
  }
}

TEST(MixtureTable, AgreesWithThePolicyOverArchivedNetworks) {
  const auto game = std::make_shared<const Game>(make_game("leduc"));
  const auto small = std::make_shared<const SmallGame>(*game);
  const FeatureTable features(*small, FeatureKind::dense);
  const NetworkOptions options{.type = NetworkType::mlp, .layers = 2, .hidden = 16};
  const FeatureLayout layout = Encoder(*game, FeatureKind::dense).layout();
  MixtureTable mixture(small);
  std::vector<std::vector<ArchivedNetwork>> archive(2);
  std::vector<double> table(static_cast<std::size_t>(small->num_infosets()) * 3);
  for (std::uint64_t t = 1; t <= 4; ++t) {
    for (int p = 0; p < 2; ++p) {
      const Network network(layout, 3, options, CounterRandom(StreamPurpose::test, {t, static_cast<std::uint64_t>(p)}));
      const bool uniform = t == 1 && p == 1;
      advantage_strategies(*small, features, p, uniform ? nullptr : &network, table);
      mixture.add(p, static_cast<std::int64_t>(t), table);
      archive[static_cast<std::size_t>(p)].push_back({static_cast<std::int64_t>(t), uniform ? std::vector<float>{} : network.weights()});
    }
  }
  const auto policy = make_mixture_policy(game, options, archive);
  const std::vector<double> asked = tabulate(*small, *policy);
  const std::vector<double> average = mixture.average();
  for (std::size_t i = 0; i < average.size(); ++i) EXPECT_NEAR(asked[i], average[i], 1e-6) << i;
}

TEST(FeatureTable, RowsAreThoseOfTheEncoder) {
  const Game game = make_game("leduc");
  const SmallGame small(game);
  const Encoder encoder(game, FeatureKind::dense);
  const FeatureTable features(small, FeatureKind::dense);
  std::vector<float> row(static_cast<std::size_t>(encoder.width()));
  for (int player = 0; player < 2; ++player) {
    std::size_t place = 0;
    for (const std::int32_t infoset : features.infosets(player)) {
      EXPECT_EQ(small.player_of(infoset), player);
      encoder.encode(small.key(infoset), row.data());
      EXPECT_TRUE(std::ranges::equal(features.row(infoset), row));
      EXPECT_TRUE(std::ranges::equal(features.rows(player).subspan(place++ * row.size(), row.size()), row));
    }
  }
}

}  // namespace
}  // namespace deepcfr
