// Products and whole forwards in bfloat16 against the definition written plainly, in double: operands rounded to bfloat16, sums
// exact, hidden activations rounded.
#include "bfloat16_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "aligned.h"
#include "deepcfr/core/error.h"
#include "games.h"
#include "minibatches.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;
using nn::Bfloat16Unit;

constexpr Bfloat16Unit kUnits[] = {Bfloat16Unit::amx, Bfloat16Unit::avx512, Bfloat16Unit::emulated};

/// Round to nearest even to 8 bits, from the definition.
double rounded(double x) {
  if (x == 0) return 0;
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // in [0.5, 1)
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 8)), exponent - 8);
}

struct Product {
  std::int64_t rows;
  int in, out;
  std::vector<float> x, w, bias, add;  // panel format

  /// Multiples of `quantum` in [−1, 1], so that all sums are exact in float32.
  Product(std::int64_t r, int i, int o, double quantum) : rows(r), in(i), out(o) {
    x = panels(rows, in, 1, quantum);
    w = panels(in, out, 2, quantum);
    bias = panels(1, out, 3, quantum);
    add = panels(rows, out, 4, quantum);
    multiply_plainly();
  }
  static std::vector<float> panels(std::int64_t rows, int cols, std::uint64_t seed, double quantum) {
    std::vector<float> m(nn::panel_floats(rows, cols), 0.0F);
    for (std::int64_t r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        const std::size_t at = nn::panel_index(rows, r, c);
        const double u = 2 * stream(seed).uniform(at) - 1;
        m[at] = static_cast<float>(quantum > 0 ? quantum * std::nearbyint(u / quantum) : u);
      }
    return m;
  }
  /// Exact sums of products of rounded operands, [row][column].
  void multiply_plainly() {
    std::vector<double> a(x.size()), b(w.size());
    std::transform(x.begin(), x.end(), a.begin(), [](float v) { return rounded(static_cast<double>(v)); });
    std::transform(w.begin(), w.end(), b.begin(), [](float v) { return rounded(static_cast<double>(v)); });
    sums.clear();
    for (std::int64_t r = 0; r < rows; ++r)
      for (int c = 0; c < out; ++c) {
        double s = 0;
        for (int i = 0; i < in; ++i) s += a[nn::panel_index(rows, r, i)] * b[nn::panel_index(in, i, c)];
        sums.push_back(s);
      }
  }
  double expected(std::int64_t r, int c, bool with_bias, bool with_add, bool relu) const {
    double s = sums[static_cast<std::size_t>(r * out + c)];
    if (with_bias) s += static_cast<double>(bias[nn::panel_index(1, 0, c)]);
    if (with_add) s += static_cast<double>(add[nn::panel_index(rows, r, c)]);
    return relu && s < 0 ? 0 : s;
  }
  std::vector<double> sums;
};

nn::AlignedFloats aligned(const std::vector<float>& from) {
  nn::AlignedFloats to(from.size());
  std::copy(from.begin(), from.end(), to.data());
  return to;
}

/// Calls check(got float, got bfloat16 as float, exact sum) for each element.
template <typename Check>
void multiply(Bfloat16Unit unit, const Product& p, bool bias, bool add, bool relu, const Check& check) {
  const nn::AlignedFloats w = aligned(p.w), x = aligned(p.x), b = aligned(p.bias), a = aligned(p.add);
  const nn::Bfloat16Weights weights(unit, p.in, p.out, w.data());
  nn::Bfloat16Panels operand, result;
  operand.reserve(p.rows, p.in);
  nn::round_panels(p.rows, p.in, x.data(), operand);
  result.reserve(p.rows, p.out);
  nn::AlignedFloats y(nn::panel_floats(p.rows, p.out));
  nn::make_bfloat16_kernel(unit)->multiply(
      p.rows, operand, weights,
      {.bias = bias ? b.data() : nullptr, .add = add ? a.data() : nullptr, .relu = relu, .y = y.data(), .rounded = &result});
  // The same without float32 out: hidden layers have a path of their own.
  nn::Bfloat16Panels alone;
  alone.reserve(p.rows, p.out);
  nn::make_bfloat16_kernel(unit)->multiply(
      p.rows, operand, weights,
      {.bias = bias ? b.data() : nullptr, .add = add ? a.data() : nullptr, .relu = relu, .rounded = &alone});
  for (int panel = 0; panel < nn::bfloat16_panel_count(p.out); ++panel)
    EXPECT_EQ(std::memcmp(alone.row(panel, 0), result.row(panel, 0), static_cast<std::size_t>(p.rows) * 64), 0);
  for (std::int64_t r = 0; r < p.rows; ++r)
    for (int c = 0; c < p.out; ++c)
      check(y.data()[nn::panel_index(p.rows, r, c)], from_bfloat16(result.row(c / nn::kBfloat16Panel, r)[c % nn::kBfloat16Panel]),
            p.expected(r, c, bias, add, relu));
}

