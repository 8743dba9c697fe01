#include "deepcfr/nn/network_source.h"

#include <algorithm>

#include "bfloat16_kernel.h"
#include "deepcfr/core/error.h"
#include "deepcfr/nn/forward_engine.h"

namespace deepcfr {

struct NetworkSource::Impl {
  const Game& game;
  std::int64_t max_batch;
  std::unique_ptr<ForwardEngine> engine;
  std::vector<Encoder> encoders;   // by player
  std::vector<Minibatch> batches;  // by player
  std::vector<float> row;

  void encode(const State& state, std::size_t player, std::byte* to) {
    if (batches[player].format.type == RowType::float32) {
      encoders[player].encode(state, reinterpret_cast<float*>(to));
      return;
    }
    row.resize(static_cast<std::size_t>(encoders[player].width()));
    encoders[player].encode(state, row.data());
    std::transform(row.begin(), row.end(), reinterpret_cast<nn::Bfloat16Bits*>(to), to_bfloat16);
  }
};

NetworkSource::NetworkSource(const Game& game, std::vector<std::shared_ptr<const Network>> networks, std::int64_t max_batch,
                             RowType type)
    : NetworkSource(game, make_forward_engine(game, std::move(networks), {.type = type, .share_cards = false}), max_batch) {}

NetworkSource::NetworkSource(const Game& game, std::unique_ptr<ForwardEngine> engine, std::int64_t max_batch) {
  DEEPCFR_CHECK(max_batch >= 1);
  impl_ = std::make_unique<Impl>(Impl{game, max_batch, std::move(engine), {}, {}, {}});
  for (int player = 0; player < game.players(); ++player) {
    const RowFormat format = impl_->engine->format(player);
    DEEPCFR_CHECK(!format.shared_cards);
    impl_->encoders.emplace_back(game, format.kind);
    impl_->batches.emplace_back().prepare(player, format, max_batch, game.num_actions(), nullptr);
  }
}

NetworkSource::~NetworkSource() = default;

void NetworkSource::advantages(int player, std::span<const State* const> states, std::span<float> out) {
  const auto actions = static_cast<std::size_t>(impl_->game.num_actions());
  DEEPCFR_CHECK(out.size() == states.size() * actions);
  const auto p = static_cast<std::size_t>(player);
  Minibatch& batch = impl_->batches[p];
  if (batch.format.uniform) {
    std::fill(out.begin(), out.end(), 1.0F);
    return;
  }
  for (std::size_t first = 0; first < states.size(); first += static_cast<std::size_t>(batch.rows)) {
    batch.rows = std::min(impl_->max_batch, static_cast<std::int64_t>(states.size() - first));
    for (std::int64_t i = 0; i < batch.rows; ++i) impl_->encode(*states[first + static_cast<std::size_t>(i)], p, batch.row(i));
    Minibatch* const batches[] = {&batch};
    impl_->engine->forward(batches);
    const std::size_t count = static_cast<std::size_t>(batch.rows) * actions;
    std::copy_n(batch.advantages.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(first * actions));
  }
}

}  // namespace deepcfr
