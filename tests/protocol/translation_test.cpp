#include "deepcfr/protocol/translation.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/acpc_string.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/game/infoset.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

TableAction raise_to(std::int32_t total) { return {Kind::raise, total}; }
constexpr TableAction kTableCall{Kind::call, 0};
constexpr TableAction kTableFold{Kind::fold, 0};

CounterRandom draws(std::uint64_t n) { return translation_draws(1, static_cast<std::uint32_t>(n), 0); }

/// How a hand is understood, over many draws: share of hands in which the abstract betting is `text`.
double share(const Game& game, int seat, const Betting& betting, const std::string& text, int hands = 20000) {
  int hits = 0;
  for (int n = 0; n < hands; ++n) {
    HandTranslation hand(game, seat, draws(static_cast<std::uint64_t>(n)));
    for (const TableAction& action : betting) hand.observe(action);
    if (print_acpc_betting(game, hand.abstract()) == text) ++hits;
  }
  return hits / static_cast<double>(hands);
}

// Values of the paper's formula by hand: A = 0.5, B = 1: x = 2/3 is (1/3)(3/2) / ((1/2)(5/3)) = 3/5; the point of 1/2 is
// (A + B + 2AB) / (A + B + 2) = 5/7 (equation for x* in section 6).
TEST(PseudoHarmonic, ValuesByHand) {
  EXPECT_DOUBLE_EQ(pseudo_harmonic(2.0 / 3, 0.5, 1), 0.6);
  EXPECT_NEAR(pseudo_harmonic(5.0 / 7, 0.5, 1), 0.5, 1e-15);
  EXPECT_DOUBLE_EQ(pseudo_harmonic(0.5, 0, 1), 1.0 / 3);
  for (const double a : {0.0, 0.25, 0.5, 3.0}) {
    EXPECT_EQ(pseudo_harmonic(a, a, a + 1), 1) << "boundary constraints: the size itself is always understood";
    EXPECT_EQ(pseudo_harmonic(a + 1, a, a + 1), 0);
  }
}

// Axioms of the paper: monotone, and scale invariance does not hold for the pot-relative form; Lipschitz by continuity.
TEST(PseudoHarmonic, FallsBetweenTheSizes) {
  double before = 1;
  for (double x = 0.51; x < 2; x += 0.01) {
    const double now = pseudo_harmonic(x, 0.5, 2);
    EXPECT_LT(now, before);
    before = now;
  }
}

TEST(HandTranslation, SizesOfTheAbstractionAreUnderstoodExactly) {
  const Game game = make_game("hunl");  // 0.5, 1, 2 pots and all-in
  // Preflop the small blind opens to 200 (0.5), 300 (1), 500 (2), 20000.
  for (const std::int32_t total : {200, 300, 500, 20000}) {
    EXPECT_EQ(share(game, 0, {raise_to(total)}, "r" + std::to_string(total), 500), 1) << total;
  }
  EXPECT_EQ(share(game, 0, {raise_to(300), raise_to(900), kTableCall, raise_to(2700)}, "r300r900c/r2700", 500), 1);
}

TEST(HandTranslation, SizesBetweenAreMappedInProportion) {
  const Game game = make_game("hunl");
  // 250 is 0.75 pots: f = (1 − 0.75)(1.5) / (0.5 · 1.75) = 3/7.
  EXPECT_NEAR(share(game, 0, {raise_to(250)}, "r200"), 3.0 / 7, 0.012);
  EXPECT_NEAR(share(game, 0, {raise_to(250)}, "r300"), 4.0 / 7, 0.012);
  // 400 is 1.5 pots: f = 0.5 · 2 / (1 · 2.5) = 0.4.
  EXPECT_NEAR(share(game, 0, {raise_to(400)}, "r300"), 0.4, 0.012);
  // On the flop: 1000 into 1800 is 5/9 pots: f = (4/9)(3/2) / ((1/2)(14/9)) = 6/7.
  EXPECT_NEAR(share(game, 1, {raise_to(300), raise_to(900), kTableCall, raise_to(1900)}, "r300r900c/r1800"), 6.0 / 7, 0.012);
}

