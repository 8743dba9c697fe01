#include "machine.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

namespace deepcfr {
namespace {

/// "model name\t: AMD EPYC" -> {"model name", "AMD EPYC"}.
std::pair<std::string, std::string> key_and_value(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos) return {};
  const auto trimmed = [](const std::string& text) {
    const std::size_t from = text.find_first_not_of(" \t");
    return from == std::string::npos ? std::string() : text.substr(from, text.find_last_not_of(" \t") - from + 1);
  };
  return {trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))};
}

void read_cpu(MachineReport& report) {
  std::ifstream file("/proc/cpuinfo");
  std::set<std::pair<std::string, std::string>> cores;
  std::string package;
  for (std::string line; std::getline(file, line);) {
    const auto [key, value] = key_and_value(line);
    if (key == "model name") report.cpu_model = value;
    if (key == "physical id") package = value;
    if (key == "core id") cores.emplace(package, value);
  }
  report.threads = static_cast<int>(std::thread::hardware_concurrency());
  report.cores = cores.empty() ? report.threads : static_cast<int>(cores.size());
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  report.usable_threads = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : report.threads;
}

void read_memory(MachineReport& report) {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    const auto [key, value] = key_and_value(line);
    const std::uint64_t bytes = std::strtoull(value.c_str(), nullptr, 10) * 1024;
    if (key == "MemTotal") report.memory_bytes = bytes;
    if (key == "MemAvailable") report.free_memory_bytes = bytes;
  }
  // A container may be allowed less than the machine has.
  std::ifstream limit_file("/sys/fs/cgroup/memory.max");
  std::uint64_t limit = 0;
  if (limit_file >> limit && limit > 0 && limit < report.memory_bytes) {
    report.memory_bytes = limit;
    report.free_memory_bytes = std::min(report.free_memory_bytes, limit);
  }
}

void read_openmp(MachineReport& report) {
  std::ifstream file("/proc/self/maps");
  std::set<std::string> found;
  for (std::string line; std::getline(file, line);) {
    const std::string name = line.substr(line.rfind('/') + 1);
    for (const std::string_view runtime : {"libgomp", "libiomp", "libomp"}) {
      if (name.starts_with(runtime)) found.insert(name);
    }
  }
  report.openmp_runtimes.assign(found.begin(), found.end());
  const char* threads = std::getenv("OMP_NUM_THREADS");
  report.openmp_threads = threads == nullptr ? "" : threads;
}

}  // namespace

MachineReport report_machine() {
  MachineReport report;
  read_cpu(report);
  read_memory(report);
  read_openmp(report);
  return report;
}

}  // namespace deepcfr