TEST(Bfloat16Kernel, ExactWhereSumsAreExact) {
  for (const std::int64_t rows : {1, 15, 16, 17, 32, 33, 70})
    for (const auto& [in, out] : {std::pair{1, 1}, {31, 16}, {32, 17}, {64, 32}, {70, 33}, {309, 70}}) {
      const Product p(rows, in, out, 1.0 / 64);
      for (const Bfloat16Unit unit : kUnits)
        for (int options = 0; options < 8 && nn::available(unit); ++options) {
          int wrong = 0;
          multiply(unit, p, options & 1, options & 2, options & 4, [&](float y, float bits, double exact) {
            wrong += static_cast<double>(y) != exact || static_cast<double>(bits) != rounded(exact);
          });
          ASSERT_EQ(wrong, 0) << nn::to_string(unit) << ", " << rows << " x " << in << " x " << out << ", options " << options;
        }
    }
}

TEST(Bfloat16Kernel, RoundsOperandsAndSumsInFloat32) {
  const Product p(33, 309, 40, 0);
  for (const Bfloat16Unit unit : kUnits) {
    if (!nn::available(unit)) continue;
    double largest = 0;
    multiply(unit, p, true, true, false, [&](float y, float bits, double exact) {
      largest = std::max(largest, std::abs(static_cast<double>(y) - exact));
      EXPECT_EQ(static_cast<double>(bits), rounded(static_cast<double>(y)));
    });
    // 311 additions of numbers up to 1, each off by half a unit in the last place of a partial sum below 64: 2^-19.
    EXPECT_LT(largest, 311 * 0x1p-19) << nn::to_string(unit);
    EXPECT_GT(largest, 0);
  }
}

/// A float32 matrix in panel format and the same rounded to bfloat16 in both formats.
struct Both {
  Both(std::int64_t r, int c, std::uint64_t seed) : rows(r), cols(c), floats(aligned(Product::panels(r, c, seed, 0))) {
    panels.reserve(rows, cols);
    nn::round_panels(rows, cols, floats.data(), panels);
  }
  double at(std::int64_t r, int c) const { return rounded(static_cast<double>(floats.data()[nn::panel_index(rows, r, c)])); }
  double rest(std::int64_t r, int c) const {
    const double x = static_cast<double>(floats.data()[nn::panel_index(rows, r, c)]);
    return rounded(x - rounded(x));
  }
  std::int64_t rows;
  int cols;
  nn::AlignedFloats floats;
  nn::Bfloat16Panels panels;
};

float element(const nn::Bfloat16Panels& m, std::int64_t r, int c) {
  return from_bfloat16(m.row(c / nn::kBfloat16Panel, r)[c % nn::kBfloat16Panel]);
}

constexpr std::pair<std::int64_t, int> kShapes[] = {{1, 1}, {2, 33}, {16, 16}, {31, 70}, {33, 32}, {100, 48}, {129, 309}};

