// Statements of shared/correctness.md on the whole way through a run, named by their numbers. Those of single rooms are with the
// rooms.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include "batches.h"
#include "checkpoint.h"
#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/eval/bots.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/network_source.h"
#include "evaluation.h"
#include "run_fixture.h"
#include "small_tables.h"
#include "traversal_phase.h"

namespace deepcfr {
namespace {

// -- who played, who recorded (statements 2, 3, 5, 6, 15, 18) --------------------------------------------------------------

struct Variant {
  const char* name;
  const char* game;
  Switch small_game;
};

/// A run whose memories hold every record that was ever made, read back from its checkpoint.
class Played : public testing::TestWithParam<Variant> {
 protected:
  static constexpr std::int64_t kIterations = 3;

  void SetUp() override {
    TrainOptions o = tiny_options(GetParam().game);
    o.algorithm.small_game = GetParam().small_game;
    o.algorithm.iterations = kIterations;
    o.algorithm.traversals = std::string(GetParam().game) == "fhp" ? 10 : 40;
    o.memory.advantage_capacity = o.memory.strategy_capacity = 100'000;
    o.advantage_fit.learning_rate = 0.02;  // strategies that differ much from one iteration to the next
    o.training.target_scale = 2 * make_game(o.game).definition().big_blind();
    start(o, dir_.run("run"));
    parts_ = make_parts(o);
    std::vector<std::string> warnings;
    state_ = load_checkpoint(RunPaths{dir_.run("run")}, o, parts_, true, warnings);
    archives_ = load_archives(RunPaths{dir_.run("run")}, state_.archive_marks);
    network_ = std::make_unique<Network>(parts_.fresh_network(o, false, 0, 0));
    encoder_ = std::make_unique<Encoder>(*parts_.game, parts_.advantage_layout.kind);
  }

  int players() const { return parts_.game->players(); }
  ActionMask legal(const Sample& sample) const { return parts_.game->legal_actions(state_of(*parts_.game, sample.infoset)); }

  /// What the archived network of (player, t) plays; uniform if it has no weights, or for t = 0.
  std::vector<double> strategy(int player, std::int64_t t, const Sample& sample) {
    std::vector<double> sigma(static_cast<std::size_t>(parts_.game->num_actions()));
    static const std::vector<float> none;
    const std::vector<float>& weights =
        t == 0 ? none : archives_[static_cast<std::size_t>(player)].at(static_cast<std::size_t>(t - 1)).weights;
    if (weights.empty()) {
      uniform_strategy(legal(sample), sigma);
      return sigma;
    }
    network_->set_weights(weights);
    std::vector<float> row(static_cast<std::size_t>(encoder_->width())), out(sigma.size());
    encoder_->encode(sample.infoset, row.data());
    network_->forward(row, out);
    regret_matching(std::span<const float>(out), legal(sample), sigma);
    return sigma;
  }

  template <typename Visit>
  void each(const Reservoir& memory, const SampleCodec& codec, const Visit& visit) {
    ASSERT_EQ(memory.seen(), memory.size()) << "the memory must hold all records";
    ASSERT_GT(memory.size(), 0U);
    for (std::uint64_t i = 0; i < memory.size(); ++i) ASSERT_NO_FATAL_FAILURE(visit(codec.unpack(memory.record(i))));
  }

