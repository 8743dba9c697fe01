// Compares the ways in which traversals get their forwards; see --help, docs/performance.md.
#include <iostream>
#include <string>

#include "deepcfr/core/error.h"
#include "deepcfr/nn/network.h"
#include "inference_backend_bench/tasks.h"

namespace {

int run(const deepcfr::bench::BenchOptions& options) {
  using deepcfr::bench::Task;
  switch (options.task) {
    case Task::traverse: return run_traversals(options);
    case Task::raw: return run_raw(options);
    case Task::bars: return run_bars(options);
    case Task::tune: return run_tune(options);
  }
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    deepcfr::configure_libtorch(1);
    int status = 0;
    const auto options = deepcfr::bench::parse_options(argc, argv, status);
    return options ? run(*options) : status;
  } catch (const deepcfr::Error& error) {
    std::cerr << "error: " << (error.where().empty() ? "" : error.where() + ": ") << error.message() << "\n";
    if (!error.hint().empty()) std::cerr << "  " << error.hint() << "\n";
    return error.exit_code();
  } catch (const std::exception& error) {
    const std::string what = error.what();  // LibTorch adds a page
    std::cerr << "error: " << what.substr(0, what.find('\n')) << "\n";
    return 1;
  }
}
