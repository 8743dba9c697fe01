// Cells and bare forwards, repeated in turn, and what follows from them.
#pragma once

#include <functional>
#include <vector>

#include "bare.h"
#include "cell.h"

namespace deepcfr::bench {

struct CellResult {
  CellSpec spec;
  std::vector<CellRun> runs;
  double median(const std::function<double(const CellRun&)>& value) const;
  double rate() const;
};
struct BareResult {
  BareSpec spec;
  std::vector<double> rates;
  double rate() const;
};
/// Numbers that belong to the same repeats.
struct Spread {
  double median = 0, min = 0, max = 0, deviation = 0;
};
Spread spread_of(std::vector<double> values);

struct Results {
  std::vector<CellResult> cells;
  std::vector<BareResult> bares;
  /// Null if it was not measured. share_cards as by default.
  const CellResult* find(const std::string& model, RowType dtype, Mode mode, int workers) const;
  const BareResult* find(const std::string& model, RowType dtype, BareKind kind, int workers) const;
  /// The fastest of ours and LibTorch's, the strictest yardstick.
  const BareResult* best_bare(const std::string& model, RowType dtype, int workers) const;
};

/// Rates by repeat, and ratios of rates of the same repeat.
std::vector<double> rates_of(const CellResult& cell);
Spread ratio_of(const std::vector<double>& of, const std::vector<double>& to);

struct MeasureOptions {
  std::uint64_t common = 64;
  double seconds = 1;
  int repeats = 3;
};
/// All of them alternate: one repeat of each, then the next; a shorter one before the first is left out. Appends to `results`.
void measure(Arena& arena, const std::vector<CellSpec>& cells, const std::vector<BareSpec>& bares, const MeasureOptions& options, Results& results);

/// "" if the records of the common traversals are the same in all cells of one model and dtype and in all runs; else what differs.
std::string compare_checksums(const Results& results);

/// Ours in both types, and LibTorch's for an mlp.
std::vector<BareSpec> bares_for(const ModelSpec& model, const std::vector<RowType>& dtypes, int workers);

}  // namespace deepcfr::bench
