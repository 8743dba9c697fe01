// Checks of forwards and fits on a device: against this room's own kernels, the same for LibTorch's CPU (tests/nn) and CUDA (tests/gpu).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "deepcfr/core/bfloat16.h"
#include "deepcfr/nn/device.h"
#include "games.h"

namespace deepcfr::test {

struct EngineCase {
  NetworkType type = NetworkType::mlp;
  RowType rows = RowType::float32;
  bool share_cards = true;
};

/// A game, a network for each player, and rows that they read.
struct DeviceSetup {
  Game game;
  EngineCase which;
  FeatureLayout layout;
  std::vector<std::shared_ptr<const Network>> networks;

  DeviceSetup(const std::string& name, EngineCase c, int hidden = 64)
      : game(make_game(name)), which(c), layout(Encoder(game, feature_kind(c.type)).layout()) {
    for (std::uint64_t p = 0; p < static_cast<std::uint64_t>(game.players()); ++p) networks.push_back(network(hidden, 11 + p));
  }
  std::shared_ptr<const Network> network(int hidden, std::uint64_t seed) const {
    const NetworkOptions options = which.type == NetworkType::mlp ? mlp_options(3, hidden) : card_bet_options(hidden, 3 * hidden);
    return std::make_shared<const Network>(layout, game.num_actions(), options, stream(seed));
  }
  std::size_t actions() const { return static_cast<std::size_t>(game.num_actions()); }
  /// Rows as encoders write them: small whole numbers for an mlp's cards, card numbers for card_bet.
  std::vector<float> rows(std::int64_t count, std::uint64_t seed) const {
    std::vector<float> rows = random_rows(layout, count, seed);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool card = static_cast<int>(i % static_cast<std::size_t>(layout.width)) < layout.card_count;
      if (!card) rows[i] = std::round(rows[i] * 8) / 8;  // bfloat16 has them exactly: what is compared is the network
    }
    return rows;
  }
};

/// Minibatches of a player for an engine, with room for the cards they refer to.
class Questions {
 public:
  Questions(const DeviceSetup& setup, const ForwardEngine& engine, int player, const std::vector<float>& rows, const std::vector<std::int64_t>& sizes)
      : actions_(setup.actions()) {
    const FeatureLayout& layout = setup.layout;
    const RowFormat format = engine.format(player);
    const std::size_t total = rows.size() / static_cast<std::size_t>(layout.width);
    if (format.shared_cards) cards_.resize(total, layout.card_count, format.card_vector);
    std::size_t at = 0;
    for (const std::int64_t size : sizes) {
      batches_.push_back(std::make_unique<Minibatch>());
      Minibatch& batch = *batches_.back();
      batch.prepare(player, format, size, setup.game.num_actions(), &cards_);
      for (; batch.rows < size; ++batch.rows, ++at) put(batch, layout, rows.data() + at * static_cast<std::size_t>(layout.width), at);
    }
    EXPECT_EQ(at, total);
  }
  std::vector<float> ask(ForwardEngine& engine) {
    std::vector<Minibatch*> pointers;
    for (const auto& batch : batches_) pointers.push_back(batch.get());
    engine.forward(pointers);
    std::vector<float> answers;
    for (const auto& batch : batches_)
      answers.insert(answers.end(), batch->advantages.begin(), batch->advantages.begin() + batch->rows * static_cast<std::ptrdiff_t>(actions_));
    return answers;
  }

 private:
  void put(Minibatch& batch, const FeatureLayout& layout, const float* row, std::size_t slot) {
    std::vector<float> written(row, row + layout.width);
    if (batch.format.shared_cards) {
      for (int i = 0; i < layout.card_count; ++i)
        cards_.numbers[slot * static_cast<std::size_t>(layout.card_count) + static_cast<std::size_t>(i)] = static_cast<std::int8_t>(row[i]);
      batch.card_slot[static_cast<std::size_t>(batch.rows)] = static_cast<std::uint32_t>(slot);
      written.erase(written.begin(), written.begin() + layout.card_count);
    }
    std::byte* to = batch.row(batch.rows);
    for (const float x : written) {
      const std::uint16_t narrow = to_bfloat16(x);
      const std::size_t bytes = batch.format.type == RowType::float32 ? 4 : 2;
      std::memcpy(to, batch.format.type == RowType::float32 ? static_cast<const void*>(&x) : &narrow, bytes);
      to += bytes;
    }
  }

  std::size_t actions_;
  CardSlots cards_;
  std::vector<std::unique_ptr<Minibatch>> batches_;
};

