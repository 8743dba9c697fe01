// Many hands on one board through a ForwardEngine: cards are encoded once for each hand, betting features once for each public state.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "deepcfr/cfr/inference.h"
#include "deepcfr/cfr/policy.h"
#include "deepcfr/game/encoder.h"

namespace deepcfr::nn {

/// One thread at a time per object.
class HandRows {
 public:
  /// An engine over float32 rows; `kind` is what its networks read.
  HandRows(std::shared_ptr<const Game> game, FeatureKind kind, std::unique_ptr<ForwardEngine> engine);
  /// visit(s, outputs) for every state in order; outputs: [hand][action], the same bits as in any other batch. All states are of hands.round and
  /// of one acting player, whose network the engine has.
  void forward(std::span<const State* const> states, const HandsOnBoard& hands,
               const std::function<void(std::size_t s, std::span<const float> outputs)>& visit);

 private:
  void encode_cards(const HandsOnBoard& hands);
  void encode_betting(const History& history);

  std::shared_ptr<const Game> game_;
  Encoder encoder_;
  std::unique_ptr<ForwardEngine> engine_;
  Minibatch batch_;
  CardSlots slots_;
  std::vector<float> cards_, betting_;  // features of a hand; of a state
};

}  // namespace deepcfr::nn
