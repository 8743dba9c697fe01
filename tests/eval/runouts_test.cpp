#include "runouts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "deepcfr/game/catalogue.h"
#include "deepcfr/game/equity.h"

namespace deepcfr {
namespace {

Deal deal_of(const std::vector<std::string>& hands, const std::string& board) {
  Deal deal;
  for (std::size_t p = 0; p < hands.size(); ++p) {
    const std::vector<Card> cards = parse_cards(hands[p]);
    std::copy(cards.begin(), cards.end(), deal.hole[p].begin());
  }
  const std::vector<Card> cards = parse_cards(board);
  std::copy(cards.begin(), cards.end(), deal.board.begin());
  return deal;
}

TEST(Runouts, ExactFromTheFlopOn) {
  const Game game = make_game("hunl");
  const Deal deal = deal_of({"AcAd", "KcKd"}, "2h7s9dThJs");
  const std::vector<std::vector<Card>> hands = {parse_cards("AcAd"), parse_cards("KcKd")};
  for (const auto& [round, board, count] : {std::tuple{1, "2h7s9d", 990U}, {2, "2h7s9dTh", 44U}, {3, "2h7s9dThJs", 1U}}) {
    Runouts runouts;
    runouts.fill(game, deal, round, CounterRandom(1));
    EXPECT_EQ(runouts.boards(), count);
    std::vector<double> edges(2);
    runouts.edges(3, edges);
    EXPECT_NEAR(edges[0], equity(hands, parse_cards(board))[0].pot_share - 0.5, 1e-12);
    EXPECT_EQ(edges[1], -edges[0]);
  }
}

// Statement 5 of the known numbers: AcAd wins 1,410,336 and ties 9,308 of 1,712,304 boards against KcKd.
TEST(Runouts, SampledBeforeTheFlopWithoutBias) {
  const Game game = make_game("hunl");
  const Deal deal = deal_of({"AcAd", "KcKd"}, "2h7s9dThJs");
  double sum = 0, first = 0;
  constexpr int kStreams = 400;
  for (std::uint64_t stream = 0; stream < kStreams; ++stream) {
    Runouts runouts;
    runouts.fill(game, deal, 0, CounterRandom(StreamPurpose::test, {stream}));
    EXPECT_EQ(runouts.boards(), Runouts::kSampledBoards);
    std::vector<double> edges(2);
    runouts.edges(3, edges);
    if (stream == 0) first = edges[0];
    sum += edges[0];
  }
  const double exact = (1'410'336 + 9'308 / 2.0) / 1'712'304 - 0.5;
  EXPECT_NEAR(sum / kStreams, exact, 4 * 0.38 / std::sqrt(kStreams * 256.0));
  EXPECT_NE(sum / kStreams, first);
}

TEST(Runouts, SeveralPlayersShareAPot) {
  Game game = make_game("nlhe6");
  const std::vector<std::string> names = {"AcAd", "KcKd", "7h8h", "2c2d", "AsKs", "5c6c"};
  const Deal deal = deal_of(names, "2h7s9dThJs");
  Runouts runouts;
  runouts.fill(game, deal, 1, CounterRandom(1));
  EXPECT_EQ(runouts.boards(), 666U);  // C(37, 2): folded hands are known too
  std::vector<std::vector<Card>> hands;
  for (const std::string& name : names) hands.push_back(parse_cards(name));
  const std::vector<EquityCounts> all = equity(hands, parse_cards("2h7s9d"));
  std::vector<double> edges(6);
  runouts.edges(0b111111, edges);
  double sum = 0;
  for (std::size_t p = 0; p < 6; ++p) {
    EXPECT_NEAR(edges[p], all[p].pot_share - 1.0 / 6, 1e-12);
    sum += edges[p];
  }
  EXPECT_NEAR(sum, 0, 1e-12);
  runouts.edges(0b000101, edges);
  EXPECT_EQ(edges[0], -edges[2]);
  EXPECT_EQ(edges[1], 0);
  runouts.edges(0b000100, edges);
  for (const double edge : edges) EXPECT_EQ(edge, 0);
}

TEST(Runouts, ValuesOfAnAllInAreShareOfThePot) {
  const Game game = make_game("hunl");
  const Deal deal = deal_of({"AcAd", "KcKd"}, "2h7s9dThJs");
  State state = game.initial_state(deal);
  game.apply(state, kCall);
  game.apply(state, kCall);
  game.apply(state, static_cast<Action>(game.num_actions() - 1));
  game.apply(state, kCall);
  ASSERT_TRUE(state.finished);
  Runouts runouts;
  runouts.fill(game, deal, 1, CounterRandom(1));
  std::vector<double> edges(2), values(2);
  runouts.edges(3, edges);
  runouts.values(game, state, values);
  EXPECT_NEAR(values[0], 40'000 * edges[0], 1e-6);
  EXPECT_EQ(values[1], -values[0]);
}

}  // namespace
}  // namespace deepcfr
