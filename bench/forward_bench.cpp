// Rows through networks: the engine (float32, bfloat16) against LibTorch's at::linear with ReLU, and against oneDNN with
// prepacked weights and fused bias and ReLU, float32 and bfloat16. All sides in one run, alternating, the best of several rounds
// each and the spread of the rounds; CPU time of this thread, so that neighbours disturb little.
//
//   forward_bench [rounds]
//
// Bars: bfloat16 at least 0.95 times as fast as prepacked bfloat16 and float32 at least as fast as prepacked float32 at 256 rows;
// card_bet with shared cards (25 rows a hand) at least twice as fast as row by row (bar 12).
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cpu_time.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/forward_engine.h"

namespace {

using namespace deepcfr;

double cpu_microseconds() { return 1e6 * bench::thread_seconds(); }

struct Side {
  std::string name;
  std::function<void()> forward;
  std::vector<double> microseconds = {};  // a forward, by round
  double best() const { return *std::min_element(microseconds.begin(), microseconds.end()); }
  double median() const {
    std::vector<double> sorted = microseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

void measure(std::vector<Side>& sides, int rounds) {
  std::vector<int> repetitions;
  for (Side& side : sides) {
    side.forward();
    const double start = cpu_microseconds();
    side.forward();
    repetitions.push_back(std::max(1, static_cast<int>(10'000 / (cpu_microseconds() - start + 0.1))));
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const double start = cpu_microseconds();
      for (int i = 0; i < repetitions[s]; ++i) sides[s].forward();
      sides[s].microseconds.push_back((cpu_microseconds() - start) / repetitions[s]);
    }
}

/// The layers of an mlp as LibTorch's tensors.
struct Layers {
  std::vector<at::Tensor> weights, biases;
  explicit Layers(const Network& network) {
    const std::vector<float> flat = network.weights();
    for (const ParameterInfo& p : network.parameters()) {
      const at::Tensor t = at::from_blob(const_cast<float*>(flat.data()) + p.offset, p.shape, at::kFloat).clone();
      (p.shape.size() == 2 ? weights : biases).push_back(t);
    }
  }
};

/// oneDNN through the operators that LibTorch's compiler uses.
class Prepacked {
 public:
  Prepacked(const Layers& layers, at::ScalarType type)
      : multiply_(c10::Dispatcher::singleton()
                      .findSchemaOrThrow("mkldnn::_linear_pointwise", "")
                      .typed<at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, c10::string_view,
                                        c10::List<std::optional<at::Scalar>>, std::optional<c10::string_view>)>()) {
    const auto reorder = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("mkldnn::_reorder_linear_weight", "")
                             .typed<at::Tensor(const at::Tensor&, std::optional<std::int64_t>)>();
    for (std::size_t l = 0; l < layers.weights.size(); ++l) {
      weights_.push_back(reorder.call(layers.weights[l].to(type), std::nullopt));
      biases_.push_back(layers.biases[l].to(type));
    }
  }
  at::Tensor forward(at::Tensor x) const {
    for (std::size_t l = 0; l < weights_.size(); ++l)
      x = multiply_.call(x, weights_[l], biases_[l], l + 1 < weights_.size() ? "relu" : "none",
                         c10::List<std::optional<at::Scalar>>(), std::nullopt);
    return x;
  }

 private:
  c10::TypedOperatorHandle<at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&, c10::string_view,
                                      c10::List<std::optional<at::Scalar>>, std::optional<c10::string_view>)>
      multiply_;
  std::vector<at::Tensor> weights_, biases_;
};

at::Tensor forward_default(const Layers& layers, at::Tensor x) {
  const std::size_t last = layers.weights.size() - 1;
  for (std::size_t l = 0; l < last; ++l) x = at::linear(x, layers.weights[l], layers.biases[l]).relu_();
  return at::linear(x, layers.weights[last], layers.biases[last]);
}

/// Rows of random features (small multiples, exact in either type), `rows_of_hand` for each hand.
std::unique_ptr<Minibatch> make_batch(const ForwardEngine& engine, const Network& network, std::int64_t rows, CardSlots& slots,
                                      std::int64_t rows_of_hand = 25) {
  const RowFormat format = engine.format(0);
  const FeatureLayout& layout = network.layout();
  const CounterRandom random(StreamPurpose::test, {1});
  auto batch = std::make_unique<Minibatch>();
  if (format.shared_cards) slots.resize(static_cast<std::size_t>(rows / rows_of_hand + 1), layout.card_count, format.card_vector);
  batch->prepare(0, format, rows, network.outputs(), &slots);
  batch->rows = rows;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::vector<float> row;
    for (int c = 0; c < layout.card_count; ++c)
      row.push_back(static_cast<float>(random.below(static_cast<std::uint64_t>(i / rows_of_hand * 8 + c), 52)));
    if (format.shared_cards) {
      batch->card_slot[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(i / rows_of_hand);
      std::copy(row.begin(), row.end(), slots.numbers.begin() + i / rows_of_hand * layout.card_count);
      row.clear();
    }
    while (static_cast<int>(row.size()) < format.width)
      row.push_back(static_cast<float>(random.below(static_cast<std::uint64_t>(i * 1000) + row.size(), 129)) / 64 - 1);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (format.type == RowType::float32)
        reinterpret_cast<float*>(batch->row(i))[k] = row[k];
      else
        reinterpret_cast<c10::BFloat16*>(batch->row(i))[k] = row[k];
    }
  }
  return batch;
}

void print(const std::string& title, std::int64_t rows, const std::vector<Side>& sides) {
  std::printf("%-20s %5ld", title.c_str(), static_cast<long>(rows));
  for (const Side& side : sides)
    std::printf(" | %s %.3f (%.3f)", side.name.c_str(), side.best() / static_cast<double>(rows),
                side.median() / static_cast<double>(rows));
  std::printf("\n");
}

void compare_mlp(const Game& game, int hidden, int rounds) {
  NetworkOptions options;
  options.hidden = hidden;
  const FeatureLayout layout = Encoder(game, FeatureKind::dense).layout();
  const auto network = std::make_shared<const Network>(layout, game.num_actions(), options, CounterRandom(1));
  const Layers layers(*network);
  const Prepacked float32(layers, at::kFloat), bfloat16(layers, at::kBFloat16);
  const std::vector<std::shared_ptr<const Network>> networks(static_cast<std::size_t>(game.players()), network);
  const auto engine32 = make_forward_engine(game, networks),
             engine16 = make_forward_engine(game, networks, {RowType::bfloat16, true});
  const std::string title =
      std::to_string(layout.width) + "-3x" + std::to_string(hidden) + "-" + std::to_string(game.num_actions());
  for (const std::int64_t rows : {1, 8, 64, 256, 1024}) {
    const c10::InferenceMode inference;
    CardSlots none;
    const auto batch32 = make_batch(*engine32, *network, rows, none), batch16 = make_batch(*engine16, *network, rows, none);
    const at::Tensor x = at::rand({rows, layout.width}), x16 = x.to(at::kBFloat16);
    Minibatch* const view32[] = {batch32.get()};
    Minibatch* const view16[] = {batch16.get()};
    std::vector<Side> sides = {{"at::linear", [&] { forward_default(layers, x); }},
                               {"oneDNN float32", [&] { float32.forward(x); }},
                               {"engine float32", [&] { engine32->forward(view32); }},
                               {"oneDNN bfloat16", [&] { bfloat16.forward(x16); }},
                               {"engine bfloat16", [&] { engine16->forward(view16); }}};
    measure(sides, rounds);
    print(title, rows, sides);
    std::printf(
        "%27sratios: float32 engine / at::linear %.2f, / oneDNN %.2f; bfloat16 engine / oneDNN %.2f, / float32 engine %.2f\n", "",
        sides[0].best() / sides[2].best(), sides[1].best() / sides[2].best(), sides[3].best() / sides[4].best(),
        sides[2].best() / sides[4].best());
  }
}

void compare_card_bet(const Game& game, int rounds) {
  NetworkOptions options;
  options.type = NetworkType::card_bet;
  const FeatureLayout layout = Encoder(game, FeatureKind::cards).layout();
  const auto network = std::make_shared<const Network>(layout, game.num_actions(), options, CounterRandom(1));
  const std::vector<std::shared_ptr<const Network>> networks(static_cast<std::size_t>(game.players()), network);
  for (const RowType type : {RowType::float32, RowType::bfloat16}) {
    const auto single = make_forward_engine(game, networks, {type, false}),
               shared = make_forward_engine(game, networks, {type, true});
    for (const std::int64_t rows : {64, 256, 1024}) {
      CardSlots none, slots;
      const auto by_row = make_batch(*single, *network, rows, none), by_hand = make_batch(*shared, *network, rows, slots);
      Minibatch* const view[] = {by_row.get()};
      Minibatch* const shared_view[] = {by_hand.get()};
      std::vector<Side> sides = {{"row by row", [&] { single->forward(view); }}, {"shared, 25 rows a hand", [&] {
                                                                                    std::fill(slots.ready.begin(),
                                                                                              slots.ready.end(), 0);
                                                                                    shared->forward(shared_view);
                                                                                  }}};
      measure(sides, rounds);
      print(std::string("card_bet ") + (type == RowType::float32 ? "float32" : "bfloat16"), rows, sides);
      std::printf("%27sratio %.2f\n", "", sides[0].best() / sides[1].best());
    }
  }
}

void print_distance(const Game& game, const NetworkOptions& options) {
  const FeatureLayout layout = Encoder(game, feature_kind(options.type)).layout();
  const Network network(layout, game.num_actions(), options, CounterRandom(1));
  const CounterRandom random(StreamPurpose::test, {2});
  std::vector<float> rows(static_cast<std::size_t>(2000 * layout.width));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = static_cast<int>(i) % layout.width < layout.card_count ? static_cast<float>(random.below(i, 52))
                                                                     : static_cast<float>(random.uniform(i));
  const std::vector<ActionMask> legal(2000, static_cast<ActionMask>((1U << game.num_actions()) - 1));
  const DtypeDistance d = measure_distance(network, rows, legal);
  std::printf(
      "bfloat16 from float32, fresh weights, mean advantage %.3f: advantages %.5f, 99 %% %.5f, largest %.5f; strategies %.5f, 99 "
      "%% %.5f, "
      "largest %.5f\n",
      d.mean_advantage, d.advantages.mean, d.advantages.percentile_99, d.advantages.largest, d.strategies.mean,
      d.strategies.percentile_99, d.strategies.largest);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  std::printf("%s\n", configure_libtorch(1).c_str());
  const Game game = make_game("hulh");
  std::printf("%s\nus a row, best (median) of %d rounds\n",
              make_forward_engine(game, {nullptr, nullptr}, {RowType::bfloat16, true})->name().c_str(), rounds);
  compare_mlp(game, 512, rounds);
  compare_mlp(game, 64, rounds);
  compare_card_bet(game, rounds);
  NetworkOptions options;
  options.hidden = 512;
  print_distance(game, options);
}
