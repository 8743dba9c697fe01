#include "report.h"

#include <cstdio>
#include <fstream>

#include "clock.h"
#include "deepcfr/core/bytes.h"

namespace deepcfr::bench {
namespace {

/// What a row tells besides its own rate; 0 where the other side was not measured.
struct Compared {
  Spread share, multiplier, multiplier_same_dtype;
};

Compared compare(const Results& results, const CellResult& cell) {
  const CellSpec& spec = cell.spec;
  const auto against = [&](const CellResult* other) { return other == nullptr ? Spread{} : ratio_of(rates_of(cell), rates_of(*other)); };
  const BareResult* const bare = results.best_bare(spec.model.text, spec.dtype, spec.workers);
  return {.share = bare == nullptr ? Spread{} : ratio_of(rates_of(cell), bare->rates),
          .multiplier = against(results.find(spec.model.text, RowType::float32, Mode::recursive, spec.workers)),
          .multiplier_same_dtype = against(results.find(spec.model.text, spec.dtype, Mode::recursive, spec.workers))};
}

double mean_batch(const CellRun& run) { return run.forwards == 0 ? 0 : static_cast<double>(run.rows) / static_cast<double>(run.forwards); }

double fill(const CellSpec& spec, const CellRun& run) {
  const double capacity = spec.mode == Mode::recursive ? 1 : static_cast<double>(spec.batch);
  return run.calls == 0 ? 0 : static_cast<double>(run.rows) / static_cast<double>(run.calls) / capacity;
}

/// A number that was not measured is null, not 0.
Json number_or_null(const Spread& spread) { return spread.median > 0 ? Json(spread.median) : Json(nullptr); }

std::string number_or_dash(const Spread& spread) {
  char text[32] = "-";
  if (spread.median > 0) std::snprintf(text, sizeof text, "%.2f", spread.median);
  return text;
}

Json row_json(const Results& results, const CellResult& cell) {
  const CellSpec& spec = cell.spec;
  const Compared compared = compare(results, cell);
  const Spread rate = spread_of(rates_of(cell));
  const double traversals = cell.median([](const CellRun& run) { return run.rate() / run.decisions_per_traversal; });
  return {{"mode", mode_name(spec.mode)},
          {"dtype", dtype_name(spec.dtype)},
          {"model", spec.model.text},
          {"workers", spec.workers},
          {"in_flight", spec.in_flight},
          {"batch", spec.batch},
          {"max_batch", spec.max_batch},
          {"share_cards", spec.share_cards},
          {"decisions_per_second", rate.median},
          {"rows_per_second", rate.median},
          {"spread", {{"min", rate.min}, {"max", rate.max}, {"deviation", rate.deviation}, {"repeats", cell.runs.size()}}},
          {"wall_rows_per_second", cell.median([](const CellRun& run) { return static_cast<double>(run.rows) / run.wall; })},
          {"traversals_per_second", traversals},
          {"share_of_bare", number_or_null(compared.share)},
          {"multiplier", number_or_null(compared.multiplier)},
          {"multiplier_same_dtype", number_or_null(compared.multiplier_same_dtype)},
          {"mean_batch", cell.median(mean_batch)},
          {"fill", cell.median([&](const CellRun& run) { return fill(spec, run); })},
          {"p50_us", cell.median([](const CellRun& run) { return run.p50; })},
          {"p99_us", cell.median([](const CellRun& run) { return run.p99; })},
          {"samples_checksum", hash_text(cell.runs.front().checksum)}};
}

}  // namespace

std::string machine_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    model = line.substr(line.find(':') + 2);
    break;
  }
  const DeviceReport devices = report_devices();
  return model + ", " + std::to_string(usable_cores().size()) + " cores, " + devices.cpu_capability + (devices.bfloat16_fast ? " with bfloat16" : "") +
         ", LibTorch " + devices.libtorch_version;
}

Json rows_json(const Results& results) {
  Json rows = Json::array();
  for (const CellResult& cell : results.cells) rows.push_back(row_json(results, cell));
  return rows;
}

