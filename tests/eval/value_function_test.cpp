#include "value_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

std::vector<double> terms(const ValueFunction& values, const State& state, std::vector<double> edge, int hero) {
  std::vector<double> out(values.prior().size());
  values.terms(state, edge, hero, out);
  return out;
}

// Blinds 50 and 100, stacks 20,000; player 1 (small blind) acts first before the flop.
TEST(PotValue, KnownPositionsOfNoLimit) {
  const Game game = make_game("hunl");
  const auto values = make_pot_value(game);
  ASSERT_EQ(values->prior().size(), 21U);
  const State start = game.initial_state(Deal{});
  const int small_blind = start.actor, big_blind = 1 - small_blind;

  State folded = start;
  game.apply(folded, kFold);
  EXPECT_EQ(terms(*values, folded, {0, 0}, small_blind)[0], -50);
  EXPECT_EQ(terms(*values, folded, {0, 0}, big_blind)[0], 50);

  std::vector<double> edge(2);
  edge[static_cast<std::size_t>(small_blind)] = 0.25;
  edge[static_cast<std::size_t>(big_blind)] = -0.25;
  const std::vector<double> opening = terms(*values, start, edge, small_blind);
  EXPECT_EQ(opening[1], 0.25 * 200);  // both in for 100: three quarters of 200 less 100
  EXPECT_NEAR(opening[2], 0.25 * std::sqrt(200.0 * 19'900), 1e-9);
  EXPECT_EQ(opening[3], 0.25 * 19'900);
  EXPECT_EQ(opening[4], 0);  // a blind is no bet to fold to

  State raised = start;
  game.apply(raised, static_cast<Action>(game.num_actions() - 1));  // all-in
  const std::vector<double> bettor = terms(*values, raised, edge, small_blind);
  EXPECT_EQ(bettor[1], 0.25 * 40'000);
  EXPECT_EQ(bettor[4], 100 - 0.25 * 40'000);  // the big blind folds
  EXPECT_EQ(bettor[5], bettor[4] * -0.25);
  const std::vector<double> facing = terms(*values, raised, edge, big_blind);
  for (std::size_t k = 0; k < facing.size(); ++k) EXPECT_EQ(facing[k], -bettor[k]);

  game.apply(raised, kCall);
  ASSERT_TRUE(raised.finished);
  EXPECT_EQ(terms(*values, raised, edge, small_blind)[0], 0.25 * 40'000);
}

TEST(PotValue, LimitBetsAreOfFixedSize) {
  const Game game = make_game("hulh");
  const auto values = make_pot_value(game);
  const State start = game.initial_state(Deal{});
  const std::vector<double> opening = terms(*values, start, {0.5, -0.5}, 0);
  EXPECT_EQ(opening[1], 0.5 * 20);
  EXPECT_EQ(opening[3], 0.5 * 10);
}

TEST(PotValue, UnmatchedChipsComeBack) {
  GameDefinition definition = find_game_definition("hunl");
  definition.stack = {1000, 20'000};
  const Game game(definition, RuleSet::acpc, default_abstraction(definition));
  const auto values = make_pot_value(game);
  State state = game.initial_state(Deal{});
  ASSERT_EQ(state.actor, 1);
  game.apply(state, static_cast<Action>(game.num_actions() - 1));
  EXPECT_EQ(terms(*values, state, {0.1, -0.1}, 1)[1], -0.1 * 2000);
}

/// Walks at random; tells of every state where nobody has acted in its round.
template <typename Look>
void walk(const Game& game, std::uint64_t seed, Look look) {
  const CounterRandom random(StreamPurpose::test, {seed});
  State state = game.initial_state(game.sample_deal(random));
  for (std::uint64_t step = 0; !state.finished; ++step) {
    if (state.acted == 0) look(state);
    const ActionMask legal = game.legal_actions(state);
    Action action;
    do action = static_cast<Action>(random.below(step++, static_cast<std::uint64_t>(game.num_actions())));
    while (((legal >> action) & 1) == 0);
    game.apply(state, action);
  }
}

TEST(PotValue, IsAffineInTheEdgesWhereChanceActsNext) {
  for (const char* name : {"leduc", "hulh", "hunl", "nlhe6"}) {
    const Game game = make_game(name);
    const auto values = make_pot_value(game);
    const auto players = static_cast<std::size_t>(game.players());
    int looked = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      walk(game, seed, [&](const State& state) {
        SequentialRandom random(CounterRandom(StreamPurpose::test, {seed, 1}));
        std::vector<double> a(players), b(players), middle(players);
        for (std::size_t p = 0; p < players; ++p) {
          a[p] = random.uniform() - 0.5;
          b[p] = random.uniform() - 0.5;
          middle[p] = 0.25 * a[p] + 0.75 * b[p];
        }
        for (int hero = 0; hero < game.players(); ++hero) {
          const auto at_a = terms(*values, state, a, hero), at_b = terms(*values, state, b, hero);
          const auto between = terms(*values, state, middle, hero);
          for (std::size_t k = 0; k < between.size(); ++k) EXPECT_NEAR(between[k], 0.25 * at_a[k] + 0.75 * at_b[k], 1e-7);
        }
        ++looked;
      });
    }
    EXPECT_GT(looked, 250) << name;
  }
}

}  // namespace
}  // namespace deepcfr
