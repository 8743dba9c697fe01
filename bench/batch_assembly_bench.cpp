// A training step with its batch drawn from a packed memory and encoded, against the bare step at the same shapes. All sides in
// one run, alternating, the best of several rounds each.
//
//   batch_assembly_bench [rounds]
//
// Bar: at most 1.1 times the bare step (wall time, assembly by one other thread as in a run; where neighbours disturb that thread, the
// CPU time of the fit tells more). The same by one thread alone is told as CPU time, and the assembly by itself as ns a row, with the table of histories and without.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <vector>

#include "../src/train/batches.h"
#include "../src/train/prefetched_batches.h"
#include "cpu_time.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/trainer.h"

namespace {

using namespace deepcfr;

double seconds(clockid_t clock) { return bench::thread_seconds(clock); }

/// Rows that never change, taken as new in every step: the step alone, with its loading of rows.
class Unchanged : public BatchSource {
 public:
  explicit Unchanged(BatchSource& source) : source_(source) {}
  std::int64_t batch_rows() const override { return source_.batch_rows(); }
  bool constant() const override { return false; }
  void fill(std::int64_t step, const BatchView& batch) override {
    if (step == 0) source_.fill(0, batch);
  }

 private:
  BatchSource& source_;
};

/// Records of hands played at random, as many as the shipped configs keep; memory bound like those of a run.
void fill(const Game& game, const SampleCodec& codec, Reservoir& memory) {
  std::vector<std::byte> records;
  std::vector<double> values(static_cast<std::size_t>(game.num_actions()), 0.25);
  std::vector<std::byte> record(codec.bytes());
  for (std::uint64_t hand = 0; records.size() < 200'000 * record.size(); ++hand) {
    State state = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::test, {hand})));
    for (std::uint64_t step = 0; !state.finished; ++step) {
      codec.pack(infoset_of(game, state), 1 + static_cast<std::uint32_t>(hand % 90), values, record.data());
      records.insert(records.end(), record.begin(), record.end());
      const ActionMask legal = game.legal_actions(state);
      auto action = static_cast<Action>(mix64(hand * 100 + step) % static_cast<std::uint64_t>(game.num_actions()));
      if (((legal >> action) & 1) == 0 || (action == kFold && step % 3 != 0)) action = kCall;
      game.apply(state, action);
    }
  }
  const std::size_t count = records.size() / record.size();
  for (std::uint64_t i = 0; i < memory.capacity(); ++i) memory.add(records.data() + mix64(i) % count * record.size());
}

struct Case {
  const char* game;
  NetworkOptions network;
  int batch;
  Amp amp;
};

class Comparison {
 public:
  Comparison(const Case& c, ThreadGroup& group)
      : case_(c),
        group_(group),
        game_(make_game(c.game)),
        encoder_(game_, feature_kind(c.network.type)),
        codec_(game_, nullptr, ValuePrecision::half),
        memory_(codec_.bytes(), 4'000'000, CounterRandom(StreamPurpose::test, {1})),
        table_(game_),
        network_(encoder_.layout(), game_.num_actions(), c.network, CounterRandom(1)) {
    fill(game_, codec_, memory_);
    BatchSetup setup{.game = &game_, .codec = &codec_, .encoder = &encoder_, .features = nullptr, .iteration = 90, .batch_size = c.batch,
                     .stream = CounterRandom(StreamPurpose::test, {2})};
    replayed_ = make_sampled_batches(setup, memory_);
    setup.betting = &table_;
    looked_up_ = make_sampled_batches(setup, memory_);
    unchanged_ = std::make_unique<Unchanged>(*looked_up_);
  }