Json bares_json(Arena& arena, const Results& results) {
  Json bares = Json::array();
  for (const BareResult& bare : results.bares) {
    const Spread rate = spread_of(bare.rates);
    Json entry = {{"backend", bare_name(bare.spec.kind)},
                  {"dtype", dtype_name(bare.spec.dtype)},
                  {"model", bare.spec.model.text},
                  {"workers", bare.spec.workers},
                  {"batch", bare.spec.rows},
                  {"rows_per_second", rate.median},
                  {"spread", {{"min", rate.min}, {"max", rate.max}, {"deviation", rate.deviation}}},
                  {"us_per_row", 1e6 * bare.spec.workers / rate.median}};
    if (bare.spec.model.options.type == NetworkType::mlp) {
      entry["gflops_per_core"] = 1e-9 * arena.flops(bare.spec.model) * rate.median / bare.spec.workers;
    }
    bares.push_back(std::move(entry));
  }
  return bares;
}

Json bars_json(const std::vector<Bar>& bars) {
  Json all = Json::object();
  for (const Bar& bar : bars) {
    all[bar.number] = {{"what", bar.what}, {"value", number_or_null(bar.value)}, {"min", bar.value.min}, {"max", bar.value.max},
                       {"bar", bar.bar}, {"met", bar.value.median > 0 ? Json(bar.met()) : Json(nullptr)}, {"remark", bar.remark}};
  }
  return all;
}

void print_rows(const Results& results) {
  std::printf("%-12s %-9s %-11s %2s %11s %21s %6s %5s %9s %9s %9s %8s %8s %6s\n", "model", "dtype", "mode", "w", "decisions/s", "min..max", "batch", "fill",
              "p50 us", "p99 us", "trav./s", "x rec.", "x same", "share");
  for (const CellResult& cell : results.cells) {
    const Compared compared = compare(results, cell);
    const Spread rate = spread_of(rates_of(cell));
    char range[32];
    std::snprintf(range, sizeof range, "%.0f..%.0f", rate.min, rate.max);
    const double traversals = cell.median([](const CellRun& run) { return run.rate() / run.decisions_per_traversal; });
    std::printf("%-12s %-9s %-11s %2d %11.0f %21s %6.0f %5.2f %9.1f %9.1f %9.1f %8s %8s %6s\n", cell.spec.model.text.c_str(),
                dtype_name(cell.spec.dtype).c_str(), mode_name(cell.spec.mode).c_str(), cell.spec.workers, rate.median, range, cell.median(mean_batch),
                cell.median([&](const CellRun& run) { return fill(cell.spec, run); }), cell.median([](const CellRun& run) { return run.p50; }),
                cell.median([](const CellRun& run) { return run.p99; }), traversals, number_or_dash(compared.multiplier).c_str(), number_or_dash(compared.multiplier_same_dtype).c_str(),
                number_or_dash(compared.share).c_str());
  }
  std::printf("x rec.: against recursive in float32; x same: against recursive in the same type; share: of the fastest bare forward in the same type\n");
}

void print_bares(Arena& arena, const Results& results) {
  std::printf("%-12s %-9s %-16s %2s %6s %11s %21s %9s %9s\n", "model", "dtype", "bare forward", "w", "batch", "rows/s", "min..max", "us/row", "GFLOP/s");
  for (const BareResult& bare : results.bares) {
    const Spread rate = spread_of(bare.rates);
    char range[32];
    std::snprintf(range, sizeof range, "%.0f..%.0f", rate.min, rate.max);
    const bool plain = bare.spec.model.options.type == NetworkType::mlp;
    const double gflops = 1e-9 * arena.flops(bare.spec.model) * rate.median / bare.spec.workers;
    std::printf("%-12s %-9s %-16s %2d %6ld %11.0f %21s %9.3f %9s\n", bare.spec.model.text.c_str(), dtype_name(bare.spec.dtype).c_str(),
                bare_name(bare.spec.kind).c_str(), bare.spec.workers, static_cast<long>(bare.spec.rows), rate.median, range,
                1e6 * bare.spec.workers / rate.median, plain ? std::to_string(static_cast<int>(gflops)).c_str() : "-");
  }
}

void print_bars(const std::vector<Bar>& bars) {
  for (const Bar& bar : bars) {
    if (bar.value.median <= 0) {
      std::printf("bar %-20s %-75s not measured  %s\n", bar.number.c_str(), bar.what.c_str(), bar.remark.c_str());
      continue;
    }
    std::printf("bar %-20s %-75s %7.2f (%.2f..%.2f), bar %6.2f: %s  %s\n", bar.number.c_str(), bar.what.c_str(), bar.value.median, bar.value.min,
                bar.value.max, bar.bar, bar.met() ? "met" : "MISSED", bar.remark.c_str());
  }
}

}  // namespace deepcfr::bench