  TemporaryDirectory dir_;
  RunParts parts_;
  RunState state_;
  std::vector<std::vector<ArchivedNetwork>> archives_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<Encoder> encoder_;
};

// The archive's network of (player, t) is the one by which the player's records of iteration t were played: its own, current,
// uniform at first.
TEST_P(Played, Statements3_6_15RecordsAreThoseOfTheArchivedNetworkOfTheirPlayerAndT) {
  const double precision = parts_.fast_path ? 1e-6 : 1e-3;
  for (int p = 0; p < players(); ++p) {
    const auto& archive = archives_[static_cast<std::size_t>(p)];
    ASSERT_EQ(archive.size(), static_cast<std::size_t>(kIterations));
    for (std::int64_t t = 1; t <= kIterations; ++t) EXPECT_EQ(archive[static_cast<std::size_t>(t - 1)].iteration, t);
    std::set<std::int64_t> iterations;
    int differing = 0;
    each(state_.strategy_memory[static_cast<std::size_t>(p)], *parts_.strategy_codec, [&](const Sample& sample) {
      ASSERT_EQ(state_of(*parts_.game, sample.infoset).actor, p);
      ASSERT_TRUE(sample.iteration >= 1 && sample.iteration <= kIterations);
      iterations.insert(sample.iteration);
      const std::vector<double> sigma = strategy(p, sample.iteration, sample);
      for (std::size_t a = 0; a < sigma.size(); ++a)
        ASSERT_NEAR(sample.values[a], sigma[a], precision) << "iteration " << sample.iteration;
      const std::int64_t other = sample.iteration == 1 ? 2 : sample.iteration - 1;
      differing += std::abs(strategy(p, other, sample)[kCall] - sigma[kCall]) > 0.01;
    });
    EXPECT_EQ(iterations.size(), static_cast<std::size_t>(kIterations));
    EXPECT_GT(differing, 5);  // so that a network of another iteration would have shown
  }
}

// The target is a regret against the traverser's own strategy of that iteration: Σ σ r = 0 over legal actions, 0 elsewhere.
// Player 0's archived network of t is fitted in t (player 1's traversals come after that fit), so it traverses with that of t
// − 1.
TEST_P(Played, Statements3_5TargetsAreRegretsAgainstTheTraversersOwnNetwork) {
  for (int p = 0; p < players(); ++p) {
    double largest = 0;
    each(state_.advantage_memory[static_cast<std::size_t>(p)], *parts_.advantage_codec, [&](const Sample& sample) {
      ASSERT_EQ(state_of(*parts_.game, sample.infoset).actor, p);
      const std::vector<double> sigma = strategy(p, p == 0 ? sample.iteration - 1 : sample.iteration, sample);
      double mean = 0, size = 0;
      for (std::size_t a = 0; a < sigma.size(); ++a) {
        if (((legal(sample) >> a) & 1) == 0) {
          ASSERT_EQ(sample.values[a], 0.0);
        }
        mean += sigma[a] * sample.values[a];
        size = std::max(size, std::abs(sample.values[a]));
      }
      ASSERT_NEAR(mean, 0.0, (parts_.fast_path ? 1e-5 : 2e-3) * (1 + size)) << "iteration " << sample.iteration;
      largest = std::max(largest, size);
    });
    EXPECT_GT(largest, 0.1);
  }
}

// Nobody but player 0 has been fitted when iteration 1 is played: uniform.
TEST_P(Played, Statement2IterationOneIsUniform) {
  for (int p = 1; p < players(); ++p) {
    EXPECT_TRUE(archives_[static_cast<std::size_t>(p)][0].weights.empty());
    int seen = 0;
    each(state_.strategy_memory[static_cast<std::size_t>(p)], *parts_.strategy_codec, [&](const Sample& sample) {
      if (sample.iteration != 1) return;
      ++seen;
      const ActionMask mask = legal(sample);
      for (std::size_t a = 0; a < static_cast<std::size_t>(parts_.game->num_actions()); ++a)
        ASSERT_NEAR(sample.values[a], ((mask >> a) & 1) != 0 ? 1.0 / std::popcount(mask) : 0.0, 1e-3);
    });
    EXPECT_GT(seen, 5);
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, Played,
                         testing::Values(Variant{"fast", "leduc", Switch::automatic}, Variant{"batched", "leduc", Switch::off},
                                         Variant{"three_players", "kuhn3", Switch::automatic},
                                         Variant{"fhp", "fhp", Switch::automatic}),
                         [](const auto& variant) { return variant.param.name; });

// -- targets (statements 4, 5) ---------------------------------------------------------------------------------------------

// What a run keeps in its memories, against enumeration: mean over traversals of the summed targets = counterfactual regret ÷
// target_scale; number of records = visits.
TEST(Targets, Statement5MemoriesHoldTheCounterfactualRegret) {
  TrainOptions o = tiny_options("leduc");
  o.algorithm.traversals = 60'000;
  o.memory.advantage_capacity = 2'000'000;
  o.training.target_scale = 4;
  const RunParts parts = make_parts(o);
  const SmallGame& small = *parts.small_game;
  const FeatureTable features(small, parts.advantage_layout.kind);
  std::vector<double> table(static_cast<std::size_t>(small.num_infosets()) * 3);
  for (int p = 0; p < 2; ++p) {
    const Network network = parts.fresh_network(o, false, p, 1);
    advantage_strategies(small, features, p, &network, table);
  }
  RunState state = make_state(o, parts);
  ThreadGroup workers(1);
  for (int traverser = 0; traverser < 2; ++traverser) {
    run_traversals(o, parts, state, traverser, table, {workers}, [](double) {});
    const ExpectedSamples expected = expected_samples(small, traverser, table);
    const Reservoir& memory = state.advantage_memory[static_cast<std::size_t>(traverser)];
    ASSERT_EQ(memory.seen(), memory.size());
    std::vector<double> visits(expected.visits.size()), sums(table.size()), squares(table.size());
    for (std::uint64_t i = 0; i < memory.size(); ++i) {
      const Sample sample = parts.advantage_codec->unpack(memory.record(i));
      const auto n = static_cast<std::size_t>(sample.infoset_number);
      visits[n] += 1;
      for (std::size_t a = 0; a < 3; ++a) {
        sums[n * 3 + a] += sample.values[a];
        squares[n * 3 + a] += sample.values[a] * sample.values[a];
      }
    }
    const double traversals = 60'000;
    double largest = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const std::size_t n = k / 3;
      EXPECT_NEAR(visits[n] / traversals, expected.visits[n], 6 * std::sqrt(expected.visits[n] / traversals) + 1e-9);
      EXPECT_NEAR(sums[k] / traversals, expected.target_sum[k] / 4, 6 * std::sqrt(squares[k]) / traversals + 1e-6);
      largest = std::max(largest, std::abs(expected.target_sum[k]));
    }
    EXPECT_GT(largest, 0.05);
  }
}

// -- batches (statement 10) ------------------------------------------------------------------------------------------------

// Targets that are a checksum of the features: every row that is drawn must fit together, its mask and its weight too.
TEST(Batches, Statement10FeaturesTargetsMaskAndWeightOfARowAreOfOneRecord) {
  const Game game = make_game(GameOptions{});
  const auto small = std::make_shared<const SmallGame>(game);
  const Encoder encoder(game, FeatureKind::dense);
  const FeatureTable features(*small, FeatureKind::dense);
  const auto width = static_cast<std::size_t>(encoder.width());
  const auto checksum = [&](std::span<const float> row) {
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += static_cast<double>(k + 1) * static_cast<double>(row[k]);
    return sum;
  };
  BettingTable table(game);
  for (const auto& [numbered, betting] : {std::pair<bool, BettingTable*>{true, nullptr}, {false, nullptr}, {false, &table}, {false, &table}}) {
    const SampleCodec codec(game, numbered ? small : nullptr, ValuePrecision::single);
    Reservoir memory(codec.bytes(), 300, CounterRandom(StreamPurpose::test, {3}));
    std::vector<std::byte> record(codec.bytes());
    std::vector<float> row(width);
    for (std::uint64_t i = 0; i < 900; ++i) {  // thrice as many as fit
      const Infoset& infoset = small->key(static_cast<int>(mix64(i) % static_cast<std::uint64_t>(small->num_infosets())));
      encoder.encode(infoset, row.data());
      const auto t = static_cast<std::uint32_t>(1 + i % 9);
      const double values[] = {checksum(row), static_cast<double>(t),
                               static_cast<double>(game.legal_actions(state_of(game, infoset)))};
      codec.pack(infoset, t, values, record.data());
      memory.add(record.data());
    }
    const BatchSetup setup{.game = &game,
                           .codec = &codec,
                           .encoder = &encoder,
                           .features = numbered ? &features : nullptr,
                           .betting = betting,
                           .iteration = 9,
                           .batch_size = 500,
                           .stream = CounterRandom(StreamPurpose::test, {2})};
    const auto source = make_sampled_batches(setup, memory);
    std::vector<float> x(500 * width), y(1500), mask(1500), weights(500);
    std::set<double> distinct;
    for (std::int64_t step = 0; step < 3; ++step) {
      source->fill(step, {x, y, mask, weights});
      for (std::size_t r = 0; r < 500; ++r) {
        ASSERT_NEAR(static_cast<double>(y[3 * r]), checksum(std::span(x).subspan(r * width, width)), 1e-3);
        ASSERT_NEAR(static_cast<double>(weights[r]), 2.0 * static_cast<double>(y[3 * r + 1]) / 9.0, 1e-6);
        const auto legal = static_cast<unsigned>(y[3 * r + 2]);
        for (std::size_t a = 0; a < 3; ++a) ASSERT_EQ(mask[3 * r + a], ((legal >> a) & 1) != 0 ? 1.0F : 0.0F);
        distinct.insert(static_cast<double>(y[3 * r]));
      }
    }
    EXPECT_GT(distinct.size(), 80U);
  }
}

// What is merged on the way is what the full memory holds: a record that a later one displaces leaves the sums too.
TEST(Batches, Statement9SumsOfAFullMemoryAreThoseOfTheRecordsThatStayed) {
  TrainOptions o = tiny_options("leduc");
  o.algorithm.traversals = 400;
  o.memory.advantage_capacity = o.memory.strategy_capacity = 300;
  const RunParts parts = make_parts(o);
  const SmallGame& small = *parts.small_game;
  const FeatureTable features(small, parts.advantage_layout.kind);
  const Encoder encoder(*parts.game, parts.advantage_layout.kind);
  std::vector<double> table(static_cast<std::size_t>(small.num_infosets()) * 3);
  for (int p = 0; p < 2; ++p) advantage_strategies(small, features, p, nullptr, table);
  RunState state = make_state(o, parts);
  ThreadGroup workers(1);
  for (state.position.completed = 0; state.position.completed < 2; ++state.position.completed)
    for (int traverser = 0; traverser < 2; ++traverser) run_traversals(o, parts, state, traverser, table, {workers}, [](double) {});
  ASSERT_EQ(state.advantage_sums.size(), 2U);
  const BatchSetup setup{.game = parts.game.get(),
                         .codec = parts.advantage_codec.get(),
                         .encoder = &encoder,
                         .features = &features,
                         .iteration = 2,
                         .batch_size = 16,
                         .stream = CounterRandom(StreamPurpose::test, {2})};
  for (std::size_t p = 0; p < 2; ++p) {
    for (const bool strategy : {false, true}) {
      const Reservoir& memory = strategy ? state.strategy_memory[p] : state.advantage_memory[p];
      ASSERT_GT(memory.seen(), 2 * memory.size());
      const MergedMemory kept = (strategy ? state.strategy_sums : state.advantage_sums)[p].merged(2);
      const MergedMemory anew = merge_memory(setup, memory);
      EXPECT_EQ(kept.records, memory.size());
      EXPECT_EQ(kept.infoset_numbers, anew.infoset_numbers);
      EXPECT_EQ(kept.weights, anew.weights);
      EXPECT_EQ(kept.values, anew.values);
    }
  }
}

// -- caches of answers (statement 18) --------------------------------------------------------------------------------------

// Rows are merged by the whole infoset: none that differ in one card or one action fall together.
TEST(Batches, Statement18MergedRowsAreKeyedByTheWholeInfoset) {
  const Game game = make_game("leduc", RuleSet::acpc, false);
  const auto small = std::make_shared<const SmallGame>(game);
  const Encoder encoder(game, FeatureKind::dense);
  const FeatureTable features(*small, FeatureKind::dense);
  const auto width = static_cast<std::size_t>(encoder.width());
  const auto infosets = static_cast<std::size_t>(small->num_infosets());
  for (const bool numbered : {true, false}) {
    const SampleCodec codec(game, numbered ? small : nullptr, ValuePrecision::single);
    Reservoir memory(codec.bytes(), 10'000, CounterRandom(StreamPurpose::test, {3}));
    std::vector<std::byte> record(codec.bytes());
    for (std::uint32_t t = 1; t <= 2; ++t) {
      for (int i = 0; i < small->num_infosets(); ++i) {
        const double values[] = {static_cast<double>(i), 0, 0};
        codec.pack(small->key(i), t, values, record.data());
        memory.add(record.data());
      }
    }
    const BatchSetup setup{.game = &game,
                           .codec = &codec,
                           .encoder = &encoder,
                           .features = numbered ? &features : nullptr,
                           .iteration = 2,
                           .batch_size = 16,
                           .stream = CounterRandom(StreamPurpose::test, {2})};
    const auto source = make_merged_batches(setup, merge_memory(setup, memory));
    ASSERT_EQ(source->batch_rows(), static_cast<std::int64_t>(infosets));
    std::vector<float> x(infosets * width), y(infosets * 3), mask(infosets * 3), weights(infosets), row(width);
    source->fill(0, {x, y, mask, weights});
    for (std::size_t r = 0; r < infosets; ++r) {
      const auto i = static_cast<int>(y[3 * r]);
      ASSERT_EQ(static_cast<float>(i), y[3 * r]);
      encoder.encode(small->key(i), row.data());
      ASSERT_TRUE(std::ranges::equal(row, std::span(x).subspan(r * width, width))) << i;
    }
  }
}

// What a bot has in its cache of equities changes none of its answers: near misses (one card of the board differs) and many
// hands, asked of one bot and of a new one each time.
TEST(Bots, Statement18EquitiesAreKeyedByAllVisibleCards) {
  const Game game = make_game("hulh");
  std::vector<State> states;
  const auto add = [&](const Deal& deal, std::initializer_list<Action> actions) {
    State state = game.initial_state(deal);
    for (const Action action : actions) game.apply(state, action);
    states.push_back(state);
  };
  for (std::uint64_t i = 0; i < 600; ++i) {
    Deal deal = game.sample_deal(CounterRandom(StreamPurpose::test, {i}));
    add(deal, {kCall, kCall, kCall, kCall, kCall, kCall, kFirstRaise});
    for (std::size_t place = 0; place < 5 && i < 20; ++place) {
      for (std::uint64_t other = 0; other < 3; ++other) {  // the same but for one card of the board
        const Card card = game.sample_deal(CounterRandom(StreamPurpose::test, {i, place, other})).hole[0][0];
        Deal near = deal;
        near.board[place] = card;
        std::set<Card> visible(near.board.begin(), near.board.begin() + 5);
        for (std::size_t p = 0; p < 2; ++p) visible.insert(near.hole[p].begin(), near.hole[p].begin() + 2);
        if (visible.size() == 9) add(near, {kCall, kCall, kCall, kCall, kCall, kCall, kFirstRaise});
      }
    }
  }
  const auto used = make_bot(game, "tight");
  const auto fresh = make_bot(game, "tight");
  std::vector<double> expected(3), got(3);
  std::array<int, 3> actions{};
  for (const State& state : states) {
    const State* asked = &state;
    used->probabilities({&asked, 1}, got);
    fresh->clone()->probabilities({&asked, 1}, expected);  // a copy of a bot that has seen nothing
    ASSERT_EQ(got, expected);
    for (std::size_t a = 0; a < 3; ++a) actions[a] += got[a] == 1;
  }
  for (const int count : actions) EXPECT_GT(count, 20);
}

// -- fresh weights (statement 11) ------------------------------------------------------------------------------------------

TEST(FreshWeights, Statement11DifferByIterationPlayerKindAndSeedAndByNothingElse) {
  TrainOptions o = tiny_options();
  const RunParts parts = make_parts(o);
  std::set<std::uint64_t> hashes;
  for (const std::uint64_t seed : {7U, 8U}) {
    o.seed = seed;
    for (const bool strategy : {false, true})
      for (const int player : {0, 1})
        for (const std::int64_t t : {1, 2, 3}) {
          hashes.insert(parts.fresh_network(o, strategy, player, t).hash());
          EXPECT_EQ(parts.fresh_network(o, strategy, player, t).hash(), parts.fresh_network(o, strategy, player, t).hash());
        }
  }
  EXPECT_EQ(hashes.size(), 2U * 2U * 2U * 3U);
}

// Fits of no step at all: what the run reports are the weights that its fits began with.
TEST(FreshWeights, Statement11EveryFitOfARunBeginsWithThem) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options();
  o.advantage_fit.steps = 0;
  start(o, dir.run("run"));
  const RunParts parts = make_parts(o);
  const auto rows = timeless_metrics(dir.run("run"));
  std::set<std::string> hashes;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t p = 0; p < 2; ++p) {
      const auto fresh = parts.fresh_network(o, false, static_cast<int>(p), static_cast<std::int64_t>(row) + 1);
      EXPECT_EQ(std::stoull(rows[row]["weights_hash"][p].get<std::string>(), nullptr, 16), fresh.hash());
      hashes.insert(rows[row]["weights_hash"][p].get<std::string>());
    }
  }
  EXPECT_EQ(hashes.size(), 8U);
}