TEST(HandTranslation, ABetBelowTheSmallestSizeIsACheckOrThatSize) {
  const Game game = make_game("hunl");
  // Limp, check, then a bet of 100 into 200 is 0.5 pots, of the size itself; after r300c the pot is 600, 150 is 0.25 pots: f = 0.25 / (0.5
  // · 1.25) = 0.4.
  EXPECT_EQ(share(game, 1, {kTableCall, kTableCall, raise_to(200)}, "cc/r200", 500), 1);
  EXPECT_NEAR(share(game, 1, {raise_to(300), kTableCall, raise_to(450)}, "r300c/c"), 0.4, 0.012);
  EXPECT_NEAR(share(game, 1, {raise_to(300), kTableCall, raise_to(450)}, "r300c/r600"), 0.6, 0.012);
  // A small raise over a bet would end the round as a call: it stays a raise. Bet 600 into 600, raised to 1200 more: (1200 − 600) / 1800 =
  // 1/3 pots.
  EXPECT_EQ(share(game, 0, {raise_to(300), kTableCall, raise_to(900), raise_to(1500)}, "r300c/r900r1800", 500), 1);
}

TEST(HandTranslation, AnswersToACheckThatWasABetAreCalls) {
  const Game game = make_game("hunl");
  for (std::uint64_t n = 0; n < 200; ++n) {
    HandTranslation hand(game, 1, draws(n));
    for (const TableAction& action : Betting{raise_to(300), kTableCall, raise_to(450)}) hand.observe(action);
    const auto question = hand.question();
    ASSERT_TRUE(question);
    EXPECT_FALSE(question->raise_is_call);
    EXPECT_EQ(hand.answer(*question, kCall), kTableCall);
    const bool check = print_acpc_betting(game, hand.abstract()) == "r300c/c";
    EXPECT_EQ(game.fold_legal(question->state), !check) << "nothing to fold to in the abstract hand";
    // Half a pot over the real bet: 450 + 0.5 · 900.
    EXPECT_EQ(hand.answer(*question, kFirstRaise), raise_to(900));
  }
}

TEST(HandTranslation, MinimumRaisesAndTheOwnSizesFollowTheRealPot) {
  const Game game = make_game("hunl");
  HandTranslation hand(game, 0, draws(3));
  hand.observe(raise_to(350));
  const auto question = hand.question();
  ASSERT_TRUE(question);
  EXPECT_EQ(hand.answer(*question, kFirstRaise), raise_to(700)) << "0.5 · 700 on top";
  EXPECT_EQ(hand.answer(*question, static_cast<Action>(kFirstRaise + 1)), raise_to(1050));
  EXPECT_EQ(hand.answer(*question, static_cast<Action>(kFirstRaise + 3)), raise_to(20000));
  EXPECT_EQ(hand.answer(*question, kFold), kTableFold);
  // The least raise is legal where half a pot is less: 200 → 2179 (least 4158), half a pot would be 4358; 0.5 of 100 + 100 preflop: 200.
  HandTranslation open(game, 1, draws(3));
  const auto first = open.question();
  ASSERT_TRUE(first);
  EXPECT_EQ(open.answer(*first, kFirstRaise), raise_to(200));
}

TEST(HandTranslation, NearAllIn) {
  const Game game = make_game("hunl");
  // 19999 leaves a chip, 99.495 pots; sizes 2 and 99.5: nearly always all-in. The hand goes on with the largest smaller size, the answer is
  // to all-in.
  int all_in = 0;
  for (std::uint64_t n = 0; n < 1000; ++n) {
    HandTranslation hand(game, 0, draws(n));
    hand.observe(raise_to(19999));
    EXPECT_EQ(print_acpc_betting(game, hand.abstract()), "r500");
    const auto question = hand.question();
    ASSERT_TRUE(question);
    const bool is_all_in = question->state.all_in != 0;
    all_in += is_all_in;
    EXPECT_EQ(game.legal_actions(question->state), is_all_in ? 0b11 : 0b111111);
    hand.observe(kTableCall, kCall);
    EXPECT_EQ(print_acpc_betting(game, hand.abstract()), "r500c/") << "the flop is to come in both";
    EXPECT_TRUE(hand.question()) << "the big blind acts first";
  }
  EXPECT_GT(all_in, 990);
}

