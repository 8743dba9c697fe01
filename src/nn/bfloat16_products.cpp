#include "bfloat16_kernel.h"
#include "products.h"

namespace deepcfr::nn {
namespace {

/// Matrices in panel format on both sides. Nothing is kept from one call to the next, so no stale copy of a weight can be used
/// (reported fault T15).
class Bfloat16Products final : public Products {
 public:
  Bfloat16Products() : unit_(best_bfloat16_unit()), kernel_(make_bfloat16_kernel(unit_)) {}

  void forward(std::int64_t rows, int in, int out, const float* x, const float* w, float* y,
               const ProductOptions& options) override {
    round(rows, in, x);
    factor_.assign(in, out, w, Bfloat16Weights::Part::rounded);
    rest_.assign(in, out, w, Bfloat16Weights::Part::rest);
    const Bfloat16Factors terms[] = {{&left_, &factor_}, {&left_, &rest_}};
    multiply(rows, out, terms, y, options);
  }
  void backward_input(std::int64_t rows, int in, int out, const float* dy, const float* w, float* dx,
                      const ProductOptions& options) override {
    round(rows, out, dy);
    factor_.assign_transposed(out, in, w);
    const Bfloat16Factors term[] = {{&left_, &factor_}};
    multiply(rows, in, term, dx, options);
  }
  void backward_weight(std::int64_t rows, int in, int out, const float* x, const float* dy, bool add, float* dw) override {
    round(rows, in, x);
    transpose(rows, in, left_, turned_);
    round(rows, out, dy);
    factor_.assign(rows, out, left_);
    const Bfloat16Factors term[] = {{&turned_, &factor_}};
    multiply(in, out, term, dw, {.add = add ? dw : nullptr});
  }

 private:
  void round(std::int64_t rows, int cols, const float* panels) {
    left_.reserve(rows, cols);
    round_panels(rows, cols, panels, left_);
  }
  void multiply(std::int64_t rows, int out, std::span<const Bfloat16Factors> terms, float* y, const ProductOptions& options) {
    kernel_->multiply(rows, terms, {.bias = options.bias, .add = options.add, .relu = options.relu, .y = y});
    if (options.mask == nullptr) return;
    const std::size_t count = panel_floats(rows, out);
    for (std::size_t i = 0; i < count; i += simd::kWidth)
      simd::store(y + i, simd::where_positive(simd::load(y + i), simd::load(options.mask + i)));
  }

  Bfloat16Unit unit_;
  std::unique_ptr<Bfloat16Kernel> kernel_;
  Bfloat16Panels left_, turned_;
  Bfloat16Weights factor_{unit_}, rest_{unit_};
};

}  // namespace

std::unique_ptr<Products> make_bfloat16_products() { return std::make_unique<Bfloat16Products>(); }

}  // namespace deepcfr::nn
