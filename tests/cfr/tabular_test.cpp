#include "deepcfr/cfr/tabular.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/statistics.h"
#include "deepcfr/game/catalogue.h"
#include "tabular_tables.h"

namespace deepcfr {
namespace {

using ::testing::HasSubstr;

std::vector<double> random_strategy(const SmallGame& game, std::uint64_t seed, double zero_share = 0.2) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {seed}));
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  std::vector<double> table(static_cast<std::size_t>(game.num_infosets()) * actions, 0.0);
  std::vector<double> weights(actions);
  for (int i = 0; i < game.num_infosets(); ++i) {
    for (double& weight : weights) weight = random.uniform() < zero_share ? -1 : random.uniform();
    regret_matching_uniform(weights, game.legal(i), std::span(table).subspan(static_cast<std::size_t>(i) * actions, actions));
  }
  return table;
}

/// The definition, by the rules alone: every deal, every history, by Game::apply.
struct Naive {
  const Game& game;
  const SmallGame& small;
  const std::vector<double>& table;
  int player;
  CounterfactualValues result;

  double walk(const State& state, double others, double own) {
    if (state.finished) return game.value(state, player);
    const auto actions = static_cast<std::size_t>(game.num_actions());
    const auto infoset = static_cast<std::size_t>(small.find(infoset_of(game, state)));
    const double* const strategy = table.data() + infoset * actions;
    double value = 0;
    if (state.actor == player) {
      result.others_reach[infoset] += others;
      result.own_reach[infoset] = own;
    }
    for (std::size_t a = 0; a < actions; ++a) {
      if (((game.legal_actions(state) >> a) & 1) == 0) continue;
      State next = state;
      game.apply(next, static_cast<Action>(a));
      const bool is_own = state.actor == player;
      const double below = walk(next, is_own ? others : others * strategy[a], is_own ? own * strategy[a] : own);
      value += strategy[a] * below;
      if (is_own) result.action_values[infoset * actions + a] += others * below;
    }
    return value;
  }
};

CounterfactualValues naive_values(const SmallGame& small, int player, const std::vector<double>& table) {
  const auto infosets = static_cast<std::size_t>(small.num_infosets());
  Naive naive{small.game(), small, table, player, {}};
  naive.result.others_reach.assign(infosets, 0.0);
  naive.result.own_reach.assign(infosets, 0.0);
  naive.result.action_values.assign(table.size(), 0.0);
  for (int d = 0; d < small.num_deals(); ++d) naive.walk(small.game().initial_state(small.deal(d)), 1.0 / small.num_deals(), 1);
  return naive.result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(CounterfactualValues, EqualTheNaiveRecursionOverAllHistories) {
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) {
    for (const bool canonical : {true, false}) {
      const Game game = make_game(name, RuleSet::acpc, canonical);
      const SmallGame small(game);
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const std::vector<double> table = random_strategy(small, seed);
        for (int p = 0; p < game.players(); ++p) {
          const CounterfactualValues fast = counterfactual_values(small, p, table);
          const CounterfactualValues slow = naive_values(small, p, table);
          EXPECT_LT(largest_difference(fast.others_reach, slow.others_reach), 1e-14);
          EXPECT_LT(largest_difference(fast.own_reach, slow.own_reach), 1e-14);
          EXPECT_LT(largest_difference(fast.action_values, slow.action_values), 1e-14);
        }
      }
    }
  }
}

TEST(CounterfactualValues, RefuseATableOfAnotherGame) {
  const Game game = make_game("kuhn");
  const SmallGame small(game);
  EXPECT_THROW(counterfactual_values(small, 0, std::vector<double>(5)), Error);
}

/// counterfactual regrets of a player under a strategy
std::vector<double> exact_regrets(const SmallGame& small, int player, const std::vector<double>& table) {
  const auto actions = static_cast<std::size_t>(small.game().num_actions());
  std::vector<double> regrets = counterfactual_values(small, player, table).action_values;
  for (int i = 0; i < small.num_infosets(); ++i) {
    if (small.player_of(i) != player) continue;
    const auto row = static_cast<std::size_t>(i) * actions;
    double value = 0;
    for (std::size_t a = 0; a < actions; ++a) value += table[row + a] * regrets[row + a];
    for (std::size_t a = 0; a < actions; ++a) regrets[row + a] = ((small.legal(i) >> a) & 1) != 0 ? regrets[row + a] - value : 0;
  }
  return regrets;
}