TEST(HandTranslation, AllInIsAllIn) {
  const Game game = make_game("hunl");
  EXPECT_EQ(share(game, 0, {raise_to(20000)}, "r20000", 200), 1);
  HandTranslation hand(game, 0, draws(1));
  hand.observe(raise_to(20000));
  const auto question = hand.question();
  ASSERT_TRUE(question);
  EXPECT_EQ(game.legal_actions(question->state), 0b11);
}

// Real: a raise to 19000 was understood as 2 pots, then the other goes all-in for 1000 more. By its size that is a small raise, not the
// abstract all-in of 19,500 more; there is nothing smaller than the smallest size to take it for, since a call would end the round.
TEST(HandTranslation, AShortAllInIsASmallRaise) {
  const Game game = make_game("hunl");
  HandTranslation hand(game, 1, draws(1));
  hand.observe(raise_to(19000), static_cast<Action>(kFirstRaise + 2));
  EXPECT_EQ(print_acpc_betting(game, hand.abstract()), "r500");
  hand.observe(raise_to(20000));
  EXPECT_EQ(print_acpc_betting(game, hand.abstract()), "r500r1000");
  const auto question = hand.question();
  ASSERT_TRUE(question);
  EXPECT_EQ(hand.answer(*question, static_cast<Action>(kFirstRaise + 1)), kTableCall) << "no raise is legal any more";
}

TEST(HandTranslation, RaisesBeyondTheAbstractionsCap) {
  const Game game = make_game("hunl");  // four raises in a round
  HandTranslation hand(game, 1, draws(1));
  for (const std::int32_t total : {200, 300, 400, 500, 600}) hand.observe(raise_to(total));
  // The fifth raise, the small blind's (seat 1) own, has become a call; the sixth comes back.
  hand.observe(raise_to(700));
  const auto question = hand.question();
  ASSERT_TRUE(question);
  EXPECT_TRUE(question->raise_is_call);
  EXPECT_EQ(question->state.round, 0);
  EXPECT_EQ(hand.answer(*question, kFirstRaise), kTableCall);
  EXPECT_EQ(hand.answer(*question, kFold), kTableFold);
  hand.observe(kTableCall);
  EXPECT_EQ(hand.real().round, 1);
  EXPECT_EQ(hand.abstract().round, 1) << "in step again";
}

TEST(HandTranslation, AMessageThatIsReadTwiceIsUnderstoodAlike) {
  const Game game = make_game("hunl");
  for (std::uint64_t n = 0; n < 100; ++n) {
    std::string first;
    for (int again = 0; again < 2; ++again) {
      HandTranslation hand(game, 0, draws(n));
      for (const TableAction& action : Betting{raise_to(270), raise_to(777), kTableCall, raise_to(1600)}) hand.observe(action);
      const std::string text = print_acpc_betting(game, hand.abstract());
      if (again == 0) first = text;
      EXPECT_EQ(text, first);
    }
  }
}

TEST(HandTranslation, IllegalActionsAreRefusedAndChangeNothing) {
  const Game game = make_game("hunl");
  HandTranslation hand(game, 0, draws(1));
  const State before = hand.real();
  EXPECT_THROW(hand.observe(raise_to(150)), Error);
  EXPECT_THROW(hand.observe(raise_to(20001)), Error);
  EXPECT_EQ(hand.real(), before);
}

