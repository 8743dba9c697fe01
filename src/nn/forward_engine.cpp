#include "deepcfr/nn/forward_engine.h"

#include <algorithm>

#include "deepcfr/core/error.h"
#include "player_forward.h"

namespace deepcfr {
namespace {

// Rows of one block of a forward: activations of wide layers then stay in the second cache. Results do not depend on it.
constexpr std::int64_t kBlockRows = 256;

class Engine final : public ForwardEngine {
 public:
  Engine(std::vector<std::unique_ptr<nn::PlayerForward>> players, int actions, std::string name)
      : players_(std::move(players)), actions_(actions), name_(std::move(name)) {}

  RowFormat format(int player) const override {
    const auto& forward = players_.at(static_cast<std::size_t>(player));
    return forward ? forward->format() : RowFormat{.uniform = true};
  }

  void forward(std::span<Minibatch* const> batches) override {
    if (batches.empty()) return;
    const auto& player = players_.at(static_cast<std::size_t>(batches[0]->player));
    DEEPCFR_CHECK(player != nullptr, "a uniform player has no rows");
    const RowFormat format = player->format();
    for (const Minibatch* batch : batches) {
      DEEPCFR_CHECK(batch->player == batches[0]->player && batch->format == format, "minibatches of one player and format");
      const auto rows = static_cast<std::size_t>(batch->rows);
      DEEPCFR_CHECK(batch->features.size() >= rows * format.row_bytes() &&
                    batch->advantages.size() >= rows * static_cast<std::size_t>(actions_));
    }
    player->prepare(batches);
    for_each_block(batches, [&](const nn::RowBlock& block) { player->forward(block); });
  }

  std::unique_ptr<ForwardEngine> clone() const override {
    std::vector<std::unique_ptr<nn::PlayerForward>> players;
    for (const auto& player : players_) players.push_back(player ? player->clone() : nullptr);
    return std::make_unique<Engine>(std::move(players), actions_, name_);
  }

  std::string name() const override { return name_; }

 private:
  template <typename Visit>
  void for_each_block(std::span<Minibatch* const> batches, const Visit& visit) {
    block_.segments.clear();
    block_.rows = 0;
    for (Minibatch* batch : batches) {
      for (std::int64_t first = 0; first < batch->rows;) {
        const std::int64_t count = std::min(kBlockRows - block_.rows, batch->rows - first);
        block_.segments.push_back({batch, first, count});
        block_.rows += count;
        first += count;
        if (block_.rows < kBlockRows) continue;
        visit(block_);
        block_.segments.clear();
        block_.rows = 0;
      }
    }
    if (block_.rows > 0) visit(block_);
  }

  std::vector<std::unique_ptr<nn::PlayerForward>> players_;  // null: uniform
  int actions_;
  std::string name_;
  nn::RowBlock block_;
};

}  // namespace

std::unique_ptr<ForwardEngine> make_forward_engine(const Game& game, std::vector<std::shared_ptr<const Network>> networks,
                                                   const ForwardOptions& options) {
  DEEPCFR_CHECK(networks.size() == static_cast<std::size_t>(game.players()));
  const bool float32 = options.type == RowType::float32;
  const nn::Bfloat16Unit unit = nn::best_bfloat16_unit();
  std::vector<std::unique_ptr<nn::PlayerForward>> players;
  for (const auto& network : networks) {
    players.emplace_back();
    if (!network) continue;
    DEEPCFR_CHECK(network->outputs() == game.num_actions());
    DEEPCFR_CHECK(Encoder(game, network->layout().kind).width() == network->layout().width);
    if (network->options().type == NetworkType::card_bet)
      players.back() = nn::make_card_bet_forward(*network, options.type, options.share_cards, unit);
    else
      players.back() = float32 ? nn::make_mlp_forward(*network) : nn::make_mlp_bfloat16_forward(*network, unit);
  }
  const std::string name = float32 ? "float32, own kernels" : "bfloat16, own kernels, " + nn::to_string(unit);
  return std::make_unique<Engine>(std::move(players), game.num_actions(), name);
}

}  // namespace deepcfr
