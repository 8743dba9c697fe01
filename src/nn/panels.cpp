#include "panels.h"

#include <algorithm>
#include <array>
#include <utility>

namespace deepcfr::nn {
namespace {

using simd::kWidth;
using simd::Vec;

constexpr int kTileRows = simd::kRegisters == 32 ? 12 : 6;  // rows of c kept in registers, two vectors each
constexpr int kInnerBlock = 128;  // a block of w is then 16 KiB and stays in the first cache beside the rows that stream past
constexpr int kRowBlock =
    24 * kTileRows;  // rows for which a block of w is used before the next one: a forward takes no more at a time

/// What one register tile does. Pointers stand at the tile's first element.
struct Tile {
  const float* a;
  const float* b;
  float* c;
  const float* bias;
  const float* add;
  const float* mask;
  std::int64_t inner;
  std::int64_t a_panel_step;  // from the end of one panel of a to the next (forward products only)
  bool relu;
};

template <int Rows, int Vectors>
struct Sums {
  Vec v[Rows][Vectors];
};

template <int Rows, int Vectors>
[[gnu::always_inline]] inline void begin(const Tile& t, Sums<Rows, Vectors>& sums) {
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
    for (int j = 0; j < Vectors; ++j) {
      Vec x = t.bias != nullptr ? simd::load(t.bias + j * kWidth) : simd::zero();
      if (t.add != nullptr) x = simd::add(x, simd::load(t.add + i * kPanel + j * kWidth));
      sums.v[i][j] = x;
    }
  }
}

/// Options first, each for the whole tile: nothing is asked again between stores.
template <int Rows, int Vectors>
[[gnu::always_inline]] inline void end(const Tile& t, Sums<Rows, Vectors>& sums) {
  const auto each = [&](const auto& change) {
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 2
      for (int j = 0; j < Vectors; ++j) sums.v[i][j] = change(sums.v[i][j], i * kPanel + j * kWidth);
    }
  };
  float* const c = t.c;
  const float* const mask = t.mask;
  if (t.relu) each([](Vec x, int) { return simd::relu(x); });
  if (mask != nullptr) each([mask](Vec x, int at) { return simd::where_positive(x, simd::load(mask + at)); });
  each([c](Vec x, int at) {
    simd::store(c + at, x);
    return x;
  });
  if constexpr (Vectors == 1) {  // padding stays zero
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) simd::store(c + i * kPanel + kWidth, simd::zero());
  }
}

/// One step of the inner index: a's elements lie RowStep apart.
template <int Rows, int Vectors, int RowStep>
[[gnu::always_inline]] inline void step(const float* a, const float* b, Sums<Rows, Vectors>& sums) {
  Vec w[Vectors];
#pragma GCC unroll 2
  for (int j = 0; j < Vectors; ++j) w[j] = simd::load(b + j * kWidth);
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) {
    const Vec x = simd::set1(a[i * RowStep]);
#pragma GCC unroll 2
    for (int j = 0; j < Vectors; ++j) sums.v[i][j] = simd::fmadd(x, w[j], sums.v[i][j]);
  }
}

template <int Rows, int Vectors>
void forward_tile(const Tile& t) {
  Sums<Rows, Vectors> sums;
  begin(t, sums);
  const float* a = t.a;
  const float* b = t.b;
  for (std::int64_t left = t.inner; left > 0; left -= kPanel) {
    const std::int64_t n = std::min<std::int64_t>(left, kPanel);
    for (std::int64_t k = 0; k < n; ++k) {
      step<Rows, Vectors, kPanel>(a, b, sums);
      ++a;
      b += kPanel;
    }
    a += t.a_panel_step;
  }
  end(t, sums);
}

template <int Rows, int Vectors>
void transposed_tile(const Tile& t) {
  Sums<Rows, Vectors> sums;
  begin(t, sums);
  const float* a = t.a;
  const float* b = t.b;
  for (std::int64_t k = 0; k < t.inner; ++k) {
    step<Rows, Vectors, 1>(a, b, sums);
    a += kPanel;
    b += kPanel;
  }
  end(t, sums);
}

using TileFunction = void (*)(const Tile&);

