// The bars that this benchmark can tell: 1 to 5, 7 and 12 of docs/performance.md.
#include "tasks.h"

namespace deepcfr::bench {
namespace {

constexpr const char* kYardstick = "mlp:3x512";
constexpr const char* kCards = "card_bet:64";
constexpr RowType kF32 = RowType::float32;
constexpr RowType kBf16 = RowType::bfloat16;

class Bars {
 public:
  Bars(const Results& results, bool all) : results_(results), all_(all) {}

  const CellResult* cell(RowType dtype, Mode mode, int workers) const { return results_.find(kYardstick, dtype, mode, workers); }
  static std::vector<double> rates(const CellResult* cell) { return cell == nullptr ? std::vector<double>{} : rates_of(*cell); }
  static std::vector<double> rates(const BareResult* bare) { return bare == nullptr ? std::vector<double>{} : bare->rates; }

  void add(std::string number, std::string what, double bar, const std::vector<double>& of, const std::vector<double>& to, std::string remark = {}) {
    const Spread value = ratio_of(of, to);
    if (value.median > 0 || all_) bars_.push_back({.number = std::move(number), .what = std::move(what), .value = value, .bar = bar, .remark = std::move(remark)});
  }
  std::vector<Bar> take() { return std::move(bars_); }

 private:
  const Results& results_;
  bool all_;
  std::vector<Bar> bars_;
};

const CellResult* unshared_cards(const Results& results, RowType dtype) {
  for (const CellResult& cell : results.cells) {
    const CellSpec& spec = cell.spec;
    if (spec.model.text == kCards && spec.dtype == dtype && spec.mode == Mode::interleaved && spec.workers == 1 && !spec.share_cards) return &cell;
  }
  return nullptr;
}

/// Where a server is ahead of forwards in the workers, by more than the spread of the ratio.
std::string server_wins(const Results& results, RowType dtype) {
  std::string wins;
  for (const CellResult& cell : results.cells) {
    if (cell.spec.dtype != dtype || cell.spec.workers < 2 || (cell.spec.mode != Mode::server && cell.spec.mode != Mode::async)) continue;
    const CellResult* const local = results.find(cell.spec.model.text, cell.spec.dtype, Mode::interleaved, cell.spec.workers);
    if (local == nullptr) continue;
    const Spread ratio = ratio_of(rates_of(cell), rates_of(*local));
    if (ratio.min <= 1) continue;
    wins += (wins.empty() ? "" : ", ") + cell.spec.model.text + " " + mode_name(cell.spec.mode);
  }
  return wins.empty() ? "ahead at no size" : "ahead: " + wins;
}

}  // namespace

std::vector<Bar> bars_from(const Results& results, bool all) {
  Bars bars(results, all);
  const CellResult* const one = bars.cell(kBf16, Mode::interleaved, 1);
  bars.add("1", "interleaved bfloat16, 1 worker, against oneDNN's bare prepacked forward", 0.85, Bars::rates(one),
           Bars::rates(results.find(kYardstick, kBf16, BareKind::prepacked, 1)));
  bars.add("1 (own engine)", "the same against our own bare forward", 0.85, Bars::rates(one),
           Bars::rates(results.find(kYardstick, kBf16, BareKind::engine, 1)));
  bars.add("2", "interleaved bfloat16 against recursive float32", 10, Bars::rates(one), Bars::rates(bars.cell(kF32, Mode::recursive, 1)));
  bars.add("3", "interleaved float32 against LibTorch's default float32 forward", 1.8, Bars::rates(bars.cell(kF32, Mode::interleaved, 1)),
           Bars::rates(results.find(kYardstick, kF32, BareKind::libtorch, 1)));
  for (const RowType dtype : {kF32, kBf16}) {
    bars.add("4 (" + dtype_name(dtype) + ")", "interleaved, 2 workers against 1", 1.8, Bars::rates(bars.cell(dtype, Mode::interleaved, 2)),
             Bars::rates(bars.cell(dtype, Mode::interleaved, 1)));
  }
  for (const RowType dtype : {kF32, kBf16}) {
    const std::vector<double> local = Bars::rates(bars.cell(dtype, Mode::interleaved, 2));
    bars.add("7 (" + dtype_name(dtype) + ")", "server against interleaved, 2 workers", 0.9, Bars::rates(bars.cell(dtype, Mode::server, 2)), local,
             server_wins(results, dtype));
    bars.add("7 (" + dtype_name(dtype) + ", async)", "server with asynchronous clients against interleaved, 2 workers", 0.9,
             Bars::rates(bars.cell(dtype, Mode::async, 2)), local);
  }
  for (const RowType dtype : {kF32, kBf16}) {
    bars.add("12 (" + dtype_name(dtype) + ")", "card_bet with shared cards against each row by itself", 2,
             Bars::rates(results.find(kCards, dtype, Mode::interleaved, 1)), Bars::rates(unshared_cards(results, dtype)));
  }
  return bars.take();
}

int run_bars(const BenchOptions& options) {
  Arena arena(options.game, options.device);
  Results results;
  const auto cell = [&](const std::string& model, RowType dtype, Mode mode, int workers, bool share_cards = true) {
    return CellSpec{.model = parse_model(model), .dtype = dtype, .mode = mode, .workers = workers, .in_flight = options.in_flight.front(),
                    .batch = options.batch.front(), .max_batch = options.max_batch.empty() ? options.batch.front() : options.max_batch.front(),
                    .share_cards = share_cards};
  };
  std::vector<CellSpec> cells = {cell(kYardstick, kF32, Mode::recursive, 1)};
  for (const RowType dtype : {kF32, kBf16}) {
    cells.push_back(cell(kYardstick, dtype, Mode::interleaved, 1));
    for (const Mode mode : {Mode::interleaved, Mode::server, Mode::async}) cells.push_back(cell(kYardstick, dtype, mode, 2));
  }
  measure(arena, cells, bares_for(parse_model(kYardstick), {kF32, kBf16}, 1), options.measure, results);
  for (const char* const model : {"mlp:3x64", "mlp:3x128", "mlp:3x256", "mlp:3x1024", "mlp:6x1024"}) {
    cells.clear();
    for (const RowType dtype : {kF32, kBf16}) {
      for (const Mode mode : {Mode::interleaved, Mode::server, Mode::async}) cells.push_back(cell(model, dtype, mode, 2));
    }
    measure(arena, cells, {}, options.measure, results);
  }
  cells.clear();
  for (const RowType dtype : {kF32, kBf16}) {
    for (const bool share : {true, false}) cells.push_back(cell(kCards, dtype, Mode::interleaved, 1, share));
  }
  measure(arena, cells, {}, options.measure, results);
  std::vector<Bar> bars = bars_from(results, true);
  if (options.openspiel > 0) {
    Arena leduc("leduc", options.device);
    Results small;
    measure(leduc, {cell("mlp:3x64", kF32, Mode::interleaved, 1)}, {}, options.measure, small);
    const std::vector<double> rates = rates_of(small.cells.front());
    bars.push_back({.number = "5", .what = "Leduc, 3 x 64, forwards of traversals against OpenSpiel's Deep CFR",
                    .value = ratio_of(rates, std::vector<double>(rates.size(), options.openspiel)), .bar = 100, .remark = {}});
  } else {
    bars.push_back({.number = "5", .what = "Leduc against OpenSpiel's Deep CFR", .value = {}, .bar = 100, .remark = "scripts/bench_peers.sh"});
  }
  return report(arena, options, results, bars);
}

}  // namespace deepcfr::bench
