// Who gets what: side pots, ties, uncalled bets, against a second, chip-by-chip account.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "deepcfr/core/error.h"
#include "deepcfr/game/evaluator.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using testing::deal_of;
using testing::no_limit_game;
using testing::play;
using testing::values_of;
using Values = std::vector<double>;

/// Each chip of each level goes to the best hand among those who put it in and are left; a level whose chips come from
/// folded players alone joins the pot below. One pot = levels with the same eligible players.
Values account(const Game& game, const State& state) {
  const auto n = static_cast<std::size_t>(game.players());
  std::vector<std::pair<std::vector<std::size_t>, std::int64_t>> pots;
  Values out(n);
  for (std::int32_t level = 1; level <= *std::max_element(state.spent.begin(), state.spent.end()); ++level) {
    std::vector<std::size_t> eligible;
    std::int64_t chips = 0;
    for (std::size_t p = 0; p < n; ++p) {
      if (state.spent[p] < level) continue;
      ++chips;
      out[p] -= 1;
      if (!state.has_folded(static_cast<int>(p))) eligible.push_back(p);
    }
    if (pots.empty() || (!eligible.empty() && eligible != pots.back().first)) pots.push_back({eligible, 0});
    pots.back().second += chips;
  }
  const GameDefinition& d = game.definition();
  const auto strength = [&](std::size_t p) {
    std::vector<Card> cards(state.deal.hole[p].begin(), state.deal.hole[p].begin() + d.hole_cards);
    cards.insert(cards.end(), state.deal.board.begin(), state.deal.board.begin() + d.board_count(d.rounds - 1));
    return evaluate(cards);
  };
  for (const auto& [eligible, chips] : pots) {
    HandRank best = 0;
    for (const std::size_t p : eligible) best = std::max(best, strength(p));
    std::vector<std::size_t> winners;
    for (std::size_t i = 0; i < n; ++i) {  // left of the button first
      const std::size_t p = (i + d.first_player[static_cast<std::size_t>(d.rounds - 1)]) % n;
      if (std::count(eligible.begin(), eligible.end(), p) != 0 && strength(p) == best) winners.push_back(p);
    }
    const auto count = static_cast<std::int64_t>(winners.size());
    for (const std::size_t p : winners) {
      if (game.rules() == RuleSet::acpc) {
        out[p] += static_cast<double>(chips) / static_cast<double>(count);
      } else {
        out[p] += static_cast<double>(chips / count + (p == winners[0] ? chips % count : 0));
      }
    }
  }
  return out;
}

TEST(Payoffs, A28_KuhnMovesChips) {
  const Game game = make_game("kuhn");
  const auto value = [&](const char* betting) { return values_of(game, play(game, betting, deal_of(game, "Ks|Qs"))); };
  EXPECT_EQ(value("cc"), (Values{1, -1}));
  EXPECT_EQ(value("rf"), (Values{1, -1}));
  EXPECT_EQ(value("rc"), (Values{2, -2}));
  EXPECT_EQ(value("crf"), (Values{-1, 1}));
  EXPECT_EQ(value("crc"), (Values{2, -2}));
}

TEST(Payoffs, R29_LeducIsCountedInAntes) {
  const Game game = make_game("leduc");
  const State end = play(game, "rc/rc", deal_of(game, "Ks|As/Kh"));
  EXPECT_EQ(values_of(game, end), (Values{7, -7}));
  EXPECT_EQ(result_unit(game).name, "antes");
  EXPECT_EQ(result_unit(game).scale, 1);
  EXPECT_EQ(values_of(game, play(game, "rrc/rrc", deal_of(game, "Ks|As/Kh"))), (Values{13, -13}));
}

TEST(Payoffs, R16_ALayerOfFoldedPlayersFallsIntoThePotBelow) {
  // Two put in 200 and fold without a bet (possible in imported hands only) over an all-in of 100.
  const Game game = no_limit_game("200 200 100", "1 2 0", 3);
  State state = play(game, "", deal_of(game, "2c2d|3c3d|AsAd/KhKs9c/8d/7s"));
  state.spent = {200, 200, 100};
  state.folded = 0b011;
  state.finished = true;
  EXPECT_EQ(values_of(game, state), (Values{-200, -200, 400}));
  state.folded = 0b001;
  EXPECT_EQ(values_of(game, state), (Values{-200, 0, 200}));
  const Game four = no_limit_game("200 200 100 100", "1 2 0 0", 3);
  state = play(four, "", deal_of(four, "2c2d|3c3d|AsAd|QsQd/KhKs9c/8d/7s"));
  state.spent = {200, 200, 100, 100};
  state.folded = 0b0011;
  state.finished = true;
  EXPECT_EQ(values_of(four, state), (Values{-200, -200, 500, -100}));
}

