#include <gtest/gtest.h>

#include <set>

#include "deepcfr/core/error.h"
#include "run_fixture.h"

namespace deepcfr {
namespace {

RunOutcome resume(const TrainOptions& options, const std::string& dir) {
  QuietObserver observer;
  return resume_run(options, "seed: 7\n", dir, observer, kNeverStop);
}

void expect_same_run(const std::string& a, const std::string& b, const std::string& last) {
  EXPECT_EQ(checkpoint_files(a, last), checkpoint_files(b, last));
  EXPECT_EQ(timeless_metrics(a), timeless_metrics(b));
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(a) / "archive")) {
    EXPECT_EQ(read_text(entry.path()), read_text(std::filesystem::path(b) / "archive" / entry.path().filename()));
  }
}

struct Variant {
  const char* name;
  const char* game;
  Switch small_game;
  TraversalMode mode;
  NetworkType network;
};

class Contract : public testing::TestWithParam<Variant> {
 protected:
  TrainOptions options() const {
    TrainOptions o = tiny_options(GetParam().game);
    o.algorithm.small_game = GetParam().small_game;
    o.traversal.mode = GetParam().mode;
    o.traversal.in_flight = 16;
    o.advantage_network.type = o.strategy_network.type = GetParam().network;
    o.advantage_network.dim = o.strategy_network.dim = 8;
    o.advantage_network.card_branch_width = o.strategy_network.card_branch_width = 8;
    if (std::string(GetParam().game) == "fhp") {
      o.algorithm.traversals = 20;
      o.memory.advantage_capacity = 300;
    }
    return o;
  }
};

TEST_P(Contract, T05SameResultForAnyNumberOfWorkers) {
  const TemporaryDirectory dir;
  TrainOptions o = options();
  start(o, dir.run("one"));
  for (const int workers : {2, 3}) {
    o.traversal.workers = workers;
    start(o, dir.run(std::to_string(workers)));
    expect_same_run(dir.run("one"), dir.run(std::to_string(workers)), "00000004");
  }
}

TEST_P(Contract, Statement16TwoAndTwoIsFour) {
  const TemporaryDirectory dir;
  TrainOptions o = options();
  start(o, dir.run("straight"));
  o.algorithm.iterations = 2;
  start(o, dir.run("parts"));
  o.algorithm.iterations = 4;
  resume(o, dir.run("parts"));
  expect_same_run(dir.run("straight"), dir.run("parts"), "00000004");
}

TEST_P(Contract, StoppedAfterEveryStepIsAsIfNeverStopped) {
  const TemporaryDirectory dir;
  const TrainOptions o = options();
  start(o, dir.run("straight"));
  std::atomic<int> stop{0};
  QuietObserver observer;
  observer.on_progress = [&](const Progress& progress) {
    if (progress.phase == "traversal" || progress.phase == "advantage network") stop = 1;  // finish this phase, then save
  };
  RunOutcome outcome = start_run(o, "seed: 7\n", dir.run("steps"), observer, stop);
  int resumes = 0;
  while (outcome.end == RunEnd::interrupted) {
    stop = 0;
    ASSERT_LT(++resumes, 100);
    outcome = resume_run(o, "seed: 7\n", dir.run("steps"), observer, stop);
  }
  EXPECT_GE(resumes, 4 * 2 * 2 - 4);
  expect_same_run(dir.run("straight"), dir.run("steps"), "00000004");
}

INSTANTIATE_TEST_SUITE_P(
    Variants, Contract,
    testing::Values(Variant{"fast", "kuhn", Switch::automatic, TraversalMode::interleaved, NetworkType::mlp},
                    Variant{"leduc_interleaved", "leduc", Switch::off, TraversalMode::interleaved, NetworkType::mlp},
                    Variant{"leduc_recursive_card_bet", "leduc", Switch::off, TraversalMode::recursive, NetworkType::card_bet},
                    Variant{"three_players", "kuhn3", Switch::automatic, TraversalMode::interleaved, NetworkType::mlp},
                    Variant{"fhp", "fhp", Switch::automatic, TraversalMode::interleaved, NetworkType::mlp}),
    [](const auto& variant) { return variant.param.name; });

TEST(Loop, BatchedAndRecursiveTraversalGiveTheSameSamplesAndWeights) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("leduc");
  o.algorithm.small_game = Switch::off;
  start(o, dir.run("batched"));
  o.traversal.mode = TraversalMode::recursive;
  start(o, dir.run("recursive"));
  expect_same_run(dir.run("batched"), dir.run("recursive"), "00000004");
}

