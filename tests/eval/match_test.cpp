#include "deepcfr/eval/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
         a.ci_high == b.ci_high && a.mean_by_seat == b.mean_by_seat && a.distinct_deals == b.distinct_deals && a.p_value == b.p_value;
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
  for (const VarianceReduction kind : {VarianceReduction::plain, VarianceReduction::all_in, VarianceReduction::control}) {
    const MatchOptions options{.games = 1000, .seed = 7, .variance = kind};
    MatchOptions other = options;
    other.batch = 70;
    EXPECT_TRUE(same(play_match(game, *uniform, *uniform, options), play_match(game, *uniform, *uniform, other)));
  }
  EXPECT_FALSE(same(result, play_match(game, *uniform, *uniform, {.games = 1000, .seed = 8})));
  // The first hands of a longer match are those of a shorter one.
  EXPECT_EQ(play_match(game, *uniform, *uniform, {.games = 2, .seed = 7}).mean_by_seat.size(), 2U);
}

constexpr std::array kAllKinds{VarianceReduction::plain, VarianceReduction::duplicate, VarianceReduction::all_in, VarianceReduction::control};

TEST(Match, UniformAgainstItselfIsEvenInEveryGame) {
  for (const CatalogueEntry& entry : game_catalogue()) {
    const Game game = make_game(std::string(entry.name));
    const auto uniform = make_fixed_policy(game, "uniform");
    for (const VarianceReduction kind : kAllKinds) {
      const MatchResult result = play_match(game, *uniform, *uniform, {.games = 6000, .variance = kind});
      EXPECT_NEAR(result.mean, 0, 1.6 * (result.ci_high - result.ci_low) / 2) << entry.name << " " << static_cast<int>(kind);
      EXPECT_EQ(result.unit, game.definition().hole_cards == 1 ? "antes" : "mbb/g");
      EXPECT_EQ(result.samples, kind == VarianceReduction::plain ? 6000 : 6000 / game.players());
      EXPECT_EQ(result.variance, kind);
    }
  }
}

// Exactly: what one wins in one seat the other wins in the same seat. With more than two players the sum over the seats rounds.
TEST(Match, DeterministicPolicyAgainstItselfIsExactlyEvenOnSharedDeals) {
  for (const CatalogueEntry& entry : game_catalogue()) {
    const Game game = make_game(std::string(entry.name));
    for (const char* name : {"always_call", "always_raise"}) {
      const auto policy = make_fixed_policy(game, name);
      for (const VarianceReduction kind : {VarianceReduction::duplicate, VarianceReduction::all_in, VarianceReduction::control}) {
        const MatchResult result = play_match(game, *policy, *policy, {.games = 600, .variance = kind});
        if (game.players() == 2) {
          EXPECT_EQ(result.mean, 0) << entry.name << " " << static_cast<int>(kind);
          EXPECT_EQ(result.standard_error, 0);
          EXPECT_EQ(result.p_value, 1);
        }
        EXPECT_NEAR(result.mean, 0, 1e-9) << entry.name << " " << static_cast<int>(kind);
        EXPECT_NEAR(result.ci_high - result.ci_low, 0, 1e-9);
        EXPECT_GT(result.standard_deviation, 0);
      }
    }
  }
}

