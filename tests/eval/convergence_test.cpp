// The CFR family against reference numbers: exploitability after n iterations, recomputed with OpenSpiel 2.0.2's C++ solvers.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "deepcfr/cfr/tabular.h"
#include "deepcfr/eval/best_response.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

struct Reference {
  std::int64_t iterations;
  double exploitability;
  double precision;  ///< half of the last digit given
};

/// Returns the value to the first player after the last of the iterations.
double expect_exploitabilities(const char* game_name, TabularAlgorithm algorithm, const std::vector<Reference>& references) {
  // Suits not merged, as OpenSpiel has them: the last digits depend on rounding (tabular.cpp).
  const Game game = make_game(game_name, RuleSet::acpc, false);
  const auto small = std::make_shared<const SmallGame>(game);
  TabularSolver solver(small, {.algorithm = algorithm});
  double value = 0;
  for (const Reference& reference : references) {
    while (solver.iterations() < reference.iterations) solver.iterate();
    const ExploitabilityReport report = exploitability(*small, solver.average_strategy());
    EXPECT_NEAR(report.exploitability, reference.exploitability, reference.precision) << game_name << " " << reference.iterations;
    EXPECT_DOUBLE_EQ(report.exploitability, report.nash_conv / game.players());
    value = report.value[0];
  }
  return value;
}

TEST(Convergence, KuhnByCfr) {
  expect_exploitabilities("kuhn", TabularAlgorithm::cfr, {{10, 0.068699, 5e-7}, {100, 0.008226, 5e-7}, {1000, 0.000938, 5e-7}});
}

TEST(Convergence, KuhnByCfrPlus) {
  expect_exploitabilities("kuhn", TabularAlgorithm::cfr_plus, {{10, 0.032687, 5e-7}, {100, 0.001194, 5e-7}});
}

TEST(Convergence, KuhnValueIsMinusOneEighteenth) {
  EXPECT_NEAR(expect_exploitabilities("kuhn", TabularAlgorithm::cfr_plus, {{100'000, 0, 5e-6}}), -1. / 18, 1e-6);
}

TEST(Convergence, LeducByCfr) {
  expect_exploitabilities("leduc", TabularAlgorithm::cfr,
                          {{10, 0.888579, 5e-7}, {100, 0.0957164, 5e-8}, {1000, 0.0118178, 5e-8}});
}

TEST(Convergence, LeducByCfrPlus) {
  expect_exploitabilities("leduc", TabularAlgorithm::cfr_plus,
                          {{10, 0.610439, 5e-7}, {100, 0.0134160, 5e-8}, {1000, 0.000257152, 5e-10}});
}

TEST(ConvergenceSlow, LeducValue) {
  EXPECT_NEAR(expect_exploitabilities("leduc", TabularAlgorithm::cfr_plus, {{20'000, 0, 1e-5}}), -0.0856064, 1e-7);
}

TEST(Convergence, OtherWeightings) {
  expect_exploitabilities("kuhn", TabularAlgorithm::linear_cfr, {{10, 0.0212507306, 5e-9}, {1000, 9.35298861e-05, 5e-13}});
  expect_exploitabilities("kuhn", TabularAlgorithm::discounted_cfr, {{10, 0.0227787839, 5e-9}, {1000, 0.000146500228, 5e-13}});
  expect_exploitabilities("leduc", TabularAlgorithm::linear_cfr, {{10, 0.7210651557, 5e-9}, {100, 0.0344895337, 5e-9}});
  expect_exploitabilities("leduc", TabularAlgorithm::discounted_cfr, {{10, 0.7788020470, 5e-9}, {100, 0.0077532619, 5e-9}});
}

double nash_conv_after(const char* game_name, TabularAlgorithm algorithm, int iterations) {
  const Game game = make_game(game_name);
  const auto small = std::make_shared<const SmallGame>(game);
  TabularSolver solver(small, {.algorithm = algorithm});
  for (int t = 0; t < iterations; ++t) solver.iterate();
  return exploitability(*small, solver.average_strategy()).nash_conv;
}

// A16: three players. Uniform play has 2.0625; no algorithm is proved to converge here, all get far below.
TEST(Convergence, ThreePlayerKuhn) {
  for (const std::string& name : tabular_algorithm_names()) {
    const TabularAlgorithm algorithm = parse_tabular_algorithm(name);
    const bool samples = algorithm == TabularAlgorithm::external_sampling || algorithm == TabularAlgorithm::outcome_sampling;
    EXPECT_LT(nash_conv_after("kuhn3", algorithm, samples ? 100'000 : 200), 0.15) << name;
  }
}

TEST(Convergence, SamplingOnLeduc) {
  EXPECT_LT(nash_conv_after("leduc", TabularAlgorithm::external_sampling, 200'000), 0.2);
  EXPECT_LT(nash_conv_after("leduc", TabularAlgorithm::outcome_sampling, 200'000), 1.2);
}

TEST(Convergence, MergedSuitsGoTheSameWay) {
  const double merged = nash_conv_after("leduc", TabularAlgorithm::cfr, 100);
  EXPECT_NEAR(merged / 2, 0.0957164, 1e-6);
}

// A32: infosets that training never visited have a policy too.
TEST(Convergence, StrategyAfterOneSampledIterationIsEvaluated) {
  for (const TabularAlgorithm algorithm : {TabularAlgorithm::external_sampling, TabularAlgorithm::outcome_sampling}) {
    const double nash_conv = nash_conv_after("leduc", algorithm, 1);
    EXPECT_GT(nash_conv, 0);
    EXPECT_LT(nash_conv, 26);  // finite: payoffs lie within ±13
  }
}

}  // namespace
}  // namespace deepcfr