struct Agreement {
  double largest = 0;       ///< difference
  double same_best = 0;     ///< share of rows with the same best action
};

inline Agreement compare(const std::vector<float>& a, const std::vector<float>& b, std::size_t actions) {
  Agreement agreement;
  EXPECT_EQ(a.size(), b.size());
  std::size_t same = 0;
  for (std::size_t i = 0; i < a.size(); i += actions) {
    for (std::size_t k = i; k < i + actions; ++k) agreement.largest = std::max(agreement.largest, static_cast<double>(std::abs(a[k] - b[k])));
    const auto best = [&](const std::vector<float>& x) {
      const auto from = x.begin() + static_cast<std::ptrdiff_t>(i);
      return std::max_element(from, from + static_cast<std::ptrdiff_t>(actions)) - from;
    };
    same += best(a) == best(b) ? 1 : 0;
  }
  agreement.same_best = static_cast<double>(same) / static_cast<double>(a.size() / actions);
  return agreement;
}

inline double largest(const std::vector<float>& values) {
  double scale = 0;
  for (const float x : values) scale = std::max(scale, static_cast<double>(std::abs(x)));
  return scale;
}

inline std::vector<EngineCase> engine_cases() {
  std::vector<EngineCase> cases;
  for (const RowType type : {RowType::float32, RowType::bfloat16}) {
    cases.push_back({NetworkType::mlp, type, true});
    cases.push_back({NetworkType::card_bet, type, true});
    cases.push_back({NetworkType::card_bet, type, false});
  }
  return cases;
}

inline std::unique_ptr<DeviceEngine> engine_of(const DeviceSetup& setup, ComputeDevice device, DeviceEngineOptions options = {.max_rows = 2048}) {
  return make_device_engine(setup.game, setup.networks, {.type = setup.which.rows, .share_cards = setup.which.share_cards}, device, options);
}

/// The error table: float32 within 1e-3, bfloat16 within 2e-2 of the host's float32, best action the same in 99.9 % (float32).
inline void check_engine_agrees(ComputeDevice device, EngineCase c, std::int64_t count = 3000) {
  const DeviceSetup setup("hulh", c);
  const auto engine = engine_of(setup, device);
  for (int player = 0; player < 2; ++player) {
    const std::vector<float> rows = setup.rows(count, static_cast<std::uint64_t>(7 + player));
    std::vector<float> expected(static_cast<std::size_t>(count) * setup.actions());
    setup.networks[static_cast<std::size_t>(player)]->forward(rows, expected);
    // several minibatches at once, more rows than the engine takes together, one minibatch cut in two
    Questions questions(setup, *engine, player, rows, {1, 255, 700, count - 956});
    const Agreement agreement = compare(questions.ask(*engine), expected, setup.actions());
    const double scale = largest(expected);
    EXPECT_GT(scale, 0.3);  // of order 1
    EXPECT_LT(agreement.largest, c.rows == RowType::float32 ? 1e-3 : 2e-2 * std::max(1.0, scale));
    EXPECT_GE(agreement.same_best, c.rows == RowType::float32 ? 0.999 : 0.96);
    if (c.rows == RowType::bfloat16) {
      EXPECT_GT(agreement.largest, 1e-5);  // it did compute in bfloat16
    }
  }
}

/// A row's answer does not depend, but for rounding, on what it is computed with; graphs and repeated use change nothing.
inline void check_engine_batches(ComputeDevice device, EngineCase c) {
  const DeviceSetup setup("leduc", c);
  const auto engine = engine_of(setup, device);
  const auto clone = engine->clone();
  const std::vector<float> rows = setup.rows(600, 3);
  const std::vector<float> whole = Questions(setup, *engine, 0, rows, {600}).ask(*engine);
  const double tolerance = c.rows == RowType::float32 ? 1e-5 : 1e-2;
  EXPECT_LT(compare(Questions(setup, *engine, 0, rows, std::vector<std::int64_t>(600, 1)).ask(*engine), whole, setup.actions()).largest, tolerance);
  EXPECT_LT(compare(Questions(setup, *clone, 0, rows, {300, 300}).ask(*clone), whole, setup.actions()).largest, tolerance);
  for (std::int64_t i = 0; i < 3; ++i) {  // other players and sizes in between
    const std::vector<float> part(rows.begin(), rows.begin() + (i + 1) * 20 * setup.layout.width);
    Questions(setup, *engine, 1, part, {(i + 1) * 20}).ask(*engine);
    EXPECT_EQ(compare(Questions(setup, *engine, 0, rows, {600}).ask(*engine), whole, setup.actions()).largest, 0);
  }
}

