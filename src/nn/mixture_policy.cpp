// Single Deep CFR (Steinberger 2019): the average strategy straight from the archived advantage networks, without a strategy
// network. Sequence form (his equation 7): σ̄(I) = Σ t·π_t(I)·σ_t(I) ÷ Σ t·π_t(I), π_t(I) the product of the player's own
// probabilities along the way to I under the strategy of iteration t. Where that is 0 for every t, no play of the mixture gets
// there, and any strategy is right; Σ t·σ_t ÷ Σ t is answered.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/nn/forward_engine.h"
#include "deepcfr/nn/network_source.h"
#include "hand_rows.h"

namespace deepcfr {
namespace {

using Archive = std::vector<std::vector<ArchivedNetwork>>;

/// Distinct infosets of one player, as network rows.
struct Rows {
  std::vector<float> features;
  std::vector<ActionMask> legal;
  std::unordered_map<std::string, std::size_t> index;  // by packed infoset
};

/// One asked state: its own row and, for each earlier decision of the same player, that row and the action taken.
struct Query {
  std::size_t state = 0;
  std::size_t row = 0;
  std::vector<std::pair<std::size_t, Action>> earlier;
};

class MixturePolicy final : public Policy {
 public:
  MixturePolicy(std::shared_ptr<const Game> game, NetworkOptions options, std::shared_ptr<const Archive> archive)
      : game_(std::move(game)),
        options_(options),
        archive_(std::move(archive)),
        encoder_(*game_, feature_kind(options_.type)),
        layout_(*game_),
        network_(encoder_.layout(), game_->num_actions(), options_, CounterRandom(0)),
        actions_(static_cast<std::size_t>(game_->num_actions())) {
    DEEPCFR_CHECK(archive_->size() == static_cast<std::size_t>(game_->players()));
    for (const auto& entries : *archive_) {
      double total = 0;
      std::vector<double> sums;
      for (const ArchivedNetwork& entry : entries) {
        DEEPCFR_CHECK(entry.iteration >= 1);
        DEEPCFR_CHECK(entry.weights.empty() || entry.weights.size() == network_.parameter_count());
        total += static_cast<double>(entry.iteration);
        sums.push_back(total);
      }
      DEEPCFR_CHECK(total > 0, "a mixture needs an archived network of each player");
      weight_sums_.push_back(std::move(sums));
    }
  }

  void probabilities(std::span<const State* const> states, std::span<double> out) override;
  void probabilities_in_hands(std::span<const State* const> states, std::span<const std::uint64_t> hand_keys,
                              std::span<double> out) override;
  void probabilities_of_hands(std::span<const State* const> states, const HandsOnBoard& hands, std::span<double> out) override;
  bool treats_suits_alike() const override { return game_->canonical_suits(); }
  std::string name() const override { return "mixture"; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<MixturePolicy>(game_, options_, archive_); }

 private:
  std::size_t add_row(const State& state, Rows& rows);
  void mix(std::size_t player, const Rows& rows, std::span<const Query> queries, std::span<double> out);
  void strategies(const ArchivedNetwork& entry, std::span<const float> features, std::span<const ActionMask> legal);
  std::size_t draw(std::size_t player, std::uint64_t hand_key) const;
  std::unique_ptr<nn::HandRows> make_hand_rows() const;

  std::shared_ptr<const Game> game_;
  NetworkOptions options_;
  std::shared_ptr<const Archive> archive_;
  Encoder encoder_;
  InfosetLayout layout_;
  Network network_;  // takes on the weights of one archived network after the other
  std::size_t actions_;
  std::vector<std::vector<double>> weight_sums_;  // by player: running sums of t
  std::vector<float> advantages_;
  std::vector<double> strategies_;  // of the rows under the network last asked
  std::unique_ptr<nn::HandRows> hand_rows_;  // of mixtures of one network; made when first asked
};

std::size_t MixturePolicy::add_row(const State& state, Rows& rows) {
  const Infoset infoset = infoset_of(*game_, state);
  std::string key(layout_.bytes(), '\0');
  layout_.pack(infoset, reinterpret_cast<std::byte*>(key.data()));
  const auto [at, fresh] = rows.index.emplace(std::move(key), rows.legal.size());
  if (fresh) {
    rows.features.resize(rows.features.size() + static_cast<std::size_t>(encoder_.width()));
    encoder_.encode(infoset, rows.features.data() + rows.features.size() - static_cast<std::size_t>(encoder_.width()));
    rows.legal.push_back(game_->legal_actions(state));
  }
  return at->second;
}

/// Fills strategies_ for the rows.
void MixturePolicy::strategies(const ArchivedNetwork& entry, std::span<const float> features, std::span<const ActionMask> legal) {
  advantages_.resize(legal.size() * actions_);
  strategies_.resize(legal.size() * actions_);
  if (entry.weights.empty()) {
    for (std::size_t r = 0; r < legal.size(); ++r)
      uniform_strategy(legal[r], std::span(strategies_).subspan(r * actions_, actions_));
    return;
  }
  network_.set_weights(entry.weights);
  network_.forward(features, advantages_);
  for (std::size_t r = 0; r < legal.size(); ++r)
    regret_matching(std::span<const float>(advantages_).subspan(r * actions_, actions_), legal[r],
                    std::span(strategies_).subspan(r * actions_, actions_));
}

void MixturePolicy::probabilities(std::span<const State* const> states, std::span<double> out) {
  DEEPCFR_CHECK(out.size() == states.size() * actions_);
  for (std::size_t player = 0; player < archive_->size(); ++player) {
    Rows rows;
    std::vector<Query> queries;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i]->actor != player) continue;
      Query query{i, add_row(*states[i], rows), {}};
      const History& history = states[i]->history;
      State state = game_->initial_state(states[i]->deal);
      for (int h = 0; h < history.size; ++h) {
        if (state.actor == player) query.earlier.emplace_back(add_row(state, rows), history[h]);
        game_->apply(state, history[h]);
      }
      queries.push_back(std::move(query));
    }
    if (!queries.empty()) mix(player, rows, queries, out);
  }
}

