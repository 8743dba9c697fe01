// --version.
#include <iostream>
#include <string>

#include "command.h"
#include "deepcfr/nn/network.h"
#include "report.h"

namespace deepcfr {
namespace {

// Both come from CMake; the commit only where the build knows it.
#ifdef DEEPCFR_VERSION
constexpr const char* kVersion = DEEPCFR_VERSION;
#else
constexpr const char* kVersion = "unknown";
#endif
#ifdef DEEPCFR_GIT_COMMIT
constexpr const char* kCommit = DEEPCFR_GIT_COMMIT;
#else
constexpr const char* kCommit = "unknown";
#endif

}  // namespace

void print_version(bool json) {
  const std::string compiler = "g++ " __VERSION__;
  const std::string libtorch = report_devices().libtorch_version;
  if (json) {
    write_json({{"version", kVersion}, {"commit", kCommit}, {"compiler", compiler}, {"libtorch", libtorch}});
    return;
  }
  std::cout << "deepcfr " << kVersion << "\ncommit    " << kCommit << "\ncompiler  " << compiler << "\nLibTorch  " << libtorch
            << "\n";
}

}  // namespace deepcfr
