#include "model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numeric>

#include "loss.h"
#include "reference.h"

namespace deepcfr::nn {
namespace {

using namespace deepcfr::test;

struct Named {
  const char* name;
  FeatureLayout layout;
  NetworkOptions options;
};

std::vector<Named> networks() {
  return {{"mlp 3 x 64", dense_layout(60), mlp_options(3, 64)},      {"mlp 2 x 33", dense_layout(21), mlp_options(2, 33)},
          {"mlp, head only", dense_layout(5), mlp_options(0, 1)},    {"mlp 2 x 300", dense_layout(280), mlp_options(2, 300)},
          {"card_bet 64", flop_layout(), card_bet_options(64, 192)}, {"card_bet 40", flop_layout(), card_bet_options(40, 50)},
          {"card_bet 5", flop_layout(), card_bet_options(5, 7)}};
}

TEST(Model, CardBetHasThePapersParameters) {
  const auto model = make_model(flop_layout(), 4, card_bet_options(64, 192));
  EXPECT_EQ(model->flat_count(), 98948U);
}

TEST(Model, ParametersTileTheFlatWeights) {
  for (const Named& n : networks()) {
    const auto model = make_model(n.layout, 4, n.options);
    std::size_t at = 0;
    for (const ParameterInfo& info : model->parameters()) {
      EXPECT_EQ(info.offset, at) << n.name << " " << info.name;
      const auto product = std::accumulate(info.shape.begin(), info.shape.end(), std::int64_t{1}, std::multiplies<>());
      EXPECT_EQ(static_cast<std::int64_t>(info.count), product);
      at += info.count;
    }
    EXPECT_EQ(at, model->flat_count()) << n.name;
  }
}

TEST(Model, PackAndUnpackAreInverse) {
  for (const Named& n : networks()) {
    const auto model = make_model(n.layout, 4, n.options);
    const std::vector<float> flat = model->initial_weights(stream(3));
    AlignedFloats packed(model->packed_count());
    for (float& x : packed.span()) x = std::nanf("");
    model->pack(flat, packed.span());
    std::vector<float> back(flat.size());
    model->unpack(packed.span(), back);
    EXPECT_EQ(back, flat) << n.name;
    double sum = 0, sum_packed = 0;  // padding is zero
    for (const float x : flat) sum += static_cast<double>(x * x);
    for (const float x : packed.span()) sum_packed += static_cast<double>(x * x);
    EXPECT_NEAR(sum_packed, sum, 1e-9 * sum) << n.name;
  }
}

double deviation(std::span<const float> values) {
  double sum = 0, squares = 0;
  for (const float x : values) sum += static_cast<double>(x), squares += static_cast<double>(x) * static_cast<double>(x);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / n - sum / n * sum / n);
}

// Reported fault A14.
TEST(Model, A14InitialWeightsFollowTheirFormula) {
  for (const Named& n : {networks()[3], networks()[4]}) {
    const auto model = make_model(n.layout, 16, n.options);
    const std::vector<float> weights = model->initial_weights(stream(1));
    EXPECT_NE(weights, model->initial_weights(stream(2)));
    EXPECT_EQ(weights, model->initial_weights(stream(1)));
    for (const ParameterInfo& info : model->parameters()) {
      const std::span<const float> values(weights.data() + info.offset, info.count);
      if (info.shape.size() == 1) {
        for (const float b : values) ASSERT_EQ(b, 0.0F) << info.name;
        continue;
      }
      const bool table = info.name.find("group") == 0;
      const double in = static_cast<double>(info.shape[1]);
      const double expected = table ? 0.1 : std::sqrt((info.name == "head.weight" ? 1.0 : 2.0) / in);
      const double tolerance = info.count < 1000 ? 0.2 : 0.1;
      EXPECT_NEAR(deviation(values) / expected, 1.0, tolerance) << n.name << " " << info.name;
    }
  }
}

struct Gradients {
  double loss = 0;
  std::vector<float> flat;
};

/// Loss and gradient of one batch through a pass, rows in blocks of `block`.
Gradients gradients(const Network& network, Amp amp, std::span<const float> rows, const LossRows& data,
                    std::size_t block = 100000) {
  const auto model = make_model(network.layout(), network.outputs(), network.options());
  const std::size_t count = data.weights.size();
  const auto width = static_cast<std::size_t>(network.layout().width), actions = static_cast<std::size_t>(network.outputs());
  AlignedFloats packed(model->packed_count()), gradient(model->packed_count());
  AlignedFloats d_out(panel_floats(static_cast<std::int64_t>(count), network.outputs()));
  model->pack(network.weights(), packed.span());
  const auto pass = model->make_pass(amp);
  Gradients result;
  for (float& x : gradient.span()) x = std::nanf("");  // all of it must be written
  for (std::size_t first = 0; first < count; first += block) {
    const std::size_t n = std::min(block, count - first);
    const auto rows_now = static_cast<std::int64_t>(n);
    pass->load(rows.subspan(first * width, n * width), rows_now);
    std::vector<float> out(n * actions), d(n * actions);
    from_panels(rows_now, network.outputs(), pass->forward(packed.data()), out.data());
    const LossRows part{out,
                        data.targets.subspan(first * actions, n * actions),
                        data.mask.subspan(first * actions, n * actions),
                        data.weights.subspan(first, n),
                        network.outputs(),
                        static_cast<std::int64_t>(count)};
    result.loss += advantage_loss(part, d);
    to_panels(rows_now, network.outputs(), d.data(), d_out.data());
    pass->backward(packed.data(), d_out.data(), first > 0, gradient.data());
  }
  result.flat.resize(model->flat_count());
  model->unpack(gradient.span(), result.flat);
  for (const float x : gradient.span()) EXPECT_FALSE(std::isnan(x));
  return result;
}

struct Data {
  std::vector<float> rows, targets, mask, weights;
  LossRows loss_rows(int actions) const { return {{}, targets, mask, weights, actions}; }
};

Data random_data(const FeatureLayout& layout, std::int64_t count, int actions) {
  Data d;
  d.rows = random_rows(layout, count, 5);
  d.targets.resize(static_cast<std::size_t>(count * actions));
  d.mask.resize(d.targets.size());
  d.weights.resize(static_cast<std::size_t>(count));
  FunctionBatches source(layout, actions, count, true);
  std::vector<float> unused(d.rows.size());
  source.fill(0, {unused, d.targets, d.mask, d.weights});
  return d;
}

double relative_distance(std::span<const float> a, std::span<const float> b) {
  double difference = 0, length = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    length += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(difference / length);
}

std::vector<float> autograd_gradient(const Network& network, const Data& data, int actions, double& loss) {
  const Reference reference(network, at::kDouble);
  const auto count = static_cast<std::int64_t>(data.weights.size());
  const auto matrix = [&](const std::vector<float>& v, std::vector<std::int64_t> shape) {
    return at::from_blob(const_cast<float*>(v.data()), shape, at::kFloat).to(at::kDouble);
  };
  const at::Tensor difference = reference.forward(data.rows) - matrix(data.targets, {count, actions});
  const at::Tensor row_loss = (difference * difference * matrix(data.mask, {count, actions})).sum(1);
  const at::Tensor total = (row_loss * matrix(data.weights, {count})).sum() / count;
  total.backward();
  loss = total.item<double>();
  return reference.gradient();
}

TEST(Model, GradientsAgreeWithAutograd) {
  constexpr int kOutputs = 4;
  for (const Named& n : networks()) {
    for (const std::int64_t count : {1, 19, 150}) {
      const Network network(n.layout, kOutputs, n.options, stream(11));
      const Data data = random_data(n.layout, count, kOutputs);
      double loss = 0;
      const std::vector<float> expected = autograd_gradient(network, data, kOutputs, loss);
      const Gradients got = gradients(network, Amp::off, data.rows, data.loss_rows(kOutputs));
      const double distance = relative_distance(got.flat, expected);
      std::printf("%s, %ld rows: gradient differs by %.2g of its length\n", n.name, static_cast<long>(count), distance);
      EXPECT_NEAR(got.loss, loss, 1e-5 * loss) << n.name;
      EXPECT_LT(distance, 1e-5) << n.name << " " << count;
      for (const ParameterInfo& info : network.parameters()) {
        const std::span<const float> part(got.flat.data() + info.offset, info.count);
        const std::span<const float> whole(expected.data() + info.offset, info.count);
        double length = 0;
        for (const float x : whole) length += static_cast<double>(x * x);
        if (length > 0) {
          EXPECT_LT(relative_distance(part, whole), 1e-4) << n.name << " " << info.name;
        }
      }
    }
  }
}

TEST(Model, BlocksOfRowsAddUp) {
  for (const Named& n : networks()) {
    const Network network(n.layout, 4, n.options, stream(11));
    const Data data = random_data(n.layout, 150, 4);
    const Gradients whole = gradients(network, Amp::off, data.rows, data.loss_rows(4));
    const Gradients parts = gradients(network, Amp::off, data.rows, data.loss_rows(4), 64);
    EXPECT_NEAR(parts.loss, whole.loss, 1e-6 * whole.loss);
    EXPECT_LT(relative_distance(parts.flat, whole.flat), 1e-5) << n.name;
  }
}

TEST(Model, Bfloat16GradientsAreNear) {
  constexpr int kOutputs = 4;
  for (const Named& n : networks()) {
    const Network network(n.layout, kOutputs, n.options, stream(11));
    const Data data = random_data(n.layout, 100, kOutputs);
    const Gradients exact = gradients(network, Amp::off, data.rows, data.loss_rows(kOutputs));
    const Gradients rounded = gradients(network, Amp::bf16, data.rows, data.loss_rows(kOutputs));
    EXPECT_NEAR(rounded.loss, exact.loss, 0.03 * exact.loss) << n.name;
    EXPECT_LT(relative_distance(rounded.flat, exact.flat), 0.06) << n.name;
    EXPECT_GT(relative_distance(rounded.flat, exact.flat), 0.0) << n.name;  // it is bfloat16 indeed
  }
}

// Statement 13: rows whose last features are all equal.
TEST(Model, S13ConstantFeaturesStayFinite) {
  const NetworkOptions options = card_bet_options(64, 192);
  Network network(flop_layout(), 4, options, stream(1));
  std::vector<float> weights = network.weights();
  for (const ParameterInfo& info : network.parameters())
    if (info.name.find("trunk2") == 0 || info.name.find("trunk1") == 0 || info.name.find("trunk0") == 0)
      for (std::size_t i = 0; i < info.count; ++i) weights[info.offset + i] = info.shape.size() == 1 ? 1.7F : 0.0F;
  network.set_weights(weights);
  const Data data = random_data(flop_layout(), 9, 4);
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    const Gradients g = gradients(network, amp, data.rows, data.loss_rows(4));
    EXPECT_TRUE(std::isfinite(g.loss));
    for (const float x : g.flat) ASSERT_TRUE(std::isfinite(x));
  }
  std::vector<float> out(9 * 4);
  network.forward(data.rows, out);
  for (const float x : out) EXPECT_NEAR(static_cast<double>(x), 0.0, 1e-2);  // the bias of the head, but for rounding
}

}  // namespace
}  // namespace deepcfr::nn
