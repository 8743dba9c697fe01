// Traversals of heads-up limit hold'em by many workers: the server on a device against bfloat16 on the CPU, cells alternating in one run.
//
//   device_traversal_bench [--device cpu|cuda] [--workers N] [--traversals N] [--rounds N] [--batch ROWS] [--type mlp|card_bet]
//
// Random weights: what is compared is speed. Decisions a second; the best round counts, all are printed.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "deepcfr/cfr/inference_server.h"
#include "deepcfr/cfr/traversal.h"
#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/device.h"

namespace {

using namespace deepcfr;

struct Settings {
  Device device = Device::cuda;
  int workers = 16;
  std::uint64_t traversals = 8192;
  int rounds = 3;
  std::int64_t batch = 1024;
  NetworkOptions network{.type = NetworkType::mlp, .layers = 3, .hidden = 512};
};

class Work final : public TraversalWork {
 public:
  explicit Work(std::uint64_t total) : total_(total) {}
  bool next(std::uint64_t& first_id, std::uint64_t& count) override {
    first_id = taken_.fetch_add(kChunk);
    if (first_id >= total_) return false;
    count = std::min(kChunk, total_ - first_id);
    return true;
  }
  void done(std::uint64_t, SampleBuffer&, const TraversalCounts& counts) override { decisions += counts.decisions; }
  std::atomic<std::uint64_t> decisions{0};

 private:
  static constexpr std::uint64_t kChunk = 32;
  std::uint64_t total_;
  std::atomic<std::uint64_t> taken_{0};
};

/// One way to traverse. server: threads of the server, 0: each worker computes for itself.
struct Cell {
  std::string name;
  ForwardEngine* engine;
  int server_threads;
  std::int64_t max_batch;
  int depth;
  std::uint64_t in_flight;
  std::int64_t batch;
};

struct Outcome {
  double decisions_per_second = 0;
  double mean_batch = 0;
};

Outcome traverse(const Settings& settings, const Game& game, const SampleCodec& codec, const Cell& cell, std::uint64_t traversals) {
  std::unique_ptr<InferenceServer> server;
  if (cell.server_threads > 0) {
    std::vector<std::unique_ptr<ForwardEngine>> engines;
    for (int i = 0; i < cell.server_threads; ++i) engines.push_back(cell.engine->clone());
    server = std::make_unique<InferenceServer>(std::move(engines), ServerOptions{.max_batch = cell.max_batch, .minibatch = cell.batch, .queue_length = 256});
  }
  Work work(traversals);
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (int w = 0; w < settings.workers; ++w) {
    threads.emplace_back([&] {
      auto backend = server ? server->client(cell.depth) : make_local_backend(cell.engine->clone());
      const auto traversal = make_interleaved_traversal(game, codec, game.definition().big_blind(), std::move(backend), {.in_flight = cell.in_flight, .batch = cell.batch});
      traversal->run({.seed = 1, .iteration = 2, .traverser = 0}, work);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Outcome outcome{static_cast<double>(work.decisions) / seconds, 0};
  if (server) {
    const auto statistics = server->statistics();
    outcome.mean_batch = static_cast<double>(statistics.rows) / static_cast<double>(std::max<std::uint64_t>(1, statistics.forwards));
  }
  return outcome;
}

void compare(const Settings& settings, ComputeDevice where) {
  const Game game = make_game("hulh");
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  std::vector<std::shared_ptr<const Network>> networks;
  const FeatureLayout layout = Encoder(game, feature_kind(settings.network.type)).layout();
  for (std::uint64_t p = 0; p < 2; ++p) networks.push_back(std::make_shared<const Network>(layout, game.num_actions(), settings.network, CounterRandom(StreamPurpose::test, {p})));
  const auto host = make_forward_engine(game, networks, {.type = RowType::bfloat16});
  const auto device = make_device_engine(game, networks, {.type = RowType::bfloat16}, where);
  std::vector<Cell> cells = {{"CPU, local: " + host->name(), host.get(), 0, 0, 1, 512, 256}};
  for (const int threads : {1, 2, 3})
    for (const std::int64_t max_batch : {settings.batch * 4, settings.batch * 16})
      cells.push_back({"device, asynchronous server, " + std::to_string(threads) + " threads, max_batch " + std::to_string(max_batch), device.get(), threads, max_batch, 2, 1024,
                       settings.batch});
  std::vector<std::vector<Outcome>> outcomes(cells.size());
  for (const Cell& cell : cells) traverse(settings, game, codec, cell, std::max<std::uint64_t>(64, settings.traversals / 16));  // warm-up
  for (int round = 0; round < settings.rounds; ++round)
    for (std::size_t c = 0; c < cells.size(); ++c) outcomes[c].push_back(traverse(settings, game, codec, cells[c], settings.traversals));
  double yardstick = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    double best = 0;
    std::printf("%-75s", cells[c].name.c_str());
    for (const Outcome& o : outcomes[c]) {
      best = std::max(best, o.decisions_per_second);
      std::printf(" %9.0f", o.decisions_per_second);
    }
    if (c == 0) yardstick = best;
    std::printf(" decisions/s | %.2f of the CPU | mean batch %.0f\n", best / yardstick, outcomes[c].back().mean_batch);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i], value = argv[i + 1];
    if (key == "--device") settings.device = value == "cpu" ? Device::cpu : Device::cuda;
    if (key == "--workers") settings.workers = std::atoi(value.c_str());
    if (key == "--traversals") settings.traversals = std::strtoull(value.c_str(), nullptr, 10);
    if (key == "--rounds") settings.rounds = std::atoi(value.c_str());
    if (key == "--batch") settings.batch = std::atoi(value.c_str());
    if (key == "--type" && value == "card_bet") settings.network = {.type = NetworkType::card_bet};
  }
  try {
    std::printf("%s\n", configure_libtorch(1).c_str());
    const DeviceChoice choice = resolve_device(settings.device, "--device", report_devices());
    std::printf("device: %s; hulh, %s, %d workers, %llu traversals\n", choice.text.c_str(), settings.network.type == NetworkType::mlp ? "3x512" : "card_bet",
                settings.workers, static_cast<unsigned long long>(settings.traversals));
    compare(settings, choice.device);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_code();
  }
}
