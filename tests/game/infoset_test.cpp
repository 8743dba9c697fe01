// Infosets: what is in them, and suits canonicalised exactly.
#include "deepcfr/game/infoset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "deepcfr/core/error.h"
#include "game/games_for_tests.h"

namespace deepcfr {
namespace {

using testing::deal_of;
using testing::play;

struct Cards {
  std::array<Card, kMaxHoleCards> hole;
  std::array<Card, kMaxBoardCards> board;
  auto operator<=>(const Cards&) const = default;
};

Cards canonical(const Game& game, const std::vector<Card>& cards, int board_count) {
  const auto hole = static_cast<std::size_t>(game.definition().hole_cards);
  Cards out;
  canonical_cards(game, std::span(cards).first(hole), std::span(cards).subspan(hole), board_count, out.hole, out.board);
  return out;
}

/// Random cards, and the same with suits permuted and cards shuffled within hole and flop: one class. A second description of
/// what equality up to suits means, by trying all 24 permutations.
TEST(Infoset, CardsEqualUpToSuitsAreOneClassAndNoOthersAre) {
  const Game game = make_game("hulh");
  SequentialRandom random(CounterRandom(StreamPurpose::test, {3}));
  const auto images = [&](const std::vector<Card>& cards) {
    std::set<std::vector<Card>> all;
    std::array<int, 4> suits{0, 1, 2, 3};
    do {
      std::vector<Card> image;
      for (const Card card : cards) image.push_back(make_card(card_rank(card), suits[static_cast<std::size_t>(card_suit(card))]));
      std::sort(image.begin(), image.begin() + 2);
      std::sort(image.begin() + 2, image.begin() + 5);
      all.insert(image);
    } while (std::next_permutation(suits.begin(), suits.end()));
    return all;
  };
  for (int trial = 0; trial < 3000 / testing::kSlowdown; ++trial) {
    const Deal deal = game.sample_deal(CounterRandom(random()));
    // Few ranks make near misses: all ranks moved into the top four.
    std::vector<Card> cards{deal.hole[0][0], deal.hole[0][1]};
    cards.insert(cards.end(), deal.board.begin(), deal.board.begin() + 5);
    if (trial % 2 == 0) {
      std::array<Card, 16> top;
      std::iota(top.begin(), top.end(), Card{36});
      for (std::size_t i = 0; i < 7; ++i) {
        std::swap(top[i], top[i + random.below(16 - i)]);
        cards[i] = top[i];
      }
    }
    const Cards expected = canonical(game, cards, 5);
    std::set<std::vector<Card>> all = images(cards);
    for (const std::vector<Card>& image : all) ASSERT_EQ(canonical(game, image, 5), expected);
    std::vector<Card> itself(expected.hole.begin(), expected.hole.begin() + 2);
    itself.insert(itself.end(), expected.board.begin(), expected.board.begin() + 5);
    ASSERT_TRUE(all.contains(itself));  // so that other classes have other forms
  }
}

TEST(Infoset, NumbersOfClasses) {
  const Game game = make_game("hulh");
  int hands = 0;
  for (Card a = 0; a < 52; ++a) {
    for (Card b = static_cast<Card>(a + 1); b < 52; ++b) {
      const Cards cards = canonical(game, {a, b}, 0);
      hands += cards.hole[0] == a && cards.hole[1] == b;
    }
  }
  EXPECT_EQ(hands, 169);
}

TEST(InfosetSlow, NumberOfHandAndFlopPairs) {
  const Game game = make_game("hulh");
  int pairs = 0;
  std::vector<Card> c(5);
  for (c[0] = 0; c[0] < 52; ++c[0]) {
    for (c[1] = static_cast<Card>(c[0] + 1); c[1] < 52; ++c[1]) {
      for (c[2] = 0; c[2] < 52; ++c[2]) {
        if (c[2] == c[0] || c[2] == c[1]) continue;
        for (c[3] = static_cast<Card>(c[2] + 1); c[3] < 52; ++c[3]) {
          if (c[3] == c[0] || c[3] == c[1]) continue;
          for (c[4] = static_cast<Card>(c[3] + 1); c[4] < 52; ++c[4]) {
            if (c[4] == c[0] || c[4] == c[1]) continue;
            const Cards out = canonical(game, c, 3);
            pairs +=
                std::equal(c.begin(), c.begin() + 2, out.hole.begin()) && std::equal(c.begin() + 2, c.end(), out.board.begin());
          }
        }
      }
    }
  }
  EXPECT_EQ(pairs, 1'286'792);
}

TEST(Infoset, RoundsOfTheBoardStayApart) {
  const Game game = make_game("hunl");
  const auto infoset = [&](const char* cards) { return infoset_of(game, play(game, "cc/cc/", deal_of(game, cards))); };
  EXPECT_EQ(infoset("AsAd|KsKd/2c3c4h/9s"), infoset("AdAs|KsKd/4h2c3c/9s"));
  EXPECT_EQ(infoset("AsAd|KsKd/2c3c4h/9s"), infoset("AhAc|KsKd/2d3d4s/9h"));
  EXPECT_NE(infoset("AsAd|KsKd/2c3c4h/9s"), infoset("AsAd|KsKd/9s3c4h/2c"));
  EXPECT_NE(infoset("AsAd|KsKd/2c3c4h/9s"), infoset("AsAd|KsKd/2c3c4h/9c"));
  EXPECT_EQ(infoset("AsAd|KsKd/2c3c4h/9s"), infoset("AsAd|QsQd/2c3c4h/9s/Th"));  // others' cards, cards to come
}

TEST(Infoset, WithoutCanonicalSuitsOnlyTheOrderIsDropped) {
  const Game game = make_game("hunl", RuleSet::acpc, false);
  const auto infoset = [&](const char* cards) { return infoset_of(game, play(game, "cc/", deal_of(game, cards))); };
  EXPECT_EQ(infoset("AsAd|KsKd/2c3c4h"), infoset("AdAs|KsKd/4h3c2c"));
  EXPECT_NE(infoset("AsAd|KsKd/2c3c4h"), infoset("AhAc|KsKd/2d3d4s"));
}

TEST(Infoset, WhereOnlyRanksCountSuitsAreDropped) {
  const Game leduc = make_game("leduc");
  const auto infoset = [&](const char* cards) { return infoset_of(leduc, play(leduc, "cc/", deal_of(leduc, cards))); };
  EXPECT_EQ(infoset("Ks|As/Kh"), infoset("Kh|As/Ks"));
  EXPECT_EQ(infoset("Ks|As/Qh"), infoset("Ks|As/Qs"));
  EXPECT_NE(infoset("Ks|As/Qh"), infoset("Qs|As/Kh"));
  EXPECT_EQ(infoset("Kh|As/Ks").hole[0], parse_card("Ks"));
  EXPECT_EQ(infoset("Kh|As/Ks").board[0], parse_card("Kh"));
  const Game kuhn = make_game("kuhn");
  EXPECT_EQ(infoset_of(kuhn, play(kuhn, "", deal_of(kuhn, "Qs|As"))).hole[0], parse_card("Qs"));
}

TEST(Infoset, BetSizesTellInfosetsApart) {
  const Game game = make_game("hunl");
  const Deal deal = deal_of(game, "AsAd|KsKd/2c3c4h");
  EXPECT_NE(infoset_of(game, play(game, "r200c/", deal)), infoset_of(game, play(game, "r300c/", deal)));
  EXPECT_NE(infoset_of(game, play(game, "cr200c/", deal)), infoset_of(game, play(game, "r200c/", deal)));
}

TEST(Infoset, HandsOffTheTreeHaveNone) {
  const Game game = make_game("hunl");
  EXPECT_THROW(infoset_of(game, play(game, "r201", deal_of(game, "AsAd|KsKd"))), Error);
  State overflowed = play(game, "");
  overflowed.history.overflow = true;
  EXPECT_THROW(infoset_of(game, overflowed), Error);
  Infoset foreign = infoset_of(game, play(game, "", deal_of(game, "AsAd|KsKd")));
  foreign.history.push(kFirstRaise + 9);
  EXPECT_THROW(state_of(game, foreign), Error);
}

TEST(Infoset, InWords) {
  const Game leduc = make_game("leduc", RuleSet::acpc, false);
  EXPECT_EQ(describe(leduc, infoset_of(leduc, play(leduc, "crc/c", deal_of(leduc, "As|Ks/Qh")))), "Ks | Qh | crc/c");
  EXPECT_EQ(describe(leduc, infoset_of(leduc, play(leduc, "", deal_of(leduc, "As|Ks/Qh")))), "As | -");
  const Game game = make_game("hunl", RuleSet::acpc, false);
  const Deal deal = deal_of(game, "AsAd|KsKd/2c3c4h/9s");
  EXPECT_EQ(describe(game, infoset_of(game, play(game, "r300c/cr600c/", deal))), "AdAs | 2c3c4h/9s | r300c/cr600c/");
}

TEST(Infoset, PackedSizes) {
  EXPECT_EQ(InfosetLayout(make_game("kuhn")).bytes(), 1u + 1 + 0 + 2);
  EXPECT_EQ(InfosetLayout(make_game("leduc")).bytes(), 1u + 1 + 1 + 4);
  EXPECT_EQ(InfosetLayout(make_game("fhp")).bytes(), 1u + 2 + 3 + 5);
  EXPECT_EQ(InfosetLayout(make_game("hulh")).bytes(), 1u + 2 + 5 + 12);
  EXPECT_EQ(InfosetLayout(make_game("hunl")).bytes(), 1u + 2 + 5 + 12);
}

}  // namespace
}  // namespace deepcfr