TEST(Loop, ResultsDoNotDependOnTraversalsInFlight) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("leduc");
  o.algorithm.small_game = Switch::off;
  o.traversal.in_flight = 7;
  start(o, dir.run("seven"));
  o.traversal.in_flight = 300;
  start(o, dir.run("many"));
  expect_same_run(dir.run("seven"), dir.run("many"), "00000004");
}

TEST(Loop, MemoriesInFilesGiveTheSameRunAndLeaveNothingBehind) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("leduc");
  o.algorithm.small_game = Switch::off;
  o.memory.advantage_capacity = 100;  // full from the second iteration on
  start(o, dir.run("ram"));
  o.memory.storage = MemoryStorage::file;
  start(o, dir.run("file"));
  expect_same_run(dir.run("ram"), dir.run("file"), "00000004");
  EXPECT_TRUE(std::filesystem::is_empty(dir.run("file/memory")));
  EXPECT_FALSE(std::filesystem::exists(dir.run("ram/memory")));
  o.memory.directory = dir.run("elsewhere");
  o.algorithm.iterations = 2;
  start(o, dir.run("parts"));
  EXPECT_TRUE(std::filesystem::is_empty(dir.run("elsewhere")));
  EXPECT_FALSE(std::filesystem::exists(dir.run("parts/memory")));
  o.memory.storage = MemoryStorage::ram;  // may change on resume
  o.algorithm.iterations = 3;
  resume(o, dir.run("parts"));
  o.memory.storage = MemoryStorage::file;
  o.algorithm.iterations = 4;
  resume(o, dir.run("parts"));
  EXPECT_EQ(checkpoint_files(dir.run("ram"), "00000004"), checkpoint_files(dir.run("parts"), "00000004"));
}

TEST(Loop, StrategyNetworksAreFittedOnlyForWhoReadsThem) {
  const TemporaryDirectory dir;
  const auto rows_of = [&](const char* name, const TrainOptions& o) {
    start(o, dir.run(name));
    std::vector<bool> fitted;
    std::ifstream in(dir / (std::string(name) + "/metrics.jsonl"));
    for (std::string line; std::getline(in, line);) {
      const nlohmann::json row = nlohmann::json::parse(line);
      EXPECT_EQ(row["policy_network_seconds"].get<double>() > 0, row.contains("strategy_loss"));
      fitted.push_back(row.contains("strategy_loss"));
    }
    return fitted;
  };
  const auto has = [&](const char* run, const char* checkpoint) { return checkpoint_files(dir.run(run), checkpoint).contains("strategy_p0.safetensors"); };
  using Rows = std::vector<bool>;
  TrainOptions o = tiny_options("leduc");
  o.algorithm.iterations = 5;
  EXPECT_EQ(rows_of("played", o), (Rows{false, true, false, true, true}));
  EXPECT_FALSE(has("played", "00000001"));
  o.evaluation.policy = AveragePolicy::mixture;
  EXPECT_EQ(rows_of("measured", o), (Rows{false, true, false, true, true})) << "its NashConv is told";
  o.evaluation.exploitability = Switch::off;
  EXPECT_EQ(rows_of("unread", o), (Rows{false, false, false, false, true}));
  o.checkpoint.every = 3;
  o.checkpoint.strategy_network = true;
  EXPECT_EQ(rows_of("saved", o), (Rows{false, false, true, false, true}));
  EXPECT_TRUE(has("saved", "00000003"));
  // nothing else depends on it
  const auto last = [&](const char* run) { return checkpoint_files(dir.run(run), "00000005"); };
  for (const char* run : {"measured", "unread", "saved"}) EXPECT_EQ(last("played"), last(run)) << run;
}

TEST(Loop, AnEvaluationByTheMixtureDoesWithoutStrategyNetworks) {
  for (const char* game : {"leduc", "fhp"}) {
    const TemporaryDirectory dir;
    TrainOptions o = tiny_options(game);
    o.algorithm.traversals = 20;
    o.algorithm.iterations = 3;
    o.evaluation.eval_every = 1;
    o.evaluation.policy = AveragePolicy::mixture;
    o.evaluation.exploitability = Switch::off;
    start(o, dir.run("run"));
    const auto rows = timeless_metrics(dir.run("run"));
    ASSERT_EQ(rows.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& evaluation = rows[i]["evaluation"];
      EXPECT_EQ(evaluation["matches"].size(), 1U);
      EXPECT_EQ(evaluation.contains("disagreement"), i == 2) << "both averages are there at the end only";
      EXPECT_FALSE(evaluation.contains("network"));
    }
  }
}

