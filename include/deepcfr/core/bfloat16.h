// bfloat16: the upper half of a float32.
#pragma once

#include <bit>
#include <cstdint>

namespace deepcfr {

/// Nearest, ties to even; NaN stays NaN. Without a branch, so that loops over it become vector code.
constexpr std::uint16_t to_bfloat16(float x) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  return static_cast<std::uint16_t>(x != x ? 0x7fc0U : rounded);
}
constexpr float from_bfloat16(std::uint16_t x) noexcept { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }

}  // namespace deepcfr
