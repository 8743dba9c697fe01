#include "small_tables.h"

#include <algorithm>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/nn/network_source.h"

namespace deepcfr {

FeatureTable::FeatureTable(const SmallGame& game, FeatureKind kind) : infosets_(static_cast<std::size_t>(game.game().players())) {
  const Encoder encoder(game.game(), kind);
  width_ = static_cast<std::size_t>(encoder.width());
  const auto count = static_cast<std::size_t>(game.num_infosets());
  place_.resize(count);
  rows_.resize(count * width_);
  for (std::int32_t i = 0; i < game.num_infosets(); ++i) infosets_[static_cast<std::size_t>(game.player_of(i))].push_back(i);
  std::size_t place = 0;
  for (const auto& list : infosets_) {
    first_.push_back(place);
    for (const std::int32_t infoset : list) {
      encoder.encode(game.key(infoset), rows_.data() + place * width_);
      place_[static_cast<std::size_t>(infoset)] = static_cast<std::int32_t>(place++);
    }
  }
}

std::span<const float> FeatureTable::rows(int player) const {
  const auto p = static_cast<std::size_t>(player);
  return std::span<const float>(rows_).subspan(first_[p] * width_, infosets_[p].size() * width_);
}

void advantage_strategies(const SmallGame& game, const FeatureTable& features, int player, const Network* network, std::span<double> table) {
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  const std::span<const std::int32_t> list = features.infosets(player);
  std::vector<float> out;
  if (network != nullptr) {
    out.resize(list.size() * actions);
    network->forward(features.rows(player), out);
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::span<double> row = table.subspan(static_cast<std::size_t>(list[i]) * actions, actions);
    if (network == nullptr) {
      uniform_strategy(game.legal(list[i]), row);
    } else {
      regret_matching(std::span<const float>(out).subspan(i * actions, actions), game.legal(list[i]), row);
    }
  }
}

void network_strategies(const SmallGame& game, const FeatureTable& features, int player, const Network& network, std::span<double> table) {
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  const std::span<const std::int32_t> list = features.infosets(player);
  std::vector<float> out(list.size() * actions);
  network.forward(features.rows(player), out);
  for (std::size_t i = 0; i < list.size(); ++i) {
    masked_softmax(std::span<const float>(out).subspan(i * actions, actions), game.legal(list[i]),
                   table.subspan(static_cast<std::size_t>(list[i]) * actions, actions));
  }
}

MixtureTable::MixtureTable(std::shared_ptr<const SmallGame> game)
    : game_(std::move(game)), num_actions_(static_cast<std::size_t>(game_->game().num_actions())) {
  const auto count = static_cast<std::size_t>(game_->num_infosets());
  reach_sum_.assign(count * num_actions_, 0.0);
  plain_sum_.assign(count * num_actions_, 0.0);
  reach_.resize(count);
  by_depth_.resize(count);
  std::vector<int> depth(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    by_depth_[i] = static_cast<std::int32_t>(i);
    for (int parent = game_->parent_infoset(static_cast<int>(i)); parent >= 0; parent = game_->parent_infoset(parent)) ++depth[i];
  }
  std::stable_sort(by_depth_.begin(), by_depth_.end(),
                   [&](std::int32_t a, std::int32_t b) { return depth[static_cast<std::size_t>(a)] < depth[static_cast<std::size_t>(b)]; });
}

void MixtureTable::add(int player, std::int64_t iteration, std::span<const double> table) {
  const auto weight = static_cast<double>(iteration);
  for (const std::int32_t i : by_depth_) {
    if (game_->player_of(i) != player) continue;
    const auto infoset = static_cast<std::size_t>(i);
    const int parent = game_->parent_infoset(i);
    reach_[infoset] = parent < 0 ? 1.0
                                 : reach_[static_cast<std::size_t>(parent)] *
                                       table[static_cast<std::size_t>(parent) * num_actions_ + game_->parent_action(i)];
    for (std::size_t a = 0; a < num_actions_; ++a) {
      const double sigma = table[infoset * num_actions_ + a];
      reach_sum_[infoset * num_actions_ + a] += weight * reach_[infoset] * sigma;
      plain_sum_[infoset * num_actions_ + a] += weight * sigma;
    }
  }
}

std::vector<double> MixtureTable::average() const {
  std::vector<double> result(reach_sum_.size(), 0.0);
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    const std::span<double> row = std::span<double>(result).subspan(i * num_actions_, num_actions_);
    const auto normalise = [&](const std::vector<double>& sums) {
      double total = 0;
      for (std::size_t a = 0; a < num_actions_; ++a) total += sums[i * num_actions_ + a];
      if (total <= 0) return false;
      for (std::size_t a = 0; a < num_actions_; ++a) row[a] = sums[i * num_actions_ + a] / total;
      return true;
    };
    if (!normalise(reach_sum_) && !normalise(plain_sum_)) uniform_strategy(game_->legal(static_cast<int>(i)), row);
  }
  return result;
}

}  // namespace deepcfr
