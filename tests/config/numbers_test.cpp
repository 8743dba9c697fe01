#include "deepcfr/config/numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::string refusal_of_whole(const std::string& text, std::int64_t min = 0, std::int64_t max = kMost) {
  try {
    return "accepted as " + std::to_string(parse_whole_number(text, min, max));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
}

std::string refusal_of_number(const std::string& text, const NumberRange& range = {0, 1, true}) {
  try {
    return "accepted as " + print_number(parse_number(text, range));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
}

TEST(WholeNumbers, T35_integral_notations_are_accepted) {
  const std::vector<std::pair<std::string, std::int64_t>> cases = {{"0", 0},
                                                                   {"-0", 0},
                                                                   {"7", 7},
                                                                   {"1e6", 1'000'000},
                                                                   {"1E6", 1'000'000},
                                                                   {"1.5e3", 1500},
                                                                   {"1000000.0", 1'000'000},
                                                                   {"2.50e1", 25},
                                                                   {"3000000000", 3'000'000'000},
                                                                   {"9223372036854775807", kMost},
                                                                   {"10e-1", 1},
                                                                   {"0.0", 0},
                                                                   {"-3", -3},
                                                                   {"0e5", 0}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(parse_whole_number(text, std::numeric_limits<std::int64_t>::min(), kMost), value) << text;
  }
  EXPECT_EQ(parse_unsigned_number("18446744073709551615", 0, ~std::uint64_t{0}), ~std::uint64_t{0});
}

TEST(WholeNumbers, T35_everything_else_is_refused_with_a_remedy) {
  EXPECT_EQ(refusal_of_whole("1_000"), "1_000 is not a whole number (write 1000)");
  EXPECT_EQ(refusal_of_whole("1,000"), "1,000 is not a whole number (write 1000)");
  EXPECT_EQ(refusal_of_whole("010"), "010 begins with 0 and looks octal (write 10)");
  EXPECT_EQ(refusal_of_whole("-007"), "-007 begins with 0 and looks octal (write -7)");
  EXPECT_EQ(refusal_of_whole("00"), "00 begins with 0 and looks octal (write 0)");
  EXPECT_EQ(refusal_of_whole("0x10"), "0x10 is not a whole number (numbers are written in decimal)");
  EXPECT_EQ(refusal_of_whole("2.5"), "2.5 is not a whole number");
  EXPECT_EQ(refusal_of_whole("1e-1"), "1e-1 is not a whole number");
  EXPECT_EQ(refusal_of_whole("0", 1, 512), "0 is not in 1..512");
  EXPECT_EQ(refusal_of_whole("513", 1, 512), "513 is not in 1..512");
  EXPECT_EQ(refusal_of_whole("-1", 1, 512), "-1 is not in 1..512");
  EXPECT_EQ(refusal_of_whole("9223372036854775808"), "9223372036854775808 is not in 0..9223372036854775807");
  EXPECT_EQ(refusal_of_whole("1e999999999999"), "1e999999999999 is not in 0..9223372036854775807");
  EXPECT_EQ(refusal_of_whole("-1e99"), "-1e99 is not in 0..9223372036854775807");
  for (const std::string text : {"", "x", "-", ".", "1e", "1e+", "1 2", "+1", "--1", "60s", "1:30", "0b1", "1.2.3"}) {
    EXPECT_NE(refusal_of_whole(text).find("is not a whole number"), std::string::npos) << text << ": " << refusal_of_whole(text);
  }
}

TEST(Numbers, T40_negative_and_non_finite_numbers_are_refused) {
  EXPECT_EQ(refusal_of_number("-0.5"), "-0.5 is not in 0..1, 0 excluded");
  EXPECT_EQ(refusal_of_number("-.5"), "-.5 is not in 0..1, 0 excluded");
  EXPECT_EQ(refusal_of_number("0"), "0 is not in 0..1, 0 excluded");
  for (const std::string text : {"nan", "NaN", ".nan", "-nan", "inf", "-.inf", "Infinity", "+inf"}) {
    EXPECT_EQ(refusal_of_number(text), text + " is not a finite number");
  }
  EXPECT_EQ(refusal_of_number("1e999"), "1e999 is too large or too small for a double");
  EXPECT_EQ(refusal_of_number("01.5"), "01.5 begins with 0 and looks octal (write 1)");
  EXPECT_NE(refusal_of_number("0x1p-3").find("is not a number"), std::string::npos);
}

TEST(Numbers, are_printed_shortest_and_read_back) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0.003, "0.003"}, {1e-7, "1e-7"}, {1, "1"}, {0, "0"}, {0.1 + 0.2, "0.30000000000000004"}, {1e22, "1e22"}, {2.5, "2.5"}};
  for (const auto& [value, text] : cases) {
    EXPECT_EQ(print_number(value), text);
    EXPECT_EQ(parse_number(text, {-1e30, 1e30}), value);
  }
  EXPECT_EQ(print_number(parse_number("-0.0", {-1, 1})), "0");
}

}  // namespace
}  // namespace deepcfr