// -- strategies of small games (statement 12) ------------------------------------------------------------------------------

TEST(NetworkStrategies, Statement12IllegalMassIsZeroAndTheTableEqualsThePolicy) {
  TrainOptions o = tiny_options("leduc");
  const RunParts parts = make_parts(o);
  const FeatureTable features(*parts.small_game, parts.strategy_layout.kind);
  for (const float factor : {1.0F, 30.0F}) {  // mild and extreme logits
    std::vector<std::shared_ptr<const Network>> networks;
    std::vector<double> table(static_cast<std::size_t>(parts.small_game->num_infosets()) * 3, -1.0);
    for (int p = 0; p < 2; ++p) {
      Network network = parts.fresh_network(o, true, p, 1);
      std::vector<float> weights = network.weights();
      for (float& w : weights) w *= factor;
      network.set_weights(weights);
      network_strategies(*parts.small_game, features, p, network, table);
      networks.push_back(std::make_shared<const Network>(std::move(network)));
    }
    const std::vector<double> policy = tabulate(*parts.small_game, *make_strategy_network_policy(parts.game, networks));
    for (int i = 0; i < parts.small_game->num_infosets(); ++i) {
      double sum = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t k = static_cast<std::size_t>(i) * 3 + a;
        if (((parts.small_game->legal(i) >> a) & 1) == 0) {
          ASSERT_EQ(table[k], 0.0);
        }
        ASSERT_GE(table[k], 0.0);
        ASSERT_NEAR(table[k], policy[k], 1e-6);
        sum += table[k];
      }
      ASSERT_NEAR(sum, 1.0, 1e-6);
    }
  }
}

