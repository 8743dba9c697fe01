#include "panels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "aligned.h"
#include "deepcfr/core/random.h"

namespace deepcfr::nn {
namespace {

struct Shape {
  std::int64_t rows;
  int in, out;
};

const Shape kShapes[] = {{1, 1, 1},   {1, 64, 64},  {2, 17, 3},    {5, 33, 31},    {11, 32, 32},  {12, 64, 16}, {13, 65, 48},
                         {96, 20, 6}, {97, 130, 7}, {144, 60, 64}, {300, 257, 33}, {600, 40, 70}, {23, 512, 40}};

std::vector<float> random_matrix(std::int64_t rows, int cols, std::uint64_t seed) {
  std::vector<float> m(static_cast<std::size_t>(rows * cols));
  const CounterRandom random(StreamPurpose::test, {seed});
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = static_cast<float>(2 * random.uniform(i) - 1);
  return m;
}

AlignedFloats panels_of(std::int64_t rows, int cols, const std::vector<float>& m) {
  AlignedFloats panels(panel_floats(rows, cols));
  to_panels(rows, cols, m.data(), panels.data());
  return panels;
}

/// A result to be: every element must be written, padding with zeros.
AlignedFloats unwritten(std::int64_t rows, int cols) {
  AlignedFloats panels(panel_floats(rows, cols));
  for (float& x : panels.span()) x = std::nanf("");
  return panels;
}

void expect_zero_padding(std::int64_t rows, int cols, const AlignedFloats& panels) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (int c = cols; c < padded(cols); ++c) ASSERT_EQ(panels.data()[panel_index(rows, r, c)], 0.0F);
}

std::vector<float> row_major(std::int64_t rows, int cols, const AlignedFloats& panels) {
  std::vector<float> m(static_cast<std::size_t>(rows * cols));
  from_panels(rows, cols, panels.data(), m.data());
  return m;
}

double largest_difference(const std::vector<double>& expected, const std::vector<float>& got) {
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) largest = std::max(largest, std::abs(expected[i] - static_cast<double>(got[i])));
  return largest;
}

TEST(Panels, RoundTripAndPaddingIsZero) {
  for (const Shape& s : kShapes) {
    const std::vector<float> m = random_matrix(s.rows, s.in, 1);
    const AlignedFloats panels = panels_of(s.rows, s.in, m);
    EXPECT_EQ(row_major(s.rows, s.in, panels), m);
    double sum_all = 0, sum = 0;
    for (std::size_t i = 0; i < panels.size(); ++i) sum_all += std::abs(static_cast<double>(panels.data()[i]));
    for (const float x : m) sum += std::abs(static_cast<double>(x));
    EXPECT_NEAR(sum_all, sum, 1e-9 * sum);
    EXPECT_EQ(panels.data()[panel_index(s.rows, s.rows - 1, s.in - 1)], m.back());
  }
}

TEST(Panels, ProductWithBiasAddReluAndMask) {
  for (const Shape& s : kShapes) {
    const std::vector<float> a = random_matrix(s.rows, s.in, 1), w = random_matrix(s.in, s.out, 2),
                             b = random_matrix(1, s.out, 3);
    const std::vector<float> add = random_matrix(s.rows, s.out, 4), mask = random_matrix(s.rows, s.out, 5);
    const AlignedFloats pa = panels_of(s.rows, s.in, a), pw = panels_of(s.in, s.out, w), pb = panels_of(1, s.out, b);
    const AlignedFloats padd = panels_of(s.rows, s.out, add), pmask = panels_of(s.rows, s.out, mask);
    for (int options = 0; options < 16; ++options) {
      AlignedFloats c = unwritten(s.rows, s.out);
      const ProductOptions o{.bias = options & 1 ? pb.data() : nullptr,
                             .add = options & 2 ? padd.data() : nullptr,
                             .relu = (options & 4) != 0,
                             .mask = options & 8 ? pmask.data() : nullptr};
      multiply(s.rows, s.in, s.out, pa.data(), pw.data(), c.data(), o);
      std::vector<double> expected(add.size());
      for (std::int64_t r = 0; r < s.rows; ++r) {
        for (int n = 0; n < s.out; ++n) {
          const auto at = static_cast<std::size_t>(r * s.out + n);
          double sum = options & 1 ? static_cast<double>(b[static_cast<std::size_t>(n)]) : 0;
          if (options & 2) sum += static_cast<double>(add[at]);
          for (int k = 0; k < s.in; ++k)
            sum += static_cast<double>(a[static_cast<std::size_t>(r * s.in + k)]) *
                   static_cast<double>(w[static_cast<std::size_t>(k * s.out + n)]);
          if ((options & 4) && sum < 0) sum = 0;
          if ((options & 8) && !(mask[at] > 0)) sum = 0;
          expected[at] = sum;
        }
      }
      expect_zero_padding(s.rows, s.out, c);
      EXPECT_LT(largest_difference(expected, row_major(s.rows, s.out, c)), 2e-5) << s.rows << " " << s.in << " " << s.out;
    }
  }
}

