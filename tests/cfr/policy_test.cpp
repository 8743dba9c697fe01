#include "deepcfr/cfr/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<double> row(const Game& game, const std::string& policy, const State& state) {
  std::vector<double> out(static_cast<std::size_t>(game.num_actions()), -1.0);
  const State* const pointer = &state;
  make_fixed_policy(game, policy)->probabilities({&pointer, 1}, out);
  return out;
}

TEST(FixedPolicy, PlaysWhatItsNameSays) {
  const Game game = make_game("leduc");
  State state = game.initial_state(game.sample_deal(CounterRandom(1)));
  EXPECT_THAT(row(game, "uniform", state), ElementsAre(0.0, 0.5, 0.5));
  EXPECT_THAT(row(game, "always_call", state), ElementsAre(0.0, 1.0, 0.0));
  EXPECT_THAT(row(game, "always_raise", state), ElementsAre(0.0, 0.0, 1.0));
  EXPECT_THAT(row(game, "always_fold", state), ElementsAre(0.0, 1.0, 0.0));  // nothing to fold to
  game.apply(state, kFirstRaise);
  EXPECT_THAT(row(game, "uniform", state), ElementsAre(1. / 3, 1. / 3, 1. / 3));
  EXPECT_THAT(row(game, "always_fold", state), ElementsAre(1.0, 0.0, 0.0));
  game.apply(state, kFirstRaise);
  EXPECT_THAT(row(game, "always_raise", state), ElementsAre(0.0, 1.0, 0.0));  // two raises a round at most
}

TEST(FixedPolicy, RaisesToTheMostThatIsLegal) {
  const Game game = make_game("hunl");
  State state = game.initial_state(game.sample_deal(CounterRandom(1)));
  const std::vector<double> probabilities = row(game, "always_raise", state);
  EXPECT_EQ(probabilities.back(), 1.0);  // all-in
  game.apply(state, static_cast<Action>(game.num_actions() - 1));
  EXPECT_EQ(row(game, "always_raise", state)[kCall], 1.0);
}

TEST(FixedPolicy, UnknownNameIsRefusedWithTheNearest) {
  const Game game = make_game("kuhn");
  EXPECT_EQ(fixed_policy_names().size(), 4U);
  for (const std::string& name : fixed_policy_names()) EXPECT_EQ(make_fixed_policy(game, name)->clone()->name(), name);
  try {
    make_fixed_policy(game, "alway_call");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("'always_call'"));
  }
}

}  // namespace
}  // namespace deepcfr
