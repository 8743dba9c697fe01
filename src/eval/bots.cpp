// The bots' rules. e is the equity of the own hand against ONE random hand, however many opponents are left (HandEquity says how
// it is found); with k opponents left the chance to win is taken as e^k, which is used against the price of a call only.
//
//   bot     raises if e >   calls a bet if e >   and e^k >
//   tight        0.65             0.50           cost ÷ (pot + cost)
//   loose        0.55             0.30           cost ÷ (pot + cost)
//
// Not facing a bet it checks where it does not raise; facing one it folds where it neither raises nor calls. A raise is the size
// of the abstraction nearest to the pot (the pot after a call on top of the bet to match); if no raise is legal it calls instead.
#include "deepcfr/eval/bots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "deepcfr/core/error.h"
#include "hand_equity.h"

namespace deepcfr {
namespace {

const std::array<std::string, 6> kNames{"random", "always_call", "always_raise", "always_fold", "tight", "loose"};

struct Thresholds {
  double raise;
  double call;
};
constexpr Thresholds kTight{0.65, 0.5};
constexpr Thresholds kLoose{0.55, 0.3};

std::int64_t pot(const State& state) { return std::accumulate(state.spent.begin(), state.spent.end(), std::int64_t{0}); }

/// The legal raise nearest to the pot, the lower of equals; kCall if none is legal.
Action raise_near_pot(const Game& game, const State& state, ActionMask legal) {
  const std::int64_t target = state.max_spent + pot(state) + game.call_cost(state);
  Action best = kCall;
  std::int64_t best_distance = 0;
  for (int a = kFirstRaise; a < game.num_actions(); ++a) {
    if (((legal >> a) & 1) == 0) continue;
    const auto action = static_cast<Action>(a);
    const std::int64_t distance = std::abs(game.raise_to(state, action) - target);
    if (best == kCall || distance < best_distance) {
      best = action;
      best_distance = distance;
    }
  }
  return best;
}

class EquityBot final : public Policy {
 public:
  EquityBot(const Game& game, std::string name, Thresholds thresholds)
      : game_(&game), name_(std::move(name)), thresholds_(thresholds), equity_(game) {}

  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    DEEPCFR_CHECK(out.size() == states.size() * actions);
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t i = 0; i < states.size(); ++i) out[i * actions + decide(*states[i])] = 1;
  }
  std::string name() const override { return name_; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<EquityBot>(*this); }

 private:
  Action decide(const State& state) {
    const ActionMask legal = game_->legal_actions(state);
    const double equity = equity_.of_actor(state);
    if (equity > thresholds_.raise) return raise_near_pot(*game_, state, legal);
    if ((legal & 1) == 0) return kCall;
    int opponents = -1;
    for (int p = 0; p < game_->players(); ++p) opponents += state.has_folded(p) ? 0 : 1;
    const auto cost = static_cast<double>(game_->call_cost(state));
    const double price = cost / (static_cast<double>(pot(state)) + cost);
    return equity > thresholds_.call && std::pow(equity, opponents) > price ? kCall : kFold;
  }

  const Game* game_;
  std::string name_;
  Thresholds thresholds_;
  HandEquity equity_;
};

/// Another policy under the name of a bot.
class RenamedPolicy final : public Policy {
 public:
  RenamedPolicy(std::unique_ptr<Policy> policy, std::string name) : policy_(std::move(policy)), name_(std::move(name)) {}
  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    policy_->probabilities(states, out);
  }
  std::string name() const override { return name_; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<RenamedPolicy>(policy_->clone(), name_); }

 private:
  std::unique_ptr<Policy> policy_;
  std::string name_;
};

}  // namespace

std::span<const std::string> bot_names() { return kNames; }

std::unique_ptr<Policy> make_bot(const Game& game, const std::string& name) {
  if (name == "random") return std::make_unique<RenamedPolicy>(make_fixed_policy(game, "uniform"), name);
  if (name == "tight") return std::make_unique<EquityBot>(game, name, kTight);
  if (name == "loose") return std::make_unique<EquityBot>(game, name, kLoose);
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return make_fixed_policy(game, name);
  const std::string nearest = nearest_word(name, kNames.data(), kNames.data() + kNames.size());
  throw Error(ErrorKind::usage,
              "opponent '" + name + "' is not one of random, always_call, always_raise, always_fold, tight, loose", {},
              nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

}  // namespace deepcfr
