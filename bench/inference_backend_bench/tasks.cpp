#include "tasks.h"

#include <cstdio>
#include <iostream>

namespace deepcfr::bench {
namespace {

std::vector<CellSpec> cells_for(const BenchOptions& options, const ModelSpec& model, int workers) {
  std::vector<CellSpec> cells;
  for (const RowType dtype : options.dtypes) {
    for (const Mode mode : options.modes) {
      const bool sizes = mode != Mode::recursive;
      for (const std::uint64_t in_flight : options.in_flight) {
        for (const std::int64_t batch : options.batch) {
          const bool served = mode == Mode::server || mode == Mode::async;
          for (const std::int64_t max_batch : served && !options.max_batch.empty() ? options.max_batch : std::vector<std::int64_t>{batch}) {
            cells.push_back({.model = model, .dtype = dtype, .mode = mode, .workers = workers, .in_flight = in_flight, .batch = batch,
                             .max_batch = max_batch, .share_cards = options.share_cards});
          }
          if (!sizes) break;
        }
        if (!sizes) break;
      }
    }
  }
  return cells;
}

}  // namespace

int report(Arena& arena, const BenchOptions& options, const Results& results, const std::vector<Bar>& bars) {
  if (options.json) {
    const Json all = {{"machine", machine_name()},
                      {"game", options.game},
                      {"traversals", options.measure.common},
                      {"rows", rows_json(results)},
                      {"bare", bares_json(arena, results)},
                      {"bars", bars_json(bars)}};
    std::cout << all.dump(2) << "\n";
  } else {
    std::printf("%s; game %s\n\n", machine_name().c_str(), options.game.c_str());
    if (!results.bares.empty()) print_bares(arena, results);
    if (!results.cells.empty()) {
      std::printf("\n");
      print_rows(results);
    }
    if (!bars.empty()) std::printf("\n");
    print_bars(bars);
  }
  const std::string difference = arena.device() == ComputeDevice::cpu ? compare_checksums(results) : "";  // a GPU's last bits depend on the batch
  if (difference.empty()) return 0;
  std::cerr << "error: " << difference << "\n";
  return 1;
}

int run_traversals(const BenchOptions& options) {
  Arena arena(options.game, options.device);
  Results results;
  for (const int workers : options.workers) {
    for (const ModelSpec& model : options.models) {
      measure(arena, cells_for(options, model, workers), bares_for(model, options.dtypes, workers), options.measure, results);
    }
  }
  return report(arena, options, results, bars_from(results, false));
}

int run_raw(const BenchOptions& options) {
  Arena arena(options.game, options.device);
  Results results;
  std::vector<std::int64_t> sizes = {1, 8, 16, 32, 64, 128, 256, 512, 1024};
  if (options.batch.size() > 1) sizes = options.batch;
  for (const int workers : options.workers) {
    for (const ModelSpec& model : options.models) {
      std::vector<BareSpec> bares;
      for (const std::int64_t rows : sizes) {
        for (BareSpec bare : bares_for(model, options.dtypes, workers)) {
          bare.rows = rows;
          bares.push_back(bare);
        }
      }
      measure(arena, {}, bares, options.measure, results);
    }
  }
  return report(arena, options, results, {});
}

}  // namespace deepcfr::bench
