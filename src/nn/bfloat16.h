// bfloat16 matrices, row-major, and the loops over them. No LibTorch here.
#pragma once

#include <cstdint>
#include <vector>

#include "deepcfr/core/bfloat16.h"
#include "panels.h"

namespace deepcfr::nn {

using Bfloat16Bits = std::uint16_t;

struct Bfloat16Matrix {
  std::vector<Bfloat16Bits> data;
  std::int64_t rows = 0;
  std::int64_t cols = 0;

  void resize(std::int64_t r, std::int64_t c) {
    rows = r;
    cols = c;
    data.resize(static_cast<std::size_t>(r * c));
  }
  /// From row-major floats.
  void assign(std::int64_t r, std::int64_t c, const float* row_major);
  /// From a matrix in panel format.
  void assign_panels(std::int64_t r, int c, const float* panels);
  void to_panels(float* panels) const;
  /// Adds one row (float32, panel format) to every row; then max(x, 0) if relu.
  void add_row(const float* panels, bool relu);
  /// x = 0 where m ≤ 0; same shape.
  void keep_where_positive(const Bfloat16Matrix& m);
  /// Sums over rows in float32, to one row in panel format.
  void column_sums(float* panels) const;
};

}  // namespace deepcfr::nn
