#include "deepcfr/game/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

using ::testing::HasSubstr;

TEST(Catalogue, HoldsTheGamesInOrder) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : game_catalogue()) {
    names.emplace_back(entry.name);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(make_game(names.back()).name(), names.back());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"kuhn", "kuhn3", "leduc", "fhp", "hulh", "hunl", "nlhe6"}));
}

TEST(Catalogue, FactsOfTheGames) {
  const GameDefinition fhp = find_game_definition("fhp");
  EXPECT_TRUE(fhp.limit);
  EXPECT_EQ(fhp.blind[0], 100);
  EXPECT_EQ(fhp.blind[1], 50);
  EXPECT_EQ(fhp.first_player[0], 1);
  EXPECT_EQ(fhp.raise_size[0], 100);
  EXPECT_EQ(fhp.raise_size[1], 100);
  EXPECT_EQ(fhp.max_raises[0], 3);
  EXPECT_EQ(fhp.max_raises[1], 3);
  EXPECT_EQ(fhp.board_count(1), 3);
  const GameDefinition hunl = find_game_definition("hunl");
  EXPECT_EQ(hunl.stack[1], 20000);
  EXPECT_EQ(hunl.board_count(3), 5);
  const GameDefinition six = find_game_definition("nlhe6");
  EXPECT_EQ(six.players, 6);
  EXPECT_EQ(six.stack[5], 10000);
  EXPECT_EQ(six.blind[0], 50);
  EXPECT_EQ(six.blind[1], 100);
  EXPECT_EQ(six.first_player[0], 2);
  EXPECT_EQ(find_game_definition("leduc").deck_size(), 6);
  EXPECT_EQ(find_game_definition("kuhn3").deck_size(), 4);
}

TEST(Catalogue, DefaultAbstractions) {
  EXPECT_EQ(default_abstraction(find_game_definition("hulh")), BetAbstraction{});
  EXPECT_EQ(default_abstraction(find_game_definition("hunl")).pot_fractions[3], (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(default_abstraction(find_game_definition("nlhe6")).pot_fractions[0], (std::vector<double>{0.5, 1}));
  EXPECT_TRUE(default_abstraction(find_game_definition("hunl")).all_in);
  EXPECT_EQ(make_game("hunl").num_actions(), 6);
  EXPECT_EQ(make_game("nlhe6").num_actions(), 5);
  EXPECT_EQ(make_game("leduc").num_actions(), 3);
}

TEST(Catalogue, ReadsFiles) {
  const Game game = make_game(std::string(DEEPCFR_TEST_DATA) + "/games/leduc_nolimit.game", RuleSet::cardroom, false);
  EXPECT_EQ(game.name(), "leduc_nolimit");
  EXPECT_EQ(game.rules(), RuleSet::cardroom);
  EXPECT_FALSE(game.canonical_suits());
}

TEST(Catalogue, AnUnknownNameIsRefusedWithTheNearest) {
  try {
    find_game_definition("ledcu");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.message(), HasSubstr("'ledcu' is neither a built-in game (kuhn, kuhn3, leduc"));
    EXPECT_EQ(error.hint(), "did you mean leduc?");
  }
  try {
    find_game_definition("nowhere/x.game");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
  }
}

}  // namespace
}  // namespace deepcfr
