#include "deepcfr/nn/forward_engine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "games.h"
#include "minibatches.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

const Game& hulh() {
  static const Game game = make_game("hulh");
  return game;
}

struct Case {
  const char* name;
  NetworkOptions network;
  ForwardOptions options;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const RowType type : {RowType::float32, RowType::bfloat16}) {
    list.push_back({"3 x 64", mlp_options(3, 64), {type, true}});
    list.push_back({"2 x 100", mlp_options(2, 100), {type, true}});
    list.push_back({"linear", mlp_options(0, 1), {type, true}});
    list.push_back({"card_bet, shared", card_bet_options(64, 192), {type, true}});
    list.push_back({"card_bet, row by row", card_bet_options(20, 30), {type, false}});
    list.push_back({"card_bet, narrow, shared", card_bet_options(20, 30), {type, true}});
  }
  return list;
}

std::shared_ptr<const Network> make_network(const NetworkOptions& options, std::uint64_t seed) {
  const Encoder encoder(hulh(), feature_kind(options.type));
  Network network(encoder.layout(), hulh().num_actions(), options, stream(seed));
  std::vector<float> weights = network.weights();
  for (const ParameterInfo& p : network.parameters())  // biases, which are 0 at first
    if (p.name.ends_with("bias"))
      for (std::size_t i = 0; i < p.count; ++i)
        weights[p.offset + i] = static_cast<float>(stream(seed + 1).uniform(p.offset + i) - 0.5);
  network.set_weights(weights);
  return std::make_shared<const Network>(std::move(network));
}

std::unique_ptr<ForwardEngine> make_engine(std::shared_ptr<const Network> network, const ForwardOptions& options) {
  return make_forward_engine(hulh(), {network, network}, options);
}

std::vector<float> direct(const Network& network, std::span<const float> rows) {
  std::vector<float> out(rows.size() / static_cast<std::size_t>(network.layout().width) *
                         static_cast<std::size_t>(network.outputs()));
  network.clone().forward(rows, out);
  return out;
}

TEST(ForwardEngine, Float32IsNetworkForwardToTheBit) {
  for (const Case& c : cases()) {
    if (c.options.type != RowType::float32) continue;
    const auto network = make_network(c.network, 3);
    const auto engine = make_engine(network, c.options);
    for (const std::int64_t count : {1, 2, 37, 256, 700}) {
      const std::vector<float> rows = rows_with_hands(network->layout(), count, 1 + count / 10, 5);
      EXPECT_EQ(answers(*engine, *network, rows), direct(*network, rows)) << c.name << ", " << count << " rows";
    }
  }
}

TEST(ForwardEngine, ARowDoesNotDependOnItsBatch) {
  constexpr std::size_t kRows = 1024;
  for (const Case& c : cases()) {
    const auto network = make_network(c.network, 7);
    const auto engine = make_engine(network, c.options);
    const std::vector<float> rows = rows_with_hands(network->layout(), kRows, 40, 2);
    const std::vector<float> whole = answers(*engine, *network, rows);
    const auto width = static_cast<std::size_t>(network->layout().width);
    const auto actions = static_cast<std::size_t>(network->outputs());
    for (std::size_t size = 1; size < kRows; size = size < 40 ? size + 1 : size * 3 / 2) {
      const std::size_t first = (kRows - size) / 2;
      const std::vector<float> part = answers(*engine, *network, std::span(rows).subspan(first * width, size * width));
      ASSERT_EQ(std::memcmp(part.data(), whole.data() + first * actions, size * actions * sizeof(float)), 0)
          << c.name << ", " << engine->name() << ", " << size << " rows";
    }
  }
}

TEST(ForwardEngine, SeveralMinibatchesAreOneBatch) {
  for (const Case& c : cases()) {
    const auto network = make_network(c.network, 8);
    const auto engine = make_engine(network, c.options);
    const std::vector<float> rows = rows_with_hands(network->layout(), 700, 30, 4);
    const std::vector<float> whole = answers(*engine, *network, rows);
    const auto width = static_cast<std::size_t>(network->layout().width);
    std::vector<std::unique_ptr<Rows>> parts;
    std::vector<Minibatch*> batches;
    std::size_t first = 0;
    for (const std::size_t size : {1, 3, 0, 250, 2, 400, 44}) {
      parts.push_back(std::make_unique<Rows>(*engine, network->layout(), 0, network->outputs(),
                                             std::span(rows).subspan(first * width, size * width)));
      batches.push_back(&parts.back()->batch());
      first += size;
    }
    ASSERT_EQ(first, 700U);
    engine->forward(batches);
    std::vector<float> together;
    for (Minibatch* batch : batches)
      together.insert(together.end(), batch->advantages.begin(), batch->advantages.begin() + batch->rows * network->outputs());
    EXPECT_EQ(together, whole) << c.name;
    engine->forward({});
  }
}

