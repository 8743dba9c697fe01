#include "checkpoint.h"

#include <gtest/gtest.h>

#include "deepcfr/core/error.h"
#include "files.h"
#include "run_fixture.h"

namespace deepcfr {
namespace {

namespace fs = std::filesystem;
std::vector<std::string> names(const fs::path& directory) {
  std::vector<std::string> result;
  for (const auto& entry : fs::directory_iterator(directory)) result.push_back(entry.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

void flip_byte(const fs::path& file, std::uintmax_t offset) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(offset));
  const char byte = static_cast<char>(stream.get() ^ 0x20);
  stream.seekp(static_cast<std::streamoff>(offset));
  stream.put(byte);
}

TEST(Checkpoint, T31ADamagedFileIsNamedAndTheCheckpointBeforeItUsed) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  const TrainOptions options = tiny_options();
  start_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop);
  const fs::path newest = fs::path(dir.run("run")) / "checkpoints/00000004";
  for (const std::string& name : names(newest)) {
    for (const double place : {0.0, 0.5, 0.999}) {
      const auto offset = static_cast<std::uintmax_t>(place * static_cast<double>(fs::file_size(newest / name)));
      flip_byte(newest / name, offset);
      const Agent agent = load_agent(options, dir.run("run"));
      EXPECT_EQ(agent.iteration, 3) << name;
      ASSERT_FALSE(agent.warnings.empty());
      EXPECT_NE(agent.warnings[0].find("00000004/" + name), std::string::npos) << agent.warnings[0];
      flip_byte(newest / name, offset);
    }
  }
  EXPECT_EQ(load_agent(options, dir.run("run")).iteration, 4);
}

TEST(Checkpoint, T31ACutOffOrMissingFileIsFound) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  const TrainOptions options = tiny_options();
  start_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop);
  const fs::path newest = fs::path(dir.run("run")) / "checkpoints/00000004";
  fs::resize_file(newest / "advantage_memory_p0.bin", fs::file_size(newest / "advantage_memory_p0.bin") - 1);
  EXPECT_EQ(load_agent(options, dir.run("run")).iteration, 3);
  fs::remove(newest / "manifest.json");
  EXPECT_EQ(load_agent(options, dir.run("run")).iteration, 3);
}

TEST(Checkpoint, T31ADamagedArchiveIsNamed) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  const TrainOptions options = tiny_options();
  start_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop);
  const fs::path archive = fs::path(dir.run("run")) / "archive/advantage_p1.bin";
  flip_byte(archive, fs::file_size(archive) - 5);  // of iteration 4: the checkpoint before it is whole
  const Agent agent = load_agent(options, dir.run("run"));
  EXPECT_EQ(agent.iteration, 3);
  EXPECT_NE(agent.warnings[0].find("advantage_p1.bin"), std::string::npos);
  flip_byte(archive, 20);
  EXPECT_THROW(load_agent(options, dir.run("run")), Error);
}

TEST(Checkpoint, T24LeftoversOfAKilledSaveAreRemoved) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  TrainOptions options = tiny_options();
  start_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop);
  const fs::path checkpoints = fs::path(dir.run("run")) / "checkpoints";
  fs::create_directories(checkpoints / ".tmp-00000005");
  std::ofstream(checkpoints / ".tmp-00000005/advantage_memory_p0.bin") << "half";
  fs::rename(checkpoints / "00000004", checkpoints / ".old-00000004");  // killed between two renames: still whole
  std::ofstream(fs::path(dir.run("run")) / "config.yaml.tmp") << "half";
  options.algorithm.iterations = 5;
  resume_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop);
  EXPECT_EQ(names(checkpoints), (std::vector<std::string>{"00000001", "00000002", "00000003", "00000004", "00000005"}));
  EXPECT_FALSE(fs::exists(fs::path(dir.run("run")) / "config.yaml.tmp"));
}

TEST(Checkpoint, KeepsTheNewest) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  TrainOptions options = tiny_options();
  options.checkpoint.keep = 2;
  start_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop);
  EXPECT_EQ(names(fs::path(dir.run("run")) / "checkpoints"), (std::vector<std::string>{"00000003", "00000004"}));
}

TEST(Checkpoint, T29MemoriesComeBackWithTheirCounts) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  const TrainOptions options = tiny_options();
  start_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop);
  const nlohmann::json last = timeless_metrics(dir.run("run")).back();
  const RunParts parts = make_parts(options);
  std::vector<std::string> warnings;
  const RunState state = load_checkpoint(RunPaths{dir.run("run")}, options, parts, true, warnings);
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(state.advantage_memory[p].size(), last["advantage_memory"][p]["size"]);
    EXPECT_EQ(state.advantage_memory[p].seen(), last["advantage_memory"][p]["seen"]);
    EXPECT_EQ(state.strategy_memory[p].seen(), last["strategy_memory"][p]["seen"]);
    EXPECT_GT(state.advantage_memory[p].seen(), 100U);
  }
  EXPECT_EQ(state.position, (Position{4, 0}));
}

TEST(Checkpoint, TwoProcessesCannotTrainInOneDirectory) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  TrainOptions options = tiny_options();
  start_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop);
  const DirectoryLock lock(dir.run("run"));
  options.algorithm.iterations = 5;
  EXPECT_THROW(resume_run(options, "x: 1\n", dir.run("run"), observer, kNeverStop), Error);
}

}  // namespace
}  // namespace deepcfr
