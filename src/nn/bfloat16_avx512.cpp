// avx512_bf16: vdpbf16ps adds two products of bfloat16 to each of 16 sums. 12 rows by 32 outputs are held in registers.
#include "bfloat16_finish.h"

#if defined(__AVX512F__) && defined(__AVX512BF16__)

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace deepcfr::nn {
namespace {

constexpr int kTileRows = 12;
constexpr int kPairs = kBfloat16Panel / 2;  // pairs of inputs in a panel
constexpr std::int64_t kPairRow = 2 * kBfloat16Panel;

struct Factors {
  const Bfloat16Bits* a;  ///< first row, first panel
  std::int64_t a_step;    ///< elements from one panel to the next
  const Bfloat16Bits* b;  ///< packed panel of outputs
  std::int64_t steps;     ///< panels of the inner index
};
struct Operands {
  Factors terms[kMaxBfloat16Terms];
  std::size_t count;
};

template <int Rows, int Vectors>
void tile(const Operands& o, const Bfloat16Finish& finish, std::int64_t first_row) {
  __m512 sums[Rows][2];
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) sums[i][0] = sums[i][1] = _mm512_setzero_ps();
  for (std::size_t t = 0; t < o.count; ++t) {
    const Bfloat16Bits* a = o.terms[t].a;
    const Bfloat16Bits* b = o.terms[t].b;
    for (std::int64_t s = 0; s < o.terms[t].steps; ++s, a += o.terms[t].a_step) {
      for (int k = 0; k < kPairs; ++k, b += kPairRow) {
        __m512bh w[Vectors];
#pragma GCC unroll 2
        for (int j = 0; j < Vectors; ++j) w[j] = reinterpret_cast<__m512bh>(_mm512_load_si512(b + j * kBfloat16Panel));
#pragma GCC unroll 16
        for (int i = 0; i < Rows; ++i) {
          int pair;
          std::memcpy(&pair, a + i * kBfloat16Panel + 2 * k, sizeof pair);
          const auto x = reinterpret_cast<__m512bh>(_mm512_set1_epi32(pair));
#pragma GCC unroll 2
          for (int j = 0; j < Vectors; ++j) sums[i][j] = _mm512_dpbf16_ps(sums[i][j], x, w[j]);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i) finish.row(first_row + i, sums[i][0], sums[i][1]);
}

using TileFunction = void (*)(const Operands&, const Bfloat16Finish&, std::int64_t);
template <int Vectors, int... I>
constexpr std::array<TileFunction, kTileRows> tile_functions(std::integer_sequence<int, I...>) {
  return {tile<I + 1, Vectors>...};
}
constexpr std::array<std::array<TileFunction, kTileRows>, 2> kTiles = {
    tile_functions<1>(std::make_integer_sequence<int, kTileRows>{}),
    tile_functions<2>(std::make_integer_sequence<int, kTileRows>{})};

class Avx512Kernel final : public Bfloat16Kernel {
 public:
  void multiply(std::int64_t rows, std::span<const Bfloat16Factors> terms, const Bfloat16Result& result) override {
    Operands o{};
    o.count = terms.size();
    const int out = terms[0].w->out;
    for (int p = 0; p < bfloat16_panel_count(out); ++p) {
      for (std::size_t t = 0; t < terms.size(); ++t) {
        const std::int64_t steps = bfloat16_panel_count(terms[t].w->in);
        o.terms[t] = {nullptr, terms[t].x->pitch * kBfloat16Panel, terms[t].w->pairs.data() + p * steps * kPairs * kPairRow, steps};
      }
      const Bfloat16Finish finish(result, rows, p);
      const auto& tiles = kTiles[out - p * kBfloat16Panel <= kBfloat16Panel / 2 ? 0 : 1];
      for (std::int64_t r = 0; r < rows; r += kTileRows) {
        for (std::size_t t = 0; t < terms.size(); ++t) o.terms[t].a = terms[t].x->row(0, r);
        tiles[static_cast<std::size_t>(std::min<std::int64_t>(kTileRows, rows - r) - 1)](o, finish, r);
      }
    }
  }
};

}  // namespace

std::unique_ptr<Bfloat16Kernel> make_avx512_kernel() {
  if (__builtin_cpu_supports("avx512bf16") == 0) return nullptr;
  return std::make_unique<Avx512Kernel>();
}

}  // namespace deepcfr::nn

#else

namespace deepcfr::nn {
std::unique_ptr<Bfloat16Kernel> make_avx512_kernel() { return nullptr; }
}  // namespace deepcfr::nn

#endif
