#include "deepcfr/eval/public_response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deepcfr/core/error.h"
#include "public_games.h"

namespace deepcfr {
namespace {

using namespace deepcfr::testing;
using ::testing::HasSubstr;

// 169 hands, 1,755 flops, 1,286,792 (hand, flop) pairs up to suits; 8 and 56 betting decision points.
TEST(PublicResponse, SizeOfFlopHoldem) {
  const PublicWalkSize merged = public_walk_size(make_game("fhp"), true, 2);
  EXPECT_EQ(merged.boards, 1755);
  EXPECT_EQ(merged.decision_points, 64);
  EXPECT_EQ(merged.rows, 169 * 8 + 1286792. * 56);
  EXPECT_LT(merged.bytes, 200'000'000U);
  const PublicWalkSize full = public_walk_size(make_game("fhp"), false, 2);
  EXPECT_EQ(full.boards, 22100);
  EXPECT_EQ(full.rows, 1326 * 8 + 22100. * 1176 * 56);
}

TEST(PublicResponse, SaysWhatItDoesNotTakeOn) {
  for (const bool looks : {true, false}) {
    EXPECT_EQ(why_no_public_walk(make_game("fhp"), looks, true), "");
    EXPECT_EQ(why_no_public_walk(make_game("leduc"), looks, false), "");
    for (const char* name : {"hunl", "nlhe6", "kuhn3"}) EXPECT_THAT(why_no_public_walk(make_game(name), looks, true), HasSubstr("infosets")) << name;
  }
  EXPECT_EQ(why_no_public_walk(make_game("fhp"), true, false), "");
  EXPECT_EQ(why_no_public_walk(make_game("hulh"), false, true), "");
  EXPECT_THAT(why_no_public_walk(make_game("hulh"), true, true), HasSubstr("3.19e+14 infosets"));
  const Game game = make_game("nlhe6");
  EXPECT_THROW(public_exploitability(game, *make_fixed_policy(game, "uniform"), {}), Error);
}

// The two walks are independent of each other.
TEST(PublicResponse, BothWalksAgreeOnFixedPolicies) {
  const Game game = small_flop_holdem(5, true, 2);
  for (const std::string& name : fixed_policy_names()) {
    const auto policy = make_fixed_policy(game, name);
    const ExploitabilityReport blind = public_exploitability(game, *policy, {}), every = walk_every_hand(game, *policy, {});
    for (std::size_t p = 0; p < 2; ++p) {
      EXPECT_NEAR(blind.best_response[p], every.best_response[p], 1e-9);
      EXPECT_NEAR(blind.value[p], every.value[p], 1e-9);
    }
  }
}

}  // namespace
}  // namespace deepcfr
