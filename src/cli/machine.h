// The machine as the operating system tells it, for doctor.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace deepcfr {

struct MachineReport {
  std::string cpu_model;
  int cores = 0;           ///< physical, as far as known
  int threads = 0;         ///< hardware threads of the machine
  int usable_threads = 0;  ///< that this process may run on
  std::uint64_t memory_bytes = 0;
  std::uint64_t free_memory_bytes = 0;
  std::vector<std::string> openmp_runtimes;  ///< file names of those loaded into this process (reported fault T03: one)
  std::string openmp_threads;                ///< value of OMP_NUM_THREADS, "" if not set
};
MachineReport report_machine();

}  // namespace deepcfr
