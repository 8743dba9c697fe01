#include "bfloat16.h"

#include <algorithm>
#include <limits>

namespace deepcfr::nn {
namespace {

void round_row(const float* from, Bfloat16Bits* to, int n) {
  if (n == kPanel) {  // a constant length lets the compiler unroll
    for (int j = 0; j < kPanel; ++j) to[j] = to_bfloat16(from[j]);
  } else {
    for (int j = 0; j < n; ++j) to[j] = to_bfloat16(from[j]);
  }
}

void widen_row(const Bfloat16Bits* from, float* to, int n) {
  if (n == kPanel) {
    for (int j = 0; j < kPanel; ++j) to[j] = from_bfloat16(from[j]);
  } else {
    for (int j = 0; j < n; ++j) to[j] = from_bfloat16(from[j]);
    for (int j = n; j < kPanel; ++j) to[j] = 0;
  }
}

}  // namespace

void Bfloat16Matrix::assign(std::int64_t r, std::int64_t c, const float* row_major) {
  resize(r, c);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = to_bfloat16(row_major[i]);
}

void Bfloat16Matrix::assign_panels(std::int64_t r, int c, const float* panels) {
  resize(r, c);
  for (int p = 0; p < panel_count(c); ++p) {
    const int n = std::min(kPanel, c - p * kPanel);
    for (std::int64_t i = 0; i < r; ++i) round_row(panels + (p * r + i) * kPanel, data.data() + i * c + p * kPanel, n);
  }
}

void Bfloat16Matrix::to_panels(float* panels) const {
  const int c = static_cast<int>(cols);
  for (int p = 0; p < panel_count(c); ++p) {
    const int n = std::min(kPanel, c - p * kPanel);
    for (std::int64_t i = 0; i < rows; ++i) widen_row(data.data() + i * cols + p * kPanel, panels + (p * rows + i) * kPanel, n);
  }
}

void Bfloat16Matrix::add_row(const float* panels, bool relu) {
  const float floor = relu ? 0.0F : -std::numeric_limits<float>::infinity();
  for (std::int64_t i = 0; i < rows; ++i) {
    Bfloat16Bits* row = data.data() + i * cols;
    for (std::int64_t j = 0; j < cols; ++j) {
      const float x = from_bfloat16(row[j]) + panels[j];
      row[j] = to_bfloat16(x < floor ? floor : x);
    }
  }
}

void Bfloat16Matrix::keep_where_positive(const Bfloat16Matrix& m) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    // Positive: not 0 and no sign; NaN counts as positive, so that it shows in the gradient.
    const auto bits = static_cast<std::int16_t>(m.data[i]);
    data[i] = bits > 0 ? data[i] : Bfloat16Bits{0};
  }
}

void Bfloat16Matrix::column_sums(float* panels) const {
  const int c = static_cast<int>(cols);
  std::fill_n(panels, padded(c), 0.0F);
  for (std::int64_t i = 0; i < rows; ++i) {
    const Bfloat16Bits* row = data.data() + i * cols;
    for (int j = 0; j < c; ++j) panels[j] += from_bfloat16(row[j]);
  }
}

}  // namespace deepcfr::nn
