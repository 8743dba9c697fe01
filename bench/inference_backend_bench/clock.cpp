#include "clock.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

namespace deepcfr::bench {
namespace {

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

void allow(const std::vector<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(static_cast<std::size_t>(core), &set);
  sched_setaffinity(0, sizeof set, &set);
}

/// Idle time of cores since the machine started; 0 where /proc does not tell.
double idle_seconds(const std::vector<int>& cores) {
  std::ifstream file("/proc/stat");
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  double sum = 0;
  for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
    if (line[3] == ' ') continue;  // all cores together
    std::istringstream words(line.substr(3));
    int core = -1;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0;
    words >> core >> user >> nice >> system >> idle >> waiting;
    if (std::find(cores.begin(), cores.end(), core) != cores.end()) sum += (idle + waiting) * tick;
  }
  return sum;
}

}  // namespace

std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
  }
  return cores;
}

Pinned::Pinned(int count) : before_(usable_cores()), cores_(before_) {
  cores_.resize(std::min(cores_.size(), static_cast<std::size_t>(count)));
  allow(cores_);
}

Pinned::~Pinned() { allow(before_); }

Usage usage_now(const std::vector<int>& cores) {
  return {.wall = wall_seconds(), .cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID), .idle = idle_seconds(cores)};
}

double own_seconds(const Usage& from, const Usage& to, std::size_t cores) {
  const double used = (to.cpu - from.cpu + to.idle - from.idle) / static_cast<double>(cores);
  return std::min(used, to.wall - from.wall);
}

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

}  // namespace deepcfr::bench
