// Forwards and training steps on a device: figures for docs/plans/gpu-measurements.md.
//
//   device_bench [--device cpu|cuda] [--quick] [rows] [agree] [fit]      all three parts if none is named
//
// rows: rows/s of whole forward() calls (rows into pinned memory, over, network, back) by bucket, float32 and bfloat16, kernel by kernel and
// as CUDA graphs, with one, two and three engines at once. agree: device against host, 10,000 rows. fit: microseconds a training step.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "deepcfr/core/bfloat16.h"
#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/device.h"

namespace {

using namespace deepcfr;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Settings {
  ComputeDevice device = ComputeDevice::cuda;
  bool quick = false;
  double seconds() const { return quick ? 0.02 : 0.12; }  // of one measurement
};

CounterRandom stream(std::uint64_t number) { return CounterRandom(StreamPurpose::test, {number}); }

NetworkOptions mlp(int layers, int hidden) {
  NetworkOptions options;
  options.layers = layers;
  options.hidden = hidden;
  return options;
}

NetworkOptions card_bet() {
  NetworkOptions options;
  options.type = NetworkType::card_bet;
  return options;
}

float feature(const FeatureLayout& layout, const CounterRandom& random, std::uint64_t i) {
  const bool card = static_cast<int>(i % static_cast<std::uint64_t>(layout.width)) < layout.card_count;
  return card ? static_cast<float>(random.below(i, 53)) - 1.0F : std::round(static_cast<float>(16.0 * random.uniform(i) - 8.0)) / 8.0F;
}

/// Heads-up limit hold'em; the same network for both players.
struct Setup {
  explicit Setup(const NetworkOptions& options)
      : game(make_game("hulh")),
        layout(Encoder(game, feature_kind(options.type)).layout()),
        network(std::make_shared<const Network>(layout, game.num_actions(), options, stream(1))) {
    rows.resize(static_cast<std::size_t>(kRows * layout.width));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = feature(layout, stream(2), i);
  }
  std::span<const float> row(std::int64_t i) const {
    const auto width = static_cast<std::size_t>(layout.width);
    return std::span(rows).subspan(static_cast<std::size_t>(i % kRows) * width, width);
  }
  std::unique_ptr<DeviceEngine> engine(RowType type, ComputeDevice device, const DeviceEngineOptions& how) const {
    return make_device_engine(game, {network, network}, {.type = type}, device, how);
  }
  Game game;
  FeatureLayout layout;
  std::shared_ptr<const Network> network;
  static constexpr std::int64_t kRows = 10000;  // different ones
  std::vector<float> rows;
};

/// Minibatches of 256 rows, as workers send them.
struct Batches {
  Batches(const Setup& setup, const ForwardEngine& engine, std::int64_t rows) {
    const RowFormat format = engine.format(0);
    if (format.shared_cards) cards.resize(static_cast<std::size_t>(rows), setup.layout.card_count, format.card_vector);
    for (std::int64_t first = 0; first < rows; first += 256) {
      batches.push_back(std::make_unique<Minibatch>());
      Minibatch& batch = *batches.back();
      batch.prepare(0, format, 256, setup.game.num_actions(), &cards);
      for (; batch.rows < std::min<std::int64_t>(256, rows - first); ++batch.rows) put(batch, setup, first + batch.rows);
      pointers.push_back(&batch);
    }
  }
  void put(Minibatch& batch, const Setup& setup, std::int64_t row) {
    std::span<const float> from = setup.row(row);
    if (batch.format.shared_cards) {
      const auto count = static_cast<std::size_t>(setup.layout.card_count);
      for (std::size_t i = 0; i < count; ++i) cards.numbers[static_cast<std::size_t>(row) * count + i] = static_cast<std::int8_t>(from[i]);
      batch.card_slot[static_cast<std::size_t>(batch.rows)] = static_cast<std::uint32_t>(row);
      from = from.subspan(count);
    }
    std::byte* to = batch.row(batch.rows);
    for (const float x : from) {
      const std::uint16_t narrow = to_bfloat16(x);
      const std::size_t bytes = batch.format.type == RowType::float32 ? 4 : 2;
      std::memcpy(to, bytes == 4 ? static_cast<const void*>(&x) : &narrow, bytes);
      to += bytes;
    }
  }
  CardSlots cards;
  std::vector<std::unique_ptr<Minibatch>> batches;
  std::vector<Minibatch*> pointers;
};

/// Rows a second of `engines` clones at once, each with its own rows.
double rows_per_second(const Setup& setup, DeviceEngine& engine, int engines, std::int64_t rows, double seconds) {
  std::vector<double> rates(static_cast<std::size_t>(engines));
  std::vector<std::thread> threads;
  for (int e = 0; e < engines; ++e) {
    threads.emplace_back([&, e] {
      const auto clone = engine.clone();
      const Batches batches(setup, *clone, rows);
      for (int i = 0; i < 5; ++i) clone->forward(batches.pointers);
      const auto start = Clock::now();
      std::int64_t done = 0;
      while (done < 5 || seconds_since(start) < seconds) clone->forward(batches.pointers), ++done;
      rates[static_cast<std::size_t>(e)] = static_cast<double>(done * rows) / seconds_since(start);
    });
  }
  for (std::thread& thread : threads) thread.join();
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

void measure_rows(const Settings& settings, const char* name, const NetworkOptions& options, bool all_buckets) {
  const Setup setup(options);
  std::printf("\nrows: hulh, %s, %d inputs, %zu weights; million rows/s of whole forward() calls\n", name, setup.layout.width,
              setup.network->parameter_count());
  std::printf("%-9s %7s %8s %8s %9s %9s\n", "type", "rows", "eager", "graph", "2 graphs", "3 graphs");
  for (const RowType type : {RowType::float32, RowType::bfloat16}) {
    const std::int64_t most = settings.quick ? 1024 : 65536;
    const auto eager = setup.engine(type, settings.device, {.max_rows = most, .graphs = false});
    const auto graph = setup.engine(type, settings.device, {.max_rows = most});
    for (std::int64_t rows = all_buckets ? 256 : 4096; rows <= most; rows *= all_buckets ? 2 : 4) {
      const auto rate = [&](DeviceEngine& engine, int engines) { return 1e-6 * rows_per_second(setup, engine, engines, rows, settings.seconds()); };
      std::printf("%-9s %7ld %8.3f %8.3f %9.3f %9.3f\n", type == RowType::float32 ? "float32" : "bfloat16", static_cast<long>(rows), rate(*eager, 1),
                  rate(*graph, 1), rate(*graph, 2), rate(*graph, 3));
      std::fflush(stdout);
    }
  }
}

/// The error table: float32 within 1e-3, bfloat16 within 2e-2 of the host on outputs of order 1, same best action in 99.9 %.
bool measure_agreement(const Settings& settings, const char* name, const NetworkOptions& options) {
  const Setup setup(options);
  const std::int64_t rows = settings.quick ? 1000 : 10000;
  const auto actions = static_cast<std::size_t>(setup.game.num_actions());
  std::vector<float> expected(static_cast<std::size_t>(rows) * actions);
  setup.network->forward(std::span(setup.rows).first(static_cast<std::size_t>(rows * setup.layout.width)), expected);
  bool good = true;
  for (const RowType type : {RowType::float32, RowType::bfloat16}) {
    const auto host = make_forward_engine(setup.game, {setup.network, setup.network}, {.type = type});
    const auto device = setup.engine(type, settings.device, {.max_rows = 16384});
    Batches batches(setup, *device, rows), on_host(setup, *host, rows);
    device->forward(batches.pointers);
    host->forward(on_host.pointers);
    double largest = 0, scale = 0, to_host = 0;
    std::int64_t same = 0, same_as_host = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
      const float* got = batches.batches[static_cast<std::size_t>(r / 256)]->advantages.data() + static_cast<std::size_t>(r % 256) * actions;
      const float* other = on_host.batches[static_cast<std::size_t>(r / 256)]->advantages.data() + static_cast<std::size_t>(r % 256) * actions;
      const float* want = expected.data() + static_cast<std::size_t>(r) * actions;
      for (std::size_t a = 0; a < actions; ++a) {
        largest = std::max(largest, static_cast<double>(std::abs(got[a] - want[a])));
        to_host = std::max(to_host, static_cast<double>(std::abs(got[a] - other[a])));
        scale = std::max(scale, static_cast<double>(std::abs(want[a])));
      }
      const auto best = [&](const float* x) { return std::max_element(x, x + actions) - x; };
      same += best(got) == best(want) ? 1 : 0;
      same_as_host += best(got) == best(other) ? 1 : 0;
    }
    const double limit = type == RowType::float32 ? 1e-3 : 2e-2;
    const double relative = largest / std::max(1.0, scale);
    const bool within = relative <= limit && (type == RowType::bfloat16 || same * 1000 >= rows * 999);
    good = good && within;
    std::printf("agree: %-9s %-8s outputs up to %.2f | to float32 of the host: largest difference %.2e (limit %.0e), same best action %.2f %% | to \"%s\": %.2e, %.2f %% | %s\n",
                name, type == RowType::float32 ? "float32" : "bfloat16", scale, largest, limit * std::max(1.0, scale),
                100.0 * static_cast<double>(same) / static_cast<double>(rows), host->name().c_str(), to_host,
                100.0 * static_cast<double>(same_as_host) / static_cast<double>(rows), within ? "within the table" : "OUTSIDE THE TABLE");
  }
  return good;
}

/// Rows ready to be copied: what a step costs without the making of batches.
class ReadyBatches final : public BatchSource {
 public:
  ReadyBatches(const FeatureLayout& layout, int actions, std::int64_t rows, bool constant)
      : rows_(rows), constant_(constant), features_(static_cast<std::size_t>(rows * layout.width)), targets_(static_cast<std::size_t>(rows * actions)) {
    for (std::size_t i = 0; i < features_.size(); ++i) features_[i] = feature(layout, stream(3), i);
    for (std::size_t i = 0; i < targets_.size(); ++i) targets_[i] = static_cast<float>(stream(4).uniform(i));
  }
  std::int64_t batch_rows() const override { return rows_; }
  bool constant() const override { return constant_; }
  void fill(std::int64_t, const BatchView& batch) override {
    std::ranges::copy(features_, batch.features.begin());
    std::ranges::copy(targets_, batch.targets.begin());
    std::ranges::fill(batch.mask, 1.0F);
    std::ranges::fill(batch.weights, 1.0F);
  }

