#include "deepcfr/train/devices.h"

#include <algorithm>
#include <cstdio>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// A step's arithmetic that a device would have to take over to be worth it: some 10 ms of one core, where launching a step's kernels takes
/// tenths of a millisecond. Computed, not measured (docs/plans/gpu-measurements.md).
constexpr double kWorthwhileGflop = 1.0;

/// Of one training step, roughly: six operations for each weight and row. The width of rows is not known here; 256 is hold'em's.
double step_gflop(const NetworkOptions& network, const FitOptions& fit) {
  constexpr double kInputs = 256;
  const double h = network.hidden, d = network.dim, w = network.card_branch_width;
  const double weights = network.type == NetworkType::mlp ? kInputs * h + std::max(0, network.layers - 1) * h * h : (4 * d + w + d) * w + (kInputs / 4 + 5 * d) * d;
  return 6e-9 * weights * fit.batch_size;
}

/// Why fits had better stay on the CPU.
std::string reason_for_cpu_fits(const TrainOptions& options) {
  const double gflop = std::max(step_gflop(options.advantage_network, options.advantage_fit), step_gflop(options.strategy_network, options.strategy_fit));
  if (gflop >= kWorthwhileGflop) return "";
  char text[80];
  std::snprintf(text, sizeof text, "a training step has only about %.2g GFLOP", gflop);
  return text;
}

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
  RunDevices devices{resolve_device(options.training.device, "training.device", report, reason_for_cpu_fits(options)),
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
