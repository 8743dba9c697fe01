#include "deepcfr/config/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

__extension__ using Wide = __int128;

[[noreturn]] void refuse(std::string_view text, const std::string& what, const std::string& hint = {}) {
  throw Error(ErrorKind::usage, (text.empty() ? std::string("an empty value") : std::string(text)) + " " + what, {}, hint);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// [-]digits[.digits][e[+-]digits]; digits may stand on one side of the point only.
struct Decimal {
  bool negative = false;
  std::string digits;         // without the point
  std::int64_t exponent = 0;  // value = digits × 10^exponent
};

std::string without(std::string_view text, char unwanted) {
  std::string kept(text);
  kept.erase(std::remove(kept.begin(), kept.end(), unwanted), kept.end());
  return kept;
}

[[noreturn]] void refuse_word(std::string_view text, const std::string& wanted) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string bare = lower;
  if (!bare.empty() && (bare[0] == '-' || bare[0] == '+')) bare.erase(0, 1);
  if (bare == "nan" || bare == ".nan" || bare == "inf" || bare == ".inf" || bare == "infinity")
    refuse(text, "is not a finite number");
  if (bare.starts_with("0x") || bare.starts_with("0o") || bare.starts_with("0b")) {
    refuse(text, "is not " + wanted, "numbers are written in decimal");
  }
  for (const char separator : {'_', ','}) {
    const std::string plain = without(bare, separator);
    if (plain != bare && !plain.empty() && std::all_of(plain.begin(), plain.end(), is_digit)) {
      refuse(text, "is not " + wanted, "write " + without(text, separator));
    }
  }
  refuse(text, "is not " + wanted);
}

Decimal parse_decimal(std::string_view text, const std::string& wanted) {
  Decimal number;
  std::size_t at = 0;
  const auto take_digits = [&](std::string& into) {
    const std::size_t from = at;
    while (at < text.size() && is_digit(text[at])) into += text[at++];
    return at - from;
  };
  if (at < text.size() && text[at] == '-') {
    number.negative = true;
    ++at;
  }
  const std::size_t whole = take_digits(number.digits);
  if (whole > 1 && number.digits[0] == '0') {
    const std::string bare = number.digits.substr(std::min(number.digits.find_first_not_of('0'), number.digits.size() - 1));
    refuse(text, "begins with 0 and looks octal", "write " + std::string(number.negative ? "-" : "") + bare);
  }
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    fraction = take_digits(number.digits);
  }
  if (whole + fraction == 0) refuse_word(text, wanted);
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    const bool minus = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    std::string digits;
    if (take_digits(digits) == 0) refuse_word(text, wanted);
    std::int64_t exponent = 0;
    for (const char c : digits) exponent = std::min<std::int64_t>(exponent * 10 + (c - '0'), 1'000'000);
    number.exponent = minus ? -exponent : exponent;
  }
  if (at != text.size()) refuse_word(text, wanted);
  number.exponent -= static_cast<std::int64_t>(fraction);
  return number;
}

/// The whole value, saturated far outside 64 bits.
Wide whole_value(std::string_view text, Decimal number) {
  while (number.digits.size() > 1 && number.digits[0] == '0') number.digits.erase(0, 1);
  while (number.exponent < 0 && number.digits.size() > 1 && number.digits.back() == '0') {
    number.digits.pop_back();
    ++number.exponent;
  }
  if (number.digits == "0") return 0;
  if (number.exponent < 0) refuse(text, "is not a whole number");
  constexpr std::size_t kFar = 25;  // more digits than any 64-bit number
  Wide value = 0;
  for (std::size_t i = 0; i < std::min(number.digits.size(), kFar); ++i) value = value * 10 + (number.digits[i] - '0');
  for (std::int64_t i = 0; i < number.exponent && value < Wide{1} << 90; ++i) value *= 10;
  return number.negative ? -value : value;
}

Wide parse_whole(std::string_view text, Wide min, Wide max, const std::string& range) {
  const Wide value = whole_value(text, parse_decimal(text, "a whole number"));
  if (value < min || value > max) refuse(text, "is not in " + range);
  return value;
}

}  // namespace

std::int64_t parse_whole_number(std::string_view text, std::int64_t min, std::int64_t max) {
  return static_cast<std::int64_t>(parse_whole(text, min, max, std::to_string(min) + ".." + std::to_string(max)));
}

std::uint64_t parse_unsigned_number(std::string_view text, std::uint64_t min, std::uint64_t max) {
  return static_cast<std::uint64_t>(parse_whole(text, min, max, std::to_string(min) + ".." + std::to_string(max)));
}

std::string describe(const NumberRange& range) {
  const std::string min = print_number(range.min);
  return min + ".." + print_number(range.max) + (range.min_excluded ? ", " + min + " excluded" : "");
}

double parse_number(std::string_view text, const NumberRange& range) {
  (void)parse_decimal(text, "a number");  // the form; from_chars alone would take "inf", "nan" and stop at "1_000"
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) refuse(text, "is too large or too small for a double");
  if (error != std::errc{} || end != text.data() + text.size()) refuse_word(text, "a number");
  const bool inside = (range.min_excluded ? value > range.min : value >= range.min) && value <= range.max;
  if (!inside) refuse(text, "is not in " + describe(range));
  return value == 0 ? 0.0 : value;  // no minus zero
}

std::string print_number(double value) {
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  DEEPCFR_CHECK(error == std::errc{});
  std::string text(buffer.data(), end);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  // "3e-07", "4e+06" -> "3e-7", "4e6"
  std::string exponent = text.substr(e + 1);
  const bool minus = exponent[0] == '-';
  exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
  return text.substr(0, e) + (minus ? "e-" : "e") + exponent;
}

}  // namespace deepcfr