// -- exploitability in reports (statement 17) ------------------------------------------------------------------------------

// Leduc with every amount ten times as large has the same numbers in antes; both are there, labelled, with the unit.
TEST(Report, Statement17NashConvAndExploitabilityAreLabelledAndInTheUnit) {
  const TemporaryDirectory dir;
  std::ofstream(dir / "tenfold.game")
      << "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 10 10\nraiseSize = 20 40\nfirstPlayer = 1 1\n"
         "maxRaises = 2 2\nnumSuits = 2\nnumRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0 1\nEND GAMEDEF\n";
  for (const std::string& name : {std::string("leduc"), (dir / "tenfold.game").string()}) {
    TrainOptions o = tiny_options(name);
    o.evaluation.games = 0;
    const RunParts parts = make_parts(o);
    StrategyTables tables;
    tables.mixture = tabulate(*parts.small_game, *make_fixed_policy(*parts.game, "uniform"));
    tables.current = tables.network = tables.mixture;
    const EvaluationResult result = evaluate_tables(o, parts, tables);
    const nlohmann::ordered_json json = to_json(result);
    for (const char* policy : {"network", "mixture", "current"}) {
      EXPECT_NEAR(json[policy]["nash_conv"].get<double>(), 4.747222, 1e-6) << name;
      EXPECT_NEAR(json[policy]["exploitability"].get<double>(), 2.373611, 1e-6) << name;
    }
    EXPECT_EQ(json["unit"], "antes");
    EXPECT_NE(short_text(result).find("NashConv 4.7472 (mixture 4.7472) antes"), std::string::npos) << short_text(result);
  }
}

