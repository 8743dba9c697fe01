#include <thread>

#include "deepcfr/cfr/inference_server.h"
#include "deepcfr/core/error.h"
#include "device_checks.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

TEST(DeviceEngine, AgreesWithTheHostsKernels) {
  for (const EngineCase& c : engine_cases()) check_engine_agrees(ComputeDevice::cpu, c);
}

TEST(DeviceEngine, RowsDoNotDependOnTheirBatch) {
  for (const EngineCase& c : engine_cases()) check_engine_batches(ComputeDevice::cpu, c);
}

TEST(DeviceEngine, WeightsChangeInPlace) {
  for (const EngineCase& c : engine_cases()) check_engine_update(ComputeDevice::cpu, c);
}

TEST(DeviceEngine, UniformPlayersAreNotAsked) {
  DeviceSetup setup("leduc", {});
  const auto networks = setup.networks;
  const auto engine = engine_of(setup, ComputeDevice::cpu);
  Questions questions(setup, *engine, 0, setup.rows(3, 1), {3});
  setup.networks[0] = nullptr;
  engine->update(setup.networks);
  EXPECT_THROW(questions.ask(*engine), Error);
  engine->update(networks);
  questions.ask(*engine);
}

// Two clones behind a server, several clients: what each gets is what it would get alone.
TEST(DeviceEngine, ServesManyWorkers) {
  const DeviceSetup setup("leduc", {NetworkType::card_bet, RowType::bfloat16, true});
  const auto engine = engine_of(setup, ComputeDevice::cpu);
  std::vector<std::unique_ptr<ForwardEngine>> engines;
  for (int i = 0; i < 2; ++i) engines.push_back(engine->clone());
  InferenceServer server(std::move(engines), {.max_batch = 512, .queue_length = 4});
  std::vector<std::thread> workers;
  for (std::uint64_t w = 0; w < 4; ++w) {
    workers.emplace_back([&, w] {
      const auto client = server.client(1);
      client->enter();
      for (std::uint64_t round = 0; round < 20; ++round) {
        const int player = static_cast<int>((w + round) % 2);
        const std::vector<float> rows = setup.rows(100, w * 100 + round);
        std::vector<float> expected(100 * setup.actions());
        setup.networks[static_cast<std::size_t>(player)]->clone().forward(rows, expected);
        CardSlots cards;
        cards.resize(100, setup.layout.card_count, 1);
        Minibatch batch;
        batch.prepare(player, client->format(player), 100, setup.game.num_actions(), &cards);
        for (; batch.rows < 100; ++batch.rows) {
          const auto row = static_cast<std::size_t>(batch.rows);
          const float* from = rows.data() + row * static_cast<std::size_t>(setup.layout.width);
          const auto card_count = static_cast<std::size_t>(setup.layout.card_count);
          for (std::size_t i = 0; i < card_count; ++i) cards.numbers[row * card_count + i] = static_cast<std::int8_t>(from[i]);
          batch.card_slot[row] = static_cast<std::uint32_t>(row);
          auto* to = reinterpret_cast<std::uint16_t*>(batch.row(batch.rows));
          for (int i = 0; i < setup.layout.bet_width; ++i) to[i] = to_bfloat16(from[card_count + static_cast<std::size_t>(i)]);
        }
        client->submit(batch);
        client->wait(batch);
        const std::vector<float> answers(batch.advantages.begin(), batch.advantages.end());
        EXPECT_LT(compare(answers, expected, setup.actions()).largest, 3e-2);
      }
      client->leave();
    });
  }
  for (std::thread& worker : workers) worker.join();
}

TEST(DeviceEngine, SaysWhatItIs) {
  const DeviceSetup setup("kuhn", {});
  EXPECT_EQ(engine_of(setup, ComputeDevice::cpu)->name(), "float32, LibTorch on the CPU");
}

// One place gives `auto`, `cpu` and `cuda` a meaning (reported fault T18: never a silent CPU run).
TEST(Device, Resolution) {
  DeviceReport bare, built, gpu;
  built.cuda_built = gpu.cuda_built = true;
  gpu.cuda_devices = 2;
  const auto resolve = [](Device wish, const DeviceReport& report, const char* reason = "") { return resolve_device(wish, "training.device", report, reason); };
  EXPECT_EQ(resolve(Device::automatic, bare).text, "CPU (this build has no CUDA)");
  EXPECT_EQ(resolve(Device::automatic, built).text, "CPU (no CUDA device is visible)");
  EXPECT_EQ(resolve(Device::automatic, gpu).text, "CUDA device 0 (auto: of 2)");
  EXPECT_EQ(resolve(Device::automatic, gpu).device, ComputeDevice::cuda);
  EXPECT_EQ(resolve(Device::automatic, gpu, "the backend is local").text, "CPU (the backend is local)");
  EXPECT_EQ(resolve(Device::cpu, gpu).device, ComputeDevice::cpu);
  EXPECT_EQ(resolve(Device::cuda, gpu, "no reason against an order").device, ComputeDevice::cuda);
  for (const DeviceReport& report : {bare, built}) {
    try {
      resolve(Device::cuda, report);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::device);
      EXPECT_EQ(error.message().find("training.device: cuda, but "), 0U);
    }
  }
}

}  // namespace
}  // namespace deepcfr
