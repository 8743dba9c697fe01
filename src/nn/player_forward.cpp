#include "player_forward.h"

#include <algorithm>
#include <cstring>

namespace deepcfr::nn {
namespace {

void load_row(const float* from, int n, float* to) { std::copy_n(from, n, to); }
void load_row(const Bfloat16Bits* from, int n, float* to) {
  for (int j = 0; j < n; ++j) to[j] = from_bfloat16(from[j]);
}

template <typename Element>
void load(const RowSegment& segment, int first, int width, std::int64_t row, std::int64_t rows, float* panels) {
  for (std::int64_t i = segment.first; i < segment.first + segment.count; ++i, ++row) {
    const auto* from = reinterpret_cast<const Element*>(segment.batch->row(i)) + first;
    for (int p = 0; p < panel_count(width); ++p) {
      float* to = panels + (p * rows + row) * kPanel;
      const int n = std::min(kPanel, width - p * kPanel);
      if (n == kPanel) {  // a constant length lets the compiler unroll
        load_row(from + p * kPanel, kPanel, to);
      } else {
        load_row(from + p * kPanel, n, to);
        std::fill_n(to + n, kPanel - n, 0.0F);
      }
    }
  }
}

}  // namespace

void load_panels(const RowBlock& block, int first, int width, float* panels) {
  std::int64_t row = 0;
  for (const RowSegment& segment : block.segments) {
    if (segment.batch->format.type == RowType::float32)
      load<float>(segment, first, width, row, block.rows, panels);
    else
      load<Bfloat16Bits>(segment, first, width, row, block.rows, panels);
    row += segment.count;
  }
}

void write_advantages(const RowBlock& block, int outputs, const float* panels) {
  std::int64_t row = 0;
  for (const RowSegment& segment : block.segments) {
    float* to = segment.batch->advantages.data() + segment.first * outputs;
    for (std::int64_t i = 0; i < segment.count; ++i, ++row, to += outputs)
      for (int p = 0; p < panel_count(outputs); ++p)
        std::copy_n(panels + (p * block.rows + row) * kPanel, std::min(kPanel, outputs - p * kPanel), to + p * kPanel);
  }
}

}  // namespace deepcfr::nn