TEST(Payoffs, R19_AnUncalledBetGoesBack) {
  for (const RuleSet rules : {RuleSet::acpc, RuleSet::cardroom}) {
    const Game game = no_limit_game("1000 1000", "2 1", 2, rules);
    EXPECT_EQ(values_of(game, play(game, "r100f")), (Values{-2, 2}));
    const Game unequal = no_limit_game("500 2000", "2 1", 2, rules);
    const State end = play(unequal, "r2000c", deal_of(unequal, "AsAd|KsKd/2c3c4h/9s/9h"));
    EXPECT_EQ(values_of(unequal, end), (Values{500, -500}));
    EXPECT_EQ(values_of(unequal, play(unequal, "r2000c", deal_of(unequal, "KsKd|AsAd/2c3c4h/9s/9h"))), (Values{-500, 500}));
  }
}

// Antes are blinds that all post: they are in the pot, and nothing is to be called.
TEST(Payoffs, R20_AntesAreInThePotAndNotToBeCalled) {
  const Game game = make_game("kuhn3");
  EXPECT_EQ(game.call_cost(play(game, "")), 0);
  EXPECT_EQ(values_of(game, play(game, "rff", deal_of(game, "Js|Qs|Ks"))), (Values{2, -1, -1}));
}

TEST(Payoffs, R17_OddChipsGoToTheFirstWinnerLeftOfTheButton) {
  const char* cards = "7h2c|AhKd|AdKh/3s8s9c/Jd/Qs";
  const Game cardroom = no_limit_game("200 200 200", "1 2 0", 3, RuleSet::cardroom);
  EXPECT_EQ(values_of(cardroom, play(cardroom, "cfc/cc/cc/cc", deal_of(cardroom, cards))), (Values{-1, 1, 0}));
  const Game acpc = no_limit_game("200 200 200", "1 2 0", 3, RuleSet::acpc);
  EXPECT_EQ(values_of(acpc, play(acpc, "cfc/cc/cc/cc", deal_of(acpc, cards))), (Values{-1, 0.5, 0.5}));
}

// R17: seven players, random stacks, everybody sees a random board: no chip lost, none to a player who did not win.
TEST(Payoffs, R17_RandomSidePotsAgreeWithACountChipByChip) {
  const int hands = 20'000 / testing::kSlowdown;
  for (const RuleSet rules : {RuleSet::acpc, RuleSet::cardroom}) {
    const Game game = no_limit_game("60 60 60 60 60 60 60", "1 2 0 0 0 0 0", 3, rules);
    SequentialRandom random(CounterRandom(StreamPurpose::test, {17}));
    for (int hand = 0; hand < hands; ++hand) {
      Deal deal = game.sample_deal(CounterRandom(random()));
      if (hand % 2 == 0) deal.board = deal_of(game, "AsAd|KsKd/AcKcQcJcTc").board;  // everybody ties
      if (hand % 2 == 0) {
        for (auto& hole : deal.hole) hole.fill(kNoCard);
        const std::vector<Card> low = parse_cards("2c2d2h2s3c3d3h3s4c4d4h4s5c5d");
        for (std::size_t p = 0; p < 7; ++p) deal.hole[p] = {low[2 * p], low[2 * p + 1], kNoCard};
      }
      State state = game.initial_state(deal);
      state.finished = true;
      for (std::size_t p = 0; p < 7; ++p) {
        state.spent[p] = static_cast<std::int32_t>(random.below(random.below(2) == 0 ? 60 : 6) + 1);
        if (random.below(3) == 0) state.folded = static_cast<std::uint16_t>(state.folded | (1u << p));
      }
      state.folded = static_cast<std::uint16_t>(state.folded & ~(1u << random.below(7)));
      const Values expected = account(game, state);
      const Values values = values_of(game, state);
      ASSERT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 0, 1e-9);
      for (std::size_t p = 0; p < 7; ++p) ASSERT_NEAR(values[p], expected[p], 1e-9) << "hand " << hand << ", player " << p;
    }
  }
}

TEST(Payoffs, R37_RandomHandsAgreeWithACountChipByChip) {
  for (const testing::NamedGame& named : testing::all_games()) {
    SCOPED_TRACE(named.name);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const State end = testing::random_hand(named.game, seed).back();
      const Values expected = account(named.game, end);
      const Values values = values_of(named.game, end);
      for (std::size_t p = 0; p < values.size(); ++p) ASSERT_NEAR(values[p], expected[p], 1e-9) << "hand " << seed;
    }
  }
}

TEST(Payoffs, AShowdownWithoutItsCardsIsRefused) {
  const Game game = make_game("hunl");
  EXPECT_THROW(values_of(game, play(game, "r20000c")), Error);
  EXPECT_NO_THROW(values_of(game, play(game, "r20000f")));
}

TEST(Payoffs, AHandThatGoesOnHasNone) {
  const Game game = make_game("hunl");
  EXPECT_THROW(values_of(game, play(game, "r20000", deal_of(game, "AsAd|KsKd/2c3c4h/9s/9h"))), Error);
}

}  // namespace
}  // namespace deepcfr