TEST(ForwardEngine, SharedCardsChangeNothing) {
  for (const RowType type : {RowType::float32, RowType::bfloat16}) {
    const auto network = make_network(card_bet_options(24, 50), 9);
    const auto shared = make_engine(network, {type, true}), single = make_engine(network, {type, false});
    const std::vector<float> rows = rows_with_hands(network->layout(), 900, 300, 6);
    Rows batch(*shared, network->layout(), 0, network->outputs(), rows);
    EXPECT_EQ(batch.hands(), 300U);
    run(*shared, {&batch.batch()});
    EXPECT_EQ(batch.advantages(), answers(*single, *network, rows));
    for (std::size_t slot = 0; slot < 900; ++slot) ASSERT_EQ(batch.slots().ready[slot] != 0, slot < 300) << slot;
  }
}

TEST(ForwardEngine, ReadySlotsAreKeptAndOthersComputedAnew) {
  for (const RowType type : {RowType::float32, RowType::bfloat16}) {
    const auto network = make_network(card_bet_options(24, 50), 10);
    const auto engine = make_engine(network, {type, true});
    const std::vector<float> rows = rows_with_hands(network->layout(), 64, 8, 6);
    Rows batch(*engine, network->layout(), 0, network->outputs(), rows);
    run(*engine, {&batch.batch()});
    const std::vector<float> before = batch.advantages();
    CardSlots& slots = batch.slots();
    const auto card = [&](std::size_t slot) -> std::int8_t& {
      return slots.numbers[slot * static_cast<std::size_t>(slots.cards)];
    };
    // A slot with other cards that still says ready keeps its vector; once it does not, its rows change and no others.
    card(3) = static_cast<std::int8_t>((card(3) + 27) % 52);
    run(*engine, {&batch.batch()});
    EXPECT_EQ(batch.advantages(), before);
    slots.ready[3] = 0;
    run(*engine, {&batch.batch()});
    const std::vector<float> after = batch.advantages();
    const auto actions = static_cast<std::size_t>(network->outputs());
    for (std::size_t i = 0; i < 64; ++i)
      EXPECT_EQ(std::equal(after.begin() + static_cast<std::ptrdiff_t>(i * actions),
                           after.begin() + static_cast<std::ptrdiff_t>((i + 1) * actions),
                           before.begin() + static_cast<std::ptrdiff_t>(i * actions)),
                i % 8 != 3)
          << i;
  }
}

TEST(ForwardEngine, PaddingDoesNotCount) {
  for (const Case& c : cases()) {
    const auto network = make_network(c.network, 11);
    const auto engine = make_engine(network, c.options);
    const std::vector<float> rows = random_rows(network->layout(), 20, 1);
    Rows batch(*engine, network->layout(), 0, network->outputs(), rows);
    const RowFormat format = batch.batch().format;
    for (std::int64_t i = 0; i < 20; ++i)
      for (int j = format.width; j < format.stride; ++j) {
        if (format.type == RowType::float32)
          reinterpret_cast<float*>(batch.batch().row(i))[j] = 3;
        else
          reinterpret_cast<nn::Bfloat16Bits*>(batch.batch().row(i))[j] = to_bfloat16(3);
      }
    run(*engine, {&batch.batch()});
    EXPECT_EQ(batch.advantages(), answers(*engine, *network, rows)) << c.name;
  }
}

TEST(ForwardEngine, NoNetworkMeansUniform) {
  const auto network = make_network(mlp_options(1, 16), 1);
  const auto engine = make_forward_engine(hulh(), {nullptr, network});
  EXPECT_TRUE(engine->format(0).uniform);
  EXPECT_FALSE(engine->format(1).uniform);
  EXPECT_TRUE(engine->clone()->format(0).uniform);
}

