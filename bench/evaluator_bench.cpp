// Hand evaluator: hands a second on one core (items_per_second) and seconds for one (per_hand), by CPU time. Bar 11: random seven-card hands, 100 M/s or more.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/game/cards.h"
#include "deepcfr/game/equity.h"
#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

using SevenCards = std::array<Card, 7>;

/// So many that the branch predictor cannot learn which of them are flushes.
const std::vector<SevenCards>& random_hands() {
  static const std::vector<SevenCards> all = [] {
    std::vector<SevenCards> hands(1 << 17);
    std::vector<Card> deck = make_deck();
    for (std::size_t n = 0; n < hands.size(); ++n) {
      const CounterRandom random(StreamPurpose::test, {n});
      for (std::size_t i = 0; i < 7; ++i) {
        std::swap(deck[i], deck[i + random.below(i, deck.size() - i)]);
        hands[n][i] = deck[i];
      }
    }
    return hands;
  }();
  return all;
}

void set_hands(benchmark::State& state, std::int64_t hands_each) {
  state.SetItemsProcessed(state.iterations() * hands_each);
  state.counters["per_hand"] = benchmark::Counter(static_cast<double>(hands_each),
                                                      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// The checked call on a list of cards, as used at a showdown.
void random_seven_cards(benchmark::State& state) {
  const std::vector<SevenCards>& hands = random_hands();
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (const SevenCards& hand : hands) sum += evaluate(std::span<const Card>(hand));
    benchmark::DoNotOptimize(sum);
  }
  set_hands(state, static_cast<std::int64_t>(hands.size()));
}
BENCHMARK(random_seven_cards)->Unit(benchmark::kMillisecond);

/// The unchecked call, every hand added up from nothing.
void random_seven_cards_accumulated(benchmark::State& state) {
  const std::vector<SevenCards>& hands = random_hands();
  const Evaluator evaluator;
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (const SevenCards& cards : hands) {
      HandAccumulator hand;
      for (const Card card : cards) hand += card;
      sum += evaluator(hand);
    }
    benchmark::DoNotOptimize(sum);
  }
  set_hands(state, static_cast<std::int64_t>(hands.size()));
}
BENCHMARK(random_seven_cards_accumulated)->Unit(benchmark::kMillisecond);

std::uint64_t sum_of_ranks(const Evaluator& evaluator, int first, int missing, const HandAccumulator& hand) {
  std::uint64_t sum = 0;
  for (int card = first; card < kDeckSize; ++card) {
    const HandAccumulator next = hand + static_cast<Card>(card);
    sum += missing == 1 ? evaluator(next) : sum_of_ranks(evaluator, card + 1, missing - 1, next);
  }
  return sum;
}

/// All 133,784,560 hands in sequence, six of the seven cards shared with the neighbours.
void all_seven_cards_in_sequence(benchmark::State& state) {
  const Evaluator evaluator;
  for (auto _ : state) benchmark::DoNotOptimize(sum_of_ranks(evaluator, 0, 7, HandAccumulator()));
  set_hands(state, 133784560);
}
BENCHMARK(all_seven_cards_in_sequence)->Unit(benchmark::kMillisecond);

/// Exact equity of two hands before the flop: 1,712,304 boards; items are boards.
void preflop_equity(benchmark::State& state) {
  const std::vector<std::vector<Card>> hands = {parse_cards("AcKd"), parse_cards("2h2s")};
  for (auto _ : state) benchmark::DoNotOptimize(equity(hands));
  set_hands(state, 1712304);
}
BENCHMARK(preflop_equity)->Unit(benchmark::kMillisecond);

/// What the first evaluation of a process costs on top.
void build_tables(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(detail::EvaluatorTables());
}
BENCHMARK(build_tables)->Unit(benchmark::kMillisecond);

/// Says at the end how far random_seven_cards is from its bar.
class BarReporter final : public benchmark::ConsoleReporter {
 public:
  BarReporter() : ConsoleReporter(isatty(STDOUT_FILENO) != 0 ? OO_Defaults : OO_None) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto rate = run.counters.find("items_per_second");
      if (run.benchmark_name() == "random_seven_cards" && rate != run.counters.end()) rate_ = std::max<double>(rate_, rate->second);
    }
    benchmark::ConsoleReporter::ReportRuns(runs);
  }
  void print_bar() const {
    if (rate_ > 0) std::printf("bar 11: random seven-card hands %.0f M/s, bar 100 M/s: %s\n", rate_ * 1e-6, rate_ >= 1e8 ? "met" : "MISSED");
  }

 private:
  double rate_ = 0;
};

}  // namespace
}  // namespace deepcfr

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  deepcfr::BarReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_bar();
}
