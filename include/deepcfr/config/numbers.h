// Numbers as people write them, read strictly: in YAML values, after --set and in options of the command line.
// Pure functions; any thread may call them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace deepcfr {

/// A whole number in min..max. Written with digits, or with a fraction or an exponent if it stays whole: 1000000, 1e6, 1.5e3,
/// 1000000.0. Refused, each with the remedy: 010 (looks octal), 0x10, 1_000, 2.5, nan, words. The exception is Error{usage}:
/// "TEXT is not in 1..512" and the like, without a place: the caller knows the key or the option.
std::int64_t parse_whole_number(std::string_view text, std::int64_t min, std::int64_t max);
std::uint64_t parse_unsigned_number(std::string_view text, std::uint64_t min, std::uint64_t max);

/// Finite numbers between two bounds.
struct NumberRange {
  double min = 0;
  double max = 0;
  bool min_excluded = false;
};
/// "0..1", or "0..1, 0 excluded".
std::string describe(const NumberRange& range);
/// Error{usage} as above.
double parse_number(std::string_view text, const NumberRange& range);

/// The shortest text that reads back as the same number: "0.003", "1e-7", "4000000".
std::string print_number(double value);

}  // namespace deepcfr
