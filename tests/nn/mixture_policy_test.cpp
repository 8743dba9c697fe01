// Statement 15: single Deep CFR's average.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "deepcfr/cfr/tabular.h"
#include "deepcfr/nn/network_source.h"
#include "games.h"
#include "resident_memory.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

/// Σ t·π_t·σ_t ÷ Σ t·π_t over strategy tables, Σ t·σ_t ÷ Σ t where nothing gets there.
class TableAverage {
 public:
  explicit TableAverage(const SmallSetup& setup)
      : setup_(setup), reached_(setup.infosets() * setup.actions()), blind_(reached_.size()), reach_(setup.infosets()) {}
  void add(double t, const std::vector<double>& table) {
    const std::vector<double> reach = setup_.own_reach(table);
    for (std::size_t i = 0; i < setup_.infosets(); ++i) {
      reach_[i] += t * reach[i];
      for (std::size_t k = i * setup_.actions(); k < (i + 1) * setup_.actions(); ++k) {
        reached_[k] += t * reach[i] * table[k];
        blind_[k] += t * table[k];
      }
    }
    weight_ += t;
  }
  std::vector<double> average() const {
    std::vector<double> result(reached_.size());
    for (std::size_t k = 0; k < result.size(); ++k) {
      const double reach = reach_[k / setup_.actions()];
      result[k] = reach > 0 ? reached_[k] / reach : blind_[k] / weight_;
    }
    return result;
  }

 private:
  const SmallSetup& setup_;
  std::vector<double> reached_, blind_, reach_;
  double weight_ = 0;
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << i;
}

struct RandomArchive {
  std::vector<std::vector<ArchivedNetwork>> by_player;
  std::vector<double> average;
};

/// Iteration 1 uniform, then random networks, other ones for each player.
RandomArchive random_archive(const SmallSetup& setup, const NetworkOptions& options, std::int64_t iterations) {
  RandomArchive result;
  result.by_player.resize(static_cast<std::size_t>(setup.game->players()));
  TableAverage average(setup);
  average.add(1, setup.uniform());
  for (auto& entries : result.by_player) entries.push_back({1, {}});
  for (std::int64_t t = 2; t <= iterations; ++t) {
    std::vector<double> table(setup.infosets() * setup.actions());
    for (std::size_t p = 0; p < result.by_player.size(); ++p) {
      const Network network = setup.network(options, static_cast<std::uint64_t>(t) * 10 + p);
      result.by_player[p].push_back({t, network.weights()});
      const std::vector<double> own = setup.strategy(network);
      for (std::size_t k = 0; k < own.size(); ++k)
        if (setup.small->player_of(static_cast<int>(k / setup.actions())) == static_cast<int>(p)) table[k] = own[k];
    }
    average.add(static_cast<double>(t), table);
  }
  result.average = average.average();
  return result;
}

TEST(MixturePolicy, S15WeighsByIterationAndOwnReach) {
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) {
    const SmallSetup setup(name);
    for (const NetworkOptions& options : {mlp_options(2, 16), card_bet_options(8, 8)}) {
      const RandomArchive archive = random_archive(setup, options, 7);
      const auto policy = make_mixture_policy(setup.game, options, archive.by_player);
      expect_near(tabulate(*setup.small, *policy), archive.average, 1e-12);
      // One state at a time, from a copy.
      const auto copy = policy->clone();
      std::vector<double> one(setup.actions());
      for (std::size_t i = 0; i < setup.infosets(); i += 5) {
        const State* state = &setup.small->sample_state(static_cast<int>(i));
        copy->probabilities({&state, 1}, one);
        for (std::size_t a = 0; a < one.size(); ++a) ASSERT_NEAR(one[a], archive.average[i * setup.actions() + a], 1e-12);
      }
    }
  }
}

