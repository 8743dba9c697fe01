#include "bfloat16_products.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/mm.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "deepcfr/core/error.h"
#include "products.h"

namespace deepcfr::nn {
namespace {

/// A view of a matrix's own memory. Tensors that are only read are not written to by LibTorch.
at::Tensor tensor(const Bfloat16Matrix& m) {
  return at::from_blob(const_cast<Bfloat16Bits*>(m.data.data()), {m.rows, m.cols}, at::TensorOptions(at::kBFloat16));
}

/// Matrices in panel format on both sides.
class Bfloat16Products final : public Products {
 public:
  void forward(std::int64_t rows, int in, int out, const float* x, const float* w, float* y,
               const ProductOptions& options) override {
    left_.assign_panels(rows, in, x);
    right_.assign_panels(in, out, w);
    nn::multiply(left_, false, right_, false, result_);
    finish(y, options);
  }
  void backward_input(std::int64_t rows, int in, int out, const float* dy, const float* w, float* dx,
                      const ProductOptions& options) override {
    left_.assign_panels(rows, out, dy);
    right_.assign_panels(in, out, w);
    nn::multiply(left_, false, right_, true, result_);
    finish(dx, options);
  }
  void backward_weight(std::int64_t rows, int in, int out, const float* x, const float* dy, bool add, float* dw) override {
    left_.assign_panels(rows, in, x);
    right_.assign_panels(rows, out, dy);
    nn::multiply(left_, true, right_, false, result_);
    finish(dw, {.add = add ? dw : nullptr});
  }

 private:
  /// result_ with the options of a product, to panels.
  void finish(float* panels, const ProductOptions& options) const {
    const std::int64_t rows = result_.rows;
    const int cols = static_cast<int>(result_.cols);
    for (int p = 0; p < panel_count(cols); ++p) {
      const int n = std::min(kPanel, cols - p * kPanel);
      for (std::int64_t i = 0; i < rows; ++i) {
        const std::int64_t at = (p * rows + i) * kPanel;
        const Bfloat16Bits* from = result_.data.data() + i * cols + p * kPanel;
        float row[kPanel] = {};
        for (int j = 0; j < n; ++j) row[j] = from_bfloat16(from[j]);
        if (options.bias != nullptr)
          for (int j = 0; j < kPanel; ++j) row[j] += options.bias[p * kPanel + j];
        if (options.add != nullptr)
          for (int j = 0; j < kPanel; ++j) row[j] += options.add[at + j];
        if (options.relu)
          for (int j = 0; j < kPanel; ++j) row[j] = row[j] < 0.0F ? 0.0F : row[j];
        if (options.mask != nullptr)
          for (int j = 0; j < kPanel; ++j) row[j] = options.mask[at + j] > 0.0F ? row[j] : 0.0F;
        std::copy_n(row, kPanel, panels + at);
      }
    }
  }

  Bfloat16Matrix left_, right_, result_;
};

}  // namespace

void multiply(const Bfloat16Matrix& a, bool transpose_a, const Bfloat16Matrix& b, bool transpose_b, Bfloat16Matrix& result) {
  const c10::NoGradGuard no_gradient;
  const at::Tensor left = transpose_a ? tensor(a).t() : tensor(a);
  const at::Tensor right = transpose_b ? tensor(b).t() : tensor(b);
  DEEPCFR_CHECK(left.size(1) == right.size(0));
  result.resize(left.size(0), right.size(1));
  at::Tensor out = tensor(result);
  at::mm_out(out, left, right);
}

std::unique_ptr<Products> make_bfloat16_products() { return std::make_unique<Bfloat16Products>(); }

}  // namespace deepcfr::nn