 private:
  std::int64_t rows_;
  bool constant_;
  std::vector<float> features_, targets_;
};

/// Microseconds a step: of a long fit less a short one, so that start and capture drop out.
template <typename Fit>
double step_microseconds(int few, int many, const Fit& run) {
  const auto timed = [&](int steps) {
    const auto start = Clock::now();
    run(steps);
    return seconds_since(start);
  };
  timed(few);
  const double start = timed(few);
  return 1e6 * (timed(many) - start) / (many - few);
}

void measure_fit(const Settings& settings, const char* name, const NetworkOptions& options, std::int64_t rows, bool with_host) {
  const Setup setup(options);
  std::printf("fit: %s, batch %ld, microseconds a step:", name, static_cast<long>(rows));
  const int few = settings.quick ? 4 : 20;
  const int many = settings.quick ? 8 : 220;
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    for (const bool graph : {false, true}) {
      for (const bool constant : {true, false}) {
        if (!graph && !constant) continue;
        ReadyBatches source(setup.layout, setup.game.num_actions(), rows, constant);
        Network network = setup.network->clone();
        const double us = step_microseconds(few, many, [&](int steps) {
          FitOptions fit_options;
          fit_options.steps = steps;
          fit_options.amp = amp;
          fit_on_device(network, FitKind::advantage, source, fit_options, StrategyLoss::cross_entropy, settings.device, {.graph = graph});
        });
        std::printf(" | %s %s%s %.0f", amp == Amp::off ? "float32" : "bfloat16", graph ? "graph" : "eager", constant ? "" : " with copies", us);
        std::fflush(stdout);
      }
    }
  }
  if (with_host) {
    ReadyBatches source(setup.layout, setup.game.num_actions(), rows, true);
    Network network = setup.network->clone();
    const double us = step_microseconds(2, 8, [&](int steps) {
      FitOptions fit_options;
      fit_options.steps = steps;
      fit(network, FitKind::advantage, source, fit_options);
    });
    std::printf(" | host, one thread, float32 %.0f", us);
  }
  std::printf("\n");
}

