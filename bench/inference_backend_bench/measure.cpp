#include "measure.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "deepcfr/core/bytes.h"
#include "deepcfr/core/statistics.h"

namespace deepcfr::bench {

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  RunningStatistics statistics;
  for (const double value : values) statistics.add(value);
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {.median = median, .min = values.front(), .max = values.back(), .deviation = statistics.standard_deviation()};
}

double CellResult::median(const std::function<double(const CellRun&)>& value) const {
  std::vector<double> values;
  for (const CellRun& run : runs) values.push_back(value(run));
  return spread_of(std::move(values)).median;
}
double CellResult::rate() const { return spread_of(rates_of(*this)).median; }
double BareResult::rate() const { return spread_of(rates).median; }

std::vector<double> rates_of(const CellResult& cell) {
  std::vector<double> rates;
  for (const CellRun& run : cell.runs) rates.push_back(run.rate());
  return rates;
}

Spread ratio_of(const std::vector<double>& of, const std::vector<double>& to) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(of.size(), to.size()); ++i) {
    if (to[i] > 0) ratios.push_back(of[i] / to[i]);
  }
  return spread_of(std::move(ratios));
}

const CellResult* Results::find(const std::string& model, RowType dtype, Mode mode, int workers) const {
  const auto found = std::find_if(cells.begin(), cells.end(), [&](const CellResult& cell) {
    return cell.spec.model.text == model && cell.spec.dtype == dtype && cell.spec.mode == mode && cell.spec.workers == workers && cell.spec.share_cards;
  });
  return found == cells.end() ? nullptr : &*found;
}

const BareResult* Results::find(const std::string& model, RowType dtype, BareKind kind, int workers) const {
  const auto found = std::find_if(bares.begin(), bares.end(), [&](const BareResult& bare) {
    return bare.spec.model.text == model && bare.spec.dtype == dtype && bare.spec.kind == kind && bare.spec.workers == workers;
  });
  return found == bares.end() ? nullptr : &*found;
}

const BareResult* Results::best_bare(const std::string& model, RowType dtype, int workers) const {
  const BareResult* best = nullptr;
  for (const BareKind kind : {BareKind::engine, BareKind::libtorch, BareKind::prepacked}) {
    const BareResult* const bare = find(model, dtype, kind, workers);
    if (bare != nullptr && (best == nullptr || bare->rate() > best->rate())) best = bare;
  }
  return best;
}

std::vector<BareSpec> bares_for(const ModelSpec& model, const std::vector<RowType>& dtypes, int workers) {
  std::vector<BareSpec> bares;
  for (const RowType dtype : dtypes) {
    bares.push_back({.model = model, .dtype = dtype, .kind = BareKind::engine, .workers = workers});
    if (model.options.type != NetworkType::mlp) continue;
    if (dtype == RowType::float32) bares.push_back({.model = model, .dtype = dtype, .kind = BareKind::libtorch, .workers = workers});
    bares.push_back({.model = model, .dtype = dtype, .kind = BareKind::prepacked, .workers = workers});
  }
  return bares;
}

namespace {

/// Null, with a remark, where LibTorch cannot do it on this processor (bfloat16 by oneDNN wants AVX-512).
std::unique_ptr<Bare> make_bare(Arena& arena, const BareSpec& spec) {
  try {
    auto bare = std::make_unique<Bare>(arena, spec);
    bare->rows_per_second(0);
    return bare;
  } catch (const std::exception& error) {
    if (spec.kind == BareKind::engine) throw;
    const std::string what = error.what();
    std::fprintf(stderr, "left out: %s in %s: %s\n", bare_name(spec.kind).c_str(), dtype_name(spec.dtype).c_str(), what.substr(0, what.find('\n')).c_str());
    return nullptr;
  }
}

}  // namespace

void measure(Arena& arena, const std::vector<CellSpec>& cell_specs, const std::vector<BareSpec>& bare_specs, const MeasureOptions& options,
             Results& results) {
  std::vector<std::unique_ptr<Cell>> cells;
  std::vector<std::unique_ptr<Bare>> bares;
  const std::size_t first_cell = results.cells.size();
  const std::size_t first_bare = results.bares.size();
  for (const CellSpec& spec : cell_specs) {
    cells.push_back(std::make_unique<Cell>(arena, spec));
    results.cells.push_back({.spec = spec, .runs = {}});
  }
  for (const BareSpec& spec : bare_specs) {
    std::unique_ptr<Bare> bare = make_bare(arena, spec);
    if (!bare) continue;
    bares.push_back(std::move(bare));
    results.bares.push_back({.spec = spec, .rates = {}});
  }
  for (int repeat = -1; repeat < options.repeats; ++repeat) {
    const double seconds = repeat < 0 ? options.seconds / 4 : options.seconds;
    std::vector<double> before;  // forwards by themselves, before and after the cells: neighbours come and go
    for (const auto& bare : bares) before.push_back(bare->rows_per_second(seconds / 4));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      CellRun run = cells[i]->run(options.common, seconds);
      if (repeat >= 0) results.cells[first_cell + i].runs.push_back(run);
    }
    if (repeat < 0) continue;
    for (std::size_t i = 0; i < bares.size(); ++i) {
      results.bares[first_bare + i].rates.push_back((before[i] + bares[i]->rows_per_second(seconds / 4)) / 2);
    }
  }
}

std::string compare_checksums(const Results& results) {
  std::map<std::string, const CellResult*> first;
  for (const CellResult& cell : results.cells) {
    const std::string key = cell.spec.model.text + " " + dtype_name(cell.spec.dtype);
    const CellResult* const other = first.emplace(key, &cell).first->second;
    for (const CellRun& run : cell.runs) {
      const std::uint64_t expected = other->runs.front().checksum;
      if (run.checksum == expected) continue;
      return key + ": the records of " + mode_name(cell.spec.mode) + ", workers " + std::to_string(cell.spec.workers) + " (" + hash_text(run.checksum) +
             ") are not those of " + mode_name(other->spec.mode) + ", workers " + std::to_string(other->spec.workers) + " (" + hash_text(expected) + ")";
    }
  }
  return {};
}

}  // namespace deepcfr::bench
