// Losses of a fit and their gradients at the outputs. All matrices row by row, rows × outputs.
#pragma once

#include <cstdint>
#include <span>

#include "deepcfr/nn/options.h"

namespace deepcfr::nn {

struct LossRows {
  std::span<const float> outputs;
  std::span<const float> targets;
  std::span<const float> mask;     ///< 1 legal, 0 illegal
  std::span<const float> weights;  ///< one for each row; rows of weight 0 count in the divisor only
  int actions = 0;
  std::int64_t divisor = 0;  ///< rows that the loss is a mean over, if these are a part of them; 0: these
};

/// Σ_i w_i Σ_{a legal} (out − target)² ÷ rows. `gradient`: d loss / d outputs, exactly 0 for illegal outputs.
double advantage_loss(const LossRows& rows, std::span<float> gradient);
/// Σ_i w_i · loss_i ÷ rows with p the softmax over legal outputs and loss_i = −Σ target log p, or Σ (p − target)².
double strategy_loss(const LossRows& rows, StrategyLoss kind, std::span<float> gradient);

/// p[a] = softmax over legal outputs, exactly 0 elsewhere; at least one action must be legal.
void masked_softmax(std::span<const float> outputs, std::span<const float> mask, std::span<float> p);

}  // namespace deepcfr::nn
