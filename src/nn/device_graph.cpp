// CUDA graphs: the only code of this program that needs CUDA's headers.
#include "device_queue.h"

#ifdef DEEPCFR_CUDA
#include <ATen/cuda/CUDAGraph.h>
#endif

namespace deepcfr::nn {

#ifdef DEEPCFR_CUDA
namespace {

class CudaGraph final : public DeviceGraph {
 public:
  void replay() override { graph.replay(); }
  at::cuda::CUDAGraph graph;
};

class CudaRecorder final : public GraphRecorder {
 public:
  CudaRecorder() = default;
  /// Its graphs are gone. Their scratch memory is given back now: the next fit's recorder would take other memory beside it.
  ~CudaRecorder() override {
    try {
      c10::cuda::CUDACachingAllocator::emptyCache();
    } catch (...) {  // of an earlier failure of the device
    }
  }
  CudaRecorder(const CudaRecorder&) = delete;
  CudaRecorder& operator=(const CudaRecorder&) = delete;

  std::unique_ptr<DeviceGraph> record(const DeviceQueue& queue, const std::function<void()>& work) override {
    auto recorded = std::make_unique<CudaGraph>();
    queue.synchronize();
    queue.run([&] {
      // thread-local: another thread may use the device meanwhile
      recorded->graph.capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
      try {
        work();
      } catch (...) {
        end_quietly(recorded->graph);
        throw;
      }
      recorded->graph.capture_end();
    });
    return recorded;
  }

 private:
  /// A stream must not stay in capture; what went wrong is known already.
  static void end_quietly(at::cuda::CUDAGraph& graph) noexcept {
    try {
      graph.capture_end();
    } catch (...) {
    }
  }
  at::cuda::MempoolId_t pool_ = at::cuda::graph_pool_handle();
};

}  // namespace

std::unique_ptr<GraphRecorder> make_graph_recorder(const DeviceQueue& queue) {
  return queue.cuda() ? std::make_unique<CudaRecorder>() : nullptr;
}
#else
std::unique_ptr<GraphRecorder> make_graph_recorder(const DeviceQueue&) { return nullptr; }
#endif

}  // namespace deepcfr::nn