TEST(Panels, TransposedProductTransposeAndColumnSums) {
  for (const Shape& s : kShapes) {
    const std::vector<float> x = random_matrix(s.rows, s.in, 1), dy = random_matrix(s.rows, s.out, 2);
    const AlignedFloats px = panels_of(s.rows, s.in, x), pdy = panels_of(s.rows, s.out, dy);
    AlignedFloats dw = unwritten(s.in, s.out), wt = unwritten(s.out, s.in), sums = unwritten(1, s.out);
    multiply_transposed(s.rows, s.in, s.out, px.data(), pdy.data(), false, dw.data());
    column_sums(s.rows, s.out, pdy.data(), false, sums.data());
    std::vector<double> expected(static_cast<std::size_t>(s.in * s.out)), expected_sums(static_cast<std::size_t>(s.out));
    for (std::int64_t r = 0; r < s.rows; ++r) {
      for (int n = 0; n < s.out; ++n) {
        const auto d = static_cast<double>(dy[static_cast<std::size_t>(r * s.out + n)]);
        expected_sums[static_cast<std::size_t>(n)] += d;
        for (int k = 0; k < s.in; ++k)
          expected[static_cast<std::size_t>(k * s.out + n)] += static_cast<double>(x[static_cast<std::size_t>(r * s.in + k)]) * d;
      }
    }
    const std::vector<float> got = row_major(s.in, s.out, dw);
    EXPECT_LT(largest_difference(expected, got), 5e-5) << s.rows << " " << s.in << " " << s.out;
    EXPECT_LT(largest_difference(expected_sums, row_major(1, s.out, sums)), 5e-5);
    AlignedFloats twice = panels_of(s.in, s.out, got), sums_twice = panels_of(1, s.out, row_major(1, s.out, sums));
    multiply_transposed(s.rows, s.in, s.out, px.data(), pdy.data(), true, twice.data());
    column_sums(s.rows, s.out, pdy.data(), true, sums_twice.data());
    for (double& value : expected) value *= 2;
    for (double& value : expected_sums) value *= 2;
    EXPECT_LT(largest_difference(expected, row_major(s.in, s.out, twice)), 1e-4);
    EXPECT_LT(largest_difference(expected_sums, row_major(1, s.out, sums_twice)), 1e-4);
    transpose(s.in, s.out, dw.data(), wt.data());
    expect_zero_padding(s.in, s.out, dw);
    expect_zero_padding(s.out, s.in, wt);
    expect_zero_padding(1, s.out, sums);
    const std::vector<float> turned = row_major(s.out, s.in, wt);
    for (int k = 0; k < s.in; ++k)
      for (int n = 0; n < s.out; ++n)
        ASSERT_EQ(turned[static_cast<std::size_t>(n * s.in + k)], got[static_cast<std::size_t>(k * s.out + n)]);
  }
}

// Contract of results: a row's product is bit-equal whatever rows stand around it.
TEST(Panels, RowsDoNotDependOnTheirNumber) {
  for (const int in : {3, 64, 300, 600}) {
    constexpr int kOut = 40;
    constexpr std::int64_t kRows = 200;
    const std::vector<float> a = random_matrix(kRows, in, 1), w = random_matrix(in, kOut, 2);
    const AlignedFloats pw = panels_of(in, kOut, w);
    AlignedFloats whole(panel_floats(kRows, kOut));
    multiply(kRows, in, kOut, panels_of(kRows, in, a).data(), pw.data(), whole.data(), {.relu = true});
    const std::vector<float> expected = row_major(kRows, kOut, whole);
    for (std::int64_t rows = 1; rows < kRows; rows += rows < 30 ? 1 : 17) {
      const std::vector<float> tail(a.end() - rows * in, a.end());
      AlignedFloats c(panel_floats(rows, kOut));
      multiply(rows, in, kOut, panels_of(rows, in, tail).data(), pw.data(), c.data(), {.relu = true});
      const std::vector<float> got = row_major(rows, kOut, c);
      ASSERT_EQ(std::memcmp(got.data(), expected.data() + expected.size() - got.size(), got.size() * sizeof(float)), 0)
          << rows << " rows of " << in;
    }
  }
}

TEST(Panels, NotANumberPassesThroughRelu) {
  AlignedFloats a(panel_floats(1, 1)), w(panel_floats(1, 1)), c(panel_floats(1, 1));
  a.data()[0] = std::nanf("");
  w.data()[0] = 1;
  multiply(1, 1, 1, a.data(), w.data(), c.data(), {.relu = true});
  EXPECT_TRUE(std::isnan(c.data()[0]));
}

}  // namespace
}  // namespace deepcfr::nn
