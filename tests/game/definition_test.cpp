#include "deepcfr/game/definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "deepcfr/core/error.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using ::testing::HasSubstr;

const char* const kLeduc =
    "GAMEDEF\n"              // 1
    "limit\n"                // 2
    "numPlayers = 2\n"       // 3
    "numRounds = 2\n"        // 4
    "blind = 1 1\n"          // 5
    "raiseSize = 2 4\n"      // 6
    "firstPlayer = 1 1\n"    // 7
    "maxRaises = 2 2\n"      // 8
    "numSuits = 2\n"         // 9
    "numRanks = 3\n"         // 10
    "numHoleCards = 1\n"     // 11
    "numBoardCards = 0 1\n"  // 12
    "END GAMEDEF\n";         // 13

std::string with(const std::string& from, const std::string& to) {
  std::string text = kLeduc;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_refused(const std::string& text, int line, const std::string& what, const std::string& hint = "") {
  try {
    parse_game_definition(text, "games/x.game");
    ADD_FAILURE() << "accepted, instead of: " << what;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.where(), "games/x.game:" + std::to_string(line)) << error.message();
    EXPECT_THAT(error.message(), HasSubstr(what));
    EXPECT_THAT(error.hint(), HasSubstr(hint));
  }
}

TEST(Definition, ReadsWhatTheFileSays) {
  const GameDefinition d = parse_game_definition(kLeduc, "games/leduc.limit.game");
  EXPECT_EQ(d.name, "leduc.limit");
  EXPECT_TRUE(d.limit);
  EXPECT_EQ(d.players, 2);
  EXPECT_EQ(d.rounds, 2);
  EXPECT_EQ(d.stack[1], kUnlimitedStack);
  EXPECT_EQ(d.raise_size[1], 4);
  EXPECT_EQ(d.max_raises[0], 2);
  EXPECT_EQ(d.deck_size(), 6);
  EXPECT_EQ(d.board_count(0), 0);
  EXPECT_EQ(d.board_count(1), 1);
  EXPECT_EQ(d.big_blind(), 1);
}

TEST(Definition, TakesTheFreedomsOfTheGrammar) {
  const std::string text =
      "# a comment\r\n\r\n  gamedef\r\nNOLIMIT\nnumplayers=3\nNUMROUNDS = 1\n stack = 10\t20  30\nblind=1 2 0\n# "
      "another\nnumSuits = 4\n"
      "numRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0\nEnd  GameDef\n# the end\n\n";
  const GameDefinition d = parse_game_definition(text, "x");
  EXPECT_FALSE(d.limit);
  EXPECT_EQ(d.stack[2], 30);
  EXPECT_EQ(d.first_player[0], 0);  // default
  EXPECT_EQ(d.max_raises[0], 255);  // default
}

TEST(Definition, PrintsAndReadsBack) {
  for (const testing::NamedGame& named : testing::all_games()) {
    const GameDefinition& d = named.game.definition();
    EXPECT_EQ(parse_game_definition(print_game_definition(d), d.name), d) << named.name;
  }
}

TEST(Definition, RefusesUnknownAndDuplicateKeys) {
  expect_refused(with("numSuits", "numSuit"), 9, "unknown key 'numSuit'", "did you mean numSuits?");
  expect_refused(with("numSuits = 2\n", "numSuits = 2\nante = 1\n"), 10, "unknown key 'ante'");
  expect_refused(with("limit\n", "limit\nnumplayers = 2\n"), 4, "numPlayers: given a second time, first in line 3");
  expect_refused(with("limit\n", "limit\nnolimit\n"), 3, "nolimit: the betting is already given in line 2");
  expect_refused(with("limit\n", "potlimit\n"), 2, "unknown key 'potlimit'", "did you mean nolimit?");
  // R36: what the program does not play is refused, never ignored.
  expect_refused(with("limit\n", "limit\nstraddle = 4\n"), 3, "unknown key 'straddle'");
}

TEST(Definition, RefusesWrongCounts) {
  expect_refused(with("blind = 1 1", "blind = 1"), 5, "blind: 1 values where 2 are wanted, one for each player (numPlayers = 2)");
  expect_refused(with("raiseSize = 2 4", "raiseSize = 2 4 8"), 6, "raiseSize: 3 values where 2 are wanted, one for each round");
  expect_refused(with("numSuits = 2", "numSuits = 2 2"), 9, "numSuits: 2 values where 1 is wanted");
  expect_refused(with("numSuits = 2", "numSuits ="), 9, "numSuits: 0 values where 1 is wanted");
  expect_refused(with("firstPlayer = 1 1", "firstPlayer = 1"), 7, "firstPlayer: 1 values");
  expect_refused(with("maxRaises = 2 2", "maxRaises = 2"), 8, "maxRaises: 1 values");
  expect_refused(with("numBoardCards = 0 1", "numBoardCards = 0 1 1"), 12, "numBoardCards: 3 values");
}

