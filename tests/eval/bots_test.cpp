#include "deepcfr/eval/bots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/best_response.h"
#include "deepcfr/eval/match.h"
#include "deepcfr/game/acpc_string.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

using ::testing::HasSubstr;

Action action_of(const Game& game, const std::string& bot, const std::string& acpc) {
  const ParsedState parsed = parse_acpc_state(game, acpc);
  const State* const state = &parsed.state;
  std::vector<double> row(static_cast<std::size_t>(game.num_actions()));
  make_bot(game, bot)->probabilities({&state, 1}, row);
  for (std::size_t a = 0; a < row.size(); ++a) {
    if (row[a] == 1.0) return static_cast<Action>(a);
  }
  return kOffTreeRaise;
}

TEST(Bots, NamesAreStrict) {
  const Game game = make_game("kuhn");
  EXPECT_EQ(bot_names().size(), 6U);
  for (const std::string& name : bot_names()) {
    EXPECT_EQ(make_bot(game, name)->name(), name);
    EXPECT_EQ(make_bot(game, name)->clone()->name(), name);
  }
  try {
    make_bot(game, "thight");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("'tight'"));
  }
}

TEST(Bots, ThresholdsOnKuhn) {
  const Game game = make_game("kuhn");
  for (const char* bot : {"tight", "loose"}) {
    EXPECT_EQ(action_of(game, bot, "STATE:0::As|Ks"), kFirstRaise);  // e = 1
    EXPECT_EQ(action_of(game, bot, "STATE:0::Ks|As"), kCall);        // e = 0.5: check
    EXPECT_EQ(action_of(game, bot, "STATE:0::Qs|As"), kCall);        // e = 0: check
    EXPECT_EQ(action_of(game, bot, "STATE:0:r:Qs|As"), kCall);       // no second raise: call
    EXPECT_EQ(action_of(game, bot, "STATE:0:r:As|Qs"), kFold);
  }
  EXPECT_EQ(action_of(game, "tight", "STATE:0:r:As|Ks"), kFold);  // 0.5 is not above 0.5
  EXPECT_EQ(action_of(game, "loose", "STATE:0:r:As|Ks"), kCall);
}

TEST(Bots, RaiseIsTheSizeNearestToThePot) {
  const Game game = make_game("hunl");
  const Action pot = action_of(game, "tight", "STATE:0::7c2d|AsAd");
  EXPECT_EQ(game.action_name(pot), "raise 1 pot");
  EXPECT_EQ(action_of(game, "loose", "STATE:0:cr300c/cc/:AsAd|7c2d/Ah6s4c/Ac"), pot);  // four aces
}

TEST(Bots, PotOddsCount) {
  // The hand is worth 0.4712 against a random one (exact on the river). A bet of the pot asks for 1/3, all chips for almost 1/2.
  const Game game = make_game("hunl");
  const std::string cards = ":7c2d|3s3d/2c7h9s/Qd/Kc";
  EXPECT_EQ(action_of(game, "loose", "STATE:0:cc/cc/cc/r300" + cards), kCall);
  EXPECT_EQ(action_of(game, "loose", "STATE:0:cc/cc/cc/r20000" + cards), kFold);
  EXPECT_EQ(action_of(game, "tight", "STATE:0:cc/cc/cc/r300" + cards), kFold);
  EXPECT_EQ(action_of(game, "tight", "STATE:0:cc/cc/cc/c" + cards), kCall);  // nothing to pay
}

TEST(Bots, OpponentsStillInCountAgainstTheCall) {
  // Three players, four cards: the queen beats one random hand with 1/3, two of them with about 1/9.
  const Game game = make_game("kuhn3");
  EXPECT_EQ(action_of(game, "loose", "STATE:0:rf:As|Ks|Qs"), kCall);  // 1/3 for 1 ÷ 5
  EXPECT_EQ(action_of(game, "loose", "STATE:0:rc:As|Ks|Qs"), kFold);  // 1/9 for 1 ÷ 6
  EXPECT_EQ(action_of(game, "loose", "STATE:0:rc:As|Qs|Ks"), kCall);
  EXPECT_EQ(action_of(game, "loose", "STATE:0:rc:As|Ks|Js"), kFold);
}

TEST(Bots, LookAtOwnCardsOnly) {
  for (const char* name : {"leduc", "hulh"}) {
    const Game game = make_game(name);
    for (const std::string& bot_name : bot_names()) {
      const auto bot = make_bot(game, bot_name);
      std::vector<double> open(static_cast<std::size_t>(game.num_actions())), hidden(open.size());
      for (std::uint64_t i = 0; i < 200; ++i) {
        SequentialRandom random(CounterRandom(StreamPurpose::test, {i}));
        State state = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::test, {i, 1})));
        while (!state.finished) {
          State blind = state;
          blind.deal.hole[1 - state.actor].fill(kNoCard);
          for (std::size_t c = static_cast<std::size_t>(game.definition().board_count(state.round)); c < blind.deal.board.size();
               ++c) {
            blind.deal.board[c] = kNoCard;
          }
          const State* pointers[] = {&state, &blind};
          bot->probabilities({&pointers[0], 1}, open);
          bot->probabilities({&pointers[1], 1}, hidden);
          ASSERT_EQ(open, hidden);
          const ActionMask legal = game.legal_actions(state);
          Action action = kCall;
          do {
            action = static_cast<Action>(random.below(static_cast<std::uint64_t>(game.num_actions())));
          } while (((legal >> action) & 1) == 0);
          game.apply(state, action);
        }
      }
    }
  }
}

// E11: how a policy stands against weak bots says little of its exploitability; both are there to be printed.
TEST(Bots, AreExploitableInLeducAndBeatRandomPlay) {
  const Game game = make_game("leduc");
  const SmallGame small(game);
  const auto random = make_bot(game, "random");
  for (const char* name : {"tight", "loose"}) {
    const auto bot = make_bot(game, name);
    EXPECT_GT(exploitability(small, *bot).nash_conv, 0.1) << name;
    EXPECT_GT(play_match(game, *bot, *random, {.games = 20'000}).ci_low, 0) << name;
  }
}

TEST(Bots, ResultsAreReproducibleWhateverTheCacheHolds) {
  const Game game = make_game("hunl");
  const auto tight = make_bot(game, "tight"), loose = make_bot(game, "loose");
  const MatchResult first = play_match(game, *tight, *loose, {.games = 500});
  const MatchResult second = play_match(game, *tight, *loose, {.games = 500, .batch = 10});
  const MatchResult third = play_match(game, *make_bot(game, "tight"), *loose->clone(), {.games = 500});
  EXPECT_EQ(first.mean, second.mean);
  EXPECT_EQ(first.mean, third.mean);
  EXPECT_EQ(first.standard_deviation, third.standard_deviation);
}

}  // namespace
}  // namespace deepcfr
