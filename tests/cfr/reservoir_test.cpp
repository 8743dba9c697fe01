#include "deepcfr/cfr/reservoir.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <fstream>
#include <vector>

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
