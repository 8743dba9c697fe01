#include <array>
#include <utility>

#include "deepcfr/cfr/traversal.h"

namespace deepcfr {
namespace {

/// Enumeration of everything external sampling could draw.
class Expectation {
 public:
  Expectation(const SmallGame& game, int traverser, std::span<const double> strategies)
      : game_(game), traverser_(traverser), strategies_(strategies), num_actions_(static_cast<std::size_t>(game.game().num_actions())) {
    result_.visits.assign(static_cast<std::size_t>(game.num_infosets()), 0.0);
    result_.target_sum.assign(result_.visits.size() * num_actions_, 0.0);
  }

  ExpectedSamples run() {
    const double chance = 1.0 / game_.num_deals();
    for (deal_ = 0; deal_ < game_.num_deals(); ++deal_) result_.value += chance * visit(0, chance);
    return std::move(result_);
  }

 private:
  double visit(std::int32_t n, double probability) {
    const BettingNode& node = game_.tree().node(n);
    if (node.legal == 0) return game_.value(n, deal_, traverser_);
    const auto infoset = static_cast<std::size_t>(game_.infoset(n, deal_));
    const std::span<const double> sigma = strategies_.subspan(infoset * num_actions_, num_actions_);
    const bool own = node.state.actor == traverser_;
    std::array<double, kMaxActions> values{};
    double mean = 0;
    for (std::size_t a = 0; a < num_actions_; ++a) {
      if (((node.legal >> a) & 1) == 0) continue;
      if (!own && sigma[a] == 0) continue;
      values[a] = visit(game_.tree().child(n, static_cast<Action>(a)), own ? probability : probability * sigma[a]);
      mean += sigma[a] * values[a];
    }
    if (own) {
      result_.visits[infoset] += probability;
      for (std::size_t a = 0; a < num_actions_; ++a) {
        if (((node.legal >> a) & 1) != 0) result_.target_sum[infoset * num_actions_ + a] += probability * (values[a] - mean);
      }
    }
    return mean;
  }

  const SmallGame& game_;
  int traverser_;
  std::span<const double> strategies_;
  std::size_t num_actions_;
  int deal_ = 0;
  ExpectedSamples result_;
};

}  // namespace

ExpectedSamples expected_samples(const SmallGame& game, int traverser, std::span<const double> strategies) {
  return Expectation(game, traverser, strategies).run();
}

}  // namespace deepcfr
