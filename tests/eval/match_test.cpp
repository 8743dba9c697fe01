#include "deepcfr/eval/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/cfr/small_game.h"
#include "deepcfr/core/error.h"
#include "deepcfr/eval/best_response.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

/// The equilibrium of Kuhn with alpha: bluff alpha, the first player's best card bets 3·alpha.
std::vector<double> kuhn_equilibrium(const SmallGame& small, double alpha) {
  std::vector<double> table;
  for (int i = 0; i < small.num_infosets(); ++i) {
    const State& state = small.sample_state(i);
    const int card = card_rank(state.deal.hole[state.actor][0]) - card_rank(make_deck(3, 1)[0]);  // 0 low, 1 middle, 2 high
    const bool facing_bet = (small.legal(i) & 1) != 0;
    std::array<double, 3> active;  // probability of betting or calling, by card
    if (state.actor == 0) {
      active = facing_bet ? std::array{0.0, alpha + 1. / 3, 1.0} : std::array{alpha, 0.0, 3 * alpha};
    } else {
      active = facing_bet ? std::array{0.0, 1. / 3, 1.0} : std::array{1. / 3, 0.0, 1.0};
    }
    const double p = active[static_cast<std::size_t>(card)];
    const std::array<double, 3> row = facing_bet ? std::array{1 - p, p, 0.0} : std::array{0.0, 1 - p, p};
    table.insert(table.end(), row.begin(), row.end());
  }
  return table;
}

std::vector<double> random_strategy(const SmallGame& game, std::uint64_t seed) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {seed}));
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  std::vector<double> table(static_cast<std::size_t>(game.num_infosets()) * actions, 0.0);
  std::vector<double> weights(actions);
  for (int i = 0; i < game.num_infosets(); ++i) {
    for (double& weight : weights) weight = random.uniform();
    regret_matching(std::span<const double>(weights), game.legal(i),
                    std::span(table).subspan(static_cast<std::size_t>(i) * actions, actions));
  }
  return table;
}

/// Value of `hero` in `seat` against `opponent` in all others.
double exact_value(const SmallGame& small, const std::vector<double>& hero, std::vector<double> opponent, int seat) {
  const auto actions = static_cast<std::size_t>(small.game().num_actions());
  for (int i = 0; i < small.num_infosets(); ++i) {
    if (small.player_of(i) != seat) continue;
    for (std::size_t a = static_cast<std::size_t>(i) * actions; a < static_cast<std::size_t>(i + 1) * actions; ++a)
      opponent[a] = hero[a];
  }
  return expected_values(small, opponent)[static_cast<std::size_t>(seat)];
}

bool same(const MatchResult& a, const MatchResult& b) {
  return a.hands == b.hands && a.mean == b.mean && a.standard_deviation == b.standard_deviation && a.ci_low == b.ci_low &&
         a.ci_high == b.ci_high && a.mean_by_seat == b.mean_by_seat && a.distinct_deals == b.distinct_deals;
}

