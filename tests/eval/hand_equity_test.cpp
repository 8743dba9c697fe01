#include "hand_equity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/game/equity.h"

namespace deepcfr {
namespace {

double exact(const Game& game, const std::string& hole, const std::string& board) {
  return exact_equity(game.definition(), parse_cards(hole), parse_cards(board));
}

double sampled(const Game& game, const std::string& hole, const std::string& board, int samples) {
  return sampled_equity(game.definition(), parse_cards(hole), parse_cards(board), samples,
                        CounterRandom(StreamPurpose::test, {1}));
}

/// The mean of the equities against every other hand, by the enumeration of the game room.
double mean_over_hands(const std::string& hole, const std::string& board) {
  const std::vector<Card> own = parse_cards(hole), known = parse_cards(board);
  double sum = 0;
  int count = 0;
  for (Card a = 0; a < kDeckSize; ++a) {
    for (Card b = 0; b < a; ++b) {
      std::vector<Card> all = own;
      all.insert(all.end(), known.begin(), known.end());
      if (std::find(all.begin(), all.end(), a) != all.end() || std::find(all.begin(), all.end(), b) != all.end()) continue;
      const std::vector<std::vector<Card>> hands = {own, {a, b}};
      sum += equity(hands, known)[0].pot_share;
      ++count;
    }
  }
  return sum / count;
}

TEST(HandEquity, OfToyGamesIsExact) {
  const Game kuhn = make_game("kuhn");
  EXPECT_EQ(exact(kuhn, "As", ""), 1);
  EXPECT_EQ(exact(kuhn, "Ks", ""), 0.5);
  EXPECT_EQ(exact(kuhn, "Qs", ""), 0);
  const Game leduc = make_game("leduc");
  EXPECT_EQ(exact(leduc, "As", "Ah"), 1);
  EXPECT_EQ(exact(leduc, "Qs", "Qh"), 1);
  EXPECT_DOUBLE_EQ(exact(leduc, "Ks", "Ah"), 2. / 4 + 0.5 / 4);  // beats Q Q, ties K, loses to A
  EXPECT_DOUBLE_EQ(exact(leduc, "Ks", ""), 0.5);                 // the middle rank of a symmetric game
  EXPECT_DOUBLE_EQ(exact(leduc, "As", "") + exact(leduc, "Qs", ""), 1);
}

TEST(HandEquity, OfHoldemEqualsTheMeanOverHands) {
  const Game game = make_game("hulh");
  EXPECT_NEAR(exact(game, "AsKd", "2c7h9sQdJc"), mean_over_hands("AsKd", "2c7h9sQdJc"), 1e-12);
  EXPECT_NEAR(exact(game, "8s8d", "2c7h9sQd"), mean_over_hands("8s8d", "2c7h9sQd"), 1e-12);
  EXPECT_NEAR(exact(game, "2c3c", "4c5c6cKhKd"), 1 - 1. / 990 * 2, 1.1e-3);  // 7c8c and 7c with what is left
}

TEST(HandEquity, SamplesComeNearTheExactNumbers) {
  const Game game = make_game("hulh");
  // Preflop equities against a random hand, known from full enumeration.
  EXPECT_NEAR(sampled(game, "AsAd", "", 100'000), 0.8520, 0.005);
  EXPECT_NEAR(sampled(game, "7s2d", "", 100'000), 0.3458, 0.006);
  EXPECT_NEAR(sampled(game, "AsKs", "", 100'000), 0.6704, 0.006);
  EXPECT_NEAR(sampled(game, "AsKd", "2c7h9s", 100'000), exact(game, "AsKd", "2c7h9s"), 0.006);
  EXPECT_NEAR(sampled(game, "AsKd", "2c7h9sQdJc", 100'000), exact(game, "AsKd", "2c7h9sQdJc"), 0.006);
}

TEST(HandEquity, IsAPureFunctionOfTheCardsUpToSuits) {
  for (const bool canonical : {true, false}) {
    const Game game = make_game("hulh", RuleSet::acpc, canonical);
    HandEquity equity(game);
    State state = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::test, {1})));
    const auto set = [&state](const std::string& hole, const std::string& board) {
      const std::vector<Card> own = parse_cards(hole), known = parse_cards(board);
      std::copy(own.begin(), own.end(), state.deal.hole[state.actor].begin());
      std::copy(known.begin(), known.end(), state.deal.board.begin());
    };
    set("AsKs", "2c7h9s");
    const double first = equity.of_actor(state);
    EXPECT_EQ(equity.of_actor(state), first);            // from the cache
    EXPECT_EQ(HandEquity(game).of_actor(state), first);  // and from a fresh one
    set("KsAs", "9h7c2d");
    EXPECT_EQ(equity.of_actor(state), first);  // the board is not visible yet
    state.round = 1;
    set("AsKs", "2c7h9s");
    const double flop = equity.of_actor(state);
    EXPECT_NE(flop, first);
    state.deal.hole[1 - state.actor] = {kNoCard, kNoCard, kNoCard};  // looks at own cards only
    set("KsAs", "9s2c7h");
    EXPECT_EQ(HandEquity(game).of_actor(state), flop);
    if (canonical) {
      set("AdKd", "9d7s2h");
      EXPECT_EQ(HandEquity(game).of_actor(state), flop);
    }
  }
}

TEST(HandEquity, RefusesCardsThatAreMissingOrTwice) {
  const Game game = make_game("hulh");
  EXPECT_THROW(exact(game, "AsKs", "As7h9s2c3d"), Error);
  EXPECT_THROW(exact(make_game("leduc"), "As", "2c"), Error);
}

}  // namespace
}  // namespace deepcfr
