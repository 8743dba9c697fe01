#include "aligned.h"
#include "products.h"

namespace deepcfr::nn {
namespace {

class Float32Products final : public Products {
 public:
  void forward(std::int64_t rows, int in, int out, const float* x, const float* w, float* y,
               const ProductOptions& options) override {
    multiply(rows, in, out, x, w, y, options);
  }
  void backward_input(std::int64_t rows, int in, int out, const float* dy, const float* w, float* dx,
                      const ProductOptions& options) override {
    transposed_.reserve(panel_floats(out, in));
    transpose(in, out, w, transposed_.data());
    multiply(rows, out, in, dy, transposed_.data(), dx, options);
  }
  void backward_weight(std::int64_t rows, int in, int out, const float* x, const float* dy, bool add, float* dw) override {
    multiply_transposed(rows, in, out, x, dy, add, dw);
  }

 private:
  AlignedFloats transposed_;
};

}  // namespace

std::unique_ptr<Products> make_float32_products() { return std::make_unique<Float32Products>(); }

std::unique_ptr<Products> make_products(Amp amp) { return amp == Amp::bf16 ? make_bfloat16_products() : make_float32_products(); }

}  // namespace deepcfr::nn
