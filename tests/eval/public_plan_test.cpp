#include "public_plan.h"

#include <gtest/gtest.h>

#include "blind_plan.h"
#include "deepcfr/core/error.h"
#include "public_games.h"

namespace deepcfr {
namespace {

using namespace deepcfr::testing;

// Reference numbers: betting decision points of limit hold'em by round.
TEST(PublicPlan, RoundsOfLimitHoldem) {
  const Game game = make_game("hulh");
  const PublicPlan plan(game, 200'000);
  for (const auto& [round, points] : {std::pair{0, 8U}, {1, 70U}, {2, 630U}, {3, 5670U}}) EXPECT_EQ(plan.decisions(round), points);
  EXPECT_EQ(plan.exits(0), plan.entries(1));
  EXPECT_EQ(plan.exits(0).size(), 7U);
  EXPECT_TRUE(plan.exits(3).empty());
  EXPECT_EQ(plan.completions(3), 1);
  EXPECT_EQ(plan.completions(1), 45 * 44);
  EXPECT_THROW(PublicPlan(game, 1000), Error);
}

TEST(PublicPlan, AllInsWaitForTheBoard) {
  const Game game = small_no_limit(true);
  const PublicPlan plan(game, 10'000);
  int waiting = 0;
  for (const std::int32_t node : plan.exits(0)) waiting += plan.tree().node(node).decision < 0 ? 1 : 0;
  EXPECT_GT(waiting, 0);
  for (const std::int32_t node : plan.exits(0))
    if (plan.tree().node(node).decision < 0) {
      EXPECT_EQ(plan.kind(node, 1), PublicKind::exit);
      EXPECT_EQ(plan.kind(node, 2), PublicKind::showdown);
      EXPECT_EQ(plan.chips(node), 300);  // the shorter stack
    }
}

// Equal chips are equal subgames: 1 to 4 bets in, up to 4 more on the flop, up to 8 more on the turn.
TEST(BlindPlan, EqualSubgamesAreOne) {
  const Game game = make_game("hulh");
  const PublicPlan plan(game, 200'000);
  const auto policy = make_fixed_policy(game, "half_call_raise");
  const BlindPlan blind(game, plan, *policy);
  EXPECT_EQ(blind.entries(1).size(), 4U);
  EXPECT_EQ(blind.entries(2).size(), 8U);
  EXPECT_EQ(blind.entries(3).size(), 16U);
  EXPECT_LT(blind.size(), 1000U);
  EXPECT_DOUBLE_EQ(BlindPlan(game, plan, *make_fixed_policy(game, "always_fold")).value(), 5);  // the small blind
}

}  // namespace
}  // namespace deepcfr