TEST(Loop, SeedsDiffer) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options();
  start(o, dir.run("seven"));
  o.seed = 8;
  start(o, dir.run("eight"));
  EXPECT_NE(timeless_metrics(dir.run("seven")).back()["samples_hash"], timeless_metrics(dir.run("eight")).back()["samples_hash"]);
}

TEST(Loop, A06AFitTouchesItsOwnPlayersNetworkOnly) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("kuhn3");
  std::atomic<int> stop{0};
  QuietObserver observer;
  std::int64_t stop_at = 2;
  std::string phase = "traversal";
  observer.on_progress = [&](const Progress& progress) {
    if (progress.iteration == stop_at && progress.phase == phase) stop = 1;
  };
  const std::string run = dir.run("run");
  ASSERT_EQ(start_run(o, "seed: 7\n", run, observer, stop).end, RunEnd::interrupted);
  const auto before = checkpoint_files(run, "00000001+1");  // player 0 has traversed, not fitted
  stop = 0;
  phase = "advantage network";
  ASSERT_EQ(resume_run(o, "seed: 7\n", run, observer, stop).end, RunEnd::interrupted);
  const auto after = checkpoint_files(run, "00000001+2");
  EXPECT_NE(before.at("advantage_p0.safetensors").substr(300), after.at("advantage_p0.safetensors").substr(300));
  EXPECT_EQ(before.at("advantage_p1.safetensors"), after.at("advantage_p1.safetensors"));
  EXPECT_EQ(before.at("advantage_p2.safetensors"), after.at("advantage_p2.safetensors"));
}

TEST(Loop, Statement11FreshWeightsAndStepCountsOfEachNetwork) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options();
  o.advantage_fit.steps = 13;
  o.strategy_fit.steps = 29;
  start(o, dir.run("run"));
  std::set<std::string> hashes;
  const auto rows = timeless_metrics(dir.run("run"));
  for (const auto& row : rows) {
    EXPECT_EQ(row["advantage_steps"], (nlohmann::json{13, 13}));
    for (const auto& hash : row["weights_hash"]) hashes.insert(hash.get<std::string>());
  }
  EXPECT_EQ(hashes.size(), 8U);
  EXPECT_EQ(rows[1]["strategy_steps"], (nlohmann::json{29, 29}));
}

TEST(Loop, A26TheArchiveGrowsByOneNetworkAnIteration) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options();
  o.algorithm.iterations = 20;
  start(o, dir.run("a"));
  o.algorithm.iterations = 40;
  start(o, dir.run("b"));
  const auto size = [&](const char* run) { return std::filesystem::file_size(std::filesystem::path(dir.run(run)) / "archive/advantage_p0.bin"); };
  const std::string weights = checkpoint_files(dir.run("b"), "00000040").at("advantage_p0.safetensors");
  const double growth = static_cast<double>(size("b") - size("a"));
  EXPECT_LE(growth, 20.0 * static_cast<double>(weights.size()));
}

TEST(Loop, A22AverageAndCurrentPoliciesAreLabelledAndDiffer) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options();
  o.algorithm.iterations = 30;
  o.algorithm.traversals = 300;
  o.advantage_fit.steps = o.strategy_fit.steps = 150;
  o.evaluation.eval_every = 0;
  const RunOutcome outcome = start(o, dir.run("run"));
  ASSERT_TRUE(outcome.last_evaluation && outcome.last_evaluation->network && outcome.last_evaluation->mixture && outcome.last_evaluation->current);
  EXPECT_NE(outcome.last_evaluation->current->nash_conv, outcome.last_evaluation->network->nash_conv);
  EXPECT_LT(outcome.last_evaluation->network->nash_conv, 0.5);  // uniform 0.9167
  EXPECT_LT(outcome.last_evaluation->mixture->nash_conv, 0.5);
  EXPECT_LT(outcome.last_evaluation->disagreement.value(), 0.2);
  EXPECT_NEAR(outcome.last_evaluation->network->report.nash_conv / 2, outcome.last_evaluation->network->report.exploitability, 1e-12);
}

TEST(Loop, A16ThreePlayerKuhnFallsBelowUniform) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("kuhn3");
  o.algorithm.iterations = 20;
  o.algorithm.traversals = 300;
  o.advantage_fit.steps = o.strategy_fit.steps = 150;
  o.memory.advantage_capacity = o.memory.strategy_capacity = 100'000;
  o.evaluation.eval_every = 0;
  const RunOutcome outcome = start(o, dir.run("run"));
  EXPECT_LT(outcome.last_evaluation->network->nash_conv, 1.0);  // uniform 2.0625
  EXPECT_LT(outcome.last_evaluation->mixture->nash_conv, 1.0);
}

