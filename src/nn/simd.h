// One vector type of floats, as wide as the instruction set that the build names (-march). The build forbids contraction of
// a·b + c; fused multiply-adds are therefore asked for here, by name.
#pragma once

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace deepcfr::nn::simd {

#if defined(__AVX512F__)

inline constexpr int kWidth = 16;
inline constexpr int kRegisters = 32;
using Vec = __m512;
inline Vec zero() { return _mm512_setzero_ps(); }
inline Vec set1(float x) { return _mm512_set1_ps(x); }
inline Vec load(const float* p) { return _mm512_load_ps(p); }
inline Vec load_unaligned(const float* p) { return _mm512_loadu_ps(p); }
inline void store(float* p, Vec v) { _mm512_store_ps(p, v); }
inline Vec add(Vec a, Vec b) { return _mm512_add_ps(a, b); }
inline Vec sub(Vec a, Vec b) { return _mm512_sub_ps(a, b); }
inline Vec mul(Vec a, Vec b) { return _mm512_mul_ps(a, b); }
inline Vec div(Vec a, Vec b) { return _mm512_div_ps(a, b); }
// The masked forms, all lanes on: g++ 12 warns of an uninitialised operand inside the plain ones.
inline constexpr __mmask16 kAllLanes = 0xffff;
inline Vec sqrt(Vec a) { return _mm512_maskz_sqrt_ps(kAllLanes, a); }
inline Vec fmadd(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }
/// max(a, 0), and NaN stays NaN.
inline Vec relu(Vec a) { return _mm512_maskz_max_ps(kAllLanes, zero(), a); }
/// a where m > 0, else 0.
inline Vec where_positive(Vec a, Vec m) { return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(m, zero(), _CMP_GT_OQ), a); }

#elif defined(__AVX2__) && defined(__FMA__)

inline constexpr int kWidth = 8;
inline constexpr int kRegisters = 16;
using Vec = __m256;
inline Vec zero() { return _mm256_setzero_ps(); }
inline Vec set1(float x) { return _mm256_set1_ps(x); }
inline Vec load(const float* p) { return _mm256_load_ps(p); }
inline Vec load_unaligned(const float* p) { return _mm256_loadu_ps(p); }
inline void store(float* p, Vec v) { _mm256_store_ps(p, v); }
inline Vec add(Vec a, Vec b) { return _mm256_add_ps(a, b); }
inline Vec sub(Vec a, Vec b) { return _mm256_sub_ps(a, b); }
inline Vec mul(Vec a, Vec b) { return _mm256_mul_ps(a, b); }
inline Vec div(Vec a, Vec b) { return _mm256_div_ps(a, b); }
inline Vec sqrt(Vec a) { return _mm256_sqrt_ps(a); }
inline Vec fmadd(Vec a, Vec b, Vec c) { return _mm256_fmadd_ps(a, b, c); }
inline Vec relu(Vec a) { return _mm256_max_ps(zero(), a); }
inline Vec where_positive(Vec a, Vec m) { return _mm256_and_ps(a, _mm256_cmp_ps(m, zero(), _CMP_GT_OQ)); }

#else

inline constexpr int kWidth = 4;
inline constexpr int kRegisters = 16;
using Vec = float __attribute__((vector_size(16)));
inline Vec zero() { return Vec{}; }
inline Vec set1(float x) { return Vec{x, x, x, x}; }
inline Vec load(const float* p) { return *reinterpret_cast<const Vec*>(p); }
inline Vec load_unaligned(const float* p) { return Vec{p[0], p[1], p[2], p[3]}; }
inline void store(float* p, Vec v) { *reinterpret_cast<Vec*>(p) = v; }
inline Vec add(Vec a, Vec b) { return a + b; }
inline Vec sub(Vec a, Vec b) { return a - b; }
inline Vec mul(Vec a, Vec b) { return a * b; }
inline Vec div(Vec a, Vec b) { return a / b; }
inline Vec sqrt(Vec a) {
  for (int i = 0; i < kWidth; ++i) a[i] = __builtin_sqrtf(a[i]);
  return a;
}
inline Vec fmadd(Vec a, Vec b, Vec c) { return a * b + c; }
inline Vec relu(Vec a) { return a < zero() ? zero() : a; }
inline Vec where_positive(Vec a, Vec m) { return m > zero() ? a : zero(); }

#endif

}  // namespace deepcfr::nn::simd
