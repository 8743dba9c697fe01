#include <gtest/gtest.h>

#include "deepcfr/core/error.h"
#include "machine_memory.h"
#include "run_fixture.h"
#include "state.h"

namespace deepcfr {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(AvailableRam, IsTheLeastOfTheMachineAndOfAllGroups) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  const TemporaryDirectory root;
  EXPECT_EQ(available_ram(root / ""), 0U);
  write(root / "proc/meminfo", "MemTotal:       99 kB\nMemFree:  1 kB\nMemAvailable:   8388608 kB\nBuffers: 3 kB\n");
  EXPECT_EQ(available_ram(root / ""), 8 * kGiB);
  write(root / "proc/self/cgroup", "0::/user/job\n");
  EXPECT_EQ(available_ram(root / ""), 8 * kGiB);
  const auto second = [&](const std::string& name) { return root / ("sys/fs/cgroup/" + name); };
  write(second("user/job/memory.max"), "max\n");
  write(second("user/job/memory.current"), std::to_string(1 * kGiB));
  EXPECT_EQ(available_ram(root / ""), 8 * kGiB);
  write(second("user/memory.max"), std::to_string(5 * kGiB));  // the group around it
  write(second("user/memory.current"), std::to_string(3 * kGiB));
  EXPECT_EQ(available_ram(root / ""), 2 * kGiB);
  write(second("user/memory.stat"), "anon 5\ninactive_file " + std::to_string(kGiB) + "\nactive_file 7\n");  // can be dropped
  EXPECT_EQ(available_ram(root / ""), 3 * kGiB);
  write(second("memory.max"), "100");  // of a container that sees its own root only
  EXPECT_EQ(available_ram(root / ""), 100U);
}

TEST(AvailableRam, KnowsTheFirstVersionOfGroups) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  const TemporaryDirectory root;
  write(root / "proc/meminfo", "MemAvailable:   8388608 kB\n");
  write(root / "proc/self/cgroup", "9:name=systemd:/\n8:cpu,memory:/a/b\n0::/\n");
  const auto group = [&](const std::string& name) { return root / ("sys/fs/cgroup/memory/" + name); };
  write(group("a/b/memory.limit_in_bytes"), "9223372036854771712");  // none
  write(group("a/b/memory.usage_in_bytes"), "5");
  EXPECT_EQ(available_ram(root / ""), 8 * kGiB);
  write(group("a/memory.limit_in_bytes"), std::to_string(4 * kGiB));
  write(group("a/memory.usage_in_bytes"), std::to_string(3 * kGiB));
  write(group("a/memory.stat"), "inactive_file 1\ntotal_inactive_file " + std::to_string(2 * kGiB) + "\n");
  EXPECT_EQ(available_ram(root / ""), 3 * kGiB);
  write(group("a/memory.usage_in_bytes"), std::to_string(9 * kGiB));  // over it: nothing is left
  write(group("a/memory.stat"), "");
  EXPECT_EQ(available_ram(root / ""), 0U);
}

TEST(AvailableRam, OfThisMachineIsPlausible) {
  EXPECT_GT(available_ram(), std::uint64_t{1} << 26);
  EXPECT_GT(resident_bytes(), std::uint64_t{1} << 20);
}

