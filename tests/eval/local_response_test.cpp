#include "deepcfr/eval/local_response.h"

#include <gtest/gtest.h>

#include "deepcfr/eval/best_response.h"
#include "public_games.h"

namespace deepcfr {
namespace {

using namespace deepcfr::testing;

LocalResponseOptions with(std::int64_t hands, std::uint64_t seed = 1, int threads = 2) {
  LocalResponseOptions options;
  options.hands = hands;
  options.seed = seed;
  options.threads = threads;
  return options;
}

void expect_bound(const LocalResponseReport& local, const ExploitabilityReport& exact, const std::string& name) {
  EXPECT_LE(local.both.mean(), exact.exploitability + 3 * local.both.standard_error() + 1e-9) << name;
  for (const std::size_t seat : {0U, 1U})
    EXPECT_LE(local.by_seat[seat].mean(), exact.best_response[seat] + 3 * local.by_seat[seat].standard_error() + 1e-9) << name << seat;
}

// Statement 22, reported fault E10.
TEST(LocalBestResponse, S22E10IsALowerBoundForTwentyPolicies) {
  const Game leduc = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(leduc);
  int most_of_it = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto policy = random_policy(small, seed);
    const ExploitabilityReport exact = exploitability(*small, policy->table());
    const LocalResponseReport local = local_best_response(leduc, *policy, with(1500, seed));
    expect_bound(local, exact, "seed " + std::to_string(seed) + ", seat ");
    most_of_it += local.both.mean() > exact.exploitability / 2 ? 1 : 0;
  }
  EXPECT_GE(most_of_it, 18);  // a bound that says something
}

TEST(LocalBestResponse, OfFixedPolicies) {
  const Game leduc = make_game("leduc");
  for (const std::string& name : fixed_policy_names()) {
    const auto policy = make_fixed_policy(leduc, name);
    expect_bound(local_best_response(leduc, *policy, with(2000)), exploitability(SmallGame(leduc), *policy), name);
  }
  // Against folding every hand wins a blind.
  const Game fhp = make_game("fhp");
  const LocalResponseReport folds = local_best_response(fhp, *make_fixed_policy(fhp, "always_fold"), with(40));
  EXPECT_DOUBLE_EQ(folds.both.mean() * result_unit(fhp).scale, 750);
  EXPECT_DOUBLE_EQ(folds.both.standard_error(), 0);
}

// The opponent's hand is carried as probabilities: the mean is that of hands that are dealt. No raises, so that the big blind has no choice; the
// small blind folds all but pairs and the highest ranks.
TEST(LocalBestResponse, HandsCountByWhatTheyDid) {
  const Game game = small_flop_holdem(5, true, 0);
  const auto small = std::make_shared<const SmallGame>(game);
  std::vector<double> table(static_cast<std::size_t>(small->num_infosets()) * 3, 0.0);
  for (int i = 0; i < small->num_infosets(); ++i) {
    const auto& hole = small->key(i).hole;
    const bool strong = card_rank(hole[0]) == card_rank(hole[1]) || card_rank(hole[0]) + card_rank(hole[1]) >= 22;
    table[static_cast<std::size_t>(3 * i) + ((small->legal(i) & 1) != 0 && !strong ? kFold : kCall)] = 1;
  }
  TabularPolicy policy(small, table, "plays strong hands");
  const ExploitabilityReport exact = exploitability(*small, table);
  const LocalResponseReport local = local_best_response(game, policy, with(20000));
  EXPECT_NEAR(local.by_seat[0].mean(), exact.best_response[0], 4 * local.by_seat[0].standard_error());
  EXPECT_LT(4 * local.by_seat[0].standard_error(), 3);
  EXPECT_LE(local.by_seat[1].mean(), exact.best_response[1] + 3 * local.by_seat[1].standard_error());
}

TEST(LocalBestResponse, PlaysGamesOfAnySize) {
  for (const char* name : {"hulh", "hunl"}) {
    const Game game = make_game(name);
    LocalResponseOptions options = with(10);
    options.rollout_boards = 20;
    const LocalResponseReport report = local_best_response(game, *make_fixed_policy(game, "uniform"), options);
    EXPECT_EQ(report.both.count(), 5);
    EXPECT_EQ(report.by_seat[1].count(), 5);
    EXPECT_NE(report.both.mean(), 0);
  }
}

TEST(LocalBestResponse, IsAFunctionOfTheSeed) {
  const Game leduc = make_game("leduc");
  const auto policy = random_policy(std::make_shared<const SmallGame>(leduc), 1);
  const double one = local_best_response(leduc, *policy, with(200, 5, 1)).both.mean();
  EXPECT_EQ(one, local_best_response(leduc, *policy, with(200, 5, 3)).both.mean());
  EXPECT_NE(one, local_best_response(leduc, *policy, with(200, 6, 1)).both.mean());
}

}  // namespace
}  // namespace deepcfr