/// New weights in place are seen by the engine and its clones; a player without a network is uniform until it gets one.
inline void check_engine_update(ComputeDevice device, EngineCase c) {
  DeviceSetup setup("leduc", c);
  const auto networks = setup.networks;
  setup.networks = {nullptr, networks[1]};
  const auto engine = engine_of(setup, device);
  const auto clone = engine->clone();
  EXPECT_TRUE(engine->format(0).uniform);
  EXPECT_FALSE(engine->format(1).uniform);
  const std::vector<float> rows = setup.rows(300, 5);
  for (std::uint64_t phase = 0; phase < 3; ++phase) {
    for (int player = phase == 0 ? 1 : 0; player < 2; ++player) {
      std::vector<float> expected(300 * setup.actions());
      setup.networks[static_cast<std::size_t>(player)]->forward(rows, expected);
      const double tolerance = (c.rows == RowType::float32 ? 1e-4 : 2e-2) * std::max(1.0, largest(expected));
      for (ForwardEngine* e : {static_cast<ForwardEngine*>(engine.get()), clone.get()})
        EXPECT_LT(compare(Questions(setup, *e, player, rows, {300}).ask(*e), expected, setup.actions()).largest, tolerance);
    }
    setup.networks = {setup.network(64, 100 + phase), setup.network(64, 200 + phase)};
    engine->update(setup.networks);
    EXPECT_FALSE(engine->format(0).uniform);
    EXPECT_TRUE(engine->format(0) == clone->format(0));
  }
  setup.networks[0] = setup.network(32, 1);
  EXPECT_THROW(engine->update(setup.networks), Error);
}

/// Fits of equal networks on both sides. `poison` makes the targets of some steps NaN.
struct FitCase {
  NetworkType type = NetworkType::mlp;
  FitKind kind = FitKind::advantage;
  StrategyLoss loss = StrategyLoss::cross_entropy;
  LearningRateSchedule schedule = LearningRateSchedule::linear;
  Amp amp = Amp::off;
  double clip_norm = 1.0;
  bool constant = false;
  int poison_every = 0;
};

class PoisonedBatches final : public FunctionBatches {
 public:
  PoisonedBatches(const FeatureLayout& layout, int actions, std::int64_t rows, const FitCase& c)
      : FunctionBatches(layout, actions, rows, c.constant), case_(c) {}
  void fill(std::int64_t step, const BatchView& batch) override {
    FunctionBatches::fill(step, batch);
    if (case_.kind == FitKind::strategy) {
      for (float& t : batch.targets) t = std::abs(t);
    }
    // entries that must not count, whatever they hold
    for (std::size_t i = 0; i < batch.targets.size(); ++i)
      if (batch.mask[i] == 0.0F) batch.targets[i] = std::nanf("");
    batch.weights[0] = 0;
    for (std::size_t a = 0; a < batch.targets.size() / batch.weights.size(); ++a) batch.targets[a] = std::nanf("");
    if (case_.poison_every > 0 && step % case_.poison_every == 5) batch.targets[batch.targets.size() - 2] = std::nanf("");
  }

 private:
  FitCase case_;
};

struct FitPair {
  FitResult host, device;
  std::vector<float> host_outputs, device_outputs, host_weights, device_weights;
};

inline FitPair fit_both(ComputeDevice device, const FitCase& c, int steps, DeviceFitOptions how = {}) {
  const bool cards = c.type == NetworkType::card_bet;
  const FeatureLayout layout = cards ? flop_layout() : dense_layout(24);
  const NetworkOptions network_options = cards ? card_bet_options(32, 48) : mlp_options(3, 64);
  FitOptions options;
  options.steps = steps;
  options.schedule = c.schedule;
  options.amp = c.amp;
  options.clip_norm = c.clip_norm;
  const std::vector<float> rows = random_rows(layout, 200, 99);
  FitPair pair;
  for (const bool on_device : {false, true}) {
    Network network(layout, 3, network_options, stream(1));
    PoisonedBatches source(layout, 3, 160, c);
    (on_device ? pair.device : pair.host) = on_device ? fit_on_device(network, c.kind, source, options, c.loss, device, how)
                                                      : fit(network, c.kind, source, options, c.loss);
    std::vector<float>& outputs = on_device ? pair.device_outputs : pair.host_outputs;
    outputs.resize(600);
    network.forward(rows, outputs);
    (on_device ? pair.device_weights : pair.host_weights) = network.weights();
  }
  return pair;
}

}  // namespace deepcfr::test