TEST(Bfloat16Panels, RoundedAndTransposed) {
  for (const auto& [rows, cols] : kShapes) {
    const Both m(rows, cols, 5);
    std::vector<float> row_major(static_cast<std::size_t>(rows * cols));
    nn::from_panels(rows, cols, m.floats.data(), row_major.data());
    nn::Bfloat16Panels again, turned;
    again.reserve(rows, cols);
    nn::round_rows(rows, cols, row_major.data(), again);
    nn::transpose(rows, cols, m.panels, turned);
    for (std::int64_t r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        ASSERT_EQ(static_cast<double>(element(m.panels, r, c)), m.at(r, c));
        ASSERT_EQ(element(again, r, c), element(m.panels, r, c));
        ASSERT_EQ(element(turned, c, static_cast<int>(r)), element(m.panels, r, c)) << rows << " x " << cols;
      }
    const int filled = nn::bfloat16_panel_count(static_cast<int>(rows)) * nn::kBfloat16Panel;
    for (int c = 0; c < cols; ++c)
      for (int r = static_cast<int>(rows); r < filled; ++r) ASSERT_EQ(element(turned, c, r), 0.0F);
  }
}

TEST(Bfloat16Panels, ColumnSums) {
  for (const auto& [rows, cols] : kShapes) {
    const Both m(rows, cols, 6);
    nn::AlignedFloats sums(nn::panel_floats(1, cols));
    std::fill_n(sums.data(), sums.size(), 2.0F);
    nn::column_sums(rows, cols, m.panels, true, sums.data());
    for (int c = 0; c < cols; ++c) {
      double expected = 2;
      for (std::int64_t r = 0; r < rows; ++r) expected += m.at(r, c);
      EXPECT_NEAR(static_cast<double>(sums.data()[c]), expected, 1e-4);
    }
    nn::column_sums(rows, cols, m.panels, false, sums.data());
    for (int c = cols; c < nn::padded(cols); ++c) EXPECT_EQ(sums.data()[c], 0.0F);
  }
}

/// Rows of `x` through a kernel with `w`, which stands for the matrix right(i, o).
template <typename Right>
void expect_product(Bfloat16Unit unit, const Both& x, std::span<const nn::Bfloat16Factors> terms, int out, const Right& right, const Both* mask) {
  nn::AlignedFloats y(nn::panel_floats(x.rows, out));
  nn::Bfloat16Panels rounded_result;
  rounded_result.reserve(x.rows, out);
  nn::make_bfloat16_kernel(unit)->multiply(
      x.rows, terms, {.mask = mask != nullptr ? &mask->panels : nullptr, .y = y.data(), .rounded = &rounded_result});
  for (std::int64_t r = 0; r < x.rows; ++r)
    for (int o = 0; o < out; ++o) {
      double expected = 0;
      for (int i = 0; i < x.cols && (mask == nullptr || mask->at(r, o) > 0); ++i) expected += x.at(r, i) * right(i, o);
      const float got = y.data()[nn::panel_index(x.rows, r, o)];
      ASSERT_NEAR(static_cast<double>(got), expected, 2e-4) << nn::to_string(unit) << ' ' << x.rows << " x " << x.cols << " x " << out;
      ASSERT_EQ(static_cast<double>(element(rounded_result, r, o)), rounded(static_cast<double>(got)));
    }
}

TEST(Bfloat16Kernel, SecondOperandsOfAllKinds) {
  for (const Bfloat16Unit unit : kUnits) {
    if (!nn::available(unit)) continue;
    for (const auto& [rows, in] : kShapes)
      for (const int out : {1, 17, 48}) {
        const Both x(rows, in, 1), w(in, out, 2), wt(out, in, 3), mask(rows, out, 4);
        nn::Bfloat16Weights high(unit), low(unit), turned(unit), panels(unit);
        high.assign(in, out, w.floats.data(), nn::Bfloat16Weights::Part::rounded);
        low.assign(in, out, w.floats.data(), nn::Bfloat16Weights::Part::rest);
        turned.assign_transposed(in, out, wt.floats.data());
        panels.assign(std::int64_t{in}, out, w.panels);
        const nn::Bfloat16Factors both[] = {{&x.panels, &high}, {&x.panels, &low}}, other[] = {{&x.panels, &turned}},
                                  third[] = {{&x.panels, &panels}};
        expect_product(unit, x, both, out, [&](int i, int o) { return w.at(i, o) + w.rest(i, o); }, nullptr);
        expect_product(unit, x, other, out, [&](int i, int o) { return wt.at(o, i); }, &mask);
        expect_product(unit, x, third, out, [&](int i, int o) { return w.at(i, o); }, nullptr);
      }
  }
}