template <int Vectors, int... I>
constexpr std::array<TileFunction, sizeof...(I)> forward_tiles(std::integer_sequence<int, I...>) {
  return {forward_tile<I + 1, Vectors>...};
}
template <int Vectors, int... I>
constexpr std::array<TileFunction, sizeof...(I)> transposed_tiles(std::integer_sequence<int, I...>) {
  return {transposed_tile<I + 1, Vectors>...};
}
using Heights = std::make_integer_sequence<int, kTileRows>;
constexpr std::array<std::array<TileFunction, kTileRows>, 2> kForward = {forward_tiles<1>(Heights{}),
                                                                         forward_tiles<2>(Heights{})};
constexpr std::array<std::array<TileFunction, kTileRows>, 2> kTransposed = {transposed_tiles<1>(Heights{}),
                                                                            transposed_tiles<2>(Heights{})};

/// Vectors of panel p that hold real columns.
int panel_vectors(int cols, int p) { return cols - p * kPanel > kWidth ? 2 : 1; }

/// Lanes of a where bit Step of the lane is clear, else lanes of b, Step lower; and the mirror image.
template <int Step, int... Lane>
[[gnu::always_inline]] inline Vec low(Vec a, Vec b, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(a, b, ((Lane & Step) == 0 ? Lane : kWidth + Lane - Step)...);
}
template <int Step, int... Lane>
[[gnu::always_inline]] inline Vec high(Vec a, Vec b, std::integer_sequence<int, Lane...>) {
  return __builtin_shufflevector(a, b, ((Lane & Step) == 0 ? Lane + Step : kWidth + Lane)...);
}
struct Block {
  Vec row[kWidth];
};
template <int Step>
[[gnu::always_inline]] inline void exchange(Block& r) {
  using Lanes = std::make_integer_sequence<int, kWidth>;
#pragma GCC unroll 16
  for (int i = 0; i < kWidth; ++i) {
    if ((i & Step) != 0) continue;
    const Vec a = r.row[i], b = r.row[i + Step];
    r.row[i] = low<Step>(a, b, Lanes{});
    r.row[i + Step] = high<Step>(a, b, Lanes{});
  }
}

/// A square of kWidth × kWidth, of which `rows` and `cols` exist: missing rows count as zero, missing columns are not written.
/// `from` has rows `stride` floats apart, `to` points into a panel.
void transpose_block(int rows, int cols, const float* from, std::int64_t stride, float* to) {
  Block r;
#pragma GCC unroll 16
  for (int i = 0; i < kWidth; ++i) r.row[i] = i < rows ? simd::load_unaligned(from + i * stride) : simd::zero();
  exchange<1>(r);
  exchange<2>(r);
  if constexpr (kWidth > 4) exchange<4>(r);
  if constexpr (kWidth > 8) exchange<8>(r);
#pragma GCC unroll 16
  for (int j = 0; j < kWidth; ++j)
    if (j < cols) simd::store(to + j * kPanel, r.row[j]);
}

}  // namespace

void to_panels(std::int64_t rows, int cols, const float* row_major, float* panels) {
  for (int p = 0; p < panel_count(cols); ++p) {
    const int first = p * kPanel;
    const int n = std::min(kPanel, cols - first);
    for (std::int64_t r = 0; r < rows; ++r) {
      float* out = panels + (p * rows + r) * kPanel;
      std::copy_n(row_major + r * cols + first, n, out);
      std::fill_n(out + n, kPanel - n, 0.0F);
    }
  }
}

void from_panels(std::int64_t rows, int cols, const float* panels, float* row_major) {
  for (int p = 0; p < panel_count(cols); ++p) {
    const int first = p * kPanel;
    const int n = std::min(kPanel, cols - first);
    for (std::int64_t r = 0; r < rows; ++r) std::copy_n(panels + (p * rows + r) * kPanel, n, row_major + r * cols + first);
  }
}

void multiply(std::int64_t rows, int inner, int cols, const float* a, const float* w, float* c, const ProductOptions& options) {
  const std::int64_t a_panel = rows * kPanel;
  for (std::int64_t row0 = 0; row0 < rows; row0 += kRowBlock) {
    const std::int64_t row1 = std::min(rows, row0 + kRowBlock);
    for (int p = 0; p < panel_count(cols); ++p) {
      const auto& tiles = kForward[static_cast<std::size_t>(panel_vectors(cols, p) - 1)];
      for (int k0 = 0; k0 < inner; k0 += kInnerBlock) {
        const bool first = k0 == 0;
        const bool last = k0 + kInnerBlock >= inner;
        Tile t{};
        t.inner = std::min(kInnerBlock, inner - k0);
        t.b = w + (static_cast<std::int64_t>(p) * inner + k0) * kPanel;
        t.bias = first && options.bias != nullptr ? options.bias + p * kPanel : nullptr;
        t.relu = last && options.relu;
        t.a_panel_step = a_panel - kPanel;
        for (std::int64_t r = row0; r < row1; r += kTileRows) {
          const std::int64_t height = std::min<std::int64_t>(kTileRows, row1 - r);
          const std::int64_t at = p * a_panel + r * kPanel;
          t.a = a + k0 / kPanel * a_panel + r * kPanel;
          t.c = c + at;
          t.add = !first ? c + at : options.add != nullptr ? options.add + at : nullptr;
          t.mask = last && options.mask != nullptr ? options.mask + at : nullptr;
          tiles[static_cast<std::size_t>(height - 1)](t);
        }
      }
    }
  }
}