// -- numbers that are not finite (statement 19) ----------------------------------------------------------------------------

/// Whether all weights and all values of records in all checkpoints and archives of a run are finite.
void expect_finite_checkpoints(const TrainOptions& o, const std::string& run, std::size_t at_least) {
  std::size_t checkpoints = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(run) / "checkpoints")) {
    const std::string name = entry.path().filename().string();
    ASSERT_NE(name[0], '.') << "a checkpoint half written";
    ++checkpoints;
    const auto files = checkpoint_files(run, name);
    for (const auto& [file, content] : files) {
      if (!file.ends_with(".safetensors")) continue;
      std::uint64_t head = 0;
      std::memcpy(&head, content.data(), sizeof head);
      for (std::size_t at = sizeof head + head; at + 4 <= content.size(); at += 4) {
        float weight = 0;
        std::memcpy(&weight, content.data() + at, sizeof weight);
        ASSERT_TRUE(std::isfinite(weight)) << name << "/" << file;
      }
    }
  }
  EXPECT_GE(checkpoints, at_least);
  if (checkpoints == 0) return;
  const RunParts parts = make_parts(o);
  std::vector<std::string> warnings;
  const RunState state = load_checkpoint(RunPaths{run}, o, parts, true, warnings);
  EXPECT_TRUE(warnings.empty());
  for (const auto* memories : {&state.advantage_memory, &state.strategy_memory})
    for (const Reservoir& memory : *memories)
      for (std::uint64_t i = 0; i < memory.size(); ++i)
        for (const double value : parts.advantage_codec->unpack(memory.record(i)).values) ASSERT_TRUE(std::isfinite(value));
  for (const auto& archive : load_archives(RunPaths{run}, state.archive_marks))
    for (const ArchivedNetwork& network : archive)
      for (const float weight : network.weights) ASSERT_TRUE(std::isfinite(weight));
}

