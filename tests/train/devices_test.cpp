#include "deepcfr/train/devices.h"

#include <gtest/gtest.h>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

DeviceReport machine(int devices) {
  DeviceReport report;
  report.cuda_built = true;
  report.cuda_devices = devices;
  return report;
}

TrainOptions large() {
  TrainOptions options;
  options.advantage_network.hidden = options.strategy_network.hidden = 512;
  options.advantage_fit.batch_size = options.strategy_fit.batch_size = 2048;
  options.inference.backend = InferenceKind::server;
  return options;
}

TEST(Devices, AutoTakesTheDeviceForLargeFitsAndTheServer) {
  EXPECT_EQ(choose_devices(large(), machine(1)).text(), "device: CUDA device 0 (auto: of 1)");
  EXPECT_EQ(choose_devices(large(), machine(0)).text(), "device: CPU (no CUDA device is visible)");
  EXPECT_EQ(choose_devices(large(), DeviceReport{}).text(), "device: CPU (this build has no CUDA)");
}

TEST(Devices, AutoSaysWhyItStaysOnTheCpu) {
  TrainOptions options = large();
  options.inference.backend = InferenceKind::local;
  EXPECT_EQ(choose_devices(options, machine(1)).text(), "device: fits on CUDA device 0 (auto: of 1), traversals on CPU (inference.backend is local)");
  options = {};
  options.traversal.mode = TraversalMode::recursive;
  EXPECT_EQ(choose_devices(options, machine(1)).text(),
            "device: fits on CPU (a training step has only about 0.076 GFLOP), traversals on CPU (traversal.mode is recursive)");
}

TEST(Devices, WhatIsAskedForIsUsedOrRefused) {
  TrainOptions options;  // small
  options.training.device = Device::cuda;
  EXPECT_EQ(choose_devices(options, machine(1)).fits.device, ComputeDevice::cuda);
  EXPECT_THROW(choose_devices(options, machine(0)), Error);
  options = {};
  options.inference.device = Device::cuda;
  EXPECT_EQ(choose_devices(options, machine(1)).traversals.device, ComputeDevice::cuda);
  options.inference.backend = InferenceKind::check;
  const auto kind = [&] {
    try {
      choose_devices(options, machine(1));
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::bug;
  };
  EXPECT_EQ(kind(), ErrorKind::usage);
  options.inference.backend = InferenceKind::server;
  options.traversal.mode = TraversalMode::recursive;
  EXPECT_EQ(kind(), ErrorKind::usage);
}

}  // namespace
}  // namespace deepcfr
