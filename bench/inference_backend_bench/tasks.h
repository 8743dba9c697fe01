// What bench_inference_backend can be asked to do. Each returns the exit status.
#pragma once

#include "options.h"
#include "report.h"

namespace deepcfr::bench {

int run_traversals(const BenchOptions& options);
int run_raw(const BenchOptions& options);
int run_bars(const BenchOptions& options);
int run_tune(const BenchOptions& options);

/// Those bars of docs/performance.md that the results allow to tell; with `all`, the others too, as not measured.
std::vector<Bar> bars_from(const Results& results, bool all);

/// Writes what was measured, as options.json says; 1 with a message if records differ.
int report(Arena& arena, const BenchOptions& options, const Results& results, const std::vector<Bar>& bars);

}  // namespace deepcfr::bench