TEST(TabularSolver, FirstIterationIsUniformAndItsRegretsAreExact) {
  const Game game = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(game);
  const std::vector<double> uniform = tabulate(*small, *make_fixed_policy(game, "uniform"));
  TabularSolver solver(small, {.algorithm = TabularAlgorithm::cfr});
  EXPECT_EQ(solver.current_strategy(), uniform);
  EXPECT_EQ(solver.average_strategy(), uniform);  // before the first iteration too
  solver.iterate();
  EXPECT_EQ(solver.iterations(), 1);
  const std::vector<double> expected = exact_regrets(*small, 0, uniform);
  const std::vector<double> regrets = solver.cumulative_regrets();
  const std::vector<double> average = solver.average_strategy();
  for (int i = 0; i < small->num_infosets(); ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t at = static_cast<std::size_t>(i) * 3 + a;
      EXPECT_TRUE(small->player_of(i) == 1 || std::abs(regrets[at] - expected[at]) < 1e-14);
      EXPECT_NEAR(average[at], uniform[at], 1e-14);
    }
  }
}

TEST(TabularSolver, RegretsOfTheSecondPlayerAnswerTheNewStrategyOfTheFirst) {
  const Game game = make_game("kuhn");
  const auto small = std::make_shared<const SmallGame>(game);
  TabularSolver solver(small, {.algorithm = TabularAlgorithm::cfr});
  solver.iterate();
  std::vector<double> strategy = tabulate(*small, *make_fixed_policy(game, "uniform"));
  const std::vector<double> after = solver.current_strategy();
  for (int i = 0; i < small->num_infosets(); ++i) {
    if (small->player_of(i) == 0) std::copy_n(after.begin() + i * 3, 3, strategy.begin() + i * 3);
  }
  const std::vector<double> expected = exact_regrets(*small, 1, strategy);
  for (int i = 0; i < small->num_infosets(); ++i) {
    if (small->player_of(i) != 1) continue;
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_NEAR(solver.cumulative_regrets()[static_cast<std::size_t>(i) * 3 + a], expected[static_cast<std::size_t>(i) * 3 + a],
                  1e-14);
    }
  }
}

/// Mean over seeds of what one traversal adds to the regrets of the first player = exact counterfactual regret.
void expect_unbiased(const char* name, TabularAlgorithm algorithm, int seeds) {
  const Game game = make_game(name);
  const auto small = std::make_shared<const SmallGame>(game);
  const std::vector<double> uniform = tabulate(*small, *make_fixed_policy(game, "uniform"));
  const std::vector<double> expected = exact_regrets(*small, 0, uniform);
  std::vector<RunningStatistics> seen(expected.size());
  for (int seed = 1; seed <= seeds; ++seed) {
    TabularTables tables(small);
    const SequentialRandom random(CounterRandom(StreamPurpose::test, {static_cast<std::uint64_t>(seed)}));
    if (algorithm == TabularAlgorithm::external_sampling) {
      sample_external(tables, 0, random);
    } else {
      sample_outcome(tables, 0, 0.3, random);
    }
    for (std::size_t i = 0; i < expected.size(); ++i) seen[i].add(tables.regrets[i]);
  }
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(seen[i].mean() - expected[i]);
    if (small->player_of(static_cast<int>(i) / game.num_actions()) != 0) continue;
    worst = std::max(worst, error / std::max(seen[i].standard_error(), 1e-12));
  }
  EXPECT_LT(worst, 4.5) << name;
}