/// Random opponents who raise to any size: the abstract history must be legal in the abstract game (Game::apply would assert; infoset_of
/// refuses off-tree raises), every answer legal in the real one, and the cards visible where the policy is asked.
void play_random_hands(const Game& game, int hands, std::uint64_t seed) {
  int questions = 0, earlier = 0, none = 0;
  for (int n = 0; n < hands; ++n) {
    const CounterRandom stream(StreamPurpose::test, {seed, static_cast<std::uint64_t>(n)});
    SequentialRandom random(stream);
    const int seat = n % game.players();
    HandTranslation hand(game, seat, draws(static_cast<std::uint64_t>(n)));
    while (!hand.real().finished) {
      const State& real = hand.real();
      std::optional<Action> meant;
      TableAction action = kTableCall;
      if (real.actor == seat) {
        const auto question = hand.question();
        if (question) {
          ++questions;
          earlier += question->raise_is_call;
          const ActionMask legal = game.legal_actions(question->state);
          ASSERT_NE(legal, 0);
          ASSERT_EQ(question->state.actor, seat);
          ASSERT_EQ(question->state.round, real.round);
          ASSERT_NO_THROW(infoset_of(game, question->state));
          std::vector<Action> choices;
          for (int a = 0; a < game.num_actions(); ++a)
            if ((legal >> a) & 1) choices.push_back(static_cast<Action>(a));
          const Action chosen = choices[random.below(choices.size())];
          action = hand.answer(*question, chosen);
          if (!question->raise_is_call) meant = chosen;
        } else {
          ++none;
        }
      } else {
        const auto range = game.raise_range(real);
        const std::uint64_t kind = random.below(10);
        if (kind == 0 && game.fold_legal(real)) {
          action = kTableFold;
        } else if (kind < 6 && range) {
          const auto width = static_cast<std::uint64_t>(range->max - range->min + 1);
          const double u = random.uniform();
          action = raise_to(kind < 2 ? range->min : range->min + static_cast<std::int32_t>(static_cast<double>(width) * u * u * u * u));
        }
      }
      ASSERT_NO_THROW(hand.observe(action, meant));
      // Replaying the abstract history by the rules gives the same state: every action in it was legal.
      State replayed = game.initial_state(Deal{});
      for (int i = 0; i < hand.abstract().history.size; ++i) {
        const Action taken = hand.abstract().history[i];
        ASSERT_TRUE((game.legal_actions(replayed) >> taken) & 1);
        game.apply(replayed, taken);
      }
      ASSERT_EQ(replayed, hand.abstract());
    }
  }
  EXPECT_GT(questions, hands / 2);
  std::printf("%s: %d questions, %d at an earlier decision, %d without one\n", game.name().c_str(), questions, earlier, none);
  // Most are hands that one or two raises put all-in, where all-in is the only size that is left.
  EXPECT_LT(earlier + none, questions / 5) << "the abstract hand keeps up nearly always";
  if (game.definition().limit) EXPECT_EQ(earlier + none, 0);
}

TEST(HandTranslation, TheAbstractHandStaysLegalHeadsUp) { play_random_hands(make_game("hunl"), 10000, 1); }
TEST(HandTranslation, TheAbstractHandStaysLegalWithSixPlayers) { play_random_hands(make_game("nlhe6"), 3000, 2); }
TEST(HandTranslation, TheAbstractHandStaysLegalWithUnequalStacks) {
  for (const char* name : {"nolimit_3p_500_1000_2000.game", "nolimit_4p_19_200_16_200.game", "nolimit_4p_100_200_300_300.game"}) {
    play_random_hands(make_game(std::string(DEEPCFR_TEST_DATA) + "/games/" + name), 2000, 3);
  }
}
TEST(HandTranslation, TheAbstractHandStaysLegalWithoutAllIn) {
  BetAbstraction sizes;
  sizes.pot_fractions.fill({0.75});
  sizes.all_in = false;
  play_random_hands(Game(find_game_definition("hunl"), RuleSet::acpc, sizes), 2000, 4);
}
TEST(HandTranslation, LimitGamesAreWhatTheyAre) {
  for (const char* name : {"hulh", "leduc", "kuhn3"}) play_random_hands(make_game(name), 1000, 5);
}

}  // namespace
}  // namespace deepcfr
