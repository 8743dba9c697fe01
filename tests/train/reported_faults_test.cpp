// Faults that users of such programs reported, by their ids; those that need a whole training run.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "deepcfr/eval/best_response.h"
#include "deepcfr/game/acpc_string.h"
#include "run_fixture.h"

namespace deepcfr {
namespace {

/// 200 iterations × 100 traversals, 64 × 64, 200 steps from fresh weights.
TrainOptions a01_options(std::uint64_t seed) {
  TrainOptions o = tiny_options();
  o.seed = seed;
  o.algorithm.iterations = 200;
  o.algorithm.traversals = 100;
  o.advantage_network.hidden = o.strategy_network.hidden = 64;
  o.advantage_fit.steps = o.strategy_fit.steps = 200;
  o.memory.advantage_capacity = o.memory.strategy_capacity = 1'000'000;
  o.evaluation.eval_every = 0;
  o.checkpoint.every = 0;
  return o;
}

/// Probability that the hero of a Kuhn state calls.
double call_probability(const Agent& agent, const char* acpc) {
  const State state = parse_acpc_state(*agent.game, acpc).state;
  const State* states[] = {&state};
  std::vector<double> row(3);
  agent.network->probabilities(states, row);
  return row[kCall];
}

TEST(ReportedFaults, A01A02A27ASmallRunOfKuhnLearns) {
  std::vector<double> nash_convs;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const TemporaryDirectory dir;
    QuietObserver observer;
    const TrainOptions o = a01_options(seed);
    const RunOutcome outcome = start_run(o, "x: 1\n", dir.run("run"), observer, kNeverStop);
    nash_convs.push_back(outcome.last_evaluation->network->nash_conv);
    EXPECT_LE(nash_convs.back(), 0.25);                                         // A01; uniform is 0.9167
    EXPECT_NEAR(outcome.last_evaluation->network->report.value[0], -1.0 / 18, 0.03);  // A02
    const Agent agent = load_agent(o, dir.run("run"));
    EXPECT_LE(call_probability(agent, "STATE:0:r:Ks|Qs"), 0.10);  // A27: the jack's part is the queen's here (Qs Ks As)
    EXPECT_GE(call_probability(agent, "STATE:0:r:Ks|As"), 0.90);
  }
  std::sort(nash_convs.begin(), nash_convs.end());
  EXPECT_LE(nash_convs[1], 0.15);
}

TEST(ReportedFaults, A27CardsMatterInHoldem) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  TrainOptions o = tiny_options("hunl");
  o.algorithm.iterations = 3;
  o.algorithm.traversals = 200;
  o.advantage_network.hidden = o.strategy_network.hidden = 32;
  o.advantage_fit.steps = o.strategy_fit.steps = 300;
  o.advantage_fit.batch_size = o.strategy_fit.batch_size = 128;
  o.memory.advantage_capacity = o.memory.strategy_capacity = 50'000;
  o.evaluation.eval_every = 0;
  start_run(o, "x: 1\n", dir.run("run"), observer, kNeverStop);
  const Agent agent = load_agent(o, dir.run("run"));
  const auto policy = [&](const char* acpc) {
    const State state = parse_acpc_state(*agent.game, acpc).state;
    const State* states[] = {&state};
    std::vector<double> row(static_cast<std::size_t>(agent.game->num_actions()));
    agent.network->probabilities(states, row);
    return row;
  };
  const std::vector<double> aces = policy("STATE:0::2c3d|AsAh");
  const std::vector<double> seven_two = policy("STATE:0::2c3d|7s2h");
  double distance = 0;
  for (std::size_t a = 0; a < aces.size(); ++a) distance += std::abs(aces[a] - seven_two[a]) / 2;
  EXPECT_GT(distance, 0.05);
}

TEST(ReportedFaults, T41TheErrorThatEndsARunIsInItsLog) {
  const TemporaryDirectory dir;
  QuietObserver observer;
  observer.on_progress = [](const Progress& progress) {
    if (progress.iteration == 2) throw std::runtime_error("the disk is on fire");
  };
  EXPECT_THROW(start_run(tiny_options(), "x: 1\n", dir.run("run"), observer, kNeverStop), std::runtime_error);
  EXPECT_NE(read_text(dir / "run/log.txt").find("the disk is on fire"), std::string::npos);
}

TEST(ReportedFaults, T44EvaluationHappensWhenDueAndItsTimeIsTold) {
  for (const std::int64_t every : {1, 3, 0}) {
    const TemporaryDirectory dir;
    QuietObserver observer;
    TrainOptions o = tiny_options();
    o.algorithm.iterations = 7;
    o.evaluation.eval_every = every;
    start_run(o, "x: 1\n", dir.run("run"), observer, kNeverStop);
    std::ifstream in(dir / "run/metrics.jsonl");
    std::string line;
    while (std::getline(in, line)) {
      const nlohmann::json row = nlohmann::json::parse(line);
      const auto t = row["iteration"].get<std::int64_t>();
      const bool due = t == 7 || (every > 0 && t % every == 0);
      EXPECT_EQ(row.contains("evaluation"), due) << t;
      EXPECT_EQ(row["evaluation_seconds"].get<double>() > 0, due);
      EXPECT_EQ(row["policy_network_seconds"].get<double>() > 0, due);
    }
  }
}

}  // namespace
}  // namespace deepcfr
