// Which device: the one place where `auto`, `cpu` and `cuda` get a meaning.
#include "deepcfr/nn/device.h"

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

std::string missing(const DeviceReport& report) {
  if (!report.cuda_built) return "this build has no CUDA";
  return report.cuda_devices == 0 ? "no CUDA device is visible" : "";
}

}  // namespace

DeviceChoice resolve_device(Device wish, const std::string& key, const DeviceReport& report, const std::string& cpu_reason) {
  if (wish == Device::cpu) return {ComputeDevice::cpu, "CPU"};
  const std::string why_not = missing(report);
  if (wish == Device::cuda) {
    if (why_not.empty()) return {ComputeDevice::cuda, "CUDA device 0"};
    throw Error(ErrorKind::device, key + ": cuda, but " + why_not, {},
                report.cuda_built ? "see nvidia-smi and CUDA_VISIBLE_DEVICES, or write auto or cpu"
                                  : "build with `scripts/setup.sh --gpu` and the preset gpu, or write auto or cpu");
  }
  if (!why_not.empty()) return {ComputeDevice::cpu, "CPU (" + why_not + ")"};
  if (!cpu_reason.empty()) return {ComputeDevice::cpu, "CPU (" + cpu_reason + ")"};
  return {ComputeDevice::cuda, "CUDA device 0 (auto: of " + std::to_string(report.cuda_devices) + ")"};
}

}  // namespace deepcfr
