#include "bfloat16_kernel.h"

#include <algorithm>

#include "aligned.h"
#include "deepcfr/core/error.h"

namespace deepcfr::nn {
namespace {

/// Products of two bfloat16 numbers are exact in float32, so the float32 kernel on rounded operands is what is asked for.
class EmulatedKernel final : public Bfloat16Kernel {
 public:
  void multiply(std::int64_t rows, std::span<const Bfloat16Factors> terms, const Bfloat16Result& result) override {
    const int out = terms[0].w->out;
    float* y = result.y;
    if (y == nullptr) {
      y_.reserve(panel_floats(rows, out));
      y = y_.data();
    }
    const bool masked = result.mask != nullptr;
    if (masked) {
      mask_.reserve(panel_floats(rows, out));
      widen_panels(rows, out, *result.mask, mask_.data());
    }
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const bool first = t == 0, last = t + 1 == terms.size();
      const Bfloat16Weights& w = *terms[t].w;
      const int in = static_cast<int>(w.in);
      x_.reserve(panel_floats(rows, in));
      widen_panels(rows, in, *terms[t].x, x_.data());
      nn::multiply(rows, in, out, x_.data(), w.floats.data(), y,
                   {.bias = first ? result.bias : nullptr, .add = first ? result.add : y, .relu = last && result.relu,
                    .mask = last && masked ? mask_.data() : nullptr});
    }
    if (result.rounded != nullptr) round_panels(rows, out, y, *result.rounded);
  }

 private:
  AlignedFloats x_, y_, mask_;
};

std::unique_ptr<Bfloat16Kernel> make_if_available(Bfloat16Unit unit) {
  if (unit == Bfloat16Unit::amx) return make_amx_kernel();
  if (unit == Bfloat16Unit::avx512) return make_avx512_kernel();
  return std::make_unique<EmulatedKernel>();
}

}  // namespace

bool available(Bfloat16Unit unit) { return make_if_available(unit) != nullptr; }

Bfloat16Unit best_bfloat16_unit() {
  for (const Bfloat16Unit unit : {Bfloat16Unit::amx, Bfloat16Unit::avx512})
    if (available(unit)) return unit;
  return Bfloat16Unit::emulated;
}

std::string to_string(Bfloat16Unit unit) {
  if (unit == Bfloat16Unit::amx) return "AMX";
  return unit == Bfloat16Unit::avx512 ? "avx512_bf16" : "emulated in float32";
}

std::unique_ptr<Bfloat16Kernel> make_bfloat16_kernel(Bfloat16Unit unit) {
  auto kernel = make_if_available(unit);
  if (!kernel) throw Error(ErrorKind::bug, "this processor or build has no " + to_string(unit), "bfloat16 products");
  return kernel;
}

}  // namespace deepcfr::nn
