// Against every hand compared with every other.
#include "public_showdown.h"

#include <gtest/gtest.h>

#include "deepcfr/core/random.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

void check_board(const char* name, const std::string& cards) {
  const GameDefinition d = make_game(name).definition();
  const HandTable hands(d);
  const BoardTable boards(d, hands, false);
  Board board = boards.no_board();
  for (const Card card : parse_cards(cards)) {
    board.cards[static_cast<std::size_t>(board.count++)] = card;
    board.mask |= std::uint64_t{1} << card;
  }
  const BoardHands live(hands, board, true);
  const std::size_t n = live.count();
  const CounterRandom random(StreamPurpose::test, {9});
  std::vector<Pair> reach(n), showdown(n), fold(n);
  std::vector<std::int16_t> margins(n);
  std::vector<HandRank> ranks(n);
  for (std::size_t i = 0; i < n; ++i) {
    reach[i] = {{random.uniform(2 * i), random.uniform(2 * i + 1)}};
    HandAccumulator hand;
    for (int c = 0; c < board.count; ++c) hand += board.cards[static_cast<std::size_t>(c)];
    for (int c = 0; c < hands.hole_cards(); ++c) hand += hands.hole(live.hands()[i])[static_cast<std::size_t>(c)];
    ranks[i] = evaluate(hand);
    if (i > 0) {
      ASSERT_LE(ranks[i - 1], ranks[i]);
    }
  }
  live.showdown(3, reach, showdown);
  live.fold(2, reach, fold);
  live.margins(margins);
  for (std::size_t i = 0; i < n; ++i) {
    Pair won, met;
    int margin = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if ((hands.mask(live.hands()[i]) & hands.mask(live.hands()[j])) != 0) continue;
      const int sign = (ranks[i] > ranks[j]) - (ranks[i] < ranks[j]);
      margin += sign;
      for (const std::size_t p : {0U, 1U}) {
        won.of[p] += sign * reach[j].of[1 - p];
        met.of[p] += reach[j].of[1 - p];
      }
    }
    ASSERT_EQ(margins[i], margin);
    for (const std::size_t p : {0U, 1U}) {
      ASSERT_NEAR(showdown[i].of[p], 3 * won.of[p], 1e-9);
      ASSERT_NEAR(fold[i].of[p], (p == 0 ? 2 : -2) * met.of[p], 1e-9);
    }
  }
}

TEST(PublicShowdown, EqualsComparingAllPairs) {
  check_board("hulh", "AsKd7c7h2s");
  check_board("hulh", "ThJhQhKhAh");  // all tie
  check_board("fhp", "9c9d9h");
  check_board("leduc", "Ks");
  check_board("kuhn", "");
}

}  // namespace
}  // namespace deepcfr
