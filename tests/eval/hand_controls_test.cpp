#include "hand_controls.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/cfr/small_game.h"
#include "deepcfr/eval/best_response.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

/// Numbers without any sense, different for every betting history; hole cards of all players come in at will, and squares of the edges
/// wherever chance does not act next.
class SenselessValue final : public ValueFunction {
 public:
  std::vector<double> prior() const override { return {1, 1, 1}; }
  void terms(const State& state, std::span<const double> edge, int hero, std::span<double> out) const override {
    for (std::size_t k = 0; k < out.size(); ++k) {
      std::uint64_t key = mix_key({k, state.history.size, static_cast<std::uint64_t>(state.spent[0]), static_cast<std::uint64_t>(hero)});
      for (int i = 0; i < state.history.size; ++i) key = mix_key({key, state.history[i]});
      const CounterRandom numbers(key);
      out[k] = 10 * numbers.uniform(0);
      for (std::size_t p = 0; p < edge.size(); ++p) {
        out[k] += 20 * numbers.uniform(p + 1) * edge[p];
        if (state.acted != 0) out[k] += edge[p] * edge[p] * 5 + numbers.uniform(p + 20) * state.deal.hole[p][0];
      }
    }
  }
};

std::vector<double> random_strategy(const SmallGame& game, std::uint64_t seed) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {seed}));
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  std::vector<double> table(static_cast<std::size_t>(game.num_infosets()) * actions, 0.0), weights(actions);
  for (int i = 0; i < game.num_infosets(); ++i) {
    for (double& weight : weights) weight = random.uniform() < 0.3 ? 0 : random.uniform();
    regret_matching_uniform(std::span<const double>(weights), game.legal(i),
                            std::span(table).subspan(static_cast<std::size_t>(i) * actions, actions));
  }
  return table;
}

/// Expectations over all deals and all ways to play them, hand by hand.
class Expectation {
 public:
  Expectation(const SmallGame& small, std::span<const double> table, const ValueFunction* values, int hero)
      : small_(small), table_(table), values_(values), hero_(hero), controls(HandControls(small.game(), 3, 1, values).terms()) {
    for (int d = 0; d < small.num_deals(); ++d) {
      path_.clear();
      walk(d, small.game().initial_state(small.deal(d)), 1.0 / small.num_deals());
    }
  }

 private:
  struct Step {
    State before;
    std::span<const double> strategy;
    Action action;
  };
  void walk(int d, const State& state, double probability) {
    if (state.finished) return end(d, state, probability);
    const auto actions = static_cast<std::size_t>(small_.game().num_actions());
    const std::span<const double> row = table_.subspan(static_cast<std::size_t>(small_.find(state)) * actions, actions);
    for (std::size_t a = 0; a < actions; ++a) {
      if (!(row[a] > 0)) continue;
      State next = state;
      small_.game().apply(next, static_cast<Action>(a));
      path_.push_back({state, row, static_cast<Action>(a)});
      walk(d, next, probability * row[a]);
      path_.pop_back();
    }
  }
  void end(int d, const State& state, double probability) {
    HandControls hand(small_.game(), 3, 1, values_);
    hand.begin(static_cast<std::uint64_t>(d), 1);
    hand.start(0, small_.game().initial_state(small_.deal(d)), hero_);
    for (std::size_t i = 0; i < path_.size(); ++i) {
      hand.acted(0, path_[i].before, path_[i].strategy, path_[i].action, i + 1 < path_.size() ? path_[i + 1].before : state);
    }
    std::vector<double> values(static_cast<std::size_t>(small_.game().players()));
    hand.result(0, state, values);
    const double x = values[static_cast<std::size_t>(hero_)];
    result += probability * x;
    double corrected = x;
    for (std::size_t k = 0; k < controls.size(); ++k) {
      controls[k] += probability * hand.controls(0)[k];
      corrected -= hand.controls(0)[k] * (k < values_->prior().size() ? values_->prior()[k] : 0);
    }
    square += probability * x * x;
    corrected_square += probability * corrected * corrected;
    small_.game().values(state, values);
    const double dealt = values[static_cast<std::size_t>(hero_)];
    changed += dealt != x ? 1 : 0;
    dealt_square += probability * dealt * dealt;
  }