  void run(int rounds) {
    steps_ = 4;
    const double once = timed(CLOCK_MONOTONIC, [&] { train(*unchanged_); });
    steps_ = std::max(4, static_cast<int>(4 * 0.25 / once));  // a quarter of a second
    Best bare_wall, bare_cpu, alone_cpu, ahead_wall, ahead_cpu, new_rows, old_rows;
    for (int round = 0; round < rounds; ++round) {
      bare_wall.add(timed(CLOCK_MONOTONIC, [&] { train(*unchanged_); }) / steps_);
      ahead_wall.add(timed(CLOCK_MONOTONIC, [&] { train_ahead(); }) / steps_);
      ahead_cpu.add(timed(CLOCK_THREAD_CPUTIME_ID, [&] { train_ahead(); }) / steps_);
      bare_cpu.add(timed(CLOCK_THREAD_CPUTIME_ID, [&] { train(*unchanged_); }) / steps_);
      alone_cpu.add(timed(CLOCK_THREAD_CPUTIME_ID, [&] { train(*looked_up_); }) / steps_);
      new_rows.add(assemble(*looked_up_));
      old_rows.add(assemble(*replayed_));
    }
    std::printf("%-5s %-8s %-4s batch %-5d bare %9.1f us | ahead, 2 threads %5.3f x (CPU of the fit %5.3f x) | 1 thread, CPU %5.3f x | assembly %6.1f ns a row, replayed %6.1f\n",
                case_.game, name().c_str(), case_.amp == Amp::off ? "f32" : "bf16", case_.batch, 1e6 * bare_wall.value, ahead_wall.value / bare_wall.value,
                ahead_cpu.value / bare_cpu.value,                 alone_cpu.value / bare_cpu.value, new_rows.value, old_rows.value);
    std::fflush(stdout);
  }

 private:
  struct Best {
    double value = 1e30;
    void add(double x) { value = std::min(value, x); }
  };

  template <typename Work>
  static double timed(clockid_t clock, const Work& work) {
    const double start = seconds(clock);
    work();
    return seconds(clock) - start;
  }
  void train(BatchSource& source) {
    FitOptions options;
    options.steps = steps_;
    options.amp = case_.amp;
    fit(network_, FitKind::advantage, source, options);
  }
  void train_ahead() {
    const RowShape shape{static_cast<std::size_t>(encoder_.width()), static_cast<std::size_t>(game_.num_actions())};
    PrefetchedBatches ahead(*looked_up_, shape, steps_, group_);
    train(ahead);
  }
  /// ns a row.
  double assemble(BatchSource& source) {
    const auto rows = static_cast<std::size_t>(case_.batch);
    const auto actions = static_cast<std::size_t>(game_.num_actions());
    std::vector<float> x(rows * static_cast<std::size_t>(encoder_.width())), y(rows * actions), mask(rows * actions), w(rows);
    constexpr int kSteps = 40;
    return 1e9 / (kSteps * static_cast<double>(rows)) * timed(CLOCK_THREAD_CPUTIME_ID, [&] {
             for (int step = 0; step < kSteps; ++step) source.fill(step, {x, y, mask, w});
           });
  }
  std::string name() const {
    const NetworkOptions& n = case_.network;
    return n.type == NetworkType::mlp ? std::to_string(n.layers) + "x" + std::to_string(n.hidden) : "cb" + std::to_string(n.dim);
  }

  Case case_;
  ThreadGroup& group_;
  Game game_;
  Encoder encoder_;
  SampleCodec codec_;
  Reservoir memory_;
  BettingTable table_;
  Network network_;
  std::unique_ptr<BatchSource> replayed_, looked_up_, unchanged_;
  int steps_ = 4;
};

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  std::printf("%s\n", configure_libtorch(1).c_str());
  ThreadGroup group(1);
  const NetworkOptions small{.hidden = 64};
  const NetworkOptions large{.hidden = 512};
  const NetworkOptions card_bet{.type = NetworkType::card_bet, .dim = 32, .card_branch_width = 96};
  for (const Case& c : {Case{"hulh", large, 2048, Amp::off}, Case{"hulh", large, 2048, Amp::bf16}, Case{"fhp", card_bet, 2048, Amp::off},
                        Case{"fhp", card_bet, 2048, Amp::bf16}, Case{"fhp", small, 512, Amp::off}, Case{"hulh", small, 512, Amp::off}})
    Comparison(c, group).run(rounds);
}
