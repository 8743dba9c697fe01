#include "deepcfr/eval/best_response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

std::vector<double> random_strategy(const SmallGame& game, std::uint64_t seed) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {seed}));
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  std::vector<double> table(static_cast<std::size_t>(game.num_infosets()) * actions, 0.0);
  std::vector<double> weights(actions);
  for (int i = 0; i < game.num_infosets(); ++i) {
    for (double& weight : weights) weight = random.uniform() - 0.3;
    regret_matching(std::span<const double>(weights), game.legal(i),
                    std::span(table).subspan(static_cast<std::size_t>(i) * actions, actions));
  }
  return table;
}

/// Value to each player by the rules alone: every deal, every history.
void add_values(const SmallGame& small, const State& state, const std::vector<double>& table, double reach,
                std::vector<double>& out) {
  const Game& game = small.game();
  if (reach == 0) return;
  if (state.finished) {
    for (int p = 0; p < game.players(); ++p) out[static_cast<std::size_t>(p)] += reach * game.value(state, p);
    return;
  }
  const auto actions = static_cast<std::size_t>(game.num_actions());
  const auto row = static_cast<std::size_t>(small.find(state)) * actions;
  for (std::size_t a = 0; a < actions; ++a) {
    if (((game.legal_actions(state) >> a) & 1) == 0) continue;
    State next = state;
    game.apply(next, static_cast<Action>(a));
    add_values(small, next, table, reach * table[row + a], out);
  }
}

std::vector<double> naive_values(const SmallGame& small, const std::vector<double>& table) {
  std::vector<double> values(static_cast<std::size_t>(small.game().players()), 0.0);
  for (int d = 0; d < small.num_deals(); ++d)
    add_values(small, small.game().initial_state(small.deal(d)), table, 1.0 / small.num_deals(), values);
  return values;
}

/// The best of all pure strategies of `player` against a table.
double brute_force_best_response(const SmallGame& small, int player, std::vector<double> table) {
  const auto actions = static_cast<std::size_t>(small.game().num_actions());
  std::vector<int> own;
  for (int i = 0; i < small.num_infosets(); ++i) {
    if (small.player_of(i) == player) own.push_back(i);
  }
  std::vector<ActionMask> left(own.size());
  const auto play = [&](std::size_t k, ActionMask actions_left) {
    left[k] = actions_left;
    for (std::size_t a = 0; a < actions; ++a) {
      table[static_cast<std::size_t>(own[k]) * actions + a] = static_cast<int>(a) == std::countr_zero(actions_left) ? 1 : 0;
    }
  };
  for (std::size_t k = 0; k < own.size(); ++k) play(k, small.legal(own[k]));
  double best = -1e300;
  while (true) {
    best = std::max(best, expected_values(small, table)[static_cast<std::size_t>(player)]);
    std::size_t k = 0;  // counts through all combinations
    while (k < own.size()) {
      const auto next = static_cast<ActionMask>(left[k] & (left[k] - 1));
      play(k, next != 0 ? next : small.legal(own[k]));
      if (next != 0) break;
      ++k;
    }
    if (k == own.size()) return best;
  }
}

// Statement 17 and the reference numbers.
TEST(Exploitability, OfUniformPlay) {
  const Game kuhn = make_game("kuhn");
  ExploitabilityReport report = exploitability(SmallGame(kuhn), *make_fixed_policy(kuhn, "uniform"));
  EXPECT_NEAR(report.value[0], 0.125, 1e-12);
  EXPECT_NEAR(report.nash_conv, 11. / 12, 1e-12);
  EXPECT_NEAR(report.exploitability, 0.458333, 5e-7);
  for (const bool canonical : {true, false}) {
    const Game leduc = make_game("leduc", RuleSet::acpc, canonical);
    report = exploitability(SmallGame(leduc), *make_fixed_policy(leduc, "uniform"));
    EXPECT_NEAR(report.value[0], -0.078125, 1e-12);
    EXPECT_NEAR(report.nash_conv, 4.747222, 5e-7);
    EXPECT_NEAR(report.exploitability, 2.373611, 5e-7);
  }
  const Game kuhn3 = make_game("kuhn3");
  report = exploitability(SmallGame(kuhn3), *make_fixed_policy(kuhn3, "uniform"));
  EXPECT_NEAR(report.nash_conv, 2.0625, 1e-12);
  EXPECT_NEAR(report.exploitability, 2.0625 / 3, 1e-12);
}

