// Inserts into a full memory, at places all over it, and the bytes of a record.
//
//   reservoir_bench [million records of the memory] [rounds]
//
// Bars: an advantage record of flop hold'em takes at most 32 bytes; 5 million inserts a second by one thread. "stored" is the hardest
// case: every record is kept (a memory of the same size that has seen few more than it holds), "kept 1 in 8" a later one.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "cpu_time.h"
#include "deepcfr/cfr/reservoir.h"
#include "deepcfr/cfr/sample.h"
#include "deepcfr/game/catalogue.h"

namespace {

using namespace deepcfr;

double cpu_seconds() { return bench::thread_seconds(); }

/// Inserts a second: records of one traversal chunk after the other, as the loop adds them.
double inserts(Reservoir& memory, std::uint64_t seen, std::span<const std::byte> records) {
  memory.restore(seen, [](std::span<std::byte>) {});
  const double start = cpu_seconds();
  constexpr int kChunks = 20;
  for (int chunk = 0; chunk < kChunks; ++chunk) memory.add_all(records);
  return kChunks * static_cast<double>(records.size() / memory.record_bytes()) / (cpu_seconds() - start);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t capacity = 1'000'000 * (argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 40);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  for (const char* name : {"leduc", "fhp", "hulh", "hunl"}) {
    const Game game = make_game(name);
    const SampleCodec codec(game, nullptr, ValuePrecision::half);
    std::printf("%-5s %2zu bytes a record", name, codec.bytes());
    if (std::string_view(name) != "fhp") {
      std::printf("\n");
      continue;
    }
    Reservoir memory(codec.bytes(), capacity, CounterRandom(StreamPurpose::test, {1}));
    const std::vector<std::byte> records(100'000 * codec.bytes(), std::byte{7});
    for (std::uint64_t i = 0; i < capacity; i += 100'000) memory.add_all(records);  // touches all pages
    for (int round = 0; round < rounds; ++round) {
      std::printf(" | %.1f M inserts/s stored, %.1f kept 1 in 8", 1e-6 * inserts(memory, capacity, records), 1e-6 * inserts(memory, 8 * capacity, records));
    }
    std::printf(" | memory of %.2f GB\n", 1e-9 * static_cast<double>(codec.bytes() * capacity));
  }
}
