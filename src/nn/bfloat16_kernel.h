// Products with bfloat16 operands and float32 sums, for inference and mixed-precision fits: bias, skip connection, ReLU and
// rounding are part of the product. No LibTorch here: calls cost nothing, and a row's result cannot depend on the other rows.
//
// Each unit adds up in an order of its own (pairs of products at a time), the same for every row and batch. Numbers below the
// smallest normal float count as 0 in the processor's units.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <cstdint>

#include "deepcfr/core/aligned.h"
#include "deepcfr/core/bfloat16.h"
#include "panels.h"

namespace deepcfr::nn {

using Bfloat16Bits = std::uint16_t;

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
template <typename Count>
constexpr Count bfloat16_panel_count(Count cols) noexcept {
  return (cols + kBfloat16Panel - 1) / kBfloat16Panel;
}
/// Rounds a float32 matrix in panel format (panels.h) of `rows` rows.
void round_panels(std::int64_t rows, int cols, const float* panels, Bfloat16Panels& to);
/// The way back: float32 in panel format.
void widen_panels(std::int64_t rows, int cols, const Bfloat16Panels& x, float* panels);
/// Rounds row-major floats; columns that fill up the last panel are zero.
void round_rows(std::int64_t rows, int cols, const float* row_major, Bfloat16Panels& to);
/// xt[cols × rows] of x[rows × cols]; columns that fill up xt's last panel are zero.
void transpose(std::int64_t rows, int cols, const Bfloat16Panels& x, Bfloat16Panels& xt);
/// Sums of the columns in float32, to one row in panel format (panels.h); added to what it holds if `add`.
void column_sums(std::int64_t rows, int cols, const Bfloat16Panels& x, bool add, float* sums);

/// The second operand of a product, packed for one unit. Immutable once filled: any number of threads.
struct Bfloat16Weights {
  /// What of a float32 weight w is packed: b(w), w rounded to bfloat16, or b(w − b(w)). The two together hold 16 bits of w.
  enum class Part { rounded, rest };

  explicit Bfloat16Weights(Bfloat16Unit for_unit) : unit(for_unit) {}
  /// weights[in × out] in panel format, rounded here.
  Bfloat16Weights(Bfloat16Unit for_unit, int inputs, int outputs, const float* weights) : unit(for_unit) {
    assign(inputs, outputs, weights, Part::rounded);
  }
  void assign(int inputs, int outputs, const float* weights, Part part);
  /// The transpose of weights[out × in], rounded: inputs and outputs are those of the packed matrix.
  void assign_transposed(int inputs, int outputs, const float* weights);
  /// m[inputs × outputs].
  void assign(std::int64_t inputs, int outputs, const Bfloat16Panels& m);

  Bfloat16Unit unit;
  std::int64_t in = 0;
  int out = 0;
  AlignedVector<Bfloat16Bits> pairs;  ///< [panel of 32 outputs][pair of inputs][32 outputs][2]; zeros fill up
  AlignedVector<float> floats;        ///< emulated: rounded weights in panel format
};

/// How a product begins and where it goes. Float matrices are in panel format with `rows` rows each; any pointer may be null.
struct Bfloat16Result {
  const float* bias = nullptr;  ///< one row, padded: added to the sums
  const float* add = nullptr;   ///< matrix, added after the bias; may be y itself
  bool relu = false;
  const Bfloat16Panels* mask = nullptr;  ///< the result is 0 where this is ≤ 0
  float* y = nullptr;                 ///< the result in float32
  Bfloat16Panels* rounded = nullptr;  ///< the result in bfloat16, reserved by the caller
};

/// x[rows × w.in] · w.
struct Bfloat16Factors {
  const Bfloat16Panels* x;
  const Bfloat16Weights* w;
};
inline constexpr std::size_t kMaxBfloat16Terms = 2;

/// One thread at a time per object: the emulation holds scratch space.
class Bfloat16Kernel {
 public:
  virtual ~Bfloat16Kernel() = default;
  /// The sum of up to kMaxBfloat16Terms products of the same number of outputs, one chain of sums.
  virtual void multiply(std::int64_t rows, std::span<const Bfloat16Factors> terms, const Bfloat16Result& result) = 0;
  void multiply(std::int64_t rows, const Bfloat16Panels& x, const Bfloat16Weights& w, const Bfloat16Result& result) {
    const Bfloat16Factors term{&x, &w};
    multiply(rows, {&term, 1}, result);
  }
};
/// Error{bug} if the unit is not available.
std::unique_ptr<Bfloat16Kernel> make_bfloat16_kernel(Bfloat16Unit unit);

// One file for each unit; null where the build's -march lacks it.
std::unique_ptr<Bfloat16Kernel> make_amx_kernel();
std::unique_ptr<Bfloat16Kernel> make_avx512_kernel();

}  // namespace deepcfr::nn
