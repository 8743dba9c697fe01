#include "deepcfr/cfr/reservoir.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

CounterRandom stream(std::uint64_t key) { return CounterRandom(StreamPurpose::test, {key}); }

void add_number(Reservoir& reservoir, std::uint64_t n) { reservoir.add(reinterpret_cast<const std::byte*>(&n)); }

std::uint64_t number(const Reservoir& reservoir, std::uint64_t i) {
  std::uint64_t n;
  std::memcpy(&n, reservoir.record(i), sizeof n);
  return n;
}

TEST(Reservoir, A08OneSlotKeepsEitherOfTwoHalfTheTime) {
  int second = 0;
  constexpr int kRepeats = 10'000;
  for (std::uint64_t r = 0; r < kRepeats; ++r) {
    Reservoir reservoir(8, 1, stream(r));
    add_number(reservoir, 0);
    add_number(reservoir, 1);
    second += number(reservoir, 0) == 1;
  }
  EXPECT_NEAR(second / double{kRepeats}, 0.5, 0.015);
}

TEST(Reservoir, A08Statement9SurvivalDoesNotDependOnArrival) {
  constexpr int kRepeats = 2'000;
  std::array<double, 10> deciles{};
  for (std::uint64_t r = 0; r < kRepeats; ++r) {
    Reservoir reservoir(8, 10, stream(1000 + r));
    for (std::uint64_t n = 0; n < 1000; ++n) add_number(reservoir, n);
    for (std::uint64_t i = 0; i < reservoir.size(); ++i) ++deciles[number(reservoir, i) / 100];
  }
  double chi_square = 0;
  for (const double count : deciles) chi_square += (count - kRepeats) * (count - kRepeats) / kRepeats;
  EXPECT_LT(chi_square, 27.88);  // p = 0.001 with 9 degrees of freedom
}

TEST(Reservoir, CountsBeyond32Bits) {
  Reservoir reservoir(8, 4, stream(5));
  for (std::uint64_t n = 0; n < 4; ++n) add_number(reservoir, n);
  std::vector<std::byte> kept(reservoir.bytes().begin(), reservoir.bytes().end());
  const std::uint64_t seen = 1ULL << 33;
  reservoir.restore(seen, [&](std::span<std::byte> out) { std::copy(kept.begin(), kept.end(), out.begin()); });
  int replaced = 0;
  for (std::uint64_t n = 0; n < 1'000'000; ++n) {
    const auto before = std::vector<std::byte>(reservoir.bytes().begin(), reservoir.bytes().end());
    add_number(reservoir, seen + n);
    replaced += std::memcmp(before.data(), reservoir.bytes().data(), before.size()) != 0;
  }
  EXPECT_EQ(reservoir.seen(), seen + 1'000'000);
  EXPECT_EQ(reservoir.size(), 4U);
  EXPECT_LE(replaced, 3);  // 4 / 2^33 a step: hardly ever; a 32-bit count would replace thousands of times
}

/// A folder that is removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "deepcfr-records-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Reservoir, WholeBuffersAreAddedAsRecordByRecord) {
  struct Kept {
    std::vector<std::uint64_t> displaced;
    void operator()(const std::byte* old) {
      std::uint64_t n = ~std::uint64_t{0};
      if (old != nullptr) std::memcpy(&n, old, sizeof n);
      displaced.push_back(n);
    }
  };
  for (const std::uint64_t capacity : {1U, 7U, 100U, 5000U}) {
    Reservoir single(8, capacity, stream(7)), whole(8, capacity, stream(7));
    Kept kept_single, kept_whole;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t chunk = 0; chunk < 40; ++chunk) {
      numbers.clear();
      for (std::uint64_t i = 0; i < chunk * 3; ++i) numbers.push_back(1000 * chunk + i);
      for (const std::uint64_t n : numbers) single.add(reinterpret_cast<const std::byte*>(&n), kept_single);
      whole.add_all(std::as_bytes(std::span<const std::uint64_t>(numbers)), kept_whole);
      ASSERT_EQ(single.seen(), whole.seen());
      ASSERT_EQ(std::memcmp(single.bytes().data(), whole.bytes().data(), single.bytes().size()), 0) << capacity << " " << chunk;
    }
    EXPECT_EQ(kept_single.displaced, kept_whole.displaced);
    if (capacity == 100) {
      EXPECT_GT(kept_whole.displaced.size(), 200U);
    }
  }
}

