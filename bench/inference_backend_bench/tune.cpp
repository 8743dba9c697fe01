// --tune: sizes for a machine and a model, as a fragment of a config file.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <tuple>

#include "deepcfr/core/error.h"
#include "tasks.h"

namespace deepcfr::bench {
namespace {

/// Every combination of the sizes; the server's forward holds one to four minibatches.
std::vector<CellSpec> combinations(const BenchOptions& options, RowType dtype) {
  std::vector<CellSpec> cells;
  for (const Mode mode : options.modes) {
    for (const std::uint64_t in_flight : options.in_flight) {
      for (const std::int64_t batch : options.batch) {
        std::vector<std::int64_t> forwards = {batch};
        if (mode != Mode::interleaved) forwards = options.max_batch.empty() ? std::vector<std::int64_t>{batch, 2 * batch, 4 * batch} : options.max_batch;
        for (const std::int64_t max_batch : forwards) {
          cells.push_back({.model = options.models.front(), .dtype = dtype, .mode = mode, .workers = options.workers.front(), .in_flight = in_flight,
                           .batch = batch, .max_batch = max_batch, .share_cards = options.share_cards});
        }
      }
    }
  }
  return cells;
}

/// Memory and the decay of batches at the end of a phase grow with in_flight, so it counts first.
bool smaller(const CellSpec& a, const CellSpec& b) {
  return std::tuple(a.in_flight, a.batch, a.max_batch, a.mode) < std::tuple(b.in_flight, b.batch, b.max_batch, b.mode);
}

const CellResult& smallest_good(const Results& results) {
  const CellResult* best = &results.cells.front();
  for (const CellResult& cell : results.cells) {
    if (cell.rate() > best->rate()) best = &cell;
  }
  const double enough = best->rate() - 2 * spread_of(rates_of(*best)).deviation;
  const CellResult* choice = best;
  for (const CellResult& cell : results.cells) {
    if (cell.rate() >= enough && cell.spec.dtype == best->spec.dtype && smaller(cell.spec, choice->spec)) choice = &cell;
  }
  return *choice;
}

std::string fragment(const BenchOptions& options, const CellResult& choice) {
  const CellSpec& spec = choice.spec;
  std::ostringstream text;
  text << "# bench_inference_backend --tune: " << options.game << ", " << spec.model.text << ", " << spec.workers << " workers, "
       << static_cast<std::int64_t>(choice.rate()) << " decisions/s\n# " << machine_name() << "\n"
       << "traversal:\n  workers: " << spec.workers << "\n  in_flight: " << spec.in_flight << "\ninference:\n";
  if (spec.mode != Mode::interleaved) text << "  backend: server\n  asynchronous: " << (spec.mode == Mode::async ? "true" : "false") << "\n";
  text << "  batch: " << spec.batch << "\n  max_batch: " << spec.max_batch << "\n  dtype: " << dtype_name(spec.dtype)
       << (spec.dtype == RowType::bfloat16 ? "  # results differ from float32\n" : "\n");
  return text.str();
}

}  // namespace

int run_tune(const BenchOptions& options) {
  Arena arena(options.game, options.device);
  Results results;
  std::vector<CellSpec> cells;
  for (const RowType dtype : options.dtypes) {
    for (const CellSpec& cell : combinations(options, dtype)) cells.push_back(cell);
  }
  std::cerr << "tune: " << cells.size() << " combinations, about "
            << static_cast<std::int64_t>(std::ceil(static_cast<double>(cells.size()) * 1.5 * options.measure.seconds * (options.measure.repeats + 0.5))) << " s or more\n";
  for (const CellSpec& cell : cells) results.cells.push_back({.spec = cell, .runs = {}});
  for (int repeat = 0; repeat < options.measure.repeats; ++repeat) {
    for (CellResult& cell : results.cells) {  // made anew for each: memory for all at once may not be there
      MeasureOptions once = options.measure;
      once.repeats = 1;
      Results one;
      measure(arena, {cell.spec}, {}, once, one);
      cell.runs.push_back(one.cells.front().runs.front());
    }
  }
  for (const CellResult& cell : results.cells) {
    const CellSpec& spec = cell.spec;
    const Spread rate = spread_of(rates_of(cell));
    std::cerr << "tune: " << dtype_name(spec.dtype) << " " << mode_name(spec.mode) << ", in_flight " << spec.in_flight << ", batch " << spec.batch
              << ", max_batch " << spec.max_batch << ": " << static_cast<std::int64_t>(rate.median) << " decisions/s, deviation "
              << static_cast<std::int64_t>(rate.deviation) << "\n";
  }
  const std::string difference = arena.device() == ComputeDevice::cpu ? compare_checksums(results) : "";  // a GPU's last bits depend on the batch
  if (!difference.empty()) {
    std::cerr << "error: " << difference << "\n";
    return 1;
  }
  const std::string yaml = fragment(options, smallest_good(results));
  if (options.output.empty()) {
    std::cout << (options.json ? Json{{"rows", rows_json(results)}, {"yaml", yaml}}.dump(2) + "\n" : yaml);
    return 0;
  }
  std::ofstream file(options.output);
  file << yaml;
  file.close();
  if (!file) throw Error(ErrorKind::input, "cannot write", options.output);
  return 0;
}

}  // namespace deepcfr::bench
