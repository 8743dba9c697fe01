// ACPC state strings, and every vector of the reference engine.
#include "deepcfr/game/acpc_string.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "deepcfr/core/error.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using ::testing::HasSubstr;
using testing::play;

const std::string kData = DEEPCFR_TEST_DATA;

/// Heading of a section of the vectors → the game it is about.
const std::map<std::string, std::string>& section_games() {
  static const std::map<std::string, std::string> games{
      {"## holdem.nolimit.2p.reverse_blinds.game", "hunl"},
      {"## holdem.limit.2p.reverse_blinds.game", "hulh"},
      {"## kuhn 2p", "kuhn"},
      {"## leduc limit", "leduc"},
      {"## DeepStack leduc.game", "leduc_nolimit"},
      {"## 3p nolimit, stack 500 1000 2000", "nolimit_3p_500_1000_2000"},
      {"## 3p nolimit, stack 200 200 200, blind 50 100 0", "nolimit_3p_200"},
      {"## 4p nolimit, stack 100 200 300 300", "nolimit_4p_100_200_300_300"},
      {"## 4p nolimit, stack 19 200 200 200", "nolimit_4p_19_200_200_200"},
      {"## 6p nolimit", "nolimit_6p_pokerkit25"},
      {"## 3p nolimit, stack 200 200 200, blind 1 2 0", "nolimit_3p_odd_chip"},
      {"## 3p nolimit, stack 1000 x3", "nolimit_3p_odd_chip"},  // holds no vector
      {"## kuhn.limit.3p.game", "kuhn3"},
      {"## betting-tree counts", "kuhn"},  // see betting_tree_test.cpp
  };
  return games;
}

std::optional<Game> game_of_section(const std::string& heading) {
  for (const auto& [prefix, name] : section_games()) {
    if (!heading.starts_with(prefix)) continue;
    const std::string file = kData + "/games/" + name + ".game";
    return make_game(std::ifstream(file) ? file : name);
  }
  return std::nullopt;
}

/// What the reference engine's line says, printed from our state in the same words.
std::string verdict(const Game& game, const std::string& text) {
  ParsedState parsed;
  try {
    parsed = parse_acpc_state(game, text);
  } catch (const Error&) {
    return "REJECTED";
  }
  const State& state = parsed.state;
  std::ostringstream out;
  out << "n=" << parsed.consumed << " round=" << int{state.round} << " fin=" << state.finished << " spent=";
  for (int p = 0; p < game.players(); ++p) out << (p > 0 ? "," : "") << state.spent[static_cast<std::size_t>(p)];
  if (state.finished) {
    out << " value=";
    for (int p = 0; p < game.players(); ++p) out << (p > 0 ? "|" : "") << game.value(state, p);
    return out.str();
  }
  out << " actor=" << int{state.actor} << " fold=" << game.fold_legal(state);
  const std::optional<RaiseRange> range = game.raise_range(state);
  if (!range) {
    out << " raise=0";
  } else if (game.definition().limit) {
    out << " raise=1[0,0]";
  } else {
    out << " raise=1[" << range->min << "," << range->max << "]";
  }
  return out.str();
}

TEST(AcpcString, EveryVectorOfTheReferenceEngineAgrees) {
  std::ifstream file(kData + "/acpc-vectors.txt");
  ASSERT_TRUE(file);
  std::optional<Game> game;
  int vectors = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) {
      game = game_of_section(line);
      ASSERT_TRUE(game) << line;
    }
    const std::size_t arrow = line.find("->");
    if (!line.starts_with("STATE:") || arrow == std::string::npos) continue;
    const std::string text = line.substr(0, line.find_last_not_of(' ', arrow - 1) + 1);
    EXPECT_EQ(verdict(*game, text), line.substr(arrow + 3)) << text;
    ++vectors;
  }
  EXPECT_EQ(vectors, 78);
}

void expect_refused(const Game& game, const std::string& text, std::size_t character, const std::string& what) {
  try {
    parse_acpc_state(game, text);
    ADD_FAILURE() << text << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.where(), HasSubstr("character " + std::to_string(character))) << text;
    EXPECT_THAT(error.message(), HasSubstr(what)) << text;
  }
}