TEST(Bfloat16Kernel, NotANumberStays) {
  for (const Bfloat16Unit unit : kUnits) {
    if (!nn::available(unit)) continue;
    Product p(3, 40, 20, 1.0 / 64);
    p.x[nn::panel_index(p.rows, 1, 5)] = NAN;
    int seen = 0, at = 0;
    multiply(unit, p, true, false, true, [&](float y, float bits, double) {
      EXPECT_EQ(std::isnan(y), at / 20 == 1);
      EXPECT_EQ(std::isnan(y), std::isnan(bits));
      seen += std::isnan(y);
      ++at;
    });
    EXPECT_EQ(seen, 20) << nn::to_string(unit);
  }
}

/// Forward of an mlp by the definition; every sum must be exact in float32.
std::vector<double> plain_mlp(const Network& network, std::span<const float> row, double quantum) {
  const std::vector<float> weights = network.weights();
  std::map<std::string, ParameterInfo> infos;
  for (const ParameterInfo& p : network.parameters()) infos[p.name] = p;
  std::vector<double> x;
  for (const float v : row) x.push_back(rounded(static_cast<double>(v)));
  for (int l = 0; l <= network.options().layers; ++l) {
    const std::string name = l < network.options().layers ? "layer" + std::to_string(l) : "head";
    const ParameterInfo &w = infos.at(name + ".weight"), &b = infos.at(name + ".bias");
    quantum /= 4;  // of the products: weights are multiples of 1/4
    std::vector<double> y;
    for (std::size_t o = 0; o < b.count; ++o) {
      double sum = static_cast<double>(weights[b.offset + o]), magnitude = std::abs(sum);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double product = rounded(static_cast<double>(weights[w.offset + o * x.size() + i])) * x[i];
        sum += product;
        magnitude += std::abs(product);
      }
      EXPECT_LT(magnitude / quantum, 0x1p24) << "the test's own numbers";
      y.push_back(name == "head" ? sum : rounded(std::max(0.0, sum)));
    }
    x = y;
  }
  return x;
}

TEST(Bfloat16Kernel, MlpIsTheDefinitionToTheBit) {
  const Game game = make_game("hulh");
  const FeatureLayout layout = Encoder(game, FeatureKind::dense).layout();
  for (const NetworkOptions& options : {mlp_options(1, 512), mlp_options(3, 64), mlp_options(2, 100)}) {
    Network network(layout, game.num_actions(), options, stream(1));
    std::vector<float> weights(network.parameter_count());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double u = stream(2).uniform(i);
      weights[i] = u < 0.2 ? -0.25F : u > 0.8 ? 0.25F : 0.0F;
    }
    network.set_weights(weights);
    std::vector<float> rows = random_rows(layout, 50, 3);
    for (float& x : rows) x = std::nearbyint(x * 128) / 128;
    const auto shared = std::make_shared<const Network>(network.clone());
    const auto engine = make_forward_engine(game, {shared, shared}, {.type = RowType::bfloat16});
    const std::vector<float> got = answers(*engine, network, rows);
    const auto width = static_cast<std::size_t>(layout.width), actions = static_cast<std::size_t>(network.outputs());
    std::vector<float> float32(got.size());
    network.forward(rows, float32);
    int differ = 0;
    for (std::size_t i = 0; i < 50; ++i) {
      const std::vector<double> expected = plain_mlp(network, std::span(rows).subspan(i * width, width), 1.0 / 128);
      for (std::size_t a = 0; a < actions; ++a) {
        EXPECT_EQ(static_cast<double>(got[i * actions + a]), expected[a]) << i << ' ' << a;
        differ += got[i * actions + a] != float32[i * actions + a];
      }
    }
    EXPECT_GT(differ, 20) << "rounding must matter in this test";
  }
}

