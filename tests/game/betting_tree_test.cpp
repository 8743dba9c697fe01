#include "deepcfr/game/betting_tree.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "deepcfr/core/error.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using Points = std::array<std::uint64_t, kMaxRounds>;

void expect_counts(const BettingCounts& counts, const Points& points, std::uint64_t terminals) {
  EXPECT_EQ(counts.decision_points, points);
  EXPECT_EQ(counts.terminals, terminals);
  EXPECT_TRUE(counts.complete);
}

TEST(BettingTree, CountsAgreeWithTheReferenceEngine) {
  expect_counts(count_betting(make_game("kuhn"), true), {4}, 5);
  expect_counts(count_betting(make_game("kuhn3"), true), {12}, 13);
  expect_counts(count_betting(make_game("leduc"), true), {6, 30}, 49);
  expect_counts(count_betting(make_game("hulh"), true), {8, 70, 630, 5670}, 10206);
  const std::string games = std::string(DEEPCFR_TEST_DATA) + "/games/";
  expect_counts(count_betting(make_game(games + "s10.game"), true), {60, 300, 860, 1868}, 4338);
  expect_counts(count_betting(make_game(games + "s20.game"), true), {1188, 19996, 151124, 738540}, 1517074);
}

TEST(BettingTree, LimitGamesCountTheSameUnderTheAbstraction) {
  for (const char* name : {"kuhn", "kuhn3", "leduc", "fhp", "hulh"}) {
    const Game game = make_game(name);
    const BettingCounts every = count_betting(game, true);
    expect_counts(count_betting(game, false), every.decision_points, every.terminals);
  }
  expect_counts(count_betting(make_game("fhp"), false), {8, 56}, 98);
}

// The count walks equal starts of a round once, the tree does not.
TEST(BettingTree, CountsAgreeWithTheTree) {
  int trees = 0;
  for (const auto& [name, game] : testing::all_games()) {
    const BettingCounts counts = count_betting(game, false, 200'000 / testing::kSlowdown);
    if (!counts.complete) continue;
    const BettingTree tree(game);
    BettingCounts walked;
    for (const BettingNode& node : tree.nodes())
      ++(node.legal == 0 ? walked.terminals : walked.decision_points[node.state.round]);
    EXPECT_EQ(counts.terminals, walked.terminals) << name;
    EXPECT_EQ(counts.decision_points, walked.decision_points) << name;
    ++trees;
  }
  EXPECT_GE(trees, 10);
}

TEST(BettingTree, CountingStopsAtTheLimit) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(count_betting(make_game("nlhe6"), false, 100'000).complete);
  EXPECT_FALSE(count_betting(make_game("hunl"), true, 100'000).complete);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1) * testing::kSlowdown);
}

TEST(BettingTree, SizesOfGames) {
  const GameSize hulh = game_size(make_game("hulh"));
  EXPECT_NEAR(hulh.infosets, 3.194e14, 0.001e14);
  EXPECT_DOUBLE_EQ(hulh.deals, 1326.0 * 1225 * 17296 * 45 * 44);
  EXPECT_EQ(game_size(make_game("leduc")).infosets, 936);
  EXPECT_EQ(game_size(make_game("leduc")).deals, 120);
  EXPECT_EQ(game_size(make_game("leduc")).histories, 120 * 85);
  EXPECT_EQ(game_size(make_game("kuhn")).infosets, 12);
  EXPECT_EQ(game_size(make_game("kuhn3")).deals, 24);
  EXPECT_EQ(game_size(make_game("fhp")).infosets, 8 * 1326 + 56.0 * 1326 * 19600);
}

class BettingTreeOf : public ::testing::TestWithParam<const char*> {};

TEST_P(BettingTreeOf, HoldsEveryStateOnceInDepthFirstOrder) {
  const Game game = make_game(GetParam());
  const BettingTree tree(game);
  const BettingCounts counts = count_betting(game, false);
  std::uint64_t points = 0;
  for (const std::uint64_t n : counts.decision_points) points += n;
  EXPECT_EQ(tree.nodes().size(), points + counts.terminals);
  EXPECT_EQ(tree.decisions(), static_cast<int>(points));
  std::set<std::int32_t> decisions;
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const BettingNode& node = tree.nodes()[i];
    const auto index = static_cast<std::int32_t>(i);
    ASSERT_EQ(node.legal, game.legal_actions(node.state));
    ASSERT_EQ(node.decision >= 0, !node.state.finished);
    if (node.decision >= 0) decisions.insert(node.decision);
    ASSERT_EQ(tree.find(node.state.history), index);
    if (node.parent < 0) continue;
    const BettingNode& parent = tree.node(node.parent);
    ASSERT_EQ(tree.child(node.parent, node.action), index);
    ASSERT_TRUE(node.decision < 0 || node.decision > parent.decision);
    State state = parent.state;
    game.apply(state, node.action);
    ASSERT_EQ(state, node.state);
  }
  EXPECT_EQ(static_cast<int>(decisions.size()), tree.decisions());
  History unknown;
  unknown.push(kOffTreeRaise);
  EXPECT_EQ(tree.find(unknown), -1);
}

INSTANTIATE_TEST_SUITE_P(Games, BettingTreeOf, ::testing::Values("kuhn", "kuhn3", "leduc", "fhp", "hulh"));

TEST(BettingTree, ALargeTreeIsRefused) {
  try {
    BettingTree tree(make_game("nlhe6"), 10'000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(), "the betting tree has more than 10000 nodes");
    EXPECT_FALSE(error.hint().empty());
  }
}

}  // namespace
}  // namespace deepcfr
