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

}  // namespace deepcfr
