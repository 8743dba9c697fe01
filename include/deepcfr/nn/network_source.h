// AdvantageSource and Policy over networks.
#pragma once

#include <memory>
#include <vector>

#include "deepcfr/cfr/advantage_source.h"
#include "deepcfr/cfr/inference.h"
#include "deepcfr/cfr/policy.h"
#include "deepcfr/nn/network.h"

namespace deepcfr {

/// An AdvantageSource over an engine, for one thread: encodes and runs one forward for each call (split into blocks of at most
/// `max_batch` rows). A row's answer is the same bits as the engine gives in any other batch.
class NetworkSource final : public AdvantageSource {
 public:
  /// networks: one for each player; a null entry answers 1 for every action (not fitted yet: uniform). Weights are copied.
  NetworkSource(const Game& game, std::vector<std::shared_ptr<const Network>> networks, std::int64_t max_batch = 1024,
                RowType type = RowType::float32);
  /// Over an engine whose rows are what Encoder::encode writes (ForwardOptions::share_cards off); a clone shares its weights.
  NetworkSource(const Game& game, std::unique_ptr<ForwardEngine> engine, std::int64_t max_batch = 1024);
  ~NetworkSource() override;
  void advantages(int player, std::span<const State* const> states, std::span<float> out) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Softmax over legal logits in double; exactly 0 elsewhere (statement 12). Spans have num_actions elements. Error{bug} if a
/// legal logit is not finite. Thread-safe.
void masked_softmax(std::span<const float> logits, ActionMask legal, std::span<double> probabilities);

/// The strategy network: one network for each player (outputs are logits), or one shared by all: masked softmax.
std::unique_ptr<Policy> make_strategy_network_policy(std::shared_ptr<const Game> game,
                                                     std::vector<std::shared_ptr<const Network>> networks);

/// Weights of every archived advantage network of one player with the iteration whose strategy it made: archive entry (t,
/// network) means that network PLAYED iteration t (the one fitted in iteration t − 1; iteration 1 is uniform and has no network).
struct ArchivedNetwork {
  std::int64_t iteration = 0;
  std::vector<float> weights;  ///< empty: uniform (iteration 1)
};

/// Single Deep CFR (Steinberger 2019): exact probabilities Σ t·π_t(I)·σ_t ÷ Σ t·π_t(I) with own reach only; in played hands one
/// network for a player and hand, drawn ∝ t by the hand key (statement 15). Weights are kept once and shared by clones.
std::unique_ptr<Policy> make_mixture_policy(std::shared_ptr<const Game> game, const NetworkOptions& options,
                                            std::vector<std::vector<ArchivedNetwork>> archive_by_player);

}  // namespace deepcfr