// A18: every result goes to the seat that it belongs to.
TEST(Match, KuhnEquilibriumAgainstItselfInBothSeats) {
  const Game kuhn = make_game("kuhn");
  const auto small = std::make_shared<const SmallGame>(kuhn);
  const std::vector<double> table = kuhn_equilibrium(*small, 1. / 3);
  const ExploitabilityReport exact = exploitability(*small, table);
  EXPECT_NEAR(exact.nash_conv, 0, 1e-12);
  EXPECT_NEAR(exact.value[0], -1. / 18, 1e-12);
  EXPECT_NEAR(exact.value[1], 1. / 18, 1e-12);
  TabularPolicy policy(small, table, "equilibrium");
  const MatchResult result = play_match(kuhn, policy, policy, {.games = 400'000});
  EXPECT_EQ(result.unit, "antes");
  EXPECT_EQ(result.hands, 400'000);
  const double half_width = 5 * result.standard_deviation / std::sqrt(200'000.0);
  EXPECT_NEAR(result.mean_by_seat[0], -1. / 18, half_width);
  EXPECT_NEAR(result.mean_by_seat[1], 1. / 18, half_width);
  EXPECT_NEAR(result.mean, 0, half_width);
  EXPECT_NEAR(result.mean, (result.mean_by_seat[0] + result.mean_by_seat[1]) / 2, 1e-12);
}

TEST(Match, MeansAgreeWithExactValuesInEverySeat) {
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) {
    const Game game = make_game(name);
    const auto small = std::make_shared<const SmallGame>(game);
    const std::vector<double> table = random_strategy(*small, 1), other_table = random_strategy(*small, 2);
    TabularPolicy hero(small, table, "hero"), opponent(small, other_table, "opponent");
    const MatchResult result = play_match(game, hero, opponent, {.games = 120'000});
    EXPECT_EQ(result.opponent, "opponent");
    double mean = 0;
    for (int seat = 0; seat < game.players(); ++seat) {
      const double exact = exact_value(*small, table, other_table, seat);
      mean += exact / game.players();
      EXPECT_NEAR(result.mean_by_seat[static_cast<std::size_t>(seat)], exact,
                  5 * result.standard_deviation / std::sqrt(120'000.0 / game.players()));
    }
    const double half_width = (result.ci_high - result.ci_low) / 2;
    EXPECT_GT(half_width, 0);
    EXPECT_NEAR(result.mean, mean, 2.5 * half_width) << name;
  }
}

// The interval holds the exact value about 95 times in 100.
TEST(Match, IntervalsCoverTheExactValue) {
  const Game game = make_game("kuhn");
  const auto small = std::make_shared<const SmallGame>(game);
  const std::vector<double> table = random_strategy(*small, 3), other_table = random_strategy(*small, 4);
  TabularPolicy hero(small, table, "hero"), opponent(small, other_table, "opponent");
  const double exact = (exact_value(*small, table, other_table, 0) + exact_value(*small, table, other_table, 1)) / 2;
  int covered = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const MatchResult result = play_match(game, hero, opponent, {.games = 500, .seed = seed});
    covered += result.ci_low <= exact && exact <= result.ci_high ? 1 : 0;
  }
  EXPECT_GE(covered, 920);
  EXPECT_LE(covered, 975);
}

TEST(Match, ResultsDoNotDependOnTheBatchButOnTheSeed) {
  const Game game = make_game("leduc");
  const auto uniform = make_fixed_policy(game, "uniform");
  const MatchResult result = play_match(game, *uniform, *uniform, {.games = 1000, .seed = 7, .batch = 1024});
  for (const std::int64_t batch : {1, 3, 100, 100'000}) {
    EXPECT_TRUE(same(result, play_match(game, *uniform, *uniform, {.games = 1000, .seed = 7, .batch = batch}))) << batch;
  }
  EXPECT_FALSE(same(result, play_match(game, *uniform, *uniform, {.games = 1000, .seed = 8})));
  // The first hands of a longer match are those of a shorter one.
  EXPECT_EQ(play_match(game, *uniform, *uniform, {.games = 2, .seed = 7}).mean_by_seat.size(), 2U);
}

TEST(Match, UniformAgainstItselfIsEven) {
  for (const char* name : {"leduc", "hulh", "hunl"}) {
    const Game game = make_game(name);
    const auto uniform = make_fixed_policy(game, "uniform");
    const MatchResult result = play_match(game, *uniform, *uniform, {.games = 20'000});
    EXPECT_NEAR(result.mean, 0, 2.5 * (result.ci_high - result.ci_low) / 2) << name;
    EXPECT_EQ(result.unit, std::string(name) == "leduc" ? "antes" : "mbb/g");
  }
}

TEST(Match, DeterministicPolicyAgainstItselfIsExactlyEvenOnSharedDeals) {
  for (const char* name : {"kuhn", "kuhn3", "leduc", "hulh", "nlhe6"}) {
    const Game game = make_game(name);
    const auto caller = make_fixed_policy(game, "always_call");
    const MatchResult result = play_match(game, *caller, *caller, {.games = 600});
    EXPECT_NEAR(result.mean, 0, 1e-9) << name;
    EXPECT_NEAR(result.ci_high - result.ci_low, 0, 1e-9);
    EXPECT_GT(result.standard_deviation, 0);
  }
}

// E25: no variance at all is visible as a standard deviation of 0 over many deals.
TEST(Match, ZeroVarianceIsVisible) {
  const Game hulh = make_game("hulh");
  const auto folder = make_fixed_policy(hulh, "always_fold");
  const auto raiser = make_fixed_policy(hulh, "always_raise");
  const MatchResult result = play_match(hulh, *raiser, *folder, {.games = 1000});
  EXPECT_EQ(result.distinct_deals, 500);
  EXPECT_EQ(result.hands, 1000);
  EXPECT_DOUBLE_EQ(result.mean_by_seat[0], 500);   // in the big blind: the small blind (500 mbb) folds at once
  EXPECT_DOUBLE_EQ(result.mean_by_seat[1], 1000);  // in the small blind: it raises and the big blind goes
  EXPECT_DOUBLE_EQ(result.ci_low, result.ci_high);
  const Game kuhn = make_game("kuhn");
  const auto kuhn_folder = make_fixed_policy(kuhn, "always_fold"), kuhn_raiser = make_fixed_policy(kuhn, "always_raise");
  const MatchResult antes = play_match(kuhn, *kuhn_raiser, *kuhn_folder, {.games = 1000});
  EXPECT_EQ(antes.distinct_deals, 6);
  EXPECT_EQ(antes.standard_deviation, 0);
  EXPECT_DOUBLE_EQ(antes.mean, 1);
}

TEST(Match, GamesAreRoundedUpToWholeRoundsOfSeats) {
  const Game game = make_game("kuhn3");
  const auto uniform = make_fixed_policy(game, "uniform");
  EXPECT_EQ(play_match(game, *uniform, *uniform, {.games = 1}).hands, 3);
  EXPECT_EQ(play_match(game, *uniform, *uniform, {.games = 3}).hands, 3);
  EXPECT_EQ(play_match(game, *uniform, *uniform, {.games = 4}).hands, 6);
  EXPECT_THROW(play_match(game, *uniform, *uniform, {.games = 0}), Error);
  EXPECT_THROW(play_match(game, *uniform, *uniform, {.games = 1, .batch = 0}), Error);
}

/// Notes what it is asked.
class Spy final : public Policy {
 public:
  Spy(const Game& game, std::string name) : uniform_(make_fixed_policy(game, "uniform")), name_(std::move(name)) {}
  void probabilities(std::span<const State* const> /*states*/, std::span<double> /*out*/) override { FAIL(); }
  void probabilities_in_hands(std::span<const State* const> states, std::span<const std::uint64_t> hand_keys,
                              std::span<double> out) override {
    ++calls;
    for (std::size_t i = 0; i < states.size(); ++i) {
      keys[{states[i]->deal.hole[0][0], states[i]->deal.hole[1][0]}].insert(hand_keys[i]);
      all_keys.insert(hand_keys[i]);
      keys_of_actor[states[i]->actor].insert(hand_keys[i]);
      ++decisions;
    }
    uniform_->probabilities(states, out);
  }
  std::string name() const override { return name_; }
  std::unique_ptr<Policy> clone() const override { return nullptr; }

  int calls = 0;
  int decisions = 0;
  std::set<std::uint64_t> all_keys;
  std::map<int, std::set<std::uint64_t>> keys_of_actor;
  std::map<std::pair<int, int>, std::set<std::uint64_t>> keys;

 private:
  std::unique_ptr<Policy> uniform_;
  std::string name_;
};

TEST(Match, AsksEachPolicyOncePerStepWithOneKeyForAHandAndSeat) {
  const Game game = make_game("leduc");
  Spy hero(game, "hero"), opponent(game, "opponent");
  play_match(game, hero, opponent, {.games = 1000, .batch = 1000});
  EXPECT_LE(hero.calls, 9);  // as many as the longest hand has steps
  EXPECT_LE(opponent.calls, 9);
  EXPECT_GT(hero.decisions, 1500);
  EXPECT_LE(hero.all_keys.size(), 1000U);  // the same at every decision of a hand
  EXPECT_GT(hero.all_keys.size(), 950U);   // another in another hand
  EXPECT_NEAR(static_cast<double>(hero.keys_of_actor[0].size()), 500, 1);
  for (const std::uint64_t key : hero.all_keys) EXPECT_EQ(opponent.all_keys.count(key), 0U);
  // Keys are a function of seed, game number and seat.
  Spy again(game, "hero"), opponent_again(game, "opponent");
  play_match(game, again, opponent_again, {.games = 1000, .batch = 7});
  EXPECT_EQ(again.all_keys, hero.all_keys);
}

class IllegalPolicy final : public Policy {
 public:
  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    const std::size_t actions = out.size() / states.size();
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = i % actions == 0 ? 1 : 0;  // fold, even when there is nothing to fold to
  }
  std::string name() const override { return "illegal"; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<IllegalPolicy>(*this); }
};

TEST(Match, AnIllegalActionIsABug) {
  const Game game = make_game("kuhn");
  IllegalPolicy illegal;
  EXPECT_THROW(play_match(game, illegal, illegal, {}), Error);
}

}  // namespace
}  // namespace deepcfr
