// Time for benchmarks: by default CPU time of the calling thread, which a busy machine disturbs least.
#pragma once

#include <ctime>

namespace deepcfr::bench {

inline double thread_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace deepcfr::bench
