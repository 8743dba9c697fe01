// Where the parts of a run compute.
#pragma once

#include <string>

#include "deepcfr/nn/device.h"
#include "deepcfr/train/options.h"

namespace deepcfr {

struct RunDevices {
  DeviceChoice fits;        ///< training.device
  DeviceChoice traversals;  ///< inference.device
  /// For the terminal and the run's log: "device: CPU (no CUDA device is visible)".
  std::string text() const;
};

/// Error{device} if cuda is asked for and cannot be had, Error{usage} if it is asked for where nothing would use it.
RunDevices choose_devices(const TrainOptions& options, const DeviceReport& report);

}  // namespace deepcfr
