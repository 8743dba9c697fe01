#include "hole_terms.h"

#include <gtest/gtest.h>

#include <vector>

#include "deepcfr/cfr/small_game.h"
#include "deepcfr/core/statistics.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

TEST(HoleTerms, HaveExpectationZeroOverAllDeals) {
  for (const char* name : {"kuhn", "kuhn3", "leduc"}) {
    const Game game = make_game(name);
    const SmallGame small(game);
    const HoleTerms terms(game);
    for (int hero = 0; hero < game.players(); ++hero) {
      std::vector<double> sums(HoleTerms::kTerms), squares(HoleTerms::kTerms);
      for (int d = 0; d < small.num_deals(); ++d) {
        std::vector<double> one(HoleTerms::kTerms);
        terms.add(small.deal(d), hero, one);
        for (std::size_t k = 0; k < one.size(); ++k) {
          sums[k] += one[k];
          squares[k] += one[k] * one[k];
        }
      }
      for (std::size_t k = 0; k < sums.size(); ++k) {
        EXPECT_NEAR(sums[k], 0, 1e-10) << name << " term " << k;
        EXPECT_GT(squares[k], 0);
      }
    }
  }
}

TEST(HoleTerms, HaveExpectationZeroInHoldem) {
  for (const char* name : {"hunl", "nlhe6"}) {
    const Game game = make_game(name);
    const HoleTerms terms(game);
    std::vector<RunningStatistics> means(HoleTerms::kTerms);
    for (std::uint64_t i = 0; i < 40'000; ++i) {
      std::vector<double> one(HoleTerms::kTerms);
      terms.add(game.sample_deal(CounterRandom(StreamPurpose::test, {i})), 1, one);
      for (std::size_t k = 0; k < one.size(); ++k) means[k].add(one[k]);
    }
    for (const RunningStatistics& mean : means) {
      EXPECT_NEAR(mean.mean(), 0, 4 * mean.standard_error()) << name;
      EXPECT_GT(mean.variance(), 0);
    }
  }
}

TEST(HoleTerms, KnowStrongHandsFromWeakOnes) {
  const Game game = make_game("hulh");
  const HoleTerms terms(game);
  Deal deal;
  const auto set = [&](std::size_t player, const char* text) {
    const std::vector<Card> cards = parse_cards(text);
    deal.hole[player][0] = cards[0];
    deal.hole[player][1] = cards[1];
  };
  set(0, "AsAd");
  set(1, "2c7h");
  std::vector<double> aces(HoleTerms::kTerms), turned(HoleTerms::kTerms), other(HoleTerms::kTerms);
  terms.add(deal, 0, aces);
  EXPECT_NEAR(aces[0], 0.352, 0.08);   // aces win 85.2 % against a random hand
  EXPECT_NEAR(aces[2], -0.154, 0.08);  // seven-deuce 34.6 %
  set(0, "AdAs");
  terms.add(deal, 0, turned);
  EXPECT_EQ(aces, turned);
  terms.add(deal, 1, other);
  EXPECT_EQ(other[0], aces[2]);
}

}  // namespace
}  // namespace deepcfr