void MixturePolicy::mix(std::size_t player, const Rows& rows, std::span<const Query> queries, std::span<double> out) {
  std::vector<double> reached(queries.size() * actions_), blind(queries.size() * actions_), reach_sum(queries.size());
  for (const ArchivedNetwork& entry : (*archive_)[player]) {
    strategies(entry, rows.features, rows.legal);
    const auto t = static_cast<double>(entry.iteration);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      double reach = t;
      for (const auto& [row, action] : queries[q].earlier) reach *= strategies_[row * actions_ + action];
      reach_sum[q] += reach;
      for (std::size_t a = 0; a < actions_; ++a) {
        const double probability = strategies_[queries[q].row * actions_ + a];
        reached[q * actions_ + a] += reach * probability;
        blind[q * actions_ + a] += t * probability;
      }
    }
  }
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const bool any = reach_sum[q] > 0;
    const double divisor = any ? reach_sum[q] : weight_sums_[player].back();
    const std::vector<double>& from = any ? reached : blind;
    for (std::size_t a = 0; a < actions_; ++a) out[queries[q].state * actions_ + a] = from[q * actions_ + a] / divisor;
  }
}

std::unique_ptr<nn::HandRows> MixturePolicy::make_hand_rows() const {
  std::vector<std::shared_ptr<const Network>> networks;
  for (const auto& entries : *archive_) {
    networks.push_back(nullptr);
    if (entries[0].weights.empty()) continue;
    Network network = network_.clone();
    network.set_weights(entries[0].weights);
    networks.back() = std::make_shared<const Network>(std::move(network));
  }
  return std::make_unique<nn::HandRows>(game_, encoder_.layout().kind, make_forward_engine(*game_, networks));
}

/// A mixture of one network is that network, whatever its reach.
void MixturePolicy::probabilities_of_hands(std::span<const State* const> states, const HandsOnBoard& hands, std::span<double> out) {
  const bool single = std::all_of(archive_->begin(), archive_->end(), [](const auto& entries) { return entries.size() == 1; });
  if (!single || states.empty()) return Policy::probabilities_of_hands(states, hands, out);
  const std::size_t row = hands.holes.size() * actions_;
  DEEPCFR_CHECK(out.size() == states.size() * row);
  if ((*archive_)[states[0]->actor][0].weights.empty()) {
    for (std::size_t i = 0; i < out.size(); i += actions_) uniform_strategy(game_->legal_actions(*states[i / row]), out.subspan(i, actions_));
    return;
  }
  if (!hand_rows_) hand_rows_ = make_hand_rows();
  hand_rows_->forward(states, hands, [&](std::size_t s, std::span<const float> advantages) {
    const ActionMask legal = game_->legal_actions(*states[s]);
    for (std::size_t i = 0; i < row; i += actions_)
      regret_matching(advantages.subspan(i, actions_), legal, out.subspan(s * row + i, actions_));
  });
}

/// Index of the archived network that a player's hand is played by, drawn ∝ t.
std::size_t MixturePolicy::draw(std::size_t player, std::uint64_t hand_key) const {
  const std::vector<double>& sums = weight_sums_[player];
  const double place = CounterRandom(StreamPurpose::mixture_network, {hand_key, player}).uniform(0) * sums.back();
  const auto at = std::upper_bound(sums.begin(), sums.end(), place);
  return std::min(static_cast<std::size_t>(at - sums.begin()), sums.size() - 1);
}

void MixturePolicy::probabilities_in_hands(std::span<const State* const> states, std::span<const std::uint64_t> hand_keys,
                                           std::span<double> out) {
  DEEPCFR_CHECK(hand_keys.size() == states.size() && out.size() == states.size() * actions_);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::size_t>> groups;  // states by (player, network)
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::size_t player = states[i]->actor;
    groups[{player, draw(player, hand_keys[i])}].push_back(i);
  }
  const auto width = static_cast<std::size_t>(encoder_.width());
  std::vector<float> features;
  std::vector<ActionMask> legal;
  for (const auto& [key, members] : groups) {
    features.resize(members.size() * width);
    legal.clear();
    for (std::size_t k = 0; k < members.size(); ++k) {
      encoder_.encode(*states[members[k]], features.data() + k * width);
      legal.push_back(game_->legal_actions(*states[members[k]]));
    }
    strategies((*archive_)[key.first][key.second], features, legal);
    for (std::size_t k = 0; k < members.size(); ++k)
      std::copy_n(strategies_.data() + k * actions_, actions_, out.data() + members[k] * actions_);
  }
}

}  // namespace

std::unique_ptr<Policy> make_mixture_policy(std::shared_ptr<const Game> game, const NetworkOptions& options,
                                            std::vector<std::vector<ArchivedNetwork>> archive_by_player) {
  return std::make_unique<MixturePolicy>(std::move(game), options, std::make_shared<const Archive>(std::move(archive_by_player)));
}

}  // namespace deepcfr
