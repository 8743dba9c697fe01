// The encoding tells any two infosets apart and is equal for equal ones.
#include "deepcfr/game/encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "deepcfr/game/betting_tree.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using testing::play;
using Bytes = std::vector<std::byte>;
using Row = std::vector<float>;

constexpr FeatureKind kKinds[] = {FeatureKind::dense, FeatureKind::cards};

/// Infosets seen and their rows, checked to be one to one.
class OneToOne {
 public:
  explicit OneToOne(const Game& game, FeatureKind kind) : game_(game), encoder_(game, kind), layout_(game) {}

  void add(const State& state) {
    const Infoset infoset = infoset_of(game_, state);
    Bytes bytes(layout_.bytes());
    layout_.pack(infoset, bytes.data());
    Row row(static_cast<std::size_t>(encoder_.width()), std::nanf(""));
    encoder_.encode(state, row.data());
    for (const float x : row) ASSERT_TRUE(std::isfinite(x));
    Row again(row.size(), 7.0f);
    encoder_.encode(infoset, again.data());
    ASSERT_EQ(again, row);
    const auto [by_bytes, new_bytes] = rows_.try_emplace(bytes, row);
    ASSERT_EQ(by_bytes->second, row) << "one infoset, two rows: " << describe(game_, infoset);
    const auto [by_row, new_row] = infosets_.try_emplace(row, bytes);
    ASSERT_EQ(by_row->second, bytes) << "two infosets, one row: " << describe(game_, infoset);
  }
  std::size_t size() const { return rows_.size(); }

 private:
  const Game& game_;
  Encoder encoder_;
  InfosetLayout layout_;
  std::map<Bytes, Row> rows_;
  std::map<Row, Bytes> infosets_;
};

std::vector<Deal> all_deals(const Game& game) {
  std::vector<Deal> deals;
  const GameDefinition& d = game.definition();
  const std::vector<Card> deck = make_deck(d.ranks, d.suits);
  const auto places = static_cast<std::size_t>(d.players + d.board_count(d.rounds - 1));
  std::vector<Card> chosen;
  const auto choose = [&](auto& self) -> void {
    if (chosen.size() == places) {
      Deal deal;
      for (std::size_t i = 0; i < places; ++i) {
        (static_cast<int>(i) < d.players ? deal.hole[i][0] : deal.board[i - static_cast<std::size_t>(d.players)]) = chosen[i];
      }
      deals.push_back(deal);
      return;
    }
    for (const Card card : deck) {
      if (std::find(chosen.begin(), chosen.end(), card) != chosen.end()) continue;
      chosen.push_back(card);
      self(self);
      chosen.pop_back();
    }
  };
  choose(choose);
  return deals;
}

void expect_one_to_one_everywhere(const std::string& name, bool canonical_suits, std::size_t infosets) {
  const Game game = make_game(name, RuleSet::acpc, canonical_suits);
  const BettingTree tree(game);
  for (const FeatureKind kind : kKinds) {
    OneToOne seen(game, kind);
    for (const Deal& deal : all_deals(game)) {
      for (const BettingNode& node : tree.nodes()) {
        if (node.legal == 0) continue;
        State state = node.state;
        state.deal = deal;
        ASSERT_NO_FATAL_FAILURE(seen.add(state));
      }
    }
    EXPECT_EQ(seen.size(), infosets) << name;
  }
}

TEST(Encoder, TellsAllInfosetsOfTheToysApart) {
  expect_one_to_one_everywhere("kuhn", true, 12);
  expect_one_to_one_everywhere("kuhn3", true, 48);
  expect_one_to_one_everywhere("leduc", false, 936);
  expect_one_to_one_everywhere("leduc", true, 288);
}

TEST(Encoder, TellsInfosetsOfRandomHandsApart) {
  for (const auto& [name, game] : testing::all_games()) {
    SCOPED_TRACE(name);
    for (const FeatureKind kind : kKinds) {
      OneToOne seen(game, kind);
      for (std::uint64_t seed = 0; seed < 200; ++seed) {
        for (State state : testing::random_hand(game, seed)) {
          if (state.finished) continue;
          ASSERT_NO_FATAL_FAILURE(seen.add(state));
          // The same betting with other cards, and the same cards with other betting.
          state.deal = game.sample_deal(CounterRandom(StreamPurpose::deal, {seed + 1}));
          ASSERT_NO_FATAL_FAILURE(seen.add(state));
        }
      }
    }
  }
}