/// Targets whose square is beyond the largest float, taken one by one.
TrainOptions huge_targets(int steps, Amp amp) {
  TrainOptions o = tiny_options("leduc");
  o.algorithm.merge = Switch::off;
  o.training.target_scale = 1e-25;
  o.advantage_fit.steps = steps;
  o.advantage_fit.amp = amp;
  return o;
}

// Three steps of a fit may fail, and are counted.
TEST(NotFinite, Statement19SkippedStepsAreInTheMetricsAndNoCheckpointHoldsThem) {
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    const TemporaryDirectory dir;
    const TrainOptions o = huge_targets(3, amp);
    start(o, dir.run("run"));
    for (const auto& row : timeless_metrics(dir.run("run"))) EXPECT_EQ(row["skipped_steps"], 6);
    expect_finite_checkpoints(o, dir.run("run"), 4);
  }
}

/// Puts NaN into every n-th record of player 0's advantage memory in the newest checkpoint.
void spoil_records(const TrainOptions& o, const std::string& run, std::uint64_t every) {
  const RunParts parts = make_parts(o);
  std::vector<std::string> warnings;
  RunState state = load_checkpoint(RunPaths{run}, o, parts, true, warnings);
  Reservoir& memory = state.advantage_memory[0];
  std::vector<std::byte> bytes(memory.bytes().begin(), memory.bytes().end());
  for (std::uint64_t i = 0; i < memory.size(); i += every) {  // all bits of the last value set: NaN in every type
    const auto end = bytes.begin() + static_cast<std::ptrdiff_t>((i + 1) * memory.record_bytes());
    std::fill(end - 6, end, std::byte{0xFF});
  }
  memory.restore(memory.seen(), [&](std::span<std::byte> all) { std::ranges::copy(bytes, all.begin()); });
  save_checkpoint(RunPaths{run}, o, parts, state, 100);
}

