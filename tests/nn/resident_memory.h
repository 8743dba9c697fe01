// Memory of this process, for tests that watch it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

// Sanitizers keep freed memory back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKIP_UNDER_SANITIZERS() GTEST_SKIP() << "resident memory means nothing under a sanitizer"
#else
#define SKIP_UNDER_SANITIZERS() static_cast<void>(0)
#endif

namespace deepcfr::test {

inline double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace deepcfr::test