/// A network with one hidden layer that gives `values` [infoset][action] for the infosets: along a random direction u all rows
/// have different places, and hinges at these places interpolate any values.
std::vector<float> exact_weights(const SmallSetup& setup, const NetworkOptions& options, const std::vector<double>& values) {
  const Network shape = setup.network(options, 0);
  const std::vector<float> rows = setup.rows(FeatureKind::dense);
  const std::size_t width = rows.size() / setup.infosets(), n = setup.infosets(), actions = setup.actions();
  std::vector<double> u(width), place(n);
  std::vector<std::size_t> order(n);
  double widest = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {  // the direction with the widest gaps
    std::vector<double> direction(width), at(n, 0.0);
    for (std::size_t k = 0; k < width; ++k)
      direction[k] = static_cast<double>(static_cast<float>(2 * stream(seed).uniform(k) - 1));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < width; ++k) at[i] += direction[k] * static_cast<double>(rows[i * width + k]);
    std::vector<std::size_t> sorted(n);
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) { return at[a] < at[b]; });
    double gap = 1e9;
    for (std::size_t i = 1; i < n; ++i) gap = std::min(gap, at[sorted[i]] - at[sorted[i - 1]]);
    if (gap > widest) widest = gap, u = direction, place = at, order = sorted;
  }
  std::vector<float> weights(shape.parameter_count());
  for (std::size_t h = 0; h < n; ++h) {  // hidden unit h: max(u·x − place of the h-th row + 1 for the first, 0)
    for (std::size_t k = 0; k < width; ++k) weights[h * width + k] = static_cast<float>(u[k]);
    weights[n * width + h] = static_cast<float>(-place[order[h]]);
  }
  float* head = weights.data() + n * width + n;
  for (std::size_t a = 0; a < actions; ++a) {
    head[actions * n + a] = static_cast<float>(values[order[0] * actions + a]);
    double slope = 0;
    for (std::size_t h = 0; h + 1 < n; ++h) {
      const double rise = values[order[h + 1] * actions + a] - values[order[h] * actions + a];
      const double wanted = rise / (place[order[h + 1]] - place[order[h]]);
      head[a * n + h] = static_cast<float>(wanted - slope);
      slope = wanted;
    }
  }
  return weights;
}

// Linear CFR on a table, each iteration's regrets archived as a network that answers exactly them.
TEST(MixturePolicy, S15EqualsTheTabularAverageWithExactNetworks) {
  const SmallSetup kuhn("kuhn");
  NetworkOptions options = mlp_options(1, kuhn.small->num_infosets());
  std::vector<std::vector<ArchivedNetwork>> archive(2);
  std::vector<double> regrets(kuhn.infosets() * kuhn.actions()), strategy = kuhn.uniform();
  TableAverage average(kuhn);
  for (std::int64_t t = 1; t <= 25; ++t) {
    if (t > 1) {
      // Steps of 1/64, none of them 0, so that rounding in a network cannot change who is positive.
      std::vector<double> rounded(regrets.size());
      for (std::size_t k = 0; k < regrets.size(); ++k)
        rounded[k] = std::round(regrets[k] * 64) / 64 + (k % kuhn.actions() == 0 ? 1.0 / 256 : 1.0 / 128);
      for (std::size_t i = 0; i < kuhn.infosets(); ++i)
        regret_matching(std::span<const double>(rounded).subspan(i * kuhn.actions(), kuhn.actions()),
                        kuhn.small->legal(static_cast<int>(i)), std::span(strategy).subspan(i * kuhn.actions(), kuhn.actions()));
      const std::vector<float> weights = exact_weights(kuhn, options, rounded);
      for (auto& entries : archive) entries.push_back({t, weights});
    } else {
      for (auto& entries : archive) entries.push_back({1, {}});
    }
    average.add(static_cast<double>(t), strategy);
    for (int player = 0; player < 2; ++player) {
      const CounterfactualValues values = counterfactual_values(*kuhn.small, player, strategy);
      for (std::size_t i = 0; i < kuhn.infosets(); ++i) {
        if (kuhn.small->player_of(static_cast<int>(i)) != player) continue;
        double mean = 0;
        for (std::size_t a = 0; a < kuhn.actions(); ++a)
          mean += strategy[i * kuhn.actions() + a] * values.action_values[i * kuhn.actions() + a];
        for (std::size_t a = 0; a < kuhn.actions(); ++a)
          if ((kuhn.small->legal(static_cast<int>(i)) >> a & 1) != 0)
            regrets[i * kuhn.actions() + a] += static_cast<double>(t) * (values.action_values[i * kuhn.actions() + a] - mean);
      }
    }
  }
  const auto policy = make_mixture_policy(kuhn.game, options, archive);
  const std::vector<double> table = tabulate(*kuhn.small, *policy), expected = average.average();
  double largest = 0;
  for (std::size_t k = 0; k < table.size(); ++k) largest = std::max(largest, std::abs(table[k] - expected[k]));
  std::printf("largest difference from the tabular average %.2g\n", largest);
  EXPECT_LT(largest, 2e-3);
}