TEST(Match, EveryKindMeasuresTheExactValue) {
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) {
    const Game game = make_game(name);
    const auto small = std::make_shared<const SmallGame>(game);
    const std::vector<double> table = random_strategy(*small, 1), other_table = random_strategy(*small, 2);
    TabularPolicy hero(small, table, "hero"), opponent(small, other_table, "opponent");
    double exact = 0;
    for (int seat = 0; seat < game.players(); ++seat) exact += exact_value(*small, table, other_table, seat) / game.players();
    for (const VarianceReduction kind : kAllKinds) {
      const MatchResult result = play_match(game, hero, opponent, {.games = 60'000, .variance = kind});
      EXPECT_NEAR(result.mean, exact * result_unit(game).scale, 3.5 * result.standard_error) << name << " " << static_cast<int>(kind);
      EXPECT_GT(result.standard_error, 0);
      EXPECT_NEAR(result.ci_high - result.mean, 1.959963984540054 * result.standard_error, 1e-12);
    }
  }
}

TEST(Match, ControlVariatesNarrowTheInterval) {
  for (const char* name : {"leduc", "hulh", "hunl", "fhp", "nlhe6"}) {
    const Game game = make_game(name);
    const auto uniform = make_fixed_policy(game, "uniform"), caller = make_fixed_policy(game, "always_call");
    const MatchOptions duplicate{.games = 12'000, .variance = VarianceReduction::duplicate};
    const MatchOptions control{.games = 12'000, .variance = VarianceReduction::control};
    EXPECT_LT(play_match(game, *uniform, *caller, control).standard_error, 0.5 * play_match(game, *uniform, *caller, duplicate).standard_error) << name;
  }
}

// Against tight the cards decide almost everything; plain results and those of every other kind agree.
TEST(MatchSlow, KindsAgreeAndCoverInNoLimit) {
  const Game game = make_game("hunl");
  const auto uniform = make_fixed_policy(game, "uniform"), raiser = make_fixed_policy(game, "always_raise"), caller = make_fixed_policy(game, "always_call");
  for (Policy* opponent : {raiser.get(), caller.get()}) {
    const MatchResult truth = play_match(game, *uniform, *opponent, {.games = 400'000, .seed = 999, .variance = VarianceReduction::control});
    for (const VarianceReduction kind : kAllKinds) {
      RunningStatistics difference;
      int covered = 0;
      constexpr int kSeeds = 100;
      for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const MatchResult result = play_match(game, *uniform, *opponent, {.games = 2000, .seed = seed, .variance = kind});
        difference.add(result.mean - truth.mean);
        covered += result.ci_low <= truth.mean && truth.mean <= result.ci_high ? 1 : 0;
      }
      EXPECT_NEAR(difference.mean(), 0, 4 * std::hypot(difference.standard_error(), truth.standard_error)) << opponent->name() << static_cast<int>(kind);
      EXPECT_GE(covered, 87) << opponent->name() << static_cast<int>(kind);
    }
  }
}

TEST(Match, IntervalsWithControlVariatesCoverTheExactValue) {
  const Game game = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(game);
  const std::vector<double> table = random_strategy(*small, 3), other_table = random_strategy(*small, 4);
  TabularPolicy hero(small, table, "hero"), opponent(small, other_table, "opponent");
  const double exact = (exact_value(*small, table, other_table, 0) + exact_value(*small, table, other_table, 1)) / 2;
  int covered = 0;
  RunningStatistics means;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const MatchResult result = play_match(game, hero, opponent, {.games = 500, .seed = seed, .variance = VarianceReduction::control});
    covered += result.ci_low <= exact && exact <= result.ci_high ? 1 : 0;
    means.add(result.mean);
  }
  EXPECT_NEAR(means.mean(), exact, 4 * means.standard_error());
  EXPECT_GE(covered, 455);
  EXPECT_LE(covered, 492);
}

TEST(Match, EndsAtTheHalfWidthAskedFor) {
  const Game game = make_game("leduc");
  const auto uniform = make_fixed_policy(game, "uniform"), caller = make_fixed_policy(game, "always_call");
  const MatchOptions options{.games = 1'000'000, .seed = 3, .variance = VarianceReduction::duplicate, .until_half_width = 0.1};
  const MatchResult result = play_match(game, *uniform, *caller, options);
  EXPECT_TRUE(result.until_reached);
  EXPECT_LE(result.ci_high - result.mean, 0.1);
  EXPECT_EQ(result.samples % kLookEvery, 0);
  EXPECT_EQ(result.hands, 2 * result.samples);
  // As a match of that many games, whatever the batch; one look earlier it was too wide.
  EXPECT_TRUE(same(result, play_match(game, *uniform, *caller, {.games = result.hands, .seed = 3})));
  MatchOptions other = options;
  other.batch = 37;
  EXPECT_TRUE(same(result, play_match(game, *uniform, *caller, other)));
  const MatchResult earlier = play_match(game, *uniform, *caller, {.games = result.hands - 2 * kLookEvery, .seed = 3});
  EXPECT_GT(earlier.ci_high - earlier.mean, 0.1);
  other.games = 1000;
  other.until_half_width = 1e-9;
  const MatchResult limited = play_match(game, *uniform, *caller, other);
  EXPECT_FALSE(limited.until_reached);
  EXPECT_EQ(limited.hands, 1000);
  other.until_half_width = -1;
  EXPECT_THROW(play_match(game, *uniform, *caller, other), Error);
}

TEST(Match, ObserversSeeEveryHandInOrder) {
  const Game game = make_game("kuhn3");
  const auto uniform = make_fixed_policy(game, "uniform"), caller = make_fixed_policy(game, "always_call"), raiser = make_fixed_policy(game, "always_raise");
  const std::array<Policy*, 3> players{uniform.get(), caller.get(), raiser.get()};
  std::vector<double> totals(3);
  std::int64_t next = 0;
  MatchOptions options{.games = 600, .batch = 100};
  options.observer = [&](const FinishedHand& hand) {
    EXPECT_EQ(hand.number, next++);
    EXPECT_TRUE(hand.state->finished);
    for (int seat = 0; seat < 3; ++seat) {
      const int player = hand.player_of_seat[static_cast<std::size_t>(seat)];
      EXPECT_EQ(seat, (player + hand.number) % 3);
      totals[static_cast<std::size_t>(player)] += game.value(*hand.state, seat);
    }
  };
  const MatchResult result = play_match(game, players, options);
  EXPECT_EQ(next, 600);
  for (std::size_t p = 0; p < 3; ++p) EXPECT_NEAR(totals[p] / 600, result.mean_by_player[p], 1e-9);
  EXPECT_NEAR(result.mean, result.mean_by_player[0], 1e-9);
  EXPECT_THROW(play_match(game, std::span(players).first(2), options), Error);
}

/// Largest distance of the values from the uniform distribution.
double kolmogorov(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double distance = 0;
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    distance = std::max({distance, values[i] - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - values[i]});
  return distance;
}

// E02: two copies of one policy that mixes are not called different.
TEST(Match, PValuesOfTwoCopiesAreUniform) {
  const Game game = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(game);
  const std::vector<double> table = random_strategy(*small, 5);
  TabularPolicy one(small, table, "one"), other(small, table, "other");
  for (const VarianceReduction kind : kAllKinds) {
    std::vector<double> p_values;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
      p_values.push_back(play_match(game, one, other, {.games = 400, .seed = seed, .variance = kind}).p_value);
    EXPECT_LT(kolmogorov(p_values), 1.63 / std::sqrt(200.0)) << static_cast<int>(kind);  // 1 % level
  }
}

TEST(CompareAgainst, CopiesPlayAlikeAndOthersAsTheyShould) {
  const Game game = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(game);
  const std::vector<double> table = random_strategy(*small, 6), other_table = random_strategy(*small, 7);
  TabularPolicy one(small, table, "one"), copy(small, table, "copy"), other(small, other_table, "other");
  const auto uniform = make_fixed_policy(game, "uniform");
  for (const VarianceReduction kind : kAllKinds) {
    const MatchOptions options{.games = 40'000, .seed = 3, .variance = kind};
    const PairedResult same_player = compare_against(game, one, copy, *uniform, options);
    EXPECT_EQ(same_player.difference, 0) << static_cast<int>(kind);
    EXPECT_EQ(same_player.standard_error, 0);
    EXPECT_EQ(same_player.p_value, 1);
    const PairedResult paired = compare_against(game, one, other, *uniform, options);
    EXPECT_TRUE(same(paired.a, play_match(game, one, *uniform, options)));
    EXPECT_TRUE(same(paired.b, play_match(game, other, *uniform, options)));
    double exact = 0;
    const std::vector<double> uniform_table = tabulate(*small, *uniform);
    for (int seat = 0; seat < 2; ++seat)
      exact += (exact_value(*small, table, uniform_table, seat) - exact_value(*small, other_table, uniform_table, seat)) / 2;
    EXPECT_NEAR(paired.difference, exact, 3.5 * paired.standard_error);
    EXPECT_LT(paired.standard_error, std::hypot(paired.a.standard_error, paired.b.standard_error));
    EXPECT_LT(paired.p_value, 0.05);  // exact is far from 0
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
