// The arithmetic of dense layers, float32 or bfloat16, on matrices in panel format.
#pragma once

#include <memory>

#include "deepcfr/nn/options.h"
#include "panels.h"

namespace deepcfr::nn {

/// float32 throughout. bf16 rounds the operands of every matrix product to bfloat16, but for a forward's weights, of which it keeps 16 bits;
/// sums, results, biases and activations stay float32. One thread at a time per object: holds scratch space.
class Products {
 public:
  virtual ~Products() = default;
  /// y[rows × out] = x[rows × in] · w[in × out], options as in panels.h.
  virtual void forward(std::int64_t rows, int in, int out, const float* x, const float* w, float* y,
                       const ProductOptions& options) = 0;
  /// dx[rows × in] = dy[rows × out] · wᵀ.
  virtual void backward_input(std::int64_t rows, int in, int out, const float* dy, const float* w, float* dx,
                              const ProductOptions& options) = 0;
  /// dw[in × out] = xᵀ · dy, added to dw if `add`.
  virtual void backward_weight(std::int64_t rows, int in, int out, const float* x, const float* dy, bool add, float* dw) = 0;
};

std::unique_ptr<Products> make_float32_products();
std::unique_ptr<Products> make_bfloat16_products();
std::unique_ptr<Products> make_products(Amp amp);

}  // namespace deepcfr::nn