  const SmallGame& small_;
  std::span<const double> table_;
  const ValueFunction* values_;
  int hero_;
  std::vector<Step> path_;

 public:
  double result = 0, square = 0, corrected_square = 0, dealt_square = 0;
  int changed = 0;  ///< hands whose all-in equity is not what was dealt
  std::vector<double> controls;
};

/// Two rounds, one board card, no limit: hands end all-in before it.
constexpr const char* kTwoPlayers = R"(GAMEDEF
nolimit
numPlayers = 2
numRounds = 2
stack = 9 7
blind = 1 2
firstPlayer = 2 1
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
)";
/// With side pots and players who fold before others go on.
constexpr const char* kThreePlayers = R"(GAMEDEF
nolimit
numPlayers = 3
numRounds = 2
stack = 3 4 6
blind = 1 0 0
firstPlayer = 2 1
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
)";

Game no_limit(const char* text, int max_raises) {
  GameDefinition definition = parse_game_definition(text, "test");
  BetAbstraction sizes;
  for (auto& fractions : sizes.pot_fractions) fractions = {1.0};
  sizes.max_raises = max_raises;
  return Game(definition, RuleSet::acpc, sizes);
}

void expect_unbiased(const Game& game, const ValueFunction& values) {
  const auto small = std::make_shared<const SmallGame>(game);
  const std::vector<double> table = random_strategy(*small, 1);
  const std::vector<double> exact = expected_values(*small, table);
  for (int hero = 0; hero < game.players(); ++hero) {
    const Expectation expectation(*small, table, &values, hero);
    EXPECT_NEAR(expectation.result, exact[static_cast<std::size_t>(hero)], 1e-9) << game.name() << " seat " << hero;
    for (const double control : expectation.controls) EXPECT_NEAR(control, 0, 1e-9) << game.name() << " seat " << hero;
  }
}

TEST(HandControls, AnyValueFunctionLeavesTheExpectationAsItIs) {
  const SenselessValue senseless;
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) expect_unbiased(make_game(name), senseless);
  expect_unbiased(no_limit(kTwoPlayers, 2), senseless);
  expect_unbiased(no_limit(kThreePlayers, 1), senseless);
}

TEST(HandControls, SoDoesTheOneThatIsUsed) {
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) {
    const Game game = make_game(name);
    expect_unbiased(game, *make_pot_value(game));
  }
  for (const char* text : {kTwoPlayers, kThreePlayers}) {
    const Game game = no_limit(text, 1);
    expect_unbiased(game, *make_pot_value(game));
  }
}

TEST(HandControls, TheyTakeLuckOut) {
  for (const char* name : {"kuhn", "leduc"}) {
    const Game game = make_game(name);
    const auto small = std::make_shared<const SmallGame>(game);
    const std::vector<double> table = random_strategy(*small, 1);
    const auto values = make_pot_value(game);
    const Expectation expectation(*small, table, values.get(), 0);
    const double mean_square = expectation.result * expectation.result;
    EXPECT_LT(expectation.corrected_square - mean_square, 0.6 * (expectation.square - mean_square)) << name;
  }
}

TEST(HandControls, AllInEquityAloneKeepsTheExpectation) {
  for (const char* text : {kTwoPlayers, kThreePlayers}) {
    const Game game = no_limit(text, 1);
    const auto small = std::make_shared<const SmallGame>(game);
    const std::vector<double> table = random_strategy(*small, 2);
    for (int hero = 0; hero < game.players(); ++hero) {
      const Expectation expectation(*small, table, nullptr, hero);
      EXPECT_GT(expectation.changed, 0);
      EXPECT_NEAR(expectation.result, expected_values(*small, table)[static_cast<std::size_t>(hero)], 1e-9);
      EXPECT_LT(expectation.square, expectation.dealt_square);
    }
  }
}

}  // namespace
}  // namespace deepcfr