TEST(ForwardEngine, EachPlayerHasItsOwnNetwork) {
  const std::shared_ptr<const Network> networks[2] = {make_network(mlp_options(2, 40), 1), make_network(mlp_options(1, 16), 2)};
  const auto engine = make_forward_engine(hulh(), {networks[0], networks[1]});
  const std::vector<float> rows = random_rows(networks[0]->layout(), 9, 1);
  for (int player = 0; player < 2; ++player)
    EXPECT_EQ(answers(*engine, *networks[player], rows, player), direct(*networks[player], rows));
}

TEST(ForwardEngine, WeightsAreThoseOfTheTimeItWasMade) {
  for (const Case& c : cases()) {
    const auto first = make_network(c.network, 20), second = make_network(c.network, 21);
    const auto network = std::make_shared<Network>(first->clone());
    const auto before = make_engine(network, c.options);
    const std::vector<float> rows = random_rows(network->layout(), 30, 1);
    const std::vector<float> old = answers(*before, *network, rows);
    network->set_weights(second->weights());
    EXPECT_EQ(answers(*before, *network, rows), old) << c.name;
    const std::vector<float> fresh = answers(*make_engine(network, c.options), *network, rows);
    EXPECT_NE(fresh, old) << c.name;
    EXPECT_EQ(fresh, answers(*make_engine(second, c.options), *second, rows)) << c.name;
  }
}

TEST(ForwardEngine, ClonesRunInTwoThreadsAtOnce) {
  for (const Case& c : cases()) {
    const auto network = make_network(c.network, 12);
    const auto engine = make_engine(network, c.options);
    const std::vector<float> rows = rows_with_hands(network->layout(), 300, 20, 3);
    const std::vector<float> expected = answers(*engine, *network, rows);
    std::vector<float> got[2];
    std::vector<std::thread> threads;
    for (auto& to : got)
      threads.emplace_back([&, clone = std::shared_ptr<ForwardEngine>(engine->clone())] {
        for (int i = 0; i < 5; ++i) to = answers(*clone, *network, rows);
      });
    for (std::thread& t : threads) t.join();
    for (const auto& out : got) EXPECT_EQ(out, expected) << c.name;
  }
}

TEST(ForwardEngine, RefusesRowsOfAnotherFormat) {
  const auto network = make_network(mlp_options(1, 16), 1);
  const auto float32 = make_engine(network, {RowType::float32, true}), bfloat16 = make_engine(network, {RowType::bfloat16, true});
  Rows rows(*float32, network->layout(), 0, network->outputs(), random_rows(network->layout(), 3, 1));
  EXPECT_THROW(run(*bfloat16, {&rows.batch()}), Error);
}

TEST(MeasureDistance, IsSmallAndNotZero) {
  for (const NetworkOptions& options : {mlp_options(3, 64), card_bet_options(64, 192)}) {
    const auto network = make_network(options, 13);
    const std::vector<float> rows = random_rows(network->layout(), 500, 1);
    const std::vector<ActionMask> legal(500, 7);
    const DtypeDistance d = measure_distance(*network, rows, legal);
    EXPECT_EQ(d.rows, 500);
    EXPECT_GT(d.advantages.mean, 0);
    EXPECT_LT(d.advantages.mean, 0.05 * d.mean_advantage);
    EXPECT_LE(d.advantages.mean, d.advantages.percentile_99);
    EXPECT_LE(d.advantages.percentile_99, d.advantages.largest);
    EXPECT_GT(d.strategies.mean, 0);
    EXPECT_LE(d.strategies.largest, 1);
    // Against the plain way.
    const auto float32 = make_engine(network, {RowType::float32, false}),
               bfloat16 = make_engine(network, {RowType::bfloat16, false});
    const std::vector<float> a = answers(*float32, *network, rows), b = answers(*bfloat16, *network, rows);
    double largest = 0, mean = 0;
    for (std::size_t i = 0; i < 500; ++i) {
      double row = 0;
      for (std::size_t k = 0; k < 3; ++k)
        row = std::max(row, std::abs(static_cast<double>(a[3 * i + k]) - static_cast<double>(b[3 * i + k])));
      largest = std::max(largest, row);
      mean += row / 500;
    }
    EXPECT_EQ(d.advantages.largest, largest);
    EXPECT_NEAR(d.advantages.mean, mean, 1e-12);
  }
  const auto network = make_network(mlp_options(1, 8), 1);
  EXPECT_EQ(measure_distance(*network, {}, {}).rows, 0);
}

}  // namespace
}  // namespace deepcfr
