#include "machine_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace deepcfr {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t number_in(const fs::path& file, std::uint64_t otherwise) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  return in >> number ? number : otherwise;  // "max" is no number
}

/// The number after a word at the beginning of a line.
std::uint64_t number_of(const fs::path& file, const std::string& word, std::uint64_t otherwise) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(word)) return std::stoull("0" + line.substr(std::min(line.size(), line.find_first_of("0123456789", word.size()))));
  }
  return otherwise;
}

struct GroupFiles {
  const char* limit;
  const char* usage;
  const char* cache;  // key in memory.stat
};

/// What a group and those around it leave.
std::uint64_t left_by_groups(const fs::path& mount, fs::path group, const GroupFiles& files) {
  std::uint64_t left = kNoLimit;
  while (true) {
    const fs::path folder = mount / group.relative_path();
    const std::uint64_t limit = number_in(folder / files.limit, kNoLimit);
    if (limit != kNoLimit) {
      const std::uint64_t usage = number_in(folder / files.usage, 0);
      const std::uint64_t cache = std::min(usage, number_of(folder / "memory.stat", files.cache, 0));
      left = std::min(left, limit - std::min(limit, usage - cache));
    }
    if (!group.has_relative_path()) return left;
    group = group.parent_path();
  }
}

}  // namespace

std::uint64_t available_ram(const fs::path& root) {
  const std::uint64_t kilobytes = number_of(root / "proc/meminfo", "MemAvailable:", 0);
  std::uint64_t available = kilobytes == 0 ? kNoLimit : kilobytes * 1024;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // number:controllers:path
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = line.substr(second + 1);
    if (controllers == ",,") {
      available = std::min(available, left_by_groups(root / "sys/fs/cgroup", group, {"memory.max", "memory.current", "inactive_file"}));
    } else if (controllers.find(",memory,") != std::string::npos) {
      available = std::min(available, left_by_groups(root / "sys/fs/cgroup/memory", group,
                                                     {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}));
    }
  }
  return available == kNoLimit ? 0 : available;
}

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace deepcfr
