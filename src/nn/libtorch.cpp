// What is asked of LibTorch as a whole: its threads and what it sees of the machine.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/headeronly/version.h>

#include <sstream>

#include "deepcfr/core/error.h"
#include "deepcfr/nn/network.h"

namespace deepcfr {
namespace {

/// What OpenMP itself says, read out of LibTorch's own report ("omp_get_max_threads() : 1").
std::string openmp_threads() {
  const std::string report = at::get_parallel_info();
  const std::size_t key = report.find("omp_get_max_threads()");
  const std::size_t digit = key == std::string::npos ? key : report.find_first_of("0123456789", key);
  if (digit == std::string::npos) return "none";
  return report.substr(digit, report.find_first_not_of("0123456789", digit) - digit);
}

}  // namespace

std::string configure_libtorch(int intra_op_threads) {
  DEEPCFR_CHECK(intra_op_threads >= 1);
  // Kept by LibTorch for every thread that computes, also those started later; OpenMP and MKL are set along with it.
  at::set_num_threads(intra_op_threads);
  // No call of this program uses the inter-op pool; one thread keeps it from starting more. It can be set once in a process.
  static const bool once = [] {
    at::set_num_interop_threads(1);
    return true;
  }();
  (void)once;
  std::ostringstream line;
  line << "LibTorch " << TORCH_VERSION << ": threads intra-op " << at::get_num_threads() << ", inter-op "
       << at::get_num_interop_threads() << ", OpenMP " << openmp_threads();
  return line.str();
}

DeviceReport report_devices() {
  DeviceReport report;
  report.libtorch_version = TORCH_VERSION;
  report.cpu_capability = at::get_cpu_capability();
  report.cuda_built = at::Context::hasCUDART();  // hasCUDA() would say whether there is a device
  report.cuda_devices = report.cuda_built ? static_cast<int>(at::getNumGPUs()) : 0;
  report.bfloat16_fast = __builtin_cpu_supports("avx512bf16") != 0;
  return report;
}

}  // namespace deepcfr