TEST(MixturePolicy, UnreachedInfosetsGetTheMeanByIteration) {
  const SmallSetup kuhn("kuhn");
  // Both networks always call, so that nobody ever acts again after raising; no own path leads behind a raise of one's own.
  const NetworkOptions options = mlp_options(0, 1);
  const auto never_raise = constant_network(kuhn, {-1, 1, -1}), fold = constant_network(kuhn, {1, 0, -1});
  std::vector<std::vector<ArchivedNetwork>> archive(2);
  for (auto& entries : archive) entries = {{3, never_raise->weights()}, {5, fold->weights()}};
  const auto policy = make_mixture_policy(kuhn.game, options, archive);
  const std::vector<double> table = tabulate(*kuhn.small, *policy);
  for (std::size_t i = 0; i < kuhn.infosets(); ++i) {
    double sum = 0;
    for (std::size_t a = 0; a < kuhn.actions(); ++a) sum += table[i * kuhn.actions() + a];
    ASSERT_NEAR(sum, 1.0, 1e-12);
    if ((kuhn.small->legal(static_cast<int>(i)) & 1) != 0) {
      EXPECT_NEAR(table[i * kuhn.actions() + kFold], 5.0 / 8, 1e-12);
    }
  }
}

// In played hands the network is drawn ∝ t by the hand key alone.
TEST(MixturePolicy, S15NetworksAreDrawnInProportionToT) {
  const SmallSetup kuhn("kuhn");
  constexpr std::int64_t kNetworks = 5;
  constexpr std::size_t kHands = 4000;
  std::vector<std::vector<ArchivedNetwork>> archive(2);
  for (std::int64_t t = 1; t <= kNetworks; ++t) {  // told apart by the probability of calling, t / 10
    const auto call = static_cast<float>(t) / 10;
    for (auto& entries : archive) entries.push_back({t, constant_network(kuhn, {0, call, 1 - call})->weights()});
  }
  const auto policy = make_mixture_policy(kuhn.game, mlp_options(0, 1), archive);
  for (int root = 0; root < kuhn.small->num_infosets(); ++root) {
    if (kuhn.small->parent_infoset(root) >= 0 || (kuhn.small->legal(root) >> kFirstRaise & 1) == 0) continue;
    const std::vector<const State*> states(kHands, &kuhn.small->sample_state(root));
    std::vector<std::uint64_t> keys(kHands);
    for (std::size_t h = 0; h < kHands; ++h) keys[h] = mix64(h);
    std::vector<double> p(kHands * kuhn.actions());
    policy->probabilities_in_hands(states, keys, p);
    std::vector<double> drawn(kNetworks);
    for (std::size_t h = 0; h < kHands; ++h) {
      const double call = p[h * kuhn.actions() + kCall];
      ASSERT_NEAR(call * 10, std::round(call * 10), 1e-5);
      drawn.at(static_cast<std::size_t>(std::lround(call * 10)) - 1) += 1;
    }
    double chi_square = 0;
    for (std::size_t n = 0; n < drawn.size(); ++n) {
      const double expected = kHands * static_cast<double>(n + 1) / 15.0;
      chi_square += (drawn[n] - expected) * (drawn[n] - expected) / expected;
    }
    EXPECT_LT(chi_square, 18.47);  // 4 degrees of freedom, p = 0.001
  }
}

TEST(MixturePolicy, S15SameNetworkAtEveryDecisionOfAHand) {
  const SmallSetup leduc("leduc");
  const NetworkOptions options = mlp_options(2, 16);
  const RandomArchive archive = random_archive(leduc, options, 6);
  const auto policy = make_mixture_policy(leduc.game, options, archive.by_player);
  std::vector<std::vector<double>> tables;  // strategy of each archived network
  for (std::size_t p = 0; p < 2; ++p) {
    for (const ArchivedNetwork& entry : archive.by_player[p]) {
      Network network = leduc.network(options, 0);
      if (!entry.weights.empty()) network.set_weights(entry.weights);
      tables.push_back(entry.weights.empty() ? leduc.uniform() : leduc.strategy(network));
    }
  }
  const std::vector<const State*> states = leduc.states();
  for (std::uint64_t hand = 0; hand < 40; ++hand) {
    const std::vector<std::uint64_t> keys(states.size(), hand);
    std::vector<double> out(states.size() * leduc.actions());
    policy->probabilities_in_hands(states, keys, out);
    for (int p = 0; p < 2; ++p) {
      // Some one network explains all answers to this player.
      bool explained = false;
      for (std::size_t n = 0; n < 6 && !explained; ++n) {
        const std::vector<double>& table = tables[static_cast<std::size_t>(p) * 6 + n];
        bool same = true;
        for (std::size_t k = 0; k < out.size() && same; ++k)
          same = leduc.small->player_of(static_cast<int>(k / leduc.actions())) != p || out[k] == table[k];
        explained = same;
      }
      EXPECT_TRUE(explained) << hand;
    }
  }
}

