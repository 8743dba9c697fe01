// How a row of sums ends: bias, skip connection, ReLU, then float32 or bfloat16 out. For the kernels with 512-bit vectors.
#pragma once

#include "bfloat16_kernel.h"

#if defined(__AVX512F__) && defined(__AVX512BF16__)

#include <immintrin.h>

namespace deepcfr::nn {

/// For one panel of outputs.
struct Bfloat16Finish {
  __m512 bias[2];
  const float* add;  ///< of row 0
  float* y;
  Bfloat16Bits* rounded;
  const Bfloat16Bits* mask;
  bool relu;

  Bfloat16Finish() = default;
  Bfloat16Finish(const Bfloat16Result& result, std::int64_t rows, int panel) {
    for (int j = 0; j < 2; ++j)
      bias[j] = result.bias != nullptr ? _mm512_load_ps(result.bias + panel * kPanel + j * 16) : _mm512_setzero_ps();
    const std::int64_t at = panel * rows * kPanel;
    add = result.add != nullptr ? result.add + at : nullptr;
    y = result.y != nullptr ? result.y + at : nullptr;
    rounded = result.rounded != nullptr ? result.rounded->row(panel, 0) : nullptr;
    mask = result.mask != nullptr ? result.mask->row(panel, 0) : nullptr;
    relu = result.relu;
  }

  /// A hidden layer's: no skip connection, ReLU, bfloat16 alone.
  bool hidden() const { return add == nullptr && y == nullptr && mask == nullptr && rounded != nullptr && relu; }
  [[gnu::always_inline]] inline void hidden_row(std::int64_t r, __m512 a, __m512 b) const {
    constexpr __mmask16 kAll = 0xffff;
    a = _mm512_maskz_max_ps(kAll, _mm512_setzero_ps(), _mm512_add_ps(a, bias[0]));
    b = _mm512_maskz_max_ps(kAll, _mm512_setzero_ps(), _mm512_add_ps(b, bias[1]));
    _mm512_store_si512(rounded + r * kBfloat16Panel, reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(b, a)));
  }

  [[gnu::always_inline]] inline void row(std::int64_t r, __m512 a, __m512 b) const {
    constexpr __mmask16 kAll = 0xffff;  // masked forms: g++ 12 warns of an uninitialised operand inside the plain ones
    a = _mm512_add_ps(a, bias[0]);
    b = _mm512_add_ps(b, bias[1]);
    if (add != nullptr) {
      a = _mm512_add_ps(a, _mm512_load_ps(add + r * kPanel));
      b = _mm512_add_ps(b, _mm512_load_ps(add + r * kPanel + 16));
    }
    if (relu) {  // NaN stays NaN
      a = _mm512_maskz_max_ps(kAll, _mm512_setzero_ps(), a);
      b = _mm512_maskz_max_ps(kAll, _mm512_setzero_ps(), b);
    }
    if (mask != nullptr) {  // bfloat16 is positive where its bits are a positive number
      const __mmask32 keep = _mm512_cmpgt_epi16_mask(_mm512_load_si512(mask + r * kBfloat16Panel), _mm512_setzero_si512());
      a = _mm512_maskz_mov_ps(static_cast<__mmask16>(keep), a);
      b = _mm512_maskz_mov_ps(static_cast<__mmask16>(keep >> 16), b);
    }
    if (y != nullptr) {
      _mm512_store_ps(y + r * kPanel, a);
      _mm512_store_ps(y + r * kPanel + 16, b);
    }
    if (rounded != nullptr) {
      const auto bits = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(b, a));
      _mm512_store_si512(rounded + r * kBfloat16Panel, bits);
    }
  }
};

}  // namespace deepcfr::nn

#endif
