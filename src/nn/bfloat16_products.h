// Matrix products in bfloat16 by LibTorch (oneDNN: AMX or avx512_bf16 where the processor has them), behind a door without it.
// Operands are what the caller passes: nothing is cached, so no stale copy of a weight can be used (reported fault T15).
#pragma once

#include "bfloat16.h"

namespace deepcfr::nn {

/// result[m × n] = a · b, or with either operand transposed (as stored). Sums are float32 inside, the result is rounded.
void multiply(const Bfloat16Matrix& a, bool transpose_a, const Bfloat16Matrix& b, bool transpose_b, Bfloat16Matrix& result);

}  // namespace deepcfr::nn
