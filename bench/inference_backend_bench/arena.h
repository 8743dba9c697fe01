// What all cells of the benchmark share: the game, how records are packed, networks with fixed weights.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "deepcfr/cfr/inference.h"
#include "deepcfr/cfr/sample.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/device.h"
#include "deepcfr/nn/network.h"

namespace deepcfr::bench {

/// "mlp:3x512" or "card_bet:64" or "card_bet:64x192" (dim, width of the card branch; else 3 × dim).
struct ModelSpec {
  std::string text;
  NetworkOptions options;
};
/// Error{usage} if it is neither.
ModelSpec parse_model(const std::string& text);
std::string dtype_name(RowType type);

using Networks = std::vector<std::shared_ptr<const Network>>;

class Arena {
 public:
  Arena(const std::string& game_name, ComputeDevice device);
  ComputeDevice device() const noexcept { return device_; }
  const Game& game() const noexcept { return game_; }
  const SampleCodec& codec() const noexcept { return codec_; }
  double scale() const noexcept { return scale_; }
  /// One network for each player, of fresh weights by a fixed seed.
  const Networks& networks(const ModelSpec& model);
  /// Multiplications and additions of one row of an mlp.
  double flops(const ModelSpec& model);
  /// On the device.
  std::unique_ptr<ForwardEngine> engine(const ModelSpec& model, RowType type, bool share_cards);

 private:
  ComputeDevice device_;
  Game game_;
  SampleCodec codec_;
  double scale_;
  std::map<std::string, Networks> networks_;
};

}  // namespace deepcfr::bench
