// ForwardEngine over networks: what traversals' rows are computed with.
#pragma once

#include <memory>
#include <vector>

#include "deepcfr/cfr/inference.h"
#include "deepcfr/nn/network.h"

namespace deepcfr {

struct ForwardOptions {
  RowType type = RowType::float32;
  bool share_cards = true;  ///< card_bet: the card branch once for each card slot instead of once for each row; same results
};

/// networks: one for each player; a null entry is uniform. Weights are converted once, here; clones share them.
/// float32: own kernels. bfloat16: operands of every product rounded to bfloat16 (round to nearest even), sums in float32.
std::unique_ptr<ForwardEngine> make_forward_engine(const Game& game, std::vector<std::shared_ptr<const Network>> networks,
                                                   const ForwardOptions& options = {});

/// How far bfloat16 answers lie from float32 answers, over rows: the largest difference among a row's legal actions.
struct DtypeDistance {
  struct Figures {
    double mean = 0;
    double percentile_99 = 0;  ///< nearest rank
    double largest = 0;
  };
  std::int64_t rows = 0;
  double mean_advantage = 0;  ///< mean absolute float32 advantage of legal actions, to compare with
  Figures advantages;
  Figures strategies;  ///< of regret-matched probabilities
};
/// rows: legal.size() × network.layout().width, as Encoder::encode writes them. Thread-safe.
DtypeDistance measure_distance(const Network& network, std::span<const float> rows, std::span<const ActionMask> legal);

}  // namespace deepcfr
