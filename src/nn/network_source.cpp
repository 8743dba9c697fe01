#include "deepcfr/nn/network_source.h"

#include <algorithm>
#include <optional>

#include "deepcfr/core/error.h"

namespace deepcfr {

struct NetworkSource::Impl {
  const Game& game;
  std::size_t max_batch;
  std::vector<std::optional<Network>> networks;  // clones, by player
  std::vector<std::optional<Encoder>> encoders;
  std::vector<float> rows;
};

NetworkSource::NetworkSource(const Game& game, std::vector<std::shared_ptr<const Network>> networks, std::int64_t max_batch) {
  DEEPCFR_CHECK(networks.size() == static_cast<std::size_t>(game.players()) && max_batch >= 1);
  impl_ = std::make_unique<Impl>(Impl{game, static_cast<std::size_t>(max_batch), {}, {}, {}});
  for (const auto& network : networks) {
    impl_->networks.emplace_back();
    impl_->encoders.emplace_back();
    if (!network) continue;
    DEEPCFR_CHECK(network->outputs() == game.num_actions());
    impl_->networks.back().emplace(network->clone());
    impl_->encoders.back().emplace(game, network->layout().kind);
    DEEPCFR_CHECK(impl_->encoders.back()->width() == network->layout().width);
  }
}

NetworkSource::~NetworkSource() = default;

void NetworkSource::advantages(int player, std::span<const State* const> states, std::span<float> out) {
  const auto actions = static_cast<std::size_t>(impl_->game.num_actions());
  DEEPCFR_CHECK(out.size() == states.size() * actions);
  const auto p = static_cast<std::size_t>(player);
  if (!impl_->networks[p]) {
    std::fill(out.begin(), out.end(), 1.0F);
    return;
  }
  const auto width = static_cast<std::size_t>(impl_->encoders[p]->width());
  for (std::size_t first = 0; first < states.size(); first += impl_->max_batch) {
    const std::size_t count = std::min(impl_->max_batch, states.size() - first);
    impl_->rows.resize(count * width);
    for (std::size_t i = 0; i < count; ++i) impl_->encoders[p]->encode(*states[first + i], impl_->rows.data() + i * width);
    impl_->networks[p]->forward(impl_->rows, out.subspan(first * actions, count * actions));
  }
}

}  // namespace deepcfr