TEST(Sampling, ExternalSamplingIsUnbiased) {
  expect_unbiased("kuhn", TabularAlgorithm::external_sampling, 50'000);
  expect_unbiased("kuhn3", TabularAlgorithm::external_sampling, 20'000);
  expect_unbiased("leduc", TabularAlgorithm::external_sampling, 20'000);
}

TEST(Sampling, OutcomeSamplingIsUnbiased) {
  expect_unbiased("kuhn", TabularAlgorithm::outcome_sampling, 100'000);
  expect_unbiased("kuhn3", TabularAlgorithm::outcome_sampling, 50'000);
}

/// Averages of a sampling solver after many traversals against a fixed strategy of all = that strategy, at every infoset: the
/// weights are own reach alone, whatever the bystanders play. Regrets are put back after each traversal, alternating between two
/// strategies, and the mean must be the one weighted by own reach.
void expect_average_weighs_by_own_reach(const char* name, bool external, int traversals) {
  const Game game = make_game(name);
  const auto small = std::make_shared<const SmallGame>(game);
  const auto actions = static_cast<std::size_t>(game.num_actions());
  const std::vector<std::vector<double>> strategies = {random_strategy(*small, 1, 0), random_strategy(*small, 2, 0)};
  std::vector<double> numerator(strategies[0].size(), 0.0), denominator(static_cast<std::size_t>(small->num_infosets()), 0.0);
  for (const std::vector<double>& strategy : strategies) {
    for (int p = 0; p < game.players(); ++p) {
      const std::vector<double> reach = counterfactual_values(*small, p, strategy).own_reach;
      for (int i = 0; i < small->num_infosets(); ++i) {
        if (small->player_of(i) != p) continue;
        for (std::size_t a = 0; a < actions; ++a) {
          const std::size_t at = static_cast<std::size_t>(i) * actions + a;
          numerator[at] += reach[static_cast<std::size_t>(i)] * strategy[at];
        }
        denominator[static_cast<std::size_t>(i)] += reach[static_cast<std::size_t>(i)];
      }
    }
  }
  TabularTables tables(small);
  for (int t = 0; t < traversals; ++t) {
    for (int p = 0; p < game.players(); ++p) {
      tables.regrets = strategies[static_cast<std::size_t>(t % 2)];  // regret matching gives the strategy back
      const SequentialRandom random(
          CounterRandom(StreamPurpose::test, {static_cast<std::uint64_t>(t), static_cast<std::uint64_t>(p)}));
      if (external) {
        sample_external(tables, p, random);
      } else {
        sample_outcome(tables, p, 0.6, random);
      }
    }
  }
  double worst = 0;
  for (int i = 0; i < small->num_infosets(); ++i) {
    const std::span<double> sums = tables.row(tables.strategy_sums, i);
    const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
    for (std::size_t a = 0; a < actions; ++a) {
      const double expected = numerator[static_cast<std::size_t>(i) * actions + a] / denominator[static_cast<std::size_t>(i)];
      worst = std::max(worst, std::abs(sums[a] / total - expected));
    }
  }
  EXPECT_LT(worst, 0.02) << name;
}

TEST(Sampling, AverageStrategyWeighsByOwnReachAloneWithThreePlayersToo) {
  expect_average_weighs_by_own_reach("kuhn", true, 100'000);
  expect_average_weighs_by_own_reach("kuhn3", true, 200'000);
  expect_average_weighs_by_own_reach("kuhn", false, 200'000);
  expect_average_weighs_by_own_reach("kuhn3", false, 400'000);
}

// A17.
TEST(Sampling, ExploringDistributionSumsToOneAndIsNeverZero) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {17}));
  std::vector<double> weights(5), strategy(5), drawn(5);
  for (int node = 0; node < 10'000; ++node) {
    const auto legal = static_cast<ActionMask>(1 + random.below(31));
    for (double& weight : weights) weight = random.uniform() - 0.7;
    regret_matching_uniform(weights, legal, strategy);
    exploring_distribution(strategy, legal, 0.05, drawn);
    EXPECT_NEAR(std::accumulate(drawn.begin(), drawn.end(), 0.0), 1, 1e-12);
    for (std::size_t a = 0; a < 5; ++a) {
      if (((legal >> a) & 1) != 0) {
        EXPECT_GE(drawn[a], 0.01);
      } else {
        EXPECT_EQ(drawn[a], 0.0);
      }
    }
  }
}

TEST(TabularSolver, SameSeedSameTables) {
  const Game game = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(game);
  for (const TabularAlgorithm algorithm : {TabularAlgorithm::external_sampling, TabularAlgorithm::outcome_sampling}) {
    TabularSolver first(small, {.algorithm = algorithm, .seed = 3}), same(small, {.algorithm = algorithm, .seed = 3}),
        other(small, {.algorithm = algorithm, .seed = 4});
    for (int t = 0; t < 100; ++t) {
      first.iterate();
      same.iterate();
      other.iterate();
    }
    EXPECT_EQ(first.cumulative_regrets(), same.cumulative_regrets());
    EXPECT_EQ(first.average_strategy(), same.average_strategy());
    EXPECT_NE(first.cumulative_regrets(), other.cumulative_regrets());
  }
}

TEST(TabularSolver, EveryAlgorithmKeepsDistributionsOverLegalActions) {
  const Game game = make_game("kuhn3");
  const auto small = std::make_shared<const SmallGame>(game);
  for (const std::string& name : tabular_algorithm_names()) {
    TabularSolver solver(small, {.algorithm = parse_tabular_algorithm(name)});
    for (int t = 0; t < 20; ++t) solver.iterate();
    TabularPolicy average(small, solver.average_strategy(), name), current(small, solver.current_strategy(), name);
    EXPECT_NO_THROW(tabulate(*small, average)) << name;
    EXPECT_NO_THROW(tabulate(*small, current)) << name;
  }
}

TEST(TabularAlgorithm, NamesAreStrict) {
  EXPECT_EQ(parse_tabular_algorithm("cfr+"), TabularAlgorithm::cfr_plus);
  EXPECT_EQ(parse_tabular_algorithm("os-mccfr"), TabularAlgorithm::outcome_sampling);
  try {
    parse_tabular_algorithm("es-mcfr");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("'es-mccfr'"));
  }
  const Game game = make_game("kuhn");
  const auto small = std::make_shared<const SmallGame>(game);
  EXPECT_THROW(TabularSolver(small, {.exploration = 0}), Error);
  EXPECT_THROW(TabularSolver(small, {.exploration = 1.5}), Error);
}

}  // namespace
}  // namespace deepcfr
