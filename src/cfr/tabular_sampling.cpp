// Monte Carlo CFR on tables: Lanctot, Waugh, Zinkevich, Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive
// Games", NIPS 2009; the average strategy of outcome sampling is the stochastically weighted one of Lanctot's thesis (2013, 4.4).
// Departure: with more than two players the sampled average of external sampling is divided by the probability with which the
// players other than traverser and averager were sampled. The average must weigh by own reach alone, and what is seen of the
// others changes from iteration to iteration (with two players the factor is 1).
#include <array>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "tabular_tables.h"

namespace deepcfr {
namespace {

class Sampler {
 public:
  Sampler(TabularTables& tables, int player, SequentialRandom random)
      : tables_(tables),
        game_(*tables.game),
        player_(player),
        averager_((player + 1) % game_.game().players()),
        random_(random),
        deal_(static_cast<int>(random_.below(static_cast<std::uint64_t>(game_.num_deals())))) {}

  /// Value of `node` to the traverser: exact over own actions, sampled over the others'. `bystanders` is the probability of the
  /// actions drawn for players who are neither traverser nor averager.
  double external(std::int32_t node, double bystanders) {
    const BettingNode& betting = game_.tree().node(node);
    if (betting.decision < 0) return game_.value(node, deal_, player_);
    const int infoset = game_.infoset(node, deal_);
    std::array<double, kMaxActions> buffer;
    const std::span<double> strategy = std::span(buffer).first(tables_.actions);
    tables_.match(infoset, strategy);
    if (betting.state.actor == player_) return follow_all(betting, infoset, strategy, bystanders);
    const bool averages = betting.state.actor == averager_;
    if (averages) {
      const std::span<double> sums = tables_.row(tables_.strategy_sums, infoset);
      for (std::size_t a = 0; a < strategy.size(); ++a) sums[a] += strategy[a] / bystanders;
    }
    const Action action = sample_action(strategy, random_.uniform());
    return external(game_.tree().child(node, action), averages ? bystanders : bystanders * strategy[action]);
  }

  /// Estimate of the value of `node` to the traverser, already divided by the probability of what was sampled below. Chance is
  /// drawn as it falls, so it cancels in others ÷ sampled and is a constant in the average.
  double outcome(std::int32_t node, double own, double others, double sampled, double exploration) {
    const BettingNode& betting = game_.tree().node(node);
    if (betting.decision < 0) return game_.value(node, deal_, player_);
    const int infoset = game_.infoset(node, deal_);
    std::array<double, kMaxActions> strategy_buffer, drawn_buffer;
    const std::span<double> strategy = std::span(strategy_buffer).first(tables_.actions);
    const std::span<double> drawn = std::span(drawn_buffer).first(tables_.actions);
    tables_.match(infoset, strategy);
    const bool is_traverser = betting.state.actor == player_;
    exploring_distribution(strategy, betting.legal, is_traverser ? exploration : 0.0, drawn);
    const Action action = sample_action(drawn, random_.uniform());
    const std::int32_t child = game_.tree().child(node, action);
    const double own_below = is_traverser ? own * strategy[action] : own;
    const double others_below = is_traverser ? others : others * strategy[action];
    const double below = outcome(child, own_below, others_below, sampled * drawn[action], exploration) / drawn[action];
    const double value = strategy[action] * below;
    if (is_traverser) {
      const std::span<double> regrets = tables_.row(tables_.regrets, infoset);
      const std::span<double> sums = tables_.row(tables_.strategy_sums, infoset);
      for (std::size_t a = 0; a < strategy.size(); ++a) {
        if (((betting.legal >> a) & 1) == 0) continue;
        regrets[a] += ((a == action ? below : 0.0) - value) * others / sampled;
        sums[a] += own * strategy[a] / sampled;
      }
    }
    return value;
  }

 private:
  double follow_all(const BettingNode& betting, int infoset, std::span<const double> strategy, double bystanders) {
    std::array<double, kMaxActions> values;
    double value = 0;
    std::int32_t child = betting.first_child;
    for (std::size_t a = 0; a < strategy.size(); ++a) {
      if (((betting.legal >> a) & 1) == 0) continue;
      values[a] = external(child++, bystanders);
      value += strategy[a] * values[a];
    }
    const std::span<double> regrets = tables_.row(tables_.regrets, infoset);
    for (std::size_t a = 0; a < strategy.size(); ++a) {
      if (((betting.legal >> a) & 1) != 0) regrets[a] += values[a] - value;
    }
    return value;
  }

  TabularTables& tables_;
  const SmallGame& game_;
  int player_;
  int averager_;
  SequentialRandom random_;
  int deal_;
};

}  // namespace

void exploring_distribution(std::span<const double> strategy, ActionMask legal, double exploration, std::span<double> out) {
  uniform_strategy(legal, out);
  for (std::size_t a = 0; a < out.size(); ++a) out[a] = exploration * out[a] + (1 - exploration) * strategy[a];
}

void sample_external(TabularTables& tables, int player, SequentialRandom random) {
  Sampler(tables, player, random).external(0, 1.0);
}

void sample_outcome(TabularTables& tables, int player, double exploration, SequentialRandom random) {
  Sampler(tables, player, random).outcome(0, 1.0, 1.0, 1.0, exploration);
}

}  // namespace deepcfr
