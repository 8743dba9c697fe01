// bfloat16: the upper half of a float32.
#pragma once

#include <bit>
#include <cstdint>

namespace deepcfr {

/// Nearest, ties to even; NaN stays NaN.
constexpr std::uint16_t to_bfloat16(float x) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}
constexpr float from_bfloat16(std::uint16_t x) noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }

}  // namespace deepcfr