TEST(Encoder, TellsBetSizesApart) {
  const Game game(testing::no_limit("20000 20000", "100 50", 2), RuleSet::acpc,
                  testing::sizes({0.3, 0.31, 0.5, 1, 2, 5, 20, 65}));
  for (const FeatureKind kind : kKinds) {
    OneToOne seen(game, kind);
    const Deal deal = testing::deal_of(game, "AsAd|KsKd/2c3c4h/9s/9h");
    const auto walk = [&](auto& self, const State& state, int depth) -> void {
      if (state.finished || depth == 0) return;
      ASSERT_NO_FATAL_FAILURE(seen.add(state));
      for (int a = 0; a < game.num_actions(); ++a) {
        if (((game.legal_actions(state) >> a) & 1) == 0) continue;
        State next = state;
        game.apply(next, static_cast<Action>(a));
        self(self, next, depth - 1);
      }
    };
    walk(walk, game.initial_state(deal), 5);
    EXPECT_GT(seen.size(), 1000u);
  }
}

TEST(Encoder, A20_TheWidthDoesNotDependOnTheStackAndTheEndHasNoActions) {
  for (const FeatureKind kind : kKinds) {
    const auto width = [kind](const char* stacks) {
      const Game game(testing::no_limit(stacks, "100 50", 2), RuleSet::acpc, testing::sizes({0.5, 1, 2}));
      return Encoder(game, kind).width();
    };
    EXPECT_EQ(width("1200 1200"), width("20000 20000"));
    EXPECT_EQ(width("1200 1200"), width("1000000000 1000000000"));
  }
  const Game game = make_game("hunl");
  EXPECT_EQ(game.legal_actions(play(game, "cc/cc/cc/cc")), 0);
  EXPECT_EQ(game.legal_actions(play(game, "f")), 0);
}

TEST(Encoder, RowsOfLeducByHand) {
  const Game game = make_game("leduc", RuleSet::acpc, false);
  const State state = play(game, "cr c/r", testing::deal_of(game, "Ks|As/Ah"));
  const Encoder dense(game, FeatureKind::dense);
  ASSERT_EQ(dense.width(), 6 + 6 + 3 + 3 + 1 + 2 * 4 * 3 + 2);
  Row row(static_cast<std::size_t>(dense.width()));
  dense.encode(state, row.data());
  const Row expected{0,          0,        0,         0, 0, 1,                                  // As of Qh Qs Kh Ks Ah As
                     0,          0,        0,         0, 1, 0,                                  // Ah
                     0,          0,        1,         0, 0, 1,        1,                        // ranks, and the pair
                     1,          0,        0,         0, 1, 2.0f / 4, 1, 0, 2.0f / 6, 0, 0, 0,  // check, raise by 2 into 2, call
                     0,          1,        4.0f / 10, 0, 0, 0,        0, 0, 0,        0, 0, 0,  // bet 4 into 6
                     10.0f / 20, 4.0f / 14};
  EXPECT_EQ(row, expected);
  const Encoder cards(game, FeatureKind::cards);
  const FeatureLayout& layout = cards.layout();
  EXPECT_EQ(layout.card_count, 2);
  EXPECT_EQ(layout.bet_width, 26);
  EXPECT_EQ(layout.width, 28);
  EXPECT_EQ(layout.groups, 2);
  EXPECT_EQ(layout.group_size[0], 1);
  EXPECT_EQ(layout.group_size[1], 1);
  EXPECT_EQ(layout.first_card, parse_card("Qh"));
  Row numbers(28);
  cards.encode(state, numbers.data());
  EXPECT_EQ(numbers[0], parse_card("As").value());
  EXPECT_EQ(numbers[1], parse_card("Ah").value());
  EXPECT_TRUE(std::equal(numbers.begin() + 2, numbers.end(), row.begin() + 19));
  cards.encode(play(game, "c", testing::deal_of(game, "Ks|As/Ah")), numbers.data());
  EXPECT_EQ(numbers[1], -1);
}

TEST(Encoder, NumbersStaySmall) {
  for (const auto& [name, game] : testing::all_games()) {
    const Encoder encoder(game, FeatureKind::dense);
    Row row(static_cast<std::size_t>(encoder.width()));
    const float most =
        static_cast<float>(std::max({1, game.definition().hole_cards, game.definition().board_count(game.rounds() - 1)}));
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      for (const State& state : testing::random_hand(game, seed)) {
        if (state.finished) continue;
        encoder.encode(state, row.data());
        for (const float x : row) ASSERT_TRUE(x >= -1 && x <= most) << name;
      }
    }
  }
}

}  // namespace
}  // namespace deepcfr