TEST(Reservoir, InAFileItIsTheSameAndLeavesNothingBehind) {
  const Folder folder;
  {
    Reservoir ram(24, 500, stream(7)), file(24, 500, stream(7), RecordStorage::in_file(folder.path(), 24 * 500));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "the file has no name";
    for (std::uint64_t n = 0; n < 4000; ++n) {
      const std::uint64_t record[3] = {mix64(n), n, mix64(n + 1)};
      ram.add(reinterpret_cast<const std::byte*>(record));
      file.add(reinterpret_cast<const std::byte*>(record));
    }
    ASSERT_EQ(ram.bytes().size(), file.bytes().size());
    EXPECT_EQ(std::memcmp(ram.bytes().data(), file.bytes().data(), ram.bytes().size()), 0);
    Reservoir moved = std::move(file);
    EXPECT_EQ(std::memcmp(ram.bytes().data(), moved.bytes().data(), ram.bytes().size()), 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Reservoir, AFileTakesItsBlocksAtOnce) {
  const Folder folder;
  constexpr std::uint64_t kBytes = 256 << 20;
  bool taken = false;
  for (int attempt = 0; attempt < 5 && !taken; ++attempt) {  // neighbours write and free too
    const std::uint64_t before = free_disk_bytes(folder.path());
    ASSERT_GT(before, kBytes);
    const RecordStorage storage = RecordStorage::in_file(folder.path(), kBytes);
    EXPECT_EQ(storage.bytes(), kBytes);
    taken = free_disk_bytes(folder.path()) < before - kBytes / 2;
  }
  EXPECT_TRUE(taken) << "a disk that fills up later would end the run by SIGBUS";
}

TEST(Reservoir, AFileThatDoesNotFitIsRefusedWithTheFolderAndWhatIsFree) {
  const Folder folder;
  for (const std::uint64_t bytes : {free_disk_bytes(folder.path()) + (std::uint64_t{1} << 40), std::uint64_t{1} << 62}) {
    try {
      RecordStorage::in_file(folder.path(), bytes);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_EQ(error.where(), folder.path().string());
      EXPECT_NE(error.message().find(std::to_string(bytes) + " bytes"), std::string::npos) << error.what();
      EXPECT_NE(error.hint().find("memory.directory"), std::string::npos);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
  EXPECT_THROW(RecordStorage::in_file(folder.path() / "missing", 100), Error);
}

TEST(Reservoir, WhatRamCannotHoldIsAnErrorAndNoBadAlloc) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they end the process
  EXPECT_THROW(Reservoir(32, std::uint64_t{1} << 45, stream(1)), Error);
#endif
}

// More bytes and more records than 32 bits count; of the memory only the pages that are touched are taken.
TEST(Reservoir, PlacesBeyond32Bits) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers shadow the whole of it";
#endif
  constexpr std::uint64_t kCapacity = (std::uint64_t{1} << 32) + 100;
  Reservoir reservoir(2, kCapacity, stream(6));
  reservoir.restore(kCapacity - 50, [](std::span<std::byte> all) { EXPECT_EQ(all.size(), 2 * (kCapacity - 50)); });
  std::vector<std::uint16_t> numbers(150);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint16_t>(i + 1);
  reservoir.add_all(std::as_bytes(std::span<const std::uint16_t>(numbers)));
  EXPECT_EQ(reservoir.seen(), kCapacity + 100);
  EXPECT_EQ(reservoir.size(), kCapacity);
  EXPECT_EQ(reservoir.bytes().size(), 2 * kCapacity);
  const auto at = [&](std::uint64_t i) {
    std::uint16_t number;
    std::memcpy(&number, reservoir.record(i), sizeof number);
    return number;
  };
  int in_order = 0;
  for (std::uint64_t i = 0; i < 50; ++i) in_order += at(kCapacity - 50 + i) == i + 1;
  EXPECT_GE(in_order, 49);  // the 100 after them went all over the memory
  EXPECT_EQ(at(0), 0);      // a 32-bit place would have come round to the beginning
  int low = 0;
  for (std::uint64_t i = 0; i < 200; ++i) low += at(i) != 0;
  EXPECT_EQ(low, 0);
}

TEST(Reservoir, RestoredGoesOnAsIfNeverStopped) {
  Reservoir straight(8, 50, stream(7));
  Reservoir first(8, 50, stream(7));
  for (std::uint64_t n = 0; n < 500; ++n) {
    add_number(straight, n);
    add_number(first, n);
  }
  Reservoir second(8, 50, stream(7));
  second.restore(first.seen(), [&](std::span<std::byte> out) { std::copy(first.bytes().begin(), first.bytes().end(), out.begin()); });
  for (std::uint64_t n = 500; n < 900; ++n) {
    add_number(straight, n);
    add_number(second, n);
  }
  ASSERT_EQ(straight.bytes().size(), second.bytes().size());
  EXPECT_EQ(std::memcmp(straight.bytes().data(), second.bytes().data(), straight.bytes().size()), 0);
}

TEST(Reservoir, T11T12MemoryIsItsRecordsAndStaysFlatWhenFull) {
  const auto resident = [] {
    std::ifstream statm("/proc/self/statm");
    double total = 0;
    double pages = 0;
    statm >> total >> pages;
    return pages * 4096;
  };
  const double before = resident();
  constexpr std::size_t kRecord = 24;
  constexpr std::uint64_t kCapacity = 1'000'000;
  Reservoir reservoir(kRecord, kCapacity, stream(9));
  std::array<std::byte, kRecord> record{};
  for (std::uint64_t n = 0; n < kCapacity; ++n) reservoir.add(record.data());
  const double full = resident();
  for (std::uint64_t n = 0; n < 5 * kCapacity; ++n) reservoir.add(record.data());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they add memory of their own
  EXPECT_LE((full - before) / (kCapacity * kRecord), 1.5);
  EXPECT_LE(resident() - full, 0.05 * kCapacity * kRecord);
#endif
  EXPECT_EQ(reservoir.seen(), 6 * kCapacity);
}

TEST(Reservoir, Statement10ColumnsOfARecordMoveTogether) {
  struct Record {
    std::uint64_t features[3];
    std::uint64_t checksum;
  };
  Reservoir reservoir(sizeof(Record), 100, stream(8));
  for (std::uint64_t n = 0; n < 5000; ++n) {
    const Record record{{mix64(n), mix64(n + 1), mix64(n + 2)}, mix64(n) ^ mix64(n + 1) ^ mix64(n + 2)};
    reservoir.add(reinterpret_cast<const std::byte*>(&record));
    if (n == 10) {
      EXPECT_EQ(reservoir.size(), 11U);  // rows not yet filled are not part of it
    }
    for (std::uint64_t i = 0; n % 97 == 0 && i < reservoir.size(); ++i) {
      Record kept;
      std::memcpy(&kept, reservoir.record(i), sizeof kept);
      ASSERT_EQ(kept.features[0] ^ kept.features[1] ^ kept.features[2], kept.checksum);
    }
  }
}

}  // namespace
}  // namespace deepcfr