TEST(Loop, AgentReadBackIsTheOneThatWasEvaluated) {
  for (const char* game : {"leduc", "fhp"}) {
    const TemporaryDirectory dir;
    TrainOptions o = tiny_options(game);
    const RunOutcome outcome = start(o, dir.run("run"));
    const Agent agent = load_agent(o, dir.run("run"));
    EXPECT_EQ(agent.iteration, 4);
    EXPECT_TRUE(agent.warnings.empty());
    ASSERT_TRUE(agent.network && agent.mixture && agent.current);
    if (!agent.small_game) continue;
    EXPECT_EQ(exploitability(*agent.small_game, *agent.network).nash_conv, outcome.last_evaluation->network->report.nash_conv);
    EXPECT_EQ(exploitability(*agent.small_game, *agent.mixture).nash_conv, outcome.last_evaluation->mixture->report.nash_conv);
    EXPECT_EQ(exploitability(*agent.small_game, *agent.current).nash_conv, outcome.last_evaluation->current->report.nash_conv);
  }
}

TEST(Loop, A32AnAgentOfOneIterationIsEvaluated) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("leduc");
  o.algorithm.iterations = 1;
  o.algorithm.traversals = 1;
  start(o, dir.run("run"));
  const Agent agent = load_agent(o, dir.run("run"));
  EXPECT_TRUE(std::isfinite(exploitability(*agent.small_game, *agent.network).nash_conv));
  EXPECT_TRUE(std::isfinite(exploitability(*agent.small_game, *agent.mixture).nash_conv));
}

TEST(Loop, SamplesAreReadBackInWords) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options("leduc");
  start(o, dir.run("run"));
  for (const SampleKind kind : {SampleKind::advantage, SampleKind::strategy}) {
    std::set<std::string> infosets;
    std::set<std::int64_t> iterations;
    read_samples(o, dir.run("run"), kind, 1, [&](const SampleRow& row) {
      infosets.insert(row.infoset);
      iterations.insert(row.iteration);
      EXPECT_EQ(row.legal.size(), row.targets.size());
      if (kind == SampleKind::strategy) {
        double sum = 0;
        for (const double p : row.targets) sum += p;
        EXPECT_NEAR(sum, 1, 1e-3);
      }
      return true;
    });
    EXPECT_GT(infosets.size(), 20U);
    EXPECT_EQ(iterations, (std::set<std::int64_t>{1, 2, 3, 4}));
  }
  EXPECT_THROW(read_samples(o, dir.run("run"), SampleKind::advantage, 2, [](const SampleRow&) { return true; }), Error);
}

TEST(Loop, T46TheRunDirectoryHoldsConfigLogAndMetrics) {
  const TemporaryDirectory dir;
  start(tiny_options(), dir.run("run"));
  const std::filesystem::path run = dir.run("run");
  EXPECT_EQ(read_text(run / "config.yaml"), "seed: 7\n");
  EXPECT_NE(read_text(run / "log.txt").find("iteration 4/4"), std::string::npos);
  const auto rows = timeless_metrics(dir.run("run"));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_TRUE(rows[1].contains("evaluation"));
  EXPECT_EQ(rows[1]["evaluation"]["matches"][0]["opponent"], "random");  // E11: opponents and exploitability both
  EXPECT_TRUE(rows[1]["evaluation"].contains("network"));
  std::ifstream in(run / "metrics.jsonl");
  std::string line;
  std::getline(in, line);
  for (const char* key : {"traversal_seconds", "advantage_network_seconds", "policy_network_seconds", "evaluation_seconds", "checkpoint_seconds", "decisions_per_second"}) {
    EXPECT_TRUE(nlohmann::json::parse(line).contains(key)) << key;
  }
}

TEST(Loop, ARunDirectoryThatIsTakenIsRefused) {
  const TemporaryDirectory dir;
  start(tiny_options(), dir.run("run"));
  EXPECT_THROW(start(tiny_options(), dir.run("run")), Error);
}

TEST(Loop, OtherSettingsAreRefusedOnResume) {
  const TemporaryDirectory dir;
  TrainOptions o = tiny_options();
  start(o, dir.run("run"));
  o.advantage_fit.learning_rate = 0.5;
  try {
    resume(o, dir.run("run"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find("training.advantage"), std::string::npos);
  }
}

}  // namespace
}  // namespace deepcfr
