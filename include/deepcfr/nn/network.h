// Networks behind a door without LibTorch. Rows in, outputs out; weights as one flat vector.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/game/encoder.h"
#include "deepcfr/nn/options.h"

namespace deepcfr {

/// FeatureKind that a network type reads.
FeatureKind feature_kind(NetworkType type) noexcept;

/// Must be called once by the program before any other nn call: one intra-op thread in every thread that computes (reported
/// faults T01, T02), no inter-op pool use. Returns a line for the log: LibTorch version, intra-op, inter-op, OpenMP threads.
std::string configure_libtorch(int intra_op_threads);
/// LibTorch's version and what devices it sees, for `doctor`.
struct DeviceReport {
  std::string libtorch_version;
  std::string cpu_capability;   ///< e.g. "AVX512"
  bool cuda_built = false;
  int cuda_devices = 0;
  bool bfloat16_fast = false;   ///< avx512_bf16 or amx
};
DeviceReport report_devices();

struct ParameterInfo {
  std::string name;            ///< "layer0.weight", "card1.bias"
  std::vector<std::int64_t> shape;
  std::size_t offset;          ///< in the flat weights, floats
  std::size_t count;
};

/// Weights only change through the trainer or set_weights; forward() of one object is for one thread at a time, clones are
/// independent.
class Network {
 public:
  /// Fresh random weights: He-uniform for layers followed by ReLU, LeCun-uniform (bound √(3 / fan-in)) for the head,
  /// biases 0, embeddings N(0, 0.1²): src/nn/model.cpp. A pure function of `init`.
  Network(const FeatureLayout& layout, int outputs, const NetworkOptions& options, CounterRandom init);
  ~Network();
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  Network clone() const;

  const NetworkOptions& options() const noexcept;
  const FeatureLayout& layout() const noexcept;
  int outputs() const noexcept;
  std::size_t parameter_count() const noexcept;
  std::vector<ParameterInfo> parameters() const;
  std::vector<float> weights() const;
  void set_weights(std::span<const float> weights);  ///< Error{bug} on a wrong count
  std::uint64_t hash() const;                        ///< content hash of the weights

  /// rows: count × layout().width, out: count × outputs(). Float32. Independent of the other rows (contract of results): see
  /// probe_batch_invariance.
  void forward(std::span<const float> rows, std::span<float> out) const;

  struct Impl;  // for nn only
  Impl& impl() const noexcept { return *impl_; }

 private:
  explicit Network(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Whether each row's outputs are bit-equal whatever batch it is part of (sizes 1..1024 tried, after the padding that forward()
/// itself applies).
bool probe_batch_invariance(const Network& network);

}  // namespace deepcfr