TEST(Definition, RefusesValuesOutOfRange) {
  expect_refused(with("numPlayers = 2", "numPlayers = 1"), 3, "numPlayers: 1 is not in 2..10");
  expect_refused(with("numPlayers = 2", "numPlayers = 11"), 3, "numPlayers: 11 is not in 2..10");
  expect_refused(with("numPlayers = 2", "numPlayers = -2"), 3, "numPlayers: '-2' is not in 2..10");
  expect_refused(with("numRounds = 2", "numRounds = 5"), 4, "numRounds: 5 is not in 1..4");
  expect_refused(with("numSuits = 2", "numSuits = 5"), 9, "numSuits: 5 is not in 1..4");
  expect_refused(with("numRanks = 3", "numRanks = 14"), 10, "numRanks: 14 is not in 1..13");
  expect_refused(with("numHoleCards = 1", "numHoleCards = 4"), 11, "numHoleCards: 4 is not in 1..3");
  expect_refused(with("maxRaises = 2 2", "maxRaises = 2 256"), 8, "maxRaises: 256 is not in 0..255");
  expect_refused(with("firstPlayer = 1 1", "firstPlayer = 1 0"), 7, "firstPlayer: 0 is not in 1..10");
  expect_refused(with("firstPlayer = 1 1", "firstPlayer = 1 3"), 7, "firstPlayer: 3 is not in 1..2");
  expect_refused(with("raiseSize = 2 4", "raiseSize = 0 4"), 6, "raiseSize: 0 is not in 1..1000000000");
  expect_refused(with("blind = 1 1", "blind = 99999999999999999999 1"), 5, "99999999999999999999 is not in");
  expect_refused(with("blind = 1 1", "blind = 0 0"), 5, "blind: nobody posts anything");
}

TEST(Definition, RefusesWhatIsNoWholeNumber) {
  expect_refused(with("blind = 1 1", "blind = 1 010"), 5, "blind: '010' looks octal");
  expect_refused(with("numSuits = 2", "numSuits = 02"), 9, "numSuits: '02' looks octal");
  expect_refused(with("blind = 1 1", "blind = 1 0x1"), 5, "blind: '0x1' is not a whole number");
  expect_refused(with("blind = 1 1", "blind = 1 1.5"), 5, "blind: '1.5' is not a whole number");
  expect_refused(with("blind = 1 1", "blind = 1 +1"), 5, "blind: '+1' is not a whole number");
  expect_refused(with("blind = 1 1", "blind = 1, 1"), 5, "blind: '1,' is not a whole number");
  expect_refused(with("blind = 1 1", "blind = 1 1 # antes"), 5, "blind: '#' is not a whole number");
}

TEST(Definition, RefusesMissingParts) {
  expect_refused("", 1, "GAMEDEF is missing");
  expect_refused(with("END GAMEDEF\n", ""), 12, "END GAMEDEF is missing");
  expect_refused(with("limit\n", ""), 12, "neither 'limit' nor 'nolimit'");
  expect_refused(with("numPlayers = 2\n", ""), 12, "numPlayers is missing");
  expect_refused(with("blind = 1 1\n", ""), 12, "blind is missing");
  expect_refused(with("raiseSize = 2 4\n", ""), 12, "raiseSize is missing");
  expect_refused(with("numBoardCards = 0 1\n", ""), 12, "numBoardCards is missing");
  expect_refused(with("limit\n", "nolimit\n"), 13, "stack is missing");
  expect_refused(with("limit\n", "nolimit\nstack = 9 9\n"), 7, "raiseSize: a no-limit game has none");
  expect_refused(with("numSuits = 2", "numSuits 2"), 9, "unknown key 'numSuits 2'", "did you mean numSuits?");
  expect_refused(with("numSuits = 2", "numSuits"), 9, "numSuits: '=' is missing");
}

TEST(Definition, RefusesTextAroundTheDefinition) {
  expect_refused(std::string("hello\n") + kLeduc, 1, "'hello' stands before GAMEDEF");
  expect_refused(std::string(kLeduc) + "GAMEDEF\n", 14, "'GAMEDEF' stands after END GAMEDEF");
  expect_refused(with("GAMEDEF\n", "GAMEDEF\nGAMEDEF\n"), 2, "unknown key 'GAMEDEF'");
}

TEST(Definition, RefusesDealsThatTheDeckCannotMake) {
  expect_refused(with("numRanks = 3", "numRanks = 1"), 10, "a deck of 2 × 1 = 2 cards is too small for the 3 cards dealt");
  expect_refused(with("numBoardCards = 0 1", "numBoardCards = 3 4"), 12, "7 cards on the board, at most 6 are possible");
  expect_refused(with("numHoleCards = 1\nnumBoardCards = 0 1", "numHoleCards = 3\nnumBoardCards = 0 5"), 12,
                 "3 hole cards and 5 on the board are more than the 7");
}

TEST(Definition, AFileThatCannotBeReadIsAnInputError) {
  for (const char* path : {"/nowhere/x.game", "/"}) {
    try {
      read_game_definition(path);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_EQ(error.where(), path);
    }
  }
  EXPECT_EQ(read_game_definition(std::string(DEEPCFR_TEST_DATA) + "/games/s10.game").stack[0], 10);
}

}  // namespace
}  // namespace deepcfr
