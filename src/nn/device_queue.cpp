#include "device_queue.h"

#include <ATen/Context.h>
#include <ATen/ops/zeros.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace deepcfr::nn {

at::Device torch_device(ComputeDevice device) {
  return device == ComputeDevice::cuda ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
}

void wait_for_device(at::Device device) {
  if (device.is_cuda()) c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
}

void configure_device_arithmetic() {
  at::Context& context = at::globalContext();
  context.setAllowTF32CuBLAS(false);
  context.setAllowBF16ReductionCuBLAS(false);
}

DeviceQueue::DeviceQueue(at::Device device) : device_(device) {
  if (!device.is_cuda()) return;
  at::globalContext().lazyInitDevice(device.type());
  stream_ = c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device);
}

void DeviceQueue::synchronize() const {
  if (stream_) stream_->synchronize();
}

at::Tensor DeviceQueue::host_buffer(at::IntArrayRef sizes, at::ScalarType type) const {
  return at::zeros(sizes, at::TensorOptions(type).pinned_memory(cuda()));
}

void DeviceMark::set(const DeviceQueue& queue) {
  if (!queue.cuda()) return;
  if (!event_) event_.emplace(queue.device().type());
  event_->record(queue.stream());
}

void DeviceMark::hold(const DeviceQueue& queue) const {
  if (event_) event_->block(queue.stream());
}

void DeviceMark::wait() const {
  if (event_) event_->synchronize();
}

}  // namespace deepcfr::nn
