// Command line of bench_inference_backend.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cell.h"
#include "measure.h"

namespace deepcfr::bench {

enum class Task { traverse, raw, bars, tune };

struct BenchOptions {
  Task task = Task::traverse;
  std::string game = "hulh";
  std::vector<ModelSpec> models;
  std::vector<RowType> dtypes;
  std::vector<Mode> modes;
  std::vector<int> workers;
  std::vector<std::uint64_t> in_flight;
  std::vector<std::int64_t> batch;
  std::vector<std::int64_t> max_batch;
  bool share_cards = true;
  ComputeDevice device = ComputeDevice::cpu;
  MeasureOptions measure;
  double openspiel = 0;  ///< forwards/s of OpenSpiel's Deep CFR, for bar 5
  bool json = false;
  std::string output;    ///< of --tune; "": stdout
};

/// Exit status in `status` and no options if there is nothing to do (help, or an error that has been told).
std::optional<BenchOptions> parse_options(int argc, char** argv, int& status);

}  // namespace deepcfr::bench
