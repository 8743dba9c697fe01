// Kinds of matches by what they do against luck.
#pragma once

#include <array>

namespace deepcfr {

/// What is done against luck; each does what those before it do, and none changes the expectation of a result.
/// plain: every hand has a deal of its own.
/// duplicate: the hands of one round of seats share a deal, so that everybody plays the same cards from every seat.
/// all_in: once no decision can follow, the result is the expectation over the boards to come instead of the dealt one.
/// control: control variates from cheap values of positions, at every deal and every decision (AIVAT without ranges).
enum class VarianceReduction { plain, duplicate, all_in, control };
inline constexpr std::array<const char*, 4> kVarianceReductionNames{"plain", "duplicate", "all_in", "control"};

}  // namespace deepcfr