/// Leduc as a larger game: half precision, sampled batches.
TrainOptions sampled_leduc(Amp amp) {
  TrainOptions o = tiny_options("leduc");
  o.algorithm.small_game = Switch::off;
  o.algorithm.iterations = 2;
  o.advantage_fit.steps = 60;
  o.advantage_fit.amp = o.strategy_fit.amp = amp;
  return o;
}

TEST(NotFinite, Statement19ASpoiltRecordCostsItsStepsAndNothingElse) {
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    const TemporaryDirectory dir;
    TrainOptions o = sampled_leduc(amp);
    start(o, dir.run("run"));
    spoil_records(o, dir.run("run"), 1'000'000);  // the first one: with 500 records and 32 rows, every sixteenth step
    o.algorithm.iterations = 3;
    QuietObserver observer;
    resume_run(o, "", dir.run("run"), observer, kNeverStop);
    const auto rows = timeless_metrics(dir.run("run"));
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1]["skipped_steps"], 0);
    EXPECT_GE(rows[2]["skipped_steps"], 1);
    EXPECT_LE(rows[2]["skipped_steps"], 6);
    for (const auto& loss : rows[2]["advantage_loss"]) EXPECT_TRUE(loss.is_number() && std::isfinite(loss.get<double>())) << loss;
    const RunParts parts = make_parts(o);
    std::vector<std::string> warnings;
    const RunState state = load_checkpoint(RunPaths{dir.run("run")}, o, parts, false, warnings);
    for (const auto& network : state.advantage)
      for (const float weight : network->weights()) ASSERT_TRUE(std::isfinite(weight));
  }
}