TEST(AcpcString, RefusesWithThePlaceInTheText) {
  const Game game = make_game("hunl");
  expect_refused(game, "", 1, "neither STATE: nor MATCHSTATE:");
  expect_refused(game, "state:0::AsAd|KsKd", 1, "neither STATE: nor MATCHSTATE:");
  expect_refused(game, "STATE:x::AsAd|KsKd", 7, "hand number");
  expect_refused(game, "STATE:-1::AsAd|KsKd", 7, "hand number");
  expect_refused(game, "STATE:0:x:AsAd|KsKd", 9, "'x' is no action");
  expect_refused(game, "STATE:0:r199:AsAd|KsKd", 10, "raise to 199 is not in 200..20000");
  expect_refused(game, "STATE:0:r20001:AsAd|KsKd", 10, "raise to 20001 is not in 200..20000");
  expect_refused(game, "STATE:0:r99999999999:AsAd|KsKd", 10, "raise total");
  expect_refused(game, "STATE:0:r:AsAd|KsKd", 10, "raise total");
  expect_refused(game, "STATE:0:ccc:AsAd|KsKd/2c3c4h", 11, "'/' is wanted");
  expect_refused(game, "STATE:0:cc:AsAd|KsKd/2c3c4h", 11, "'/' is wanted");
  expect_refused(game, "STATE:0:c/c:AsAd|KsKd", 10, "within a round");
  expect_refused(game, "STATE:0:cc//:AsAd|KsKd/2c3c4h", 12, "within a round");
  expect_refused(game, "STATE:0:r20000c//:AsAd|KsKd/2c3c4h/9s/9h", 18, "'/' is wanted");
  expect_refused(game, "STATE:0:fc:AsAd|KsKd", 10, "':' is wanted");
  expect_refused(game, "STATE:0:cc/f:AsAd|KsKd/2c3c4h", 12, "a fold without a bet");
  expect_refused(game, "STATE:0:r20000r20000:AsAd|KsKd", 15, "no raise is legal");
  expect_refused(game, "STATE:0::AsAd", 14, "'|' is wanted");
  expect_refused(game, "STATE:0::AsAd|", 15, "a card is wanted");
  expect_refused(game, "STATE:0::AsAd|Ks", 17, "a card is wanted");
  expect_refused(game, "STATE:0::AsAd|KsXd", 17, "a card is wanted");
  expect_refused(game, "STATE:0::AsAd|KsAd", 17, "Ad stands here a second time");
  expect_refused(game, "STATE:0:cc/:AsAd|KsKd/2c3c", 27, "a card is wanted");
  expect_refused(game, "STATE:0:cc/:AsAd|KsKd", 22, "'/' is wanted");
  expect_refused(game, "STATE:0:cc/:AsAd|KsKd/2c3cAs", 27, "As stands here a second time");
  expect_refused(game, "MATCHSTATE:2:0::AsAd|", 13, "position 2 is not in 0..1");
  expect_refused(make_game("leduc"), "STATE:0::Ks|Js", 13, "Js is not in the deck of leduc");
  expect_refused(make_game("leduc"), "STATE:0::Ks|Kd", 13, "Kd is not in the deck of leduc");
}

TEST(AcpcString, ReadsMatchStatesWithUnknownCards) {
  const Game game = make_game("hunl");
  ParsedState parsed = parse_acpc_state(game, "MATCHSTATE:1:42:r300c/:|KsKd/2c3c4h");
  EXPECT_EQ(parsed.position, 1);
  EXPECT_EQ(parsed.hand_id, 42u);
  EXPECT_EQ(parsed.state.deal.hole[0][0], kNoCard);
  EXPECT_EQ(parsed.state.deal.hole[1][0], parse_card("Ks"));
  EXPECT_EQ(parsed.state.deal.board[2], parse_card("4h"));
  EXPECT_EQ(parsed.state.actor, 0);
  parsed = parse_acpc_state(game, "MATCHSTATE:0:0:c:AsAd|\r\n");
  EXPECT_EQ(parsed.consumed, 22u);
  EXPECT_EQ(parsed.state.deal.hole[1][1], kNoCard);
  // An all-in with its empty rounds; the first player's hand is the best.
  parsed = parse_acpc_state(game, "MATCHSTATE:0:1:r19015r20000c///:6sKs|5dJd/2sTh2h/Qh/8h");
  EXPECT_TRUE(parsed.state.finished);
  EXPECT_EQ(game.value(parsed.state, 0), 20000);
}

TEST(AcpcString, StopsAfterTheCardsOfALogLine) {
  const Game game = make_game("hunl");
  const std::string log = "STATE:3:f:AsAd|KsKd:50|-50:first|second";
  EXPECT_EQ(parse_acpc_state(game, log).consumed, std::string("STATE:3:f:AsAd|KsKd").size());
}

TEST(AcpcString, RaisesOfTheAbstractionAreFoundAgain) {
  const Game game = make_game("hunl");
  const State on_tree = parse_acpc_state(game, "STATE:0:r200:AsAd|KsKd").state;  // 100 + 0.5 · 200
  EXPECT_EQ(on_tree.history[0], kFirstRaise);
  EXPECT_EQ(print_acpc_betting(game, on_tree), "r200");
  const State off_tree = parse_acpc_state(game, "STATE:0:r201:AsAd|KsKd").state;
  EXPECT_EQ(off_tree.history[0], kOffTreeRaise);
  EXPECT_THROW(print_acpc_betting(game, off_tree), Error);
  EXPECT_EQ(parse_acpc_state(game, "STATE:0:r20000:AsAd|KsKd").state.history[0], game.num_actions() - 1);
  EXPECT_EQ(parse_acpc_state(game, "STATE:0:b200:AsAd|KsKd").state, on_tree);
}

TEST(AcpcString, LongHandsOverflowTheHistoryWithoutHarm) {
  const Game game = testing::no_limit_game("1000000000 1000000000", "2 1", 2);
  std::string text = "STATE:0:";
  for (int i = 0; i < 200; ++i) text += "r" + std::to_string(4 + 2 * i);
  const ParsedState parsed = parse_acpc_state(game, text + ":AsAd|KsKd");
  EXPECT_TRUE(parsed.state.history.overflow);
  EXPECT_EQ(parsed.state.max_spent, 402);
  State cut = play(game, "c");
  cut.history.overflow = true;
  EXPECT_THROW(print_acpc_betting(game, cut), Error);
}

}  // namespace
}  // namespace deepcfr
