// Matrices of bfloat16: rounding, transposing, summing and packing them. Pairs of numbers that are multiplied together travel as one word of
// 32 bits, so that packing a second operand is rounding two rows into one of pairs, and transposing is a transpose of such words.
#include <algorithm>
#include <bit>
#include <utility>

#include "aligned.h"
#include "bfloat16_kernel.h"

namespace deepcfr::nn {
namespace {

constexpr int kPairsOfPanel = kBfloat16Panel / 2;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

constexpr std::uint32_t pair(Bfloat16Bits low, Bfloat16Bits high) { return low | static_cast<std::uint32_t>(high) << 16; }

Bfloat16Bits part_of(float w, Bfloat16Weights::Part part) {
  const Bfloat16Bits bits = to_bfloat16(w);
  return part == Bfloat16Weights::Part::rounded ? bits : to_bfloat16(w - from_bfloat16(bits));
}

/// 16 × 16 words: to[c][r] = from[r][c].
struct Words {
  alignas(64) std::uint32_t at[kPairsOfPanel][kPairsOfPanel];
};
void transpose_words(const Words& from, Words& to) {
  using Lanes [[gnu::vector_size(64)]] = std::uint32_t;
  const auto exchange = [&]<int Step>(Lanes* r) {
    constexpr auto index = []<int... I>(std::integer_sequence<int, I...>, int high) {
      return Lanes{static_cast<std::uint32_t>(high == 0 ? ((I & Step) == 0 ? I : 16 + I - Step) : ((I & Step) == 0 ? I + Step : 16 + I))...};
    };
    constexpr std::make_integer_sequence<int, 16> lanes{};
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      if ((i & Step) != 0) continue;
      const Lanes a = r[i], b = r[i + Step];
      r[i] = __builtin_shuffle(a, b, index(lanes, 0));
      r[i + Step] = __builtin_shuffle(a, b, index(lanes, 1));
    }
  };
  Lanes r[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) r[i] = *reinterpret_cast<const Lanes*>(from.at[i]);
  exchange.template operator()<1>(r);
  exchange.template operator()<2>(r);
  exchange.template operator()<4>(r);
  exchange.template operator()<8>(r);
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) *reinterpret_cast<Lanes*>(to.at[i]) = r[i];
}

/// Words of two rows of a panel: (a[j], b[j]).
void interleave(const Bfloat16Bits* a, const Bfloat16Bits* b, std::uint32_t* words) {
  for (int j = 0; j < kBfloat16Panel; ++j) words[j] = pair(a[j], b[j]);
}

constexpr Bfloat16Bits kZeroRow[kBfloat16Panel] = {};

}  // namespace

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

void widen_panels(std::int64_t rows, int cols, const Bfloat16Panels& x, float* panels) {
  for (int p = 0; p < panel_count(cols); ++p)
    for (std::int64_t r = 0; r < rows; ++r) {
      const Bfloat16Bits* from = x.row(p * kPanel / kBfloat16Panel, r) + p * kPanel % kBfloat16Panel;
      float* to = panels + (p * rows + r) * kPanel;
      for (int j = 0; j < kPanel; ++j) to[j] = from_bfloat16(from[j]);
    }
}

void round_rows(std::int64_t rows, int cols, const float* row_major, Bfloat16Panels& to) {
  for (int p = 0; p < bfloat16_panel_count(cols); ++p) {
    const int n = std::min(kBfloat16Panel, cols - p * kBfloat16Panel);
    for (std::int64_t r = 0; r < rows; ++r) {
      float row[kBfloat16Panel] = {};
      std::copy_n(row_major + r * cols + p * kBfloat16Panel, n, row);
      Bfloat16Bits* const rounded = to.row(p, r);
      for (int j = 0; j < kBfloat16Panel; ++j) rounded[j] = to_bfloat16(row[j]);
    }
  }
}

void transpose(std::int64_t rows, int cols, const Bfloat16Panels& x, Bfloat16Panels& xt) {
  xt.reserve(cols, static_cast<int>(rows));
  Words words[2], turned;
  for (std::int64_t block = 0; block < rows; block += kBfloat16Panel) {
    for (int p = 0; p < bfloat16_panel_count(cols); ++p) {
      for (int k = 0; k < kPairsOfPanel; ++k) {
        const std::int64_t r = block + 2 * k;
        alignas(64) std::uint32_t row[kBfloat16Panel];
        interleave(r < rows ? x.row(p, r) : kZeroRow, r + 1 < rows ? x.row(p, r + 1) : kZeroRow, row);
        std::copy_n(row, kPairsOfPanel, words[0].at[k]);
        std::copy_n(row + kPairsOfPanel, kPairsOfPanel, words[1].at[k]);
      }
      for (int half = 0; half < 2; ++half) {
        const int first = p * kBfloat16Panel + half * kPairsOfPanel;
        if (first >= cols) break;
        transpose_words(words[half], turned);
        for (int c = 0; c < std::min(kPairsOfPanel, cols - first); ++c)
          std::copy_n(turned.at[c], kPairsOfPanel,
                      reinterpret_cast<std::uint32_t*>(xt.row(static_cast<int>(block / kBfloat16Panel), first + c)));
      }
    }
  }
}