// Play frequencies: hands in which a player gets to an infoset by its own actions, and what it does there.
TEST(MixturePolicy, S15PlayFrequenciesFollowTheMixture) {
  const SmallSetup kuhn("kuhn");
  const NetworkOptions options = mlp_options(2, 16);
  const RandomArchive archive = random_archive(kuhn, options, 8);
  const auto policy = make_mixture_policy(kuhn.game, options, archive.by_player);
  constexpr std::uint64_t kHands = 20000;
  std::vector<double> reached(kuhn.infosets()), acted(kuhn.infosets() * kuhn.actions());
  const std::vector<const State*> states = kuhn.states();
  std::vector<double> out(states.size() * kuhn.actions());
  for (std::uint64_t hand = 0; hand < kHands; ++hand) {
    const std::vector<std::uint64_t> keys(states.size(), mix64(hand));
    policy->probabilities_in_hands(states, keys, out);
    const CounterRandom random(StreamPurpose::test, {hand});
    std::vector<Action> action(kuhn.infosets());
    for (std::size_t i = 0; i < kuhn.infosets(); ++i)
      action[i] = sample_action(std::span(out).subspan(i * kuhn.actions(), kuhn.actions()), random.uniform(i));
    for (int i = 0; i < kuhn.small->num_infosets(); ++i) {
      bool here = true;
      for (int at = i; kuhn.small->parent_infoset(at) >= 0; at = kuhn.small->parent_infoset(at))
        here = here && action[static_cast<std::size_t>(kuhn.small->parent_infoset(at))] == kuhn.small->parent_action(at);
      if (!here) continue;
      reached[static_cast<std::size_t>(i)] += 1;
      acted[static_cast<std::size_t>(i) * kuhn.actions() + action[static_cast<std::size_t>(i)]] += 1;
    }
  }
  for (std::size_t i = 0; i < kuhn.infosets(); ++i) {
    if (reached[i] < 100) continue;
    for (std::size_t a = 0; a < kuhn.actions(); ++a) {
      const double p = archive.average[i * kuhn.actions() + a];
      const double tolerance = 4 * std::sqrt(p * (1 - p) / reached[i]) + 1e-9;
      EXPECT_NEAR(acted[i * kuhn.actions() + a] / reached[i], p, tolerance) << i << " " << a;
    }
  }
}

// Reported fault A26: the archive is kept once, copies share it.
TEST(MixturePolicy, A26CopiesShareTheWeights) {
  SKIP_UNDER_SANITIZERS();
  const SmallSetup kuhn("kuhn");
  const NetworkOptions options = mlp_options(3, 64);
  const Network network = kuhn.network(options, 1);
  constexpr std::int64_t kIterations = 300;
  const double needed = 2.0 * kIterations * 4.0 * static_cast<double>(network.parameter_count());
  const auto growth_of_copies = [&] {
    ::malloc_trim(0);  // free blocks left by what ran before would hide a part
    const double before = resident_bytes();
    std::vector<std::vector<ArchivedNetwork>> archive(2);
    for (auto& entries : archive)
      for (std::int64_t t = 1; t <= kIterations; ++t) entries.push_back({t, network.weights()});
    const auto policy = make_mixture_policy(kuhn.game, options, std::move(archive));
    std::vector<std::unique_ptr<Policy>> copies;
    for (int i = 0; i < 8; ++i) {
      copies.push_back(policy->clone());
      tabulate(*kuhn.small, *copies.back());
    }
    return resident_bytes() - before;
  };
  // The first round pays for code and tables that are loaded when first used; a round on its own may also meet other threads' blocks.
  // Copies that hold weights of their own would show in every round.
  double least = growth_of_copies();
  for (int round = 0; round < 3; ++round) least = std::min(least, growth_of_copies());
  std::printf("%.1f MB for %.1f MB of weights and 8 copies\n", least / 1e6, needed / 1e6);
  EXPECT_LT(least, 1.2 * needed + 2e6);
  EXPECT_GT(least, 0.8 * needed);  // else nothing was measured
}

}  // namespace
}  // namespace deepcfr
