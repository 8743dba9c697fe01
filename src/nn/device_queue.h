// Work in order on a device. On the CPU everything runs at once in the calling thread; on CUDA a queue is a stream of its own, so that
// copies and kernels of several queues overlap. Nothing here names CUDA but the capture of graphs (device_graph.cpp).
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>

#include <functional>
#include <memory>
#include <optional>

#include "deepcfr/core/error.h"
#include "deepcfr/nn/device.h"

namespace deepcfr::nn {

at::Device torch_device(ComputeDevice device);

/// All that was asked of a device so far, by any thread, is done.
void wait_for_device(at::Device device);

/// float32 products in float32 (no TF32), bfloat16 products with sums in float32. LibTorch holds this for the whole process.
void configure_device_arithmetic();

class DeviceQueue {
 public:
  explicit DeviceQueue(at::Device device);
  bool cuda() const noexcept { return stream_.has_value(); }
  at::Device device() const noexcept { return device_; }
  /// Calls work() with this queue as the calling thread's current one; what it asks of the device is done later, in order.
  template <typename Work>
  void run(const Work& work) const {
    if (!stream_) return work();
    const c10::StreamGuard current(*stream_);
    work();
  }
  void synchronize() const;
  /// Zeros in host memory; pinned if the device copies from there by itself.
  at::Tensor host_buffer(at::IntArrayRef sizes, at::ScalarType type) const;
  const c10::Stream& stream() const { return *stream_; }

 private:
  at::Device device_;
  std::optional<c10::Stream> stream_;
};

/// A point in a queue's work.
class DeviceMark {
 public:
  void set(const DeviceQueue& queue);             ///< here
  void hold(const DeviceQueue& queue) const;      ///< what `queue` is asked from now on waits for the point
  void wait() const;                              ///< the calling thread does

 private:
  std::optional<c10::Event> event_;
};

/// Work of fixed tensors that was recorded once and is launched as one.
class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;
  virtual void replay() = 0;  ///< within DeviceQueue::run of the queue that it was recorded in
};

/// Graphs of one user share their scratch memory: they are replayed one after the other.
class GraphRecorder {
 public:
  virtual ~GraphRecorder() = default;
  /// Records work() without doing it. It must have run in `queue` before (libraries set themselves up at their first use), allocates only
  /// what it frees, and never waits for the device.
  virtual std::unique_ptr<DeviceGraph> record(const DeviceQueue& queue, const std::function<void()>& work) = 0;
};
/// Null where there are no graphs (CPU, builds without CUDA).
std::unique_ptr<GraphRecorder> make_graph_recorder(const DeviceQueue& queue);

/// Runs work(); errors of LibTorch become Error{device} with the place.
template <typename Work>
decltype(auto) on_device(const char* where, const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    throw Error(ErrorKind::device, error.what_without_backtrace(), where,
                "training.device: cpu and inference.device: cpu go on without the device; out of memory: lower inference.max_batch or training.batch_size");
  }
}

}  // namespace deepcfr::nn