/// The network of card_bet written once more, in double. `operand` is applied to both operands of each product.
template <typename Operand>
std::vector<double> plain_card_bet(const Network& network, std::span<const float> row, const Operand& operand) {
  const std::vector<float> weights = network.weights();
  std::map<std::string, ParameterInfo> infos;
  for (const ParameterInfo& p : network.parameters()) infos[p.name] = p;
  const FeatureLayout& layout = network.layout();
  const auto weight = [&](const std::string& name, std::size_t i) {
    return static_cast<double>(weights[infos.at(name).offset + i]);
  };
  const auto layer = [&](const std::string& name, const std::vector<double>& x, const std::vector<double>* skip, bool relu) {
    std::vector<double> y(infos.at(name + ".bias").count);
    for (std::size_t o = 0; o < y.size(); ++o) {
      y[o] = weight(name + ".bias", o) + (skip ? (*skip)[o] : 0.0);
      for (std::size_t i = 0; i < x.size(); ++i) y[o] += operand(weight(name + ".weight", o * x.size() + i)) * operand(x[i]);
      if (relu) y[o] = std::max(y[o], 0.0);
    }
    return y;
  };
  const auto dim = static_cast<std::size_t>(network.options().dim);
  std::vector<double> card;
  std::size_t at = 0;
  for (int g = 0; g < layout.groups; ++g) {
    std::vector<double> sum(dim);
    for (int i = 0; i < layout.group_size[static_cast<std::size_t>(g)]; ++i, ++at) {
      if (row[at] < 0) continue;
      const auto number = static_cast<std::size_t>(row[at]);
      for (std::size_t d = 0; d < dim; ++d)
        sum[d] += weight("group" + std::to_string(g) + ".rank.weight", number / 4 * dim + d) +
                  weight("group" + std::to_string(g) + ".suit.weight", number % 4 * dim + d);
    }
    card.insert(card.end(), sum.begin(), sum.end());
  }
  for (const char* name : {"card0", "card1", "card2"}) card = layer(name, card, nullptr, true);
  std::vector<double> bet = layer("bet0", {row.begin() + static_cast<std::ptrdiff_t>(at), row.end()}, nullptr, true);
  bet = layer("bet1", bet, &bet, true);
  card.insert(card.end(), bet.begin(), bet.end());
  std::vector<double> trunk = layer("trunk0", card, nullptr, true);
  for (const char* name : {"trunk1", "trunk2"}) trunk = layer(name, trunk, &trunk, true);
  double mean = 0, squares = 0;
  for (const double x : trunk) mean += x / static_cast<double>(dim);
  for (const double x : trunk) squares += (x - mean) * (x - mean);
  for (double& x : trunk) x = (x - mean) / (std::sqrt(squares / static_cast<double>(dim - 1)) + 1e-3);
  return layer("head", trunk, nullptr, false);
}

TEST(Bfloat16Kernel, CardBetRoundsOperandsOnly) {
  const Game game = make_game("hulh");
  const Network network(Encoder(game, FeatureKind::cards).layout(), game.num_actions(), card_bet_options(24, 50), stream(1));
  const auto shared = std::make_shared<const Network>(network.clone());
  const auto engine = make_forward_engine(game, {shared, shared}, {.type = RowType::bfloat16});
  std::vector<float> rows = random_rows(network.layout(), 100, 3);
  const auto width = static_cast<std::size_t>(network.layout().width), actions = static_cast<std::size_t>(network.outputs());
  const std::vector<float> got = answers(*engine, network, rows);
  double error = 0, rounding = 0, size = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    const std::span<const float> row = std::span(rows).subspan(i * width, width);
    const std::vector<double> expected = plain_card_bet(network, row, rounded);
    const std::vector<double> unrounded = plain_card_bet(network, row, [](double x) { return x; });
    for (std::size_t a = 0; a < actions; ++a) {
      error += std::pow(static_cast<double>(got[i * actions + a]) - expected[a], 2);
      rounding += std::pow(unrounded[a] - expected[a], 2);
      size += expected[a] * expected[a];
    }
  }
  // What rounding does is small beside the answers, and what is left (an operand here and there that float32 sums put on the
  // other side of a boundary) is small beside what rounding does: a product with unrounded operands would show.
  EXPECT_LT(rounding, 1e-3 * size);
  EXPECT_LT(error, 0.05 * rounding);
}

}  // namespace
}  // namespace deepcfr
