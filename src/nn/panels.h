// Dense products on matrices in panel format, the arithmetic under every float32 network of this program.
//
// A rows × cols matrix is cut into panels of kPanel columns; a panel holds its rows one after the other, so element (r, c) lies
// at (c / kPanel · rows + r) · kPanel + c % kPanel. Columns that fill up the last panel are zero. In this format every
// operand of a forward or backward product is read contiguously, nothing is repacked between layers, and no stride is a power of
// two times a page. All buffers are aligned to 64 bytes.
//
// Every element of a product is one chain of fused multiply-adds over ascending inner index, whatever the blocking: results do
// not depend on how many rows are multiplied together (contract of results).
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd.h"

namespace deepcfr::nn {

inline constexpr int kPanel = 2 * simd::kWidth;

constexpr int panel_count(int cols) noexcept { return (cols + kPanel - 1) / kPanel; }
constexpr int padded(int cols) noexcept { return panel_count(cols) * kPanel; }
/// Floats that a rows × cols matrix takes.
constexpr std::size_t panel_floats(std::int64_t rows, int cols) noexcept {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(padded(cols));
}
constexpr std::size_t panel_index(std::int64_t rows, std::int64_t row, int col) noexcept {
  return (static_cast<std::size_t>(col / kPanel) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)) * kPanel +
         static_cast<std::size_t>(col % kPanel);
}

void to_panels(std::int64_t rows, int cols, const float* row_major, float* panels);
void from_panels(std::int64_t rows, int cols, const float* panels, float* row_major);

/// How a product begins and ends. Each pointer may be null.
struct ProductOptions {
  const float* bias = nullptr;  ///< one row: the sums start from it
  const float* add = nullptr;   ///< matrix of the shape of c: the sums start from it (plus bias); may be c itself
  bool relu = false;            ///< c = max(c, 0)
  const float* mask = nullptr;  ///< matrix of the shape of c: c = 0 where mask ≤ 0
};

/// c[rows × cols] = a[rows × inner] · w[inner × cols].
void multiply(std::int64_t rows, int inner, int cols, const float* a, const float* w, float* c, const ProductOptions& options);
/// dw[in × out] = xᵀ · dy with x[rows × in], dy[rows × out]; added to what dw holds if `add`.
void multiply_transposed(std::int64_t rows, int in, int out, const float* x, const float* dy, bool add, float* dw);
/// wt[out × in] of w[in × out].
void transpose(int in, int out, const float* w, float* wt);
/// w[in × out] in panel format of a row-major [out × in] whose rows lie `stride` floats apart.
void transpose_to_panels(int in, int out, const float* row_major, std::int64_t stride, float* w);
/// sums[cols] of the columns of m[rows × cols]; added to what sums holds if `add`.
void column_sums(std::int64_t rows, int cols, const float* m, bool add, float* sums);

}  // namespace deepcfr::nn
