#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <thread>

#include "deepcfr/nn/network.h"

namespace deepcfr {
namespace {

// Reported faults T01, T02: one setting, kept in threads that start later, told in one line.
TEST(LibTorch, ThreadsAreSetOnceForAllThreads) {
  const std::string line = configure_libtorch(1);
  EXPECT_NE(line.find("LibTorch 2."), std::string::npos) << line;
  EXPECT_NE(line.find("intra-op 1"), std::string::npos) << line;
  EXPECT_NE(line.find("inter-op 1"), std::string::npos) << line;
  EXPECT_NE(line.find("OpenMP 1"), std::string::npos) << line;
  int inside = 0;
  std::thread([&] { inside = at::get_num_threads(); }).join();
  EXPECT_EQ(inside, 1);
  configure_libtorch(1);  // a second call does no harm
}

TEST(LibTorch, DevicesAreReported) {
  const DeviceReport report = report_devices();
  EXPECT_EQ(report.libtorch_version.find("2."), 0U);
  EXPECT_FALSE(report.cpu_capability.empty());
  if (!report.cuda_built) {
    EXPECT_EQ(report.cuda_devices, 0);
  }
}

}  // namespace
}  // namespace deepcfr