TEST(MemoryEstimate, CountsEveryPart) {
  TrainOptions o = tiny_options("hulh");
  const RunParts parts = make_parts(o);
  o.memory.advantage_capacity = 3'000'000'000;  // beyond 32 bits in records and bytes
  o.memory.strategy_capacity = 5'000'000'000;
  const MemoryEstimate large = estimate_memory(o);
  EXPECT_EQ(large.advantage_bytes, 2 * 3'000'000'000ULL * parts.advantage_codec->bytes());
  EXPECT_EQ(large.strategy_bytes, 2 * 5'000'000'000ULL * parts.strategy_codec->bytes());
  for (const std::uint64_t part : {large.traversal_bytes, large.network_bytes, large.archive_bytes, large.batch_bytes, large.program_bytes}) EXPECT_GT(part, 0U);
  EXPECT_EQ(large.merged_bytes, 0U);
  EXPECT_EQ(large.total(), large.records_bytes() + large.traversal_bytes + large.network_bytes + large.archive_bytes + large.batch_bytes + large.program_bytes);
  o.algorithm.merge = Switch::on;
  EXPECT_GT(estimate_memory(o).merged_bytes, 5'000'000'000ULL * sizeof(Infoset));
  o.algorithm.merge = Switch::off;
  o.strategy_fit.batch_size = 1'000'000;
  EXPECT_GT(estimate_memory(o).batch_bytes, large.batch_bytes + 1'000'000ULL * 4 * static_cast<std::uint64_t>(parts.strategy_layout.width));
  o.memory.storage = MemoryStorage::file;
  const MemoryEstimate on_disk = estimate_memory(o);
  EXPECT_EQ(on_disk.records_bytes(), large.records_bytes());
  EXPECT_LT(on_disk.total(), on_disk.records_bytes());
  EXPECT_GT(estimate_memory(tiny_options("leduc")).merged_bytes, 0U);
}

Error refusal(const TrainOptions& options, const std::string& run) {
  try {
    start(options, run);
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::bug, "accepted");
}

/// The first number of a text.
std::int64_t number_in(const std::string& text) {
  const std::size_t at = text.find_first_of("0123456789");
  return at == std::string::npos ? -1 : std::stoll(text.substr(at));
}

TEST(RequireMemory, ACapacityBeyondRamIsRefusedWithWhatFitsBeforeAnythingIsWritten) {
  const TemporaryDirectory dir;
  for (const bool advantage : {true, false}) {
    TrainOptions o = tiny_options("fhp");
    std::int64_t& capacity = advantage ? o.memory.advantage_capacity : o.memory.strategy_capacity;
    const char* key = advantage ? "memory.advantage_capacity" : "memory.strategy_capacity";
    capacity = 1'000'000'000'000;
    const Error error = refusal(o, dir.run("run"));
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_TRUE(error.message().starts_with(std::string(key) + ": 1000000000000 records for each player take 42000.0 GB, but ")) << error.what();
    EXPECT_NE(error.hint().find("memory.storage: file"), std::string::npos) << error.what();
    EXPECT_FALSE(std::filesystem::exists(dir.run("run")));
    const std::int64_t fits = number_in(error.hint());  // "at most N fit"
    EXPECT_GT(fits, 1'000'000);
    capacity = fits / 10 * 9;  // neighbours take memory too
    EXPECT_NO_THROW(require_memory(o, dir.run("run"))) << fits;
    capacity = fits * 2;
    EXPECT_THROW(require_memory(o, dir.run("run")), Error);
  }
}

TEST(RequireMemory, BothCapacitiesAreNamedWhereLoweringOneIsNotEnough) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("fhp");
  o.memory.advantage_capacity = o.memory.strategy_capacity = 1'000'000'000'000;
  const Error error = refusal(o, dir.run("run"));
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(error.hint().find("in memory.advantage_capacity and memory.strategy_capacity each"), std::string::npos) << error.what();
  o.memory.advantage_capacity = o.memory.strategy_capacity = number_in(error.hint()) / 10 * 9;
  EXPECT_NO_THROW(require_memory(o, dir.run("run")));
}

TEST(RequireMemory, WhatTheRestOfARunTakesIsRefusedToo) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("fhp");
  o.advantage_fit.batch_size = 2'000'000'000;
  const Error error = refusal(o, dir.run("run"));
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_NE(error.message().find("beside its memories"), std::string::npos) << error.what();
}

TEST(RequireMemory, AShortDiskIsRefusedWithTheFolder) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("fhp");
  o.memory.storage = MemoryStorage::file;
  o.memory.strategy_capacity = 1'000'000'000'000;
  const Error error = refusal(o, dir.run("run"));
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_EQ(error.where(), dir.run("run/memory"));
  EXPECT_TRUE(error.message().starts_with("memory.strategy_capacity: 1000000000000 records")) << error.what();
  EXPECT_NE(error.message().find("of its disk are free"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir.run("run")));
}

}  // namespace
}  // namespace deepcfr
