// Adam over one flat buffer (Kingma, Ba 2015: β 0.9 and 0.999, ε 1e-8), one pass over memory.
#pragma once

#include <cstdint>
#include <span>

#include "aligned.h"

namespace deepcfr::nn {

/// √Σ g², summed in a fixed order; not finite if a g is not.
double gradient_norm(std::span<const float> gradient);

class Adam {
 public:
  explicit Adam(std::size_t count) : mean_(count), square_(count) {}
  /// One step; the gradient is multiplied by `gradient_scale` first (clipping).
  void step(std::span<float> weights, std::span<const float> gradient, double learning_rate, double gradient_scale);
  std::int64_t steps() const noexcept { return steps_; }

 private:
  AlignedFloats mean_, square_;
  std::int64_t steps_ = 0;
};

}  // namespace deepcfr::nn