int measure(const Settings& settings, const std::vector<std::string>& parts) {
  const auto wanted = [&](const char* part) { return parts.empty() || std::ranges::find(parts, part) != parts.end(); };
  bool good = true;
  if (wanted("agree")) {
    good = measure_agreement(settings, "3x512", mlp(3, 512));
    good = measure_agreement(settings, "card_bet", card_bet()) && good;
  }
  if (wanted("fit")) {
    measure_fit(settings, "3x512", mlp(3, 512), settings.quick ? 256 : 2048, true);
    if (!settings.quick) measure_fit(settings, "3x512", mlp(3, 512), 16384, false);
    measure_fit(settings, "card_bet", card_bet(), settings.quick ? 256 : 2048, true);
  }
  if (wanted("rows")) {
    measure_rows(settings, "3x512", mlp(3, 512), true);
    measure_rows(settings, "card_bet", card_bet(), false);
    if (!settings.quick) measure_rows(settings, "6x1024", mlp(6, 1024), false);
    if (!settings.quick) measure_rows(settings, "8x2048", mlp(8, 2048), false);
  }
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  Device wish = Device::cuda;
  std::vector<std::string> parts;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--quick") {
      settings.quick = true;
    } else if (argument == "--device" && i + 1 < argc) {
      wish = std::string(argv[++i]) == "cpu" ? Device::cpu : Device::cuda;
    } else {
      parts.push_back(argument);
    }
  }
  try {
    std::printf("%s\n", configure_libtorch(1).c_str());
    const DeviceChoice choice = resolve_device(wish, "--device", report_devices());
    settings.device = choice.device;
    std::printf("device: %s\n", choice.text.c_str());
    return measure(settings, parts);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_code();
  }
}
