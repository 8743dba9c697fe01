#include "bfloat16_kernel.h"

#include <algorithm>

#include "aligned.h"
#include "deepcfr/core/error.h"

namespace deepcfr::nn {
namespace {

/// Products of two bfloat16 numbers are exact in float32, so the float32 kernel on rounded operands is what is asked for.
class EmulatedKernel final : public Bfloat16Kernel {
 public:
  void multiply(std::int64_t rows, const Bfloat16Panels& x, const Bfloat16Weights& w, const Bfloat16Result& result) override {
    x_.reserve(panel_floats(rows, w.in));
    for (int p = 0; p < panel_count(w.in); ++p)
      for (std::int64_t r = 0; r < rows; ++r) {
        const Bfloat16Bits* from = x.row(p * kPanel / kBfloat16Panel, r) + p * kPanel % kBfloat16Panel;
        float* to = x_.data() + (p * rows + r) * kPanel;
        for (int j = 0; j < kPanel; ++j) to[j] = from_bfloat16(from[j]);
      }
    float* y = result.y;
    if (y == nullptr) {
      y_.reserve(panel_floats(rows, w.out));
      y = y_.data();
    }
    nn::multiply(rows, w.in, w.out, x_.data(), w.floats.data(), y, {.bias = result.bias, .add = result.add, .relu = result.relu});
    if (result.rounded != nullptr) round_panels(rows, w.out, y, *result.rounded);
  }

 private:
  AlignedFloats x_, y_;
};

std::unique_ptr<Bfloat16Kernel> make_if_available(Bfloat16Unit unit) {
  if (unit == Bfloat16Unit::amx) return make_amx_kernel();
  if (unit == Bfloat16Unit::avx512) return make_avx512_kernel();
  return std::make_unique<EmulatedKernel>();
}

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

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

void Bfloat16Panels::reserve(std::int64_t rows, int cols) {
  pitch = (rows + kBfloat16Rows - 1) / kBfloat16Rows * kBfloat16Rows;
  if (pitch % 64 == 0) pitch += kBfloat16Rows;  // panels a multiple of a page apart would fall into the same part of a cache
  const std::size_t count = size(pitch) * size(bfloat16_panel_count(cols)) * kBfloat16Panel;
  if (count > data.size()) data.resize(count);
}

void round_panels(std::int64_t rows, int cols, const float* panels, Bfloat16Panels& to) {
  for (int p = 0; p < panel_count(cols); ++p)
    for (std::int64_t r = 0; r < rows; ++r) {
      const float* from = panels + (p * rows + r) * kPanel;
      Bfloat16Bits* row = to.row(p * kPanel / kBfloat16Panel, r) + p * kPanel % kBfloat16Panel;
      for (int j = 0; j < kPanel; ++j) row[j] = to_bfloat16(from[j]);
    }
}

Bfloat16Weights::Bfloat16Weights(Bfloat16Unit for_unit, int inputs, int outputs, const float* weights)
    : unit(for_unit), in(inputs), out(outputs) {
  if (unit == Bfloat16Unit::emulated) {
    floats.resize(panel_floats(in, out));
    for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = from_bfloat16(to_bfloat16(weights[i]));
    return;
  }
  const std::int64_t rows = bfloat16_panel_count(in) * kBfloat16Panel;
  pairs.resize(size(rows) * size(bfloat16_panel_count(out)) * kBfloat16Panel);
  for (int o = 0; o < out; ++o)
    for (int i = 0; i < in; ++i) {
      const std::int64_t pair_row = o / kBfloat16Panel * (rows / 2) + i / 2;
      pairs[size((pair_row * kBfloat16Panel + o % kBfloat16Panel) * 2 + i % 2)] = to_bfloat16(weights[panel_index(in, i, o)]);
    }
}

}  // namespace deepcfr::nn