TEST(Exploitability, OfFixedPolicies) {
  // Against always_fold the best response bets everything and wins an ante each time.
  const Game kuhn = make_game("kuhn");
  const SmallGame small(kuhn);
  const ExploitabilityReport folds = exploitability(small, *make_fixed_policy(kuhn, "always_fold"));
  EXPECT_NEAR(folds.best_response[0], 1, 1e-12);
  EXPECT_NEAR(folds.best_response[1], 1, 1e-12);
  EXPECT_NEAR(folds.value[0], 0, 1e-12);
  EXPECT_NEAR(folds.nash_conv, 2, 1e-12);
  // Against always_call: bet with the best card (+2), check the others (0 and −1).
  const ExploitabilityReport calls = exploitability(small, *make_fixed_policy(kuhn, "always_call"));
  EXPECT_NEAR(calls.best_response[0], (2. + 0 - 1) / 3, 1e-12);
}

TEST(ExpectedValues, EqualTheNaiveRecursionAndSumToZero) {
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) {
    const Game game = make_game(name);
    const SmallGame small(game);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const std::vector<double> table = random_strategy(small, seed);
      const std::vector<double> values = expected_values(small, table);
      const std::vector<double> naive = naive_values(small, table);
      for (std::size_t p = 0; p < values.size(); ++p) EXPECT_NEAR(values[p], naive[p], 1e-12);
      EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 0, 1e-12);
    }
  }
}

TEST(BestResponse, IsTheBestOfAllPureStrategies) {
  const Game kuhn = make_game("kuhn");
  const SmallGame small(kuhn);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<double> table = random_strategy(small, seed);
    const ExploitabilityReport report = exploitability(small, table);
    for (int p = 0; p < 2; ++p) {
      EXPECT_NEAR(report.best_response[static_cast<std::size_t>(p)], brute_force_best_response(small, p, table), 1e-12);
    }
  }
}

TEST(BestResponse, IsTheBestOfAllPureStrategiesWithThreePlayers) {
  const Game kuhn3 = make_game("kuhn3");
  const SmallGame small(kuhn3);
  const std::vector<double> table = random_strategy(small, 7);
  EXPECT_NEAR(exploitability(small, table).best_response[1], brute_force_best_response(small, 1, table),
              1e-12);  // 65,536 of them
}

// E08: gains are never negative. OpenSpiel's identity: exploitability = NashConv / players.
TEST(Exploitability, GainsAreNotNegativeForRandomPolicies) {
  const Game leduc = make_game("leduc");
  const SmallGame small(leduc);
  double least = 1e300;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const ExploitabilityReport report = exploitability(small, random_strategy(small, seed));
    for (std::size_t p = 0; p < 2; ++p) least = std::min(least, report.best_response[p] - report.value[p]);
    ASSERT_DOUBLE_EQ(report.exploitability, report.nash_conv / 2);
    ASSERT_NEAR(report.value[0] + report.value[1], 0, 1e-12);
  }
  EXPECT_GE(least, -1e-9);
}

// Statement 21: merging suits changes nothing for a policy that treats suits alike.
TEST(Exploitability, MergingSuitsChangesNothing) {
  const Game merged_game = make_game("leduc"), full_game = make_game("leduc", RuleSet::acpc, false);
  const auto merged = std::make_shared<const SmallGame>(merged_game);
  const SmallGame full(full_game);
  const std::vector<double> table = random_strategy(*merged, 5);
  std::vector<double> spread(static_cast<std::size_t>(full.num_infosets()) * 3);
  for (int i = 0; i < full.num_infosets(); ++i) {
    const int from = merged->find(full.sample_state(i));
    std::copy_n(table.begin() + from * 3, 3, spread.begin() + i * 3);
  }
  const ExploitabilityReport a = exploitability(*merged, table), b = exploitability(full, spread);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_NEAR(a.value[p], b.value[p], 1e-12);
    EXPECT_NEAR(a.best_response[p], b.best_response[p], 1e-12);
  }
}

TEST(Exploitability, RefusesATableOfAnotherGame) {
  const Game kuhn = make_game("kuhn");
  EXPECT_THROW(exploitability(SmallGame(kuhn), std::vector<double>(3)), Error);
}

}  // namespace
}  // namespace deepcfr
