// The CFR family on tables, exact. One pass for one player is one CounterfactualWalk; regrets are added history by history
// (Zinkevich et al. 2007, equations 5 to 8).
// Alternating updates: player p's pass sees the strategies that players before p have just been given.
// Order and form of the arithmetic are those of OpenSpiel's CFRSolver and CFRPlusSolver (2.0.2), so that its figures come out to
// the last digit where suits are not merged. It matters: regrets that are equal but for rounding decide between pure and mixed
// strategies, and after 1,000 iterations of Leduc exploitability differs in the fifth digit (CFR) or the second (CFR+).
#include "deepcfr/cfr/tabular.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "counterfactual_walk.h"
#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "tabular_tables.h"

namespace deepcfr {
namespace {

const std::array<std::string, 6> kNames{"cfr", "cfr+", "lcfr", "dcfr", "es-mccfr", "os-mccfr"};

/// Probability of each infoset of `player` as far as the player's own actions go.
std::vector<double> own_reach(const SmallGame& game, int player, std::span<const double> strategy) {
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  std::vector<double> reach(static_cast<std::size_t>(game.num_infosets()), 0.0);
  for (int i = 0; i < game.num_infosets(); ++i) {
    if (game.player_of(i) != player) continue;
    const int parent = game.parent_infoset(i);  // a lower number, so its reach is there
    const auto p = static_cast<std::size_t>(std::max(parent, 0));
    reach[static_cast<std::size_t>(i)] = parent < 0 ? 1.0 : reach[p] * strategy[p * actions + game.parent_action(i)];
  }
  return reach;
}

bool samples(TabularAlgorithm algorithm) {
  return algorithm == TabularAlgorithm::external_sampling || algorithm == TabularAlgorithm::outcome_sampling;
}

}  // namespace

TabularAlgorithm parse_tabular_algorithm(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found != kNames.end()) return static_cast<TabularAlgorithm>(found - kNames.begin());
  const std::string nearest = nearest_word(std::string(name), kNames.data(), kNames.data() + kNames.size());
  throw Error(ErrorKind::usage, "algorithm '" + std::string(name) + "' is not one of cfr, cfr+, lcfr, dcfr, es-mccfr, os-mccfr",
              {}, nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

std::span<const std::string> tabular_algorithm_names() { return kNames; }

CounterfactualValues counterfactual_values(const SmallGame& game, int player, std::span<const double> strategy) {
  const auto infosets = static_cast<std::size_t>(game.num_infosets());
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  DEEPCFR_CHECK(strategy.size() == infosets * actions);
  CounterfactualValues result;
  result.others_reach.assign(infosets, 0.0);
  result.action_values.assign(infosets * actions, 0.0);
  CounterfactualWalk(game, player, strategy, [&](const OwnNode& node) {
    for (std::size_t h = 0; h < node.hands; ++h) {
      const auto infoset = static_cast<std::size_t>(node.infoset[h]);
      const double reach = node.others[h] * node.chance;
      result.others_reach[infoset] += reach;
      std::size_t k = 0;
      for (std::size_t a = 0; a < actions; ++a) {
        if (((node.legal >> a) & 1) != 0) result.action_values[infoset * actions + a] += reach * (*node.action_values)[k++][h];
      }
    }
  }).run();
  result.own_reach = own_reach(game, player, strategy);
  return result;
}

TabularTables::TabularTables(std::shared_ptr<const SmallGame> small_game)
    : game(std::move(small_game)), actions(static_cast<std::size_t>(game->game().num_actions())) {
  const std::size_t size = static_cast<std::size_t>(game->num_infosets()) * actions;
  regrets.assign(size, 0.0);
  strategy_sums.assign(size, 0.0);
  infosets_of.resize(static_cast<std::size_t>(game->game().players()));
  for (int i = 0; i < game->num_infosets(); ++i) infosets_of[static_cast<std::size_t>(game->player_of(i))].push_back(i);
}

void TabularTables::match(int infoset, std::span<double> strategy) const {
  regret_matching_uniform(std::span(regrets).subspan(static_cast<std::size_t>(infoset) * actions, actions), game->legal(infoset),
                          strategy);
}

struct TabularSolver::Impl {
  Impl(std::shared_ptr<const SmallGame> game, TabularOptions chosen) : tables(std::move(game)), options(chosen) {
    if (!(options.exploration > 0 && options.exploration <= 1)) {
      throw Error(ErrorKind::usage, "exploration " + std::to_string(options.exploration) + " is not in (0, 1]");
    }
    strategy.resize(tables.regrets.size());
    for (int i = 0; i < tables.game->num_infosets(); ++i) tables.match(i, tables.row(strategy, i));
  }

  /// Weight of iteration t in the average strategy.
  double average_weight() const {
    const auto t = static_cast<double>(iterations);
    switch (options.algorithm) {
      case TabularAlgorithm::cfr_plus:
      case TabularAlgorithm::linear_cfr:
        return t;
      case TabularAlgorithm::discounted_cfr:
        return t * t;
      default:
        return 1;
    }
  }

  /// What is done to a cumulative regret after iteration t has been added.
  double adjusted(double regret) const {
    const auto t = static_cast<double>(iterations);
    switch (options.algorithm) {
      case TabularAlgorithm::cfr_plus:
        return std::max(regret, 0.0);
      case TabularAlgorithm::linear_cfr:
        return regret * (t / (t + 1));
      case TabularAlgorithm::discounted_cfr: {
        const double power = std::pow(t, 1.5);
        return regret >= 0 ? regret * (power / (power + 1)) : regret * 0.5;
      }
      default:
        return regret;
    }
  }

  void update_exactly(int player) {
    const std::vector<double> reach = own_reach(*tables.game, player, strategy);
    CounterfactualWalk(*tables.game, player, strategy, [this](const OwnNode& node) { add_regrets(node); }).run();
    const double weight = average_weight();
    for (const int infoset : tables.infosets_of[static_cast<std::size_t>(player)]) {
      const std::span<double> current = tables.row(strategy, infoset);
      const std::span<double> regrets = tables.row(tables.regrets, infoset);
      const std::span<double> sums = tables.row(tables.strategy_sums, infoset);
      for (std::size_t a = 0; a < tables.actions; ++a) {
        regrets[a] = adjusted(regrets[a]);
        sums[a] += weight * reach[static_cast<std::size_t>(infoset)] * current[a];
      }
      tables.match(infoset, current);
    }
  }

  void add_regrets(const OwnNode& node) {
    for (std::size_t h = 0; h < node.hands; ++h) {
      double* const regrets = tables.regrets.data() + static_cast<std::size_t>(node.infoset[h]) * tables.actions;
      const double reach = node.others[h] * node.chance;
      std::size_t k = 0;
      for (std::size_t a = 0; a < tables.actions; ++a) {
        if (((node.legal >> a) & 1) != 0) regrets[a] += reach * ((*node.action_values)[k++][h] - node.value[h]);
      }
    }
  }

  TabularTables tables;
  TabularOptions options;
  std::int64_t iterations = 0;
  std::vector<double> strategy;  // current; the sampling variants match regrets where they pass instead
};

TabularSolver::TabularSolver(std::shared_ptr<const SmallGame> game, TabularOptions options)
    : impl_(std::make_unique<Impl>(std::move(game), options)) {}
TabularSolver::~TabularSolver() = default;

void TabularSolver::iterate() {
  ++impl_->iterations;
  for (int p = 0; p < impl_->tables.game->game().players(); ++p) {
    if (!samples(impl_->options.algorithm)) {
      impl_->update_exactly(p);
      continue;
    }
    const SequentialRandom random(
        CounterRandom(StreamPurpose::action,
                      {impl_->options.seed, static_cast<std::uint64_t>(impl_->iterations), static_cast<std::uint64_t>(p)}));
    if (impl_->options.algorithm == TabularAlgorithm::external_sampling) {
      sample_external(impl_->tables, p, random);
    } else {
      sample_outcome(impl_->tables, p, impl_->options.exploration, random);
    }
  }
}

std::int64_t TabularSolver::iterations() const noexcept { return impl_->iterations; }

std::vector<double> TabularSolver::average_strategy() const {
  std::vector<double> average = impl_->tables.strategy_sums;
  for (int i = 0; i < impl_->tables.game->num_infosets(); ++i) {
    const std::span<double> row = impl_->tables.row(average, i);
    double sum = 0;
    for (const double share : row) sum += share;
    if (sum > 0) {
      for (double& share : row) share /= sum;
    } else {
      uniform_strategy(impl_->tables.game->legal(i), row);  // never reached
    }
  }
  return average;
}

std::vector<double> TabularSolver::current_strategy() const {
  std::vector<double> strategy(impl_->tables.regrets.size());
  for (int i = 0; i < impl_->tables.game->num_infosets(); ++i) impl_->tables.match(i, impl_->tables.row(strategy, i));
  return strategy;
}

std::vector<double> TabularSolver::cumulative_regrets() const { return impl_->tables.regrets; }

}  // namespace deepcfr