void multiply_transposed(std::int64_t rows, int in, int out, const float* x, const float* dy, bool add, float* dw) {
  const std::int64_t panel = rows * kPanel;
  // A panel of kPanel rows of dw is cut into tiles of nearly equal height.
  constexpr int tiles_in_panel = (kPanel + kTileRows - 1) / kTileRows;
  constexpr int height = (kPanel + tiles_in_panel - 1) / tiles_in_panel;
  for (std::int64_t k0 = 0; k0 == 0 || k0 < rows; k0 += kInnerBlock) {
    for (int p = 0; p < panel_count(out); ++p) {
      const auto& tiles = kTransposed[static_cast<std::size_t>(panel_vectors(out, p) - 1)];
      Tile t{};
      t.inner = std::min<std::int64_t>(kInnerBlock, rows - k0);
      t.b = dy + p * panel + k0 * kPanel;
      for (int q = 0; q < panel_count(in); ++q) {
        const int n = std::min(kPanel, in - q * kPanel);
        for (int i = 0; i < n; i += height) {
          t.a = x + q * panel + k0 * kPanel + i;
          t.c = dw + (static_cast<std::int64_t>(p) * in + q * kPanel + i) * kPanel;
          t.add = k0 > 0 || add ? t.c : nullptr;
          tiles[static_cast<std::size_t>(std::min(height, n - i) - 1)](t);
        }
      }
    }
  }
}

void transpose(int in, int out, const float* w, float* wt) {
  for (int j = 0; j < out; j += kWidth)
    for (int i = 0; i < padded(in); i += kWidth)
      transpose_block(std::min(kWidth, in - i), std::min(kWidth, out - j), w + panel_index(in, i, j), kPanel,
                      wt + panel_index(out, j, i));
}

void transpose_to_panels(int in, int out, const float* row_major, std::int64_t stride, float* w) {
  for (int i = 0; i < in; i += kWidth) {
    for (int o = 0; o < padded(out); o += kWidth) {
      const int rows = std::min(kWidth, out - o), cols = std::min(kWidth, in - i);
      if (rows <= 0 || cols == kWidth) {  // reads whole vectors of a row
        transpose_block(rows, cols, row_major + o * stride + i, stride, w + panel_index(in, i, o));
        continue;
      }
      for (int c = 0; c < cols; ++c)
        for (int r = 0; r < kWidth; ++r) w[panel_index(in, i + c, o + r)] = r < rows ? row_major[(o + r) * stride + i + c] : 0.0F;
    }
  }
}

void column_sums(std::int64_t rows, int cols, const float* m, bool add, float* sums) {
  for (int p = 0; p < panel_count(cols); ++p) {
    // Four rows at a time: a fixed order that does not wait for one addition after the other.
    Vec s[4][2];
    for (auto& pair : s) pair[0] = pair[1] = simd::zero();
    const float* at = m + p * rows * kPanel;
    std::int64_t r = 0;
    for (; r + 4 <= rows; r += 4) {
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        s[i][0] = simd::add(s[i][0], simd::load(at));
        s[i][1] = simd::add(s[i][1], simd::load(at + kWidth));
        at += kPanel;
      }
    }
    for (; r < rows; ++r, at += kPanel) {
      s[0][0] = simd::add(s[0][0], simd::load(at));
      s[0][1] = simd::add(s[0][1], simd::load(at + kWidth));
    }
    for (int j = 0; j < 2; ++j) {
      float* to = sums + p * kPanel + j * kWidth;
      const Vec sum = simd::add(simd::add(s[0][j], s[1][j]), simd::add(s[2][j], s[3][j]));
      simd::store(to, add ? simd::add(simd::load(to), sum) : sum);
    }
  }
}

}  // namespace deepcfr::nn
