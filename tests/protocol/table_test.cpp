#include "deepcfr/protocol/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/bots.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

/// Says what it is told to, and keeps what it sees.
class Scripted final : public TablePlayer {
 public:
  Scripted(std::string name, std::optional<TableAction> action) : name_(std::move(name)), action_(action) {}
  const std::string& name() const override { return name_; }
  void see(const TableView& view) override { seen.push_back(view); }
  std::optional<TableAction> act(const TableView&) override { return action_; }
  std::vector<TableView> seen;

 private:
  std::string name_;
  std::optional<TableAction> action_;
};

class Keeper final : public TableObserver {
 public:
  void hand_over(const HandRecord& hand) override { hands.push_back(hand); }
  std::vector<HandRecord> hands;
};

TableResult play(const Game& game, std::vector<TablePlayer*> players, std::uint32_t hands, Keeper& keeper) {
  const std::vector<TableObserver*> observers{&keeper};
  return play_table(game, players, {hands, 1}, observers);
}

TEST(Table, PositionsRotateAndChipsAreThePlayers) {
  const Game game = make_game(std::string(DEEPCFR_TEST_DATA) + "/games/limit_3p.game");
  Scripted a("a", TableAction{Kind::fold, 0}), b("b", TableAction{Kind::fold, 0}), c("c", TableAction{Kind::fold, 0});
  Keeper keeper;
  const TableResult result = play(game, {&a, &b, &c}, 4, keeper);
  ASSERT_EQ(keeper.hands.size(), 4u);
  EXPECT_EQ(keeper.hands[0].names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(keeper.hands[1].names, (std::vector<std::string>{"b", "c", "a"})) << "player i sits at position i − hand";
  EXPECT_EQ(keeper.hands[3].names, (std::vector<std::string>{"a", "b", "c"}));
  for (const HandRecord& hand : keeper.hands) EXPECT_EQ(hand.values, (std::vector<double>{-5, 5, 0}));
  EXPECT_EQ(result.total, (std::vector<double>{-5 - 5 + 5, 5 - 5 + 0 + 5, 0 + 5 - 5 + 0}));
  EXPECT_EQ(result.corrected, (std::vector<std::uint64_t>{0, 0, 0}));
}

TEST(Table, WhatIsNotLegalIsCorrectedAndCounted) {
  const Game game = make_game("hunl");
  Keeper keeper;
  Scripted calls("calls", TableAction{Kind::call, 0}), silent("silent", std::nullopt);
  EXPECT_EQ(play(game, {&calls, &silent}, 1, keeper).corrected, (std::vector<std::uint64_t>{0, 4})) << "no action: a call in each round";
  Scripted low("low", TableAction{Kind::raise, 10});
  const TableResult raised = play(game, {&calls, &low}, 1, keeper);
  EXPECT_EQ(raised.corrected[1], 4u);
  EXPECT_EQ(print_acpc_betting(game, keeper.hands.back().betting), "r200c/cr300c/cr400c/cr500c") << "the least raise";
  Scripted high("high", TableAction{Kind::raise, 50000});
  EXPECT_EQ(play(game, {&calls, &high}, 1, keeper).corrected[1], 1u);
  EXPECT_EQ(print_acpc_betting(game, keeper.hands.back().betting), "r20000c///");
  Scripted folds("folds", TableAction{Kind::fold, 0});
  play(game, {&folds, &calls}, 1, keeper);
  EXPECT_EQ(print_acpc_betting(game, keeper.hands.back().betting), "cc/cc/cc/cc") << "folds where there is nothing to call are checks";
}

TEST(Table, EveryoneSeesEveryChangeAndNoCardsOfOthers) {
  const Game game = make_game("hunl");
  Keeper keeper;
  Scripted a("a", TableAction{Kind::call, 0}), b("b", TableAction{Kind::call, 0});
  play(game, {&a, &b}, 1, keeper);
  ASSERT_EQ(a.seen.size(), 9u);
  ASSERT_EQ(b.seen.size(), 9u);
  const Deal& deal = keeper.hands[0].deal;
  for (std::size_t i = 0; i + 1 < a.seen.size(); ++i) {
    EXPECT_EQ(a.seen[i].state.deal.hole[0], deal.hole[0]);
    EXPECT_EQ(a.seen[i].state.deal.hole[1][0], kNoCard);
    const auto board = static_cast<std::size_t>(game.definition().board_count(a.seen[i].state.round));
    for (std::size_t c = 0; c < 5; ++c) EXPECT_EQ(a.seen[i].state.deal.board[c], c < board ? deal.board[c] : kNoCard);
  }
  EXPECT_EQ(a.seen.back().state.deal.hole, deal.hole) << "a showdown";
}

TEST(Table, DealsAreFunctionsOfTheSeedAndTheHand) {
  const Game game = make_game("leduc");
  const auto random = make_bot(game, "random");
  Keeper first, second;
  for (Keeper* keeper : {&first, &second}) {
    PolicyPlayer a(game, "a", *random, 1), b(game, "b", *random, 1);
    play(game, {&a, &b}, 50, *keeper);
  }
  for (std::size_t h = 0; h < 50; ++h) {
    EXPECT_EQ(first.hands[h].deal, second.hands[h].deal);
    EXPECT_EQ(first.hands[h].betting, second.hands[h].betting);
  }
  EXPECT_NE(first.hands[0].deal, first.hands[1].deal);
}

TEST(Table, TheNumberOfPlayersIsChecked) {
  const Game game = make_game("hunl");
  Scripted a("a", TableAction{Kind::call, 0});
  std::vector<TablePlayer*> one{&a};
  EXPECT_THROW(play_table(game, one, {}, {}), Error);
}

}  // namespace
}  // namespace deepcfr
