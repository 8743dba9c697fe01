// The strategy network as a policy.
#include <algorithm>
#include <cmath>
#include <limits>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/nn/forward_engine.h"
#include "deepcfr/nn/network_source.h"
#include "hand_rows.h"

namespace deepcfr {

void masked_softmax(std::span<const float> logits, ActionMask legal, std::span<double> p) {
  double largest = -std::numeric_limits<double>::infinity();
  const auto is_legal = [&](std::size_t a) { return ((legal >> a) & 1) != 0; };
  for (std::size_t a = 0; a < logits.size(); ++a)
    if (is_legal(a)) largest = std::max(largest, static_cast<double>(logits[a]));
  double sum = 0;
  for (std::size_t a = 0; a < logits.size(); ++a) {
    p[a] = is_legal(a) ? std::exp(static_cast<double>(logits[a]) - largest) : 0.0;
    sum += p[a];
  }
  DEEPCFR_CHECK(std::isfinite(sum), "a strategy network answered a number that is not finite");
  for (double& x : p) x /= sum;
}

namespace {

class StrategyNetworkPolicy final : public Policy {
 public:
  StrategyNetworkPolicy(std::shared_ptr<const Game> game, std::vector<std::shared_ptr<const Network>> networks)
      : game_(std::move(game)), shared_(std::move(networks)) {
    DEEPCFR_CHECK(shared_.size() == 1 || shared_.size() == static_cast<std::size_t>(game_->players()));
    for (const auto& network : shared_) {
      DEEPCFR_CHECK(network != nullptr && network->outputs() == game_->num_actions());
      networks_.push_back(network->clone());
      encoders_.emplace_back(*game_, network->layout().kind);
      DEEPCFR_CHECK(encoders_.back().width() == network->layout().width);
    }
  }

  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    DEEPCFR_CHECK(out.size() == states.size() * actions);
    for (std::size_t n = 0; n < networks_.size(); ++n) {
      members_.clear();
      for (std::size_t i = 0; i < states.size(); ++i)
        if (networks_.size() == 1 || states[i]->actor == n) members_.push_back(i);
      const auto width = static_cast<std::size_t>(encoders_[n].width());
      rows_.resize(members_.size() * width);
      logits_.resize(members_.size() * actions);
      for (std::size_t k = 0; k < members_.size(); ++k) encoders_[n].encode(*states[members_[k]], rows_.data() + k * width);
      networks_[n].forward(rows_, logits_);
      for (std::size_t k = 0; k < members_.size(); ++k)
        masked_softmax(std::span(logits_).subspan(k * actions, actions), game_->legal_actions(*states[members_[k]]),
                       out.subspan(members_[k] * actions, actions));
    }
  }

  void probabilities_of_hands(std::span<const State* const> states, const HandsOnBoard& hands, std::span<double> out) override {
    const auto actions = static_cast<std::size_t>(game_->num_actions());
    const std::size_t row = hands.holes.size() * actions;
    DEEPCFR_CHECK(out.size() == states.size() * row);
    if (!hand_rows_) {
      std::vector<std::shared_ptr<const Network>> by_player = shared_;
      by_player.resize(static_cast<std::size_t>(game_->players()), shared_[0]);
      hand_rows_ = std::make_unique<nn::HandRows>(game_, shared_[0]->layout().kind, make_forward_engine(*game_, by_player));
    }
    hand_rows_->forward(states, hands, [&](std::size_t s, std::span<const float> logits) {
      const ActionMask legal = game_->legal_actions(*states[s]);
      for (std::size_t i = 0; i < row; i += actions)
        masked_softmax(logits.subspan(i, actions), legal, out.subspan(s * row + i, actions));
    });
  }

  bool treats_suits_alike() const override { return game_->canonical_suits(); }
  std::string name() const override { return "strategy network"; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<StrategyNetworkPolicy>(game_, shared_); }

 private:
  std::shared_ptr<const Game> game_;
  std::vector<std::shared_ptr<const Network>> shared_;
  std::vector<Network> networks_;
  std::vector<Encoder> encoders_;
  std::vector<std::size_t> members_;
  std::vector<float> rows_, logits_;
  std::unique_ptr<nn::HandRows> hand_rows_;  // made when first asked
};

}  // namespace

std::unique_ptr<Policy> make_strategy_network_policy(std::shared_ptr<const Game> game,
                                                     std::vector<std::shared_ptr<const Network>> networks) {
  return std::make_unique<StrategyNetworkPolicy>(std::move(game), std::move(networks));
}

}  // namespace deepcfr