TEST(NotFinite, Statement19ManySpoiltRecordsEndTheRun) {
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    const TemporaryDirectory dir;
    TrainOptions o = sampled_leduc(amp);
    start(o, dir.run("run"));
    spoil_records(o, dir.run("run"), 5);
    o.algorithm.iterations = 3;
    QuietObserver observer;
    try {
      resume_run(o, "", dir.run("run"), observer, kNeverStop);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(error.message().find("did not stay finite"), std::string::npos);
    }
    EXPECT_EQ(timeless_metrics(dir.run("run")).size(), 2U);
    EXPECT_FALSE(std::filesystem::exists(dir / "run/checkpoints/00000003"));
  }
}

// Leduc with all chips a million times as large: in chips beyond what a half holds, which clamps; in big blinds the same numbers.
TEST(NotFinite, Statement19PayoffsAMillionTimesAsLarge) {
  const TemporaryDirectory dir;
  std::ofstream(dir / "million.game")
      << "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 1000000 1000000\nraiseSize = 2000000 4000000\nfirstPlayer = 1 1\n"
         "maxRaises = 2 2\nnumSuits = 2\nnumRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0 1\nEND GAMEDEF\n";
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    for (const Switch fast : {Switch::off, Switch::automatic}) {
      const std::string run = dir.run("run" + std::to_string(static_cast<int>(amp)) + std::to_string(static_cast<int>(fast)));
      TrainOptions o = sampled_leduc(amp);
      o.algorithm.small_game = fast;
      start(o, run + "-leduc");
      o.game.name = (dir / "million.game").string();
      start(o, run + "-scaled");
      o.training.target_scale = 1;  // chips
      start(o, run + "-chips");
      for (const char* which : {"-scaled", "-chips"}) {
        for (const auto& row : timeless_metrics(run + which)) {
          EXPECT_EQ(row["skipped_steps"], 0);
          for (const auto& loss : row["advantage_loss"]) EXPECT_TRUE(loss.is_number() && std::isfinite(loss.get<double>())) << loss;
        }
        o.training.target_scale = std::string(which) == "-chips" ? 1 : 0;
        expect_finite_checkpoints(o, run + which, 2);
      }
      const auto first_loss = [&](const char* which) { return timeless_metrics(run + which)[0]["advantage_loss_first"][0].get<double>(); };
      EXPECT_NEAR(first_loss("-leduc"), first_loss("-scaled"), 1e-4) << "in big blinds the same numbers, up to the last bits";
      EXPECT_GT(first_loss("-chips"), 1e6 * first_loss("-leduc"));
    }
  }
}

TEST(NotFinite, Statement19APersistentFaultEndsTheRunAndLeavesNoBadCheckpoint) {
  for (const Amp amp : {Amp::off, Amp::bf16}) {
    const TemporaryDirectory dir;
    const TrainOptions o = huge_targets(25, amp);
    try {
      start(o, dir.run("run"));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(error.message().find("did not stay finite"), std::string::npos);
    }
    EXPECT_TRUE(timeless_metrics(dir.run("run")).empty());
    expect_finite_checkpoints(o, dir.run("run"), 0);
  }
}

}  // namespace
}  // namespace deepcfr
