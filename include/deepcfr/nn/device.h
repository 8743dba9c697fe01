// Networks on a device: the choice of it, forwards of traversals, fits. The same code computes on LibTorch's CPU (where it is tested
// against this room's own kernels) and on CUDA (pinned memory, own streams, CUDA graphs).
//
// Results on CUDA agree with the CPU's within rounding, not in bits: cuBLAS picks its kernels by the shape of a batch, so that a row's last
// bits may depend on the batch around it. The contract of results (same config and seed, same bits) therefore holds for the CPU alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "deepcfr/cfr/inference.h"
#include "deepcfr/nn/forward_engine.h"
#include "deepcfr/nn/network.h"
#include "deepcfr/nn/trainer.h"

namespace deepcfr {

enum class ComputeDevice { cpu, cuda };

struct DeviceChoice {
  ComputeDevice device = ComputeDevice::cpu;
  std::string text;  ///< for logs: "CPU (no CUDA device is visible)"
};

/// What `wish` (the value of `key`) means where `report` describes the machine. `automatic` takes the first CUDA device if there is one,
/// unless `cpu_reason` (not empty) says why the CPU is the better choice. Error{device} if cuda is asked for and cannot be had.
DeviceChoice resolve_device(Device wish, const std::string& key, const DeviceReport& report, const std::string& cpu_reason = {});

struct DeviceEngineOptions {
  /// Rows that are computed at once; more are cut. Host and device memory for as many is taken at the start.
  std::int64_t max_rows = 65536;
  bool graphs = true;  ///< CUDA: a graph for each network and bucket; off: kernel by kernel (to compare)
};

/// An engine that lives across the phases of a run: weights change in place, so that buffers and graphs stay.
class DeviceEngine : public ForwardEngine {
 public:
  /// New weights (one network for each player, null: uniform), seen by this engine and all its clones. Between phases: no forward of any
  /// of them may be under way, and who holds a format() asks again. A player's networks keep their type and sizes: Error{bug} otherwise.
  virtual void update(const std::vector<std::shared_ptr<const Network>>& networks) = 0;
};

/// Batches are padded to buckets of 256, 512, … rows. Minibatches of one forward() go over in one copy and come back in one. A clone has its
/// own stream, buffers and graphs: two of them (one packs while the other computes) behind an InferenceServer keep a device busy.
/// bfloat16: weights and activations rounded to bfloat16, sums and the output layer's results in float32. float32: no TF32.
std::unique_ptr<DeviceEngine> make_device_engine(const Game& game, const std::vector<std::shared_ptr<const Network>>& networks,
                                                 const ForwardOptions& options, ComputeDevice device, const DeviceEngineOptions& engine = {});

struct DeviceFitOptions {
  bool graph = true;  ///< CUDA: the step is captured after its first three
};

/// What fit() does (trainer.h), on a device: same loss, clipping, schedule, Adam, skipped steps and error; numbers agree to rounding.
/// Non-finite steps are skipped on the device and counted at the end, so the error comes after the last step. amp: autocast.
FitResult fit_on_device(Network& network, FitKind kind, BatchSource& source, const FitOptions& options, StrategyLoss strategy_loss,
                        ComputeDevice device, const DeviceFitOptions& how = {});

}  // namespace deepcfr
