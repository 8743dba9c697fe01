// What every game keeps, whatever its definition, rule set and abstraction: random hands with fixed seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "deepcfr/game/infoset.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using testing::all_games;
using testing::NamedGame;
using testing::random_hand;

constexpr std::uint64_t kHands = 300;

class GameContract : public ::testing::TestWithParam<NamedGame> {
 protected:
  const Game& game() const { return GetParam().game; }
  template <typename Check>
  void for_each_hand(Check check) const {
    for (std::uint64_t seed = 0; seed < kHands; ++seed) {
      SCOPED_TRACE("hand " + std::to_string(seed));
      check(random_hand(game(), seed));
      if (::testing::Test::HasFailure()) return;
    }
  }
};

TEST_P(GameContract, ChipsStayWithinTheStacksAndNeverComeBack) {
  for_each_hand([&](const std::vector<State>& hand) {
    for (std::size_t i = 0; i < hand.size(); ++i) {
      for (std::size_t p = 0; p < static_cast<std::size_t>(game().players()); ++p) {
        ASSERT_GE(hand[i].spent[p], i == 0 ? 0 : hand[i - 1].spent[p]);
        ASSERT_LE(hand[i].spent[p], game().definition().stack[p]);
        ASSERT_LE(hand[i].spent[p], hand[i].max_spent);
        ASSERT_EQ((hand[i].all_in >> p) & 1, hand[i].spent[p] == game().definition().stack[p]);
      }
    }
  });
}

TEST_P(GameContract, LegalActionsAreThereUntilTheEndAndNotAfter) {
  for_each_hand([&](const std::vector<State>& hand) {
    for (const State& state : hand) {
      const ActionMask legal = game().legal_actions(state);
      ASSERT_EQ(legal == 0, state.finished);
      ASSERT_LT(legal, 1u << game().num_actions());
      if (state.finished) {
        ASSERT_FALSE(game().raise_range(state));
        ASSERT_FALSE(game().fold_legal(state));
      } else {
        ASSERT_TRUE((legal >> kCall) & 1);
        ASSERT_EQ(legal & 1, game().fold_legal(state));
        ASSERT_FALSE(state.has_folded(state.actor));
        ASSERT_LT(state.spent[state.actor], game().definition().stack[state.actor]);
      }
    }
  });
}

TEST_P(GameContract, RaisesOfTheAbstractionAreDistinctAndWithinTheRules) {
  for_each_hand([&](const std::vector<State>& hand) {
    for (const State& state : hand) {
      const std::optional<RaiseRange> range = game().raise_range(state);
      std::int32_t previous = state.max_spent;
      for (int a = kFirstRaise; a < game().num_actions(); ++a) {
        if (((game().legal_actions(state) >> a) & 1) == 0) continue;
        ASSERT_TRUE(range);
        const std::int32_t total = game().raise_to(state, static_cast<Action>(a));
        ASSERT_GT(total, previous);
        ASSERT_GE(total, range->min);
        ASSERT_LE(total, range->max);
        previous = total;
      }
    }
  });
}

TEST_P(GameContract, ValuesSumToZeroAndNobodyLosesMoreThanIsIn) {
  for_each_hand([&](const std::vector<State>& hand) {
    const State& end = hand.back();
    const std::vector<double> values = testing::values_of(game(), end);
    ASSERT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), 0, 1e-9);
    for (std::size_t p = 0; p < values.size(); ++p) {
      ASSERT_GE(values[p], -end.spent[p] - 1e-9);
      ASSERT_EQ(values[p], game().value(end, static_cast<int>(p)));
      ASSERT_TRUE(game().rules() == RuleSet::acpc || values[p] == std::round(values[p]));
    }
  });
}

TEST_P(GameContract, HandsStayWithinTheStatedLengths) {
  for_each_hand([&](const std::vector<State>& hand) {
    std::array<int, kMaxRounds> actions{};
    for (std::size_t i = 0; i + 1 < hand.size(); ++i) ++actions[hand[i].round];
    ASSERT_LE(*std::max_element(actions.begin(), actions.end()), game().max_actions_in_round());
    ASSERT_LE(hand.size() - 1, static_cast<std::size_t>(game().max_actions_in_hand()));
    ASSERT_EQ(hand.back().history.size, hand.size() - 1);
    ASSERT_FALSE(hand.back().history.overflow);
  });
}

