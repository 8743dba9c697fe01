// Products with bfloat16 operands and float32 sums, for inference: weights are packed once, bias, skip connection, ReLU and
// rounding are part of the product. No LibTorch here: calls cost nothing, and a row's result cannot depend on the other rows.
//
// Each unit adds up in an order of its own (pairs of products at a time), the same for every row and batch. Numbers below the
// smallest normal float count as 0 in the processor's units.
#pragma once

#include <memory>
#include <string>

#include "bfloat16.h"
#include "deepcfr/core/aligned.h"

namespace deepcfr::nn {

/// Columns of a panel of bfloat16 matrices: 64 bytes, one row of an AMX tile.
inline constexpr int kBfloat16Panel = 32;
/// Rows that an operand has in memory are a multiple of this; the values of rows that fill up do not matter.
inline constexpr int kBfloat16Rows = 16;

/// What multiplies.
enum class Bfloat16Unit {
  amx,       ///< tiles (Sapphire Rapids and later)
  avx512,    ///< vdpbf16ps (Cooper Lake, Zen 4 and later)
  emulated,  ///< float32 arithmetic on rounded operands: any processor
};
bool available(Bfloat16Unit unit);
/// The fastest one: a matter of the processor, the operating system and the build's -march, never of a measurement.
Bfloat16Unit best_bfloat16_unit();
std::string to_string(Bfloat16Unit unit);

/// A matrix of activations in panels: element (r, c) lies at (c / 32 · pitch + r) · 32 + c % 32.
struct Bfloat16Panels {
  AlignedVector<Bfloat16Bits> data;
  std::int64_t pitch = 0;  ///< rows from one panel to the next

  void reserve(std::int64_t rows, int cols);
  Bfloat16Bits* row(int panel, std::int64_t r) noexcept { return data.data() + (panel * pitch + r) * kBfloat16Panel; }
  const Bfloat16Bits* row(int panel, std::int64_t r) const noexcept { return data.data() + (panel * pitch + r) * kBfloat16Panel; }
};
constexpr int bfloat16_panel_count(int cols) noexcept { return (cols + kBfloat16Panel - 1) / kBfloat16Panel; }
/// Rounds a float32 matrix in panel format (panels.h) of `rows` rows.
void round_panels(std::int64_t rows, int cols, const float* panels, Bfloat16Panels& to);

/// Weights of one product, packed for one unit. Immutable: any number of threads.
struct Bfloat16Weights {
  /// weights[in × out] in panel format, rounded here.
  Bfloat16Weights(Bfloat16Unit for_unit, int inputs, int outputs, const float* weights);
  Bfloat16Unit unit;
  int in, out;
  AlignedVector<Bfloat16Bits> pairs;  ///< [panel of 32 outputs][pair of inputs][32 outputs][2]; zeros fill up
  AlignedVector<float> floats;        ///< emulated: rounded weights in panel format
};

/// How a product begins and where it goes. Float matrices are in panel format with `rows` rows each; any pointer may be null.
struct Bfloat16Result {
  const float* bias = nullptr;  ///< one row, padded: added to the sums
  const float* add = nullptr;   ///< matrix, added after the bias; may be y itself
  bool relu = false;
  float* y = nullptr;                 ///< the result in float32
  Bfloat16Panels* rounded = nullptr;  ///< the result in bfloat16, reserved by the caller
};

/// One thread at a time per object: the emulation holds scratch space.
class Bfloat16Kernel {
 public:
  virtual ~Bfloat16Kernel() = default;
  virtual void multiply(std::int64_t rows, const Bfloat16Panels& x, const Bfloat16Weights& w, const Bfloat16Result& result) = 0;
};
/// Error{bug} if the unit is not available.
std::unique_ptr<Bfloat16Kernel> make_bfloat16_kernel(Bfloat16Unit unit);

// One file for each unit; null where the build's -march lacks it.
std::unique_ptr<Bfloat16Kernel> make_amx_kernel();
std::unique_ptr<Bfloat16Kernel> make_avx512_kernel();

}  // namespace deepcfr::nn
