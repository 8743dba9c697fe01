#include "players.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/best_response.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

std::string error_of(const std::vector<std::string>& names, const std::string& game) {
  try {
    (void)game_of_players(names, game);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.where() + ": " + error.message() + "; " + error.hint();
  }
  return "";
}

TEST(Players, BotsNeedAGame) {
  const std::vector<std::string> names = {"random", "always_call"};
  EXPECT_EQ(game_of_players(names, "kuhn")->name(), "kuhn");
  EXPECT_EQ(error_of(names, ""), "--game: no game is named; give --game GAME, or a run as one of the players");
}

TEST(Players, NamesOfNothingAreRefusedWithTheNearest) {
  EXPECT_EQ(error_of({"tigth"}, "leduc"), "player: tigth is neither a bot nor the folder of a run; did you mean tight?");
  EXPECT_NE(error_of({"runs/none@5:mixture"}, "leduc").find("runs are folders like runs/leduc"), std::string::npos);
}

TEST(Players, BotsAndFixedPolicies) {
  const auto game = std::make_shared<const Game>(make_game("leduc"));
  for (const char* name : {"random", "uniform", "always_fold", "tight"}) {
    const Player player = open_player(name, game);
    EXPECT_EQ(player.name, name);
    EXPECT_EQ(player.iteration, -1);
    ASSERT_NE(player.policy, nullptr);
  }
}

TEST(Players, EquilibriumOfAToyGame) {
  const auto game = std::make_shared<const Game>(make_game("kuhn"));
  const Player player = open_player("equilibrium", game);
  EXPECT_LT(exploitability(SmallGame(*game), *player.policy).nash_conv, 1e-3);
}

TEST(Players, EquilibriumOfALargeGameIsRefused) {
  EXPECT_THROW(open_player("equilibrium", std::make_shared<const Game>(make_game("hunl"))), Error);
}

}  // namespace
}  // namespace deepcfr