TEST_P(GameContract, AnInfosetLeadsBackToTheStateAndSurvivesPacking) {
  const InfosetLayout layout(game());
  for_each_hand([&](const std::vector<State>& hand) {
    for (std::size_t i = 0; i + 1 < hand.size(); ++i) {
      const Infoset infoset = infoset_of(game(), hand[i]);
      State replayed = state_of(game(), infoset);
      ASSERT_EQ(infoset_of(game(), replayed), infoset);
      replayed.deal = hand[i].deal;
      ASSERT_EQ(replayed, hand[i]);
      std::vector<std::byte> packed(layout.bytes() + 1, std::byte{0x5a});
      layout.pack(infoset, packed.data());
      ASSERT_EQ(packed.back(), std::byte{0x5a});
      ASSERT_EQ(layout.unpack(packed.data()), infoset);
    }
  });
}

TEST_P(GameContract, PrintedStatesReadBack) {
  for_each_hand([&](const std::vector<State>& hand) {
    for (const State& state : hand) {
      const std::string text = print_acpc_state(game(), state, 17);
      ParsedState parsed = parse_acpc_state(game(), text);
      ASSERT_EQ(parsed.consumed, text.size()) << text;
      ASSERT_EQ(parsed.hand_id, 17u);
      const int board = game().definition().board_count(state.round);
      ASSERT_TRUE(std::equal(state.deal.board.begin(), state.deal.board.begin() + board, parsed.state.deal.board.begin()));
      ASSERT_EQ(parsed.state.deal.hole, state.deal.hole);
      parsed.state.deal = state.deal;
      ASSERT_EQ(parsed.state, state) << text;
    }
  });
}

// A21: values come from the right states after going back and forth; copies are exact and independent.
TEST_P(GameContract, A21_CopiesAreExact) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {21}));
  for_each_hand([&](const std::vector<State>& hand) {
    for (const State& state : hand) {
      if (state.finished) continue;
      unsigned char before[sizeof(State)];
      std::memcpy(before, &state, sizeof(State));
      State copy = state;
      while (!copy.finished) game().apply(copy, testing::random_action(game().legal_actions(copy), random));
      ASSERT_EQ(std::memcmp(before, &state, sizeof(State)), 0);
      ASSERT_NE(copy, state);
    }
  });
}

TEST_P(GameContract, DealsAreDistinctCardsOfTheDeck) {
  const GameDefinition& d = game().definition();
  const std::vector<Card> deck = make_deck(d.ranks, d.suits);
  for (std::uint64_t seed = 0; seed < kHands; ++seed) {
    const Deal deal = game().sample_deal(CounterRandom(StreamPurpose::deal, {seed}));
    ASSERT_EQ(deal, game().sample_deal(CounterRandom(StreamPurpose::deal, {seed})));
    std::vector<Card> cards;
    for (std::size_t p = 0; p < kMaxPlayers; ++p) {
      for (std::size_t c = 0; c < kMaxHoleCards; ++c) {
        const bool dealt = static_cast<int>(p) < d.players && static_cast<int>(c) < d.hole_cards;
        ASSERT_EQ(deal.hole[p][c] != kNoCard, dealt);
        if (dealt) cards.push_back(deal.hole[p][c]);
      }
    }
    for (std::size_t c = 0; c < kMaxBoardCards; ++c) {
      const bool dealt = static_cast<int>(c) < d.board_count(d.rounds - 1);
      ASSERT_EQ(deal.board[c] != kNoCard, dealt);
      if (dealt) cards.push_back(deal.board[c]);
    }
    std::sort(cards.begin(), cards.end());
    ASSERT_EQ(std::adjacent_find(cards.begin(), cards.end()), cards.end());
    ASSERT_TRUE(std::includes(deck.begin(), deck.end(), cards.begin(), cards.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Games, GameContract, ::testing::ValuesIn(all_games()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace deepcfr
