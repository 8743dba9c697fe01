// Policies over networks answer for many hands at once as they do state by state.
#include <gtest/gtest.h>

#include <vector>

#include "deepcfr/nn/network_source.h"
#include "games.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

struct Asked {
  std::vector<State> states;  // all of one round and actor
  HandsOnBoard hands;
};

/// Every history of a few actions that ends in `round` with `actor` to act, and a hundred hands on one board.
Asked ask_in(const Game& game, int round, int actor) {
  Asked asked;
  const auto visit = [&](auto& self, const State& state) -> void {
    if (state.finished || asked.states.size() > 20) return;
    if (state.round == round && state.actor == actor) asked.states.push_back(state);
    for (int a = game.num_actions() - 1; a >= 0; --a) {
      if (((game.legal_actions(state) >> a) & 1) == 0) continue;
      State next = state;
      game.apply(next, static_cast<Action>(a));
      self(self, next);
    }
  };
  visit(visit, game.initial_state(Deal{}));
  asked.hands.round = round;
  asked.hands.board.fill(kNoCard);
  for (int c = 0; c < game.definition().board_count(round); ++c) asked.hands.board[static_cast<std::size_t>(c)] = static_cast<Card>(51 - 5 * c);
  for (int i = 0; i < 22; ++i) {
    const auto low = static_cast<Card>(i);
    for (const int step : {1, 4, 7, 23}) asked.hands.holes.push_back({low, static_cast<Card>(i + step), kNoCard});
  }
  std::erase_if(asked.hands.holes, [&](const auto& hole) {
    return std::any_of(hole.begin(), hole.begin() + 2, [&](Card c) { return std::find(asked.hands.board.begin(), asked.hands.board.end(), c) != asked.hands.board.end(); });
  });
  return asked;
}

void expect_same(const Game& game, Policy& policy, double tolerance) {
  const std::unique_ptr<Policy> copy = policy.clone();
  for (int round = 0; round < game.rounds(); ++round)
    for (const int actor : {0, 1}) {
      const Asked asked = ask_in(game, round, actor);
      std::vector<const State*> states;
      for (const State& state : asked.states) states.push_back(&state);
      std::vector<double> together(states.size() * asked.hands.holes.size() * static_cast<std::size_t>(game.num_actions()));
      std::vector<double> single = together;
      copy->probabilities_of_hands(states, asked.hands, together);
      policy.Policy::probabilities_of_hands(states, asked.hands, single);
      for (std::size_t i = 0; i < single.size(); ++i) ASSERT_NEAR(together[i], single[i], tolerance) << round << ' ' << actor << ' ' << i;
    }
}

TEST(HandRows, AnswerAsStateByState) {
  for (const char* name : {"fhp", "hunl"}) {
    const auto game = std::make_shared<const Game>(make_game(name));
    for (const NetworkOptions& options : {mlp_options(3, 64), card_bet_options(16, 24)}) {
      std::vector<std::shared_ptr<const Network>> networks;
      std::vector<std::vector<ArchivedNetwork>> archive;
      for (const std::uint64_t seed : {1U, 2U}) {
        networks.push_back(std::make_shared<const Network>(Encoder(*game, feature_kind(options.type)).layout(), game->num_actions(), options, stream(seed)));
        archive.push_back({{1, networks.back()->weights()}});
      }
      expect_same(*game, *make_strategy_network_policy(game, networks), 1e-6);
      expect_same(*game, *make_strategy_network_policy(game, {networks[0]}), 1e-6);
      expect_same(*game, *make_mixture_policy(game, options, archive), 1e-6);
      archive[1] = {{1, {}}};
      expect_same(*game, *make_mixture_policy(game, options, archive), 1e-6);
    }
  }
}

// Statement 21: the promise of policies over networks is that of their game.
TEST(HandRows, SuitsAreAlikeWhereTheGameSaysSo) {
  for (const bool canonical : {true, false}) {
    const auto game = std::make_shared<const Game>(make_game("leduc", RuleSet::acpc, canonical));
    const auto network = std::make_shared<const Network>(Encoder(*game, FeatureKind::dense).layout(), 3, mlp_options(1, 8), stream(1));
    EXPECT_EQ(make_strategy_network_policy(game, {network})->treats_suits_alike(), canonical);
    EXPECT_EQ(make_mixture_policy(game, mlp_options(1, 8), {{{1, network->weights()}}, {{1, {}}}})->treats_suits_alike(), canonical);
    EXPECT_TRUE(make_strategy_network_policy(game, {network})->looks_at_cards());
  }
}

}  // namespace
}  // namespace deepcfr
