#include "public_boards.h"

#include <gtest/gtest.h>

#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

// Reference numbers: 169 hands, 1,755 flops, 1,286,792 (hand, flop) pairs up to suits.
TEST(PublicBoards, ClassesOfHoldem) {
  const GameDefinition d = make_game("hulh").definition();
  const HandTable hands(d);
  ASSERT_EQ(hands.count(), 1326);
  const BoardTable boards(d, hands, true);
  const auto classes = [&](const Board& board) {
    int count = 0;
    for (int h = 0; h < hands.count(); ++h)
      count += (hands.mask(h) & board.mask) == 0 && boards.representative(board, h) == h ? 1 : 0;
    return count;
  };
  EXPECT_EQ(classes(boards.no_board()), 169);
  EXPECT_EQ(boards.next(boards.no_board(), 0).size(), 1U);  // no cards before the flop
  double pairs = 0, flops = 0, turns = 0;
  const std::vector<Board> all = boards.next(boards.no_board(), 1);
  EXPECT_EQ(all.size(), 1755U);
  for (const Board& flop : all) {
    flops += flop.weight;
    pairs += classes(flop);
    for (const Board& turn : boards.next(flop, 2)) turns += flop.weight * turn.weight;
  }
  EXPECT_EQ(pairs, 1286792);
  EXPECT_DOUBLE_EQ(flops, 22100);
  EXPECT_DOUBLE_EQ(turns, 22100 * 49);
  const BoardTable every(d, hands, false);
  EXPECT_EQ(every.next(every.no_board(), 1).size(), 22100U);
}

TEST(PublicBoards, SymmetriseSpreadsOverWhatABoardStandsFor) {
  const GameDefinition d = make_game("leduc").definition();  // two suits, one card
  const HandTable hands(d);
  const BoardTable boards(d, hands, true);
  std::vector<double> values(static_cast<std::size_t>(2 * hands.count()), 0.0);
  values[0] = 6;  // the first hand's first number
  boards.symmetrise(boards.no_board(), values, 2);
  EXPECT_EQ(values[0], 3);
  EXPECT_EQ(values[2], 3);  // the same rank in the other suit
  EXPECT_EQ(values[1], 0);
  const std::vector<Board> next = boards.next(boards.no_board(), 1);
  ASSERT_EQ(next.size(), 3U);
  EXPECT_EQ(next[0].weight, 2);
  EXPECT_EQ(next[0].symmetries.size(), 1U);
}

}  // namespace
}  // namespace deepcfr
