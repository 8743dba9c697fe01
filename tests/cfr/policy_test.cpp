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
  EXPECT_THAT(row(game, "half_call_raise", state), ElementsAre(0.0, 0.5, 0.5));
  game.apply(state, kFirstRaise);
  EXPECT_THAT(row(game, "uniform", state), ElementsAre(1. / 3, 1. / 3, 1. / 3));
  EXPECT_THAT(row(game, "always_fold", state), ElementsAre(1.0, 0.0, 0.0));
  game.apply(state, kFirstRaise);
  EXPECT_THAT(row(game, "always_raise", state), ElementsAre(0.0, 1.0, 0.0));  // two raises a round at most
  EXPECT_THAT(row(game, "half_call_raise", state), ElementsAre(0.0, 1.0, 0.0));
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
  EXPECT_EQ(fixed_policy_names().size(), 5U);
  for (const std::string& name : fixed_policy_names()) EXPECT_EQ(make_fixed_policy(game, name)->clone()->name(), name);
  try {
    make_fixed_policy(game, "alway_call");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("'always_call'"));
  }
}

/// Answers depend on the cards that it sees.
class SeesCards final : public Policy {
 public:
  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    asked += states.size();
    for (std::size_t i = 0; i < states.size(); ++i) {
      const State& s = *states[i];
      const double p = s.deal.hole[s.actor][0] / 100. + s.deal.board[0] / 10000.;
      out[3 * i] = s.raises / 100.;
      out[3 * i + 1] = p;
      out[3 * i + 2] = 1 - p - out[3 * i];
      EXPECT_EQ(s.deal.hole[1 - s.actor][0], kNoCard);
    }
  }
  std::string name() const override { return "sees cards"; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<SeesCards>(*this); }
  std::size_t asked = 0;
};

TEST(Policy, ManyHandsAreAskedStateByState) {
  const Game game = make_game("leduc");
  State first = game.initial_state(game.sample_deal(CounterRandom(1)));
  game.apply(first, kCall);
  game.apply(first, kCall);
  State second = first;
  game.apply(second, kFirstRaise);
  game.apply(second, kFirstRaise);  // player 0 again
  HandsOnBoard hands;
  hands.round = 1;
  hands.board.fill(kNoCard);
  hands.board[0] = 51;
  for (int i = 0; i < 1500; ++i) hands.holes.push_back({static_cast<Card>(i % 50), kNoCard, kNoCard});
  const State* const states[] = {&first, &second};
  std::vector<double> out(2 * 1500 * 3);
  SeesCards policy;
  policy.probabilities_of_hands(states, hands, out);
  EXPECT_EQ(policy.asked, 3000U);
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t h = 0; h < 1500; ++h) {
      EXPECT_DOUBLE_EQ(out[(s * 1500 + h) * 3], s == 0 ? 0 : 0.02);
      EXPECT_DOUBLE_EQ(out[(s * 1500 + h) * 3 + 1], static_cast<double>(h % 50) / 100 + 0.0051);
    }
}

TEST(Policy, PromisesAboutCards) {
  const Game game = make_game("leduc");
  for (const std::string& name : fixed_policy_names()) {
    EXPECT_FALSE(make_fixed_policy(game, name)->looks_at_cards());
    EXPECT_TRUE(make_fixed_policy(game, name)->treats_suits_alike());
  }
  EXPECT_TRUE(SeesCards().looks_at_cards());
  EXPECT_FALSE(SeesCards().treats_suits_alike());
}

}  // namespace
}  // namespace deepcfr
