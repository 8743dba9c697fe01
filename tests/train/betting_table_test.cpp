#include "betting_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

/// An infoset of a random hand, wherever it is left.
Infoset random_infoset(const Game& game, std::uint64_t hand) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {hand}));
  while (true) {
    State state = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::test, {hand, random()})));
    for (std::uint64_t left = random.below(12); left > 0 && !state.finished; --left) {
      const ActionMask legal = game.legal_actions(state);
      Action action = 0;
      do action = static_cast<Action>(random.below(static_cast<std::uint64_t>(game.num_actions())));
      while (((legal >> action) & 1) == 0);
      game.apply(state, action);
    }
    if (!state.finished) return infoset_of(game, state);
  }
}

void expect_exact(const Game& game, const Encoder& encoder, const Infoset& infoset, const BettingTable::Row& row) {
  std::vector<float> whole(static_cast<std::size_t>(encoder.width()));
  encoder.encode(infoset, whole.data());
  ASSERT_TRUE(std::equal(row.features.begin(), row.features.end(), whole.end() - encoder.layout().bet_width, whole.end()));
  const ActionMask legal = game.legal_actions(state_of(game, infoset));
  for (std::size_t a = 0; a < row.mask.size(); ++a) ASSERT_EQ(row.mask[a], ((legal >> a) & 1) != 0 ? 1.0F : 0.0F);
}

TEST(BettingTable, RowsAreThoseOfTheEncoder) {
  for (const char* name : {"leduc", "fhp", "hulh", "hunl", "nlhe6"}) {
    const Game game = make_game(name);
    const Encoder encoder(game, FeatureKind::dense);
    BettingTable table(game);
    std::size_t met = 0;
    for (std::uint64_t hand = 0; hand < 4000; ++hand) {
      const Infoset infoset = random_infoset(game, hand % 3000);
      const auto row = table.find(infoset.history);
      ASSERT_TRUE(row) << name;
      ASSERT_EQ(row->features.size(), static_cast<std::size_t>(encoder.layout().bet_width));
      expect_exact(game, encoder, infoset, *row);
      if (hand < 3000) met = table.size();
    }
    EXPECT_EQ(table.size(), met) << "histories met before are not kept again";
  }
}

TEST(BettingTable, AFullTableKeepsWhatItHasAndSaysNothingOfTheRest) {
  const Game game = make_game("hulh");
  const Encoder encoder(game, FeatureKind::dense);
  BettingTable table(game, 8 * 400);
  std::size_t found = 0;
  for (std::uint64_t hand = 0; hand < 2000; ++hand) {
    const Infoset infoset = random_infoset(game, hand);
    if (const auto row = table.find(infoset.history)) {
      expect_exact(game, encoder, infoset, *row);
      ++found;
    }
  }
  EXPECT_LE(table.size(), 16U);
  EXPECT_GT(table.size(), 4U);
  EXPECT_GT(found, 20U);
  EXPECT_LT(found, 1900U);
}

// Threads that meet the same histories at the same time; tsan looks on.
TEST(BettingTable, ThreadsFillItTogether) {
  const Game game = make_game("hulh");
  const Encoder encoder(game, FeatureKind::dense);
  BettingTable table(game);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::uint64_t hand = 0; hand < 1500; ++hand) {
        const Infoset infoset = random_infoset(game, hand);
        const auto row = table.find(infoset.history);
        ASSERT_TRUE(row);
        expect_exact(game, encoder, infoset, *row);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace deepcfr
