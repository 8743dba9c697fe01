// Rows of an infoset: the whole encoding against its parts, as a walk that knows the cards and the betting so far makes them.
// items_per_second: infosets.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/game/encoder.h"

namespace deepcfr {
namespace {

/// Decision points of random hands with what a walk knows there.
struct Point {
  State state;
  Infoset infoset;
  State before;  ///< the state of the last action, if there was one
  Action action = 0;
  int turn = -1;  ///< −1: no action yet
};

std::vector<Point> random_points(const Game& game) {
  std::vector<Point> points;
  for (std::uint64_t hand = 0; points.size() < 4096; ++hand) {
    State state = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::test, {hand})));
    Point last;
    int turn = 0;
    for (std::uint64_t n = 0; game.legal_actions(state) != 0; ++n) {
      last.state = state;
      last.infoset = infoset_of(game, state);
      points.push_back(last);
      ActionMask legal = game.legal_actions(state);
      if (std::popcount(legal) > 1 && n % 3 != 2) legal &= legal - 1;  // fold seldom, or hands are short
      const std::uint64_t skip = CounterRandom(StreamPurpose::test, {hand, n}).below(0, static_cast<std::uint64_t>(std::popcount(legal)));
      for (std::uint64_t i = 0; i < skip; ++i) legal &= legal - 1;
      last.before = state;
      last.action = static_cast<Action>(std::countr_zero(legal));
      last.turn = turn;
      game.apply(state, last.action);
      turn = state.round == last.before.round ? turn + 1 : 0;
    }
  }
  return points;
}

struct Subject {
  Game game;
  Encoder encoder;
  std::vector<Point> points;
  std::vector<float> row;
  Subject(const std::string& name, FeatureKind kind)
      : game(make_game(name)), encoder(game, kind), points(random_points(game)), row(static_cast<std::size_t>(encoder.width())) {}
};

template <typename Work>
void for_points(benchmark::State& state, Subject& subject, const Work& work) {
  for (auto _ : state) {
    for (const Point& point : subject.points) work(point);
    benchmark::DoNotOptimize(subject.row.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(subject.points.size()));
}

void encode_whole(benchmark::State& state, const std::string& game, FeatureKind kind) {
  Subject s(game, kind);
  for_points(state, s, [&](const Point& point) { s.encoder.encode(point.infoset, s.row.data()); });
}

void encode_cards(benchmark::State& state, const std::string& game, FeatureKind kind) {
  Subject s(game, kind);
  for_points(state, s, [&](const Point& point) { s.encoder.encode_cards(point.infoset, s.row.data()); });
}

/// One action's features written over those of the row before.
void encode_betting_step(benchmark::State& state, const std::string& game, FeatureKind kind) {
  Subject s(game, kind);
  float* const betting = s.row.data() + s.encoder.card_width();
  s.encoder.begin_betting(betting);
  for_points(state, s, [&](const Point& point) {
    if (point.turn < 0) return;
    s.encoder.betting_step(point.before, point.action, point.turn, point.state).write(betting, s.encoder.layout().bet_width, [](float x) { return x; });
  });
}

void canonical_infoset(benchmark::State& state, const std::string& game, FeatureKind kind) {
  Subject s(game, kind);
  for_points(state, s, [&](const Point& point) { benchmark::DoNotOptimize(infoset_of(s.game, point.state)); });
}

BENCHMARK_CAPTURE(encode_whole, hulh_dense, "hulh", FeatureKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encode_cards, hulh_dense, "hulh", FeatureKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encode_betting_step, hulh_dense, "hulh", FeatureKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encode_whole, hulh_cards, "hulh", FeatureKind::cards)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encode_cards, hulh_cards, "hulh", FeatureKind::cards)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(canonical_infoset, hulh, "hulh", FeatureKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encode_whole, hunl_dense, "hunl", FeatureKind::dense)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(encode_betting_step, hunl_dense, "hunl", FeatureKind::dense)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace deepcfr

BENCHMARK_MAIN();