void column_sums(std::int64_t rows, int cols, const Bfloat16Panels& x, bool add, float* sums) {
  for (int p = 0; p < bfloat16_panel_count(cols); ++p) {
    float total[4][kBfloat16Panel] = {};  // four chains of additions, in a fixed order
    for (std::int64_t r = 0; r < rows; ++r) {
      const Bfloat16Bits* row = x.row(p, r);
      for (int j = 0; j < kBfloat16Panel; ++j) total[r % 4][j] += from_bfloat16(row[j]);
    }
    for (int j = 0; j < std::min(kBfloat16Panel, padded(cols) - p * kBfloat16Panel); ++j) {
      float& to = sums[p * kBfloat16Panel + j];
      const float sum = (total[0][j] + total[1][j]) + (total[2][j] + total[3][j]);
      to = add ? to + sum : sum;
    }
  }
}

void Bfloat16Weights::assign(int inputs, int outputs, const float* weights, Part part) {
  in = inputs;
  out = outputs;
  if (unit == Bfloat16Unit::emulated) {
    floats.resize(panel_floats(in, out));
    for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = from_bfloat16(part_of(weights[i], part));
    return;
  }
  const std::int64_t pair_rows = bfloat16_panel_count(inputs) * kPairsOfPanel;
  pairs.resize(size(pair_rows) * size(bfloat16_panel_count(out)) * 2 * kBfloat16Panel);
  const float zeros[kPanel] = {};
  for (int p = 0; p < panel_count(out); ++p) {
    for (std::int64_t k = 0; k < pair_rows; ++k) {
      const float* a = 2 * k < in ? weights + (p * in + 2 * k) * kPanel : zeros;
      const float* b = 2 * k + 1 < in ? weights + (p * in + 2 * k + 1) * kPanel : zeros;
      const std::int64_t row = p * kPanel / kBfloat16Panel * pair_rows + k;
      Bfloat16Bits* to = pairs.data() + (row * kBfloat16Panel + p * kPanel % kBfloat16Panel) * 2;
      if (part == Part::rounded) {
        for (int j = 0; j < kPanel; ++j) reinterpret_cast<std::uint32_t*>(to)[j] = pair(to_bfloat16(a[j]), to_bfloat16(b[j]));
      } else {
        for (int j = 0; j < kPanel; ++j) reinterpret_cast<std::uint32_t*>(to)[j] = pair(part_of(a[j], part), part_of(b[j], part));
      }
    }
  }
}

void Bfloat16Weights::assign_transposed(int inputs, int outputs, const float* weights) {
  // weights[out × in]: of each of its rows two neighbours make a pair already
  Bfloat16Panels rows;
  rows.reserve(outputs, inputs);
  round_panels(outputs, inputs, weights, rows);
  in = inputs;
  out = outputs;
  if (unit == Bfloat16Unit::emulated) {
    floats.resize(panel_floats(in, out));
    AlignedFloats wide(panel_floats(outputs, inputs));
    widen_panels(outputs, inputs, rows, wide.data());
    nn::transpose(outputs, inputs, wide.data(), floats.data());
    return;
  }
  const std::int64_t pair_rows = bfloat16_panel_count(inputs) * kPairsOfPanel;
  pairs.resize(size(pair_rows) * size(bfloat16_panel_count(out)) * 2 * kBfloat16Panel);
  Words words, turned;
  for (int o = 0; o < out; o += kPairsOfPanel) {
    for (int p = 0; p < bfloat16_panel_count(inputs); ++p) {
      for (int i = 0; i < kPairsOfPanel; ++i)
        std::copy_n(reinterpret_cast<const std::uint32_t*>(o + i < out ? rows.row(p, o + i) : kZeroRow), kPairsOfPanel, words.at[i]);
      transpose_words(words, turned);
      for (int k = 0; k < kPairsOfPanel; ++k) {
        const std::int64_t row = o / kBfloat16Panel * pair_rows + p * kPairsOfPanel + k;
        std::copy_n(turned.at[k], kPairsOfPanel,
                    reinterpret_cast<std::uint32_t*>(pairs.data() + (row * kBfloat16Panel + o % kBfloat16Panel) * 2));
      }
    }
  }
}

void Bfloat16Weights::assign(std::int64_t inputs, int outputs, const Bfloat16Panels& m) {
  in = inputs;
  out = outputs;
  if (unit == Bfloat16Unit::emulated) {
    floats.resize(panel_floats(in, out));
    widen_panels(in, out, m, floats.data());
    return;
  }
  const std::int64_t pair_rows = (inputs + kBfloat16Panel - 1) / kBfloat16Panel * kPairsOfPanel;
  pairs.resize(size(pair_rows) * size(bfloat16_panel_count(out)) * 2 * kBfloat16Panel);
  for (int p = 0; p < bfloat16_panel_count(out); ++p)
    for (std::int64_t k = 0; k < pair_rows; ++k)
      interleave(2 * k < in ? m.row(p, 2 * k) : kZeroRow, 2 * k + 1 < in ? m.row(p, 2 * k + 1) : kZeroRow,
                 reinterpret_cast<std::uint32_t*>(pairs.data() + (p * pair_rows + k) * 2 * kBfloat16Panel));
}

}  // namespace deepcfr::nn
