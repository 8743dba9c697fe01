#include "deepcfr/train/devices.h"

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// Why forwards of traversals had better stay on the CPU although there is a device; empty: nothing speaks against it.
std::string reason_for_cpu(const TrainOptions& options) {
  if (options.traversal.mode == TraversalMode::recursive) return "traversal.mode is recursive";
  if (options.inference.backend == InferenceKind::check) return "inference.backend is check";
  if (options.inference.backend == InferenceKind::local) return "inference.backend is local";
  return "";
}

}  // namespace

std::string RunDevices::text() const {
  if (fits.text == traversals.text) return "device: " + fits.text;
  return "device: fits on " + fits.text + ", traversals on " + traversals.text;
}

RunDevices choose_devices(const TrainOptions& options, const DeviceReport& report) {
  RunDevices devices{resolve_device(options.training.device, "training.device", report),
                     resolve_device(options.inference.device, "inference.device", report, reason_for_cpu(options))};
  const bool recursive = options.traversal.mode == TraversalMode::recursive;
  if (devices.traversals.device == ComputeDevice::cuda && (recursive || options.inference.backend == InferenceKind::check)) {
    throw Error(ErrorKind::usage, "inference.device: cuda, but " + reason_for_cpu(options), {},
                recursive ? "rows one by one are the yardstick of the CPU: write traversal.mode: interleaved"
                          : "devices agree within rounding, not in bits: write inference.backend: server");
  }
  return devices;
}

}  // namespace deepcfr
