// The losses of loss.h as tensor operations. All in float32.
#pragma once

#include <ATen/core/Tensor.h>

#include "deepcfr/nn/trainer.h"

namespace deepcfr::nn {

struct DeviceLossRows {
  at::Tensor targets;  ///< [rows, outputs]
  at::Tensor mask;     ///< [rows, outputs]: 1 legal, 0 illegal
  at::Tensor weights;  ///< [rows]
};

/// A scalar whose gradient is exactly 0 at illegal outputs and in rows of weight 0.
at::Tensor device_loss(FitKind kind, StrategyLoss strategy, const at::Tensor& outputs, const DeviceLossRows& rows);

}  // namespace deepcfr::nn
