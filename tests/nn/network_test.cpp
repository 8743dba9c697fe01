#include "deepcfr/nn/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "deepcfr/core/error.h"
#include "reference.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

std::vector<Network> networks() {
  std::vector<Network> list;
  list.emplace_back(dense_layout(60), 3, mlp_options(3, 64), stream(1));
  list.emplace_back(dense_layout(256), 6, mlp_options(3, 512), stream(2));
  list.emplace_back(dense_layout(7), 2, mlp_options(0, 1), stream(3));
  list.emplace_back(flop_layout(), 4, card_bet_options(64, 192), stream(4));
  list.emplace_back(flop_layout(), 3, card_bet_options(20, 30), stream(5));
  return list;
}

std::vector<float> outputs(const Network& network, const std::vector<float>& rows) {
  std::vector<float> out(rows.size() / static_cast<std::size_t>(network.layout().width) *
                         static_cast<std::size_t>(network.outputs()));
  network.forward(rows, out);
  return out;
}

TEST(Network, ForwardAgreesWithLibTorch) {  // T47: 1e-5 between CPU backends
  for (const Network& network : networks()) {
    for (const std::int64_t count : {1, 3, 64, 700}) {
      const std::vector<float> rows = random_rows(network.layout(), count, 8);
      const std::vector<float> got = outputs(network, rows);
      const at::Tensor expected = Reference(network, at::kFloat).forward(rows).detach().contiguous();
      double largest = 0;
      for (std::size_t i = 0; i < got.size(); ++i)
        largest = std::max(largest, std::abs(static_cast<double>(got[i]) - static_cast<double>(expected.data_ptr<float>()[i])));
      std::printf("%zu parameters, %ld rows: largest difference from LibTorch %.2g\n", network.parameter_count(),
                  static_cast<long>(count), largest);
      EXPECT_LT(largest, 1e-5);
    }
  }
}

TEST(Network, ProbeFindsBatchInvariance) {
  for (const Network& network : networks()) EXPECT_TRUE(probe_batch_invariance(network));
}

TEST(Network, RowsDoNotDependOnOrderOrBatch) {
  for (const Network& network : networks()) {
    constexpr std::int64_t kRows = 333;
    const auto width = static_cast<std::size_t>(network.layout().width);
    const auto n = static_cast<std::size_t>(network.outputs());
    const std::vector<float> rows = random_rows(network.layout(), kRows, 3);
    const std::vector<float> whole = outputs(network, rows);
    std::vector<float> reversed(rows.size());
    for (std::size_t r = 0; r < kRows; ++r)
      std::copy_n(rows.data() + r * width, width, reversed.data() + (kRows - 1 - r) * width);
    const std::vector<float> back = outputs(network, reversed);
    for (std::size_t r = 0; r < kRows; ++r) {
      const std::vector<float> one = outputs(network, {rows.begin() + static_cast<std::ptrdiff_t>(r * width),
                                                       rows.begin() + static_cast<std::ptrdiff_t>((r + 1) * width)});
      ASSERT_EQ(std::memcmp(one.data(), whole.data() + r * n, n * sizeof(float)), 0);
      ASSERT_EQ(std::memcmp(one.data(), back.data() + (kRows - 1 - r) * n, n * sizeof(float)), 0);
    }
  }
}

TEST(Network, ClonesAreIndependentAndHashesTell) {
  for (const Network& network : networks()) {
    Network copy = network.clone();
    EXPECT_EQ(copy.hash(), network.hash());
    std::vector<float> weights = copy.weights();
    weights.back() += 1;
    copy.set_weights(weights);
    EXPECT_NE(copy.hash(), network.hash());
    EXPECT_EQ(copy.weights(), weights);
    const std::vector<float> rows = random_rows(network.layout(), 2, 1);
    EXPECT_NE(outputs(copy, rows), outputs(network, rows));
  }
}

TEST(Network, WrongSizesAreBugs) {
  Network network(dense_layout(4), 3, mlp_options(1, 8), stream(1));
  EXPECT_THROW(network.set_weights(std::vector<float>(5)), Error);
  std::vector<float> out(3);
  EXPECT_THROW(network.forward(std::vector<float>(5), out), Error);
  EXPECT_THROW(network.forward(std::vector<float>(8), out), Error);
  EXPECT_THROW(Network(flop_layout(), 3, mlp_options(1, 8), stream(1)), Error);
  network.forward({}, {});
}

TEST(Network, CardsOutOfRangeAreBugs) {
  const Network network(flop_layout(), 3, card_bet_options(8, 8), stream(1));
  std::vector<float> rows = random_rows(network.layout(), 1, 1), out(3);
  rows[0] = 52;
  EXPECT_THROW(network.forward(rows, out), Error);
}

// No card of a group at all (before the flop) is the sum over nothing.
TEST(Network, AbsentCardsContributeNothing) {
  const Network network(flop_layout(), 3, card_bet_options(8, 8), stream(1));
  std::vector<float> rows = random_rows(network.layout(), 1, 1);
  rows[2] = rows[3] = rows[4] = -1;
  const std::vector<float> before = outputs(network, rows);
  Network changed = network.clone();
  std::vector<float> weights = changed.weights();
  for (const ParameterInfo& info : changed.parameters())
    if (info.name.find("group1") == 0)
      for (std::size_t i = 0; i < info.count; ++i) weights[info.offset + i] += 3;
  changed.set_weights(weights);
  EXPECT_EQ(outputs(changed, rows), before);
  rows[2] = 17;
  EXPECT_NE(outputs(changed, rows), outputs(network, rows));
}

}  // namespace
}  // namespace deepcfr
