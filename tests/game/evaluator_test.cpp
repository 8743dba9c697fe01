#include "deepcfr/game/evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

using Cards = std::vector<Card>;
using CategoryCounts = std::array<std::uint64_t, kHandCategoryCount>;

HandRank rank_of(const std::string& text) { return evaluate(parse_cards(text)); }

// The oracle: written from the rules of poker, shares nothing with the evaluator. Category, then ranks in order of weight;
// compared lexicographically.
using NaiveRank = std::array<int, 6>;

NaiveRank naive_rank_at_most_5(const Cards& cards) {
  std::map<int, int> copies;
  std::set<int> suits;
  for (const Card card : cards) {
    ++copies[card / 4];
    suits.insert(card % 4);
  }
  std::vector<std::pair<int, int>> groups;  // copies, rank
  for (const auto& [rank, n] : copies) groups.emplace_back(n, rank);
  std::sort(groups.rbegin(), groups.rend());
  const bool five = cards.size() == 5;
  const bool flush = five && suits.size() == 1;
  const bool wheel = five && groups.size() == 5 && groups[0].second == 12 && groups[1].second == 3;
  const bool straight = five && groups.size() == 5 && (groups[0].second - groups[4].second == 4 || wheel);
  const int second = groups.size() > 1 ? groups[1].first : 0;
  int category = 0;
  if (straight && flush)
    category = 8;
  else if (groups[0].first == 4)
    category = 7;
  else if (groups[0].first == 3 && second == 2)
    category = 6;
  else if (flush)
    category = 5;
  else if (straight)
    category = 4;
  else if (groups[0].first == 3)
    category = 3;
  else if (groups[0].first == 2 && second == 2)
    category = 2;
  else if (groups[0].first == 2)
    category = 1;
  NaiveRank result;
  result.fill(-1);
  result[0] = category;
  if (straight) result[1] = wheel ? 3 : groups[0].second;
  for (std::size_t i = 0; !straight && i < groups.size(); ++i) result[i + 1] = groups[i].second;
  return result;
}

/// Best of all choices of five cards.
NaiveRank naive_rank(const Cards& cards) {
  if (cards.size() <= 5) return naive_rank_at_most_5(cards);
  NaiveRank best = {-1};
  for (std::size_t i = 0; i < cards.size(); ++i) {
    Cards fewer = cards;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    best = std::max(best, naive_rank(fewer));
  }
  return best;
}

/// Calls visit(cards) for every set of `size` of the 52 cards.
template <typename Visit>
void for_each_set(int size, Visit&& visit, Cards& cards, int first = 0) {
  if (static_cast<int>(cards.size()) == size) return visit(std::as_const(cards));
  for (int card = first; card < kDeckSize; ++card) {
    cards.push_back(static_cast<Card>(card));
    for_each_set(size, visit, cards, card + 1);
    cards.pop_back();
  }
}

/// Distinct cards, the n-th hand of a fixed stream.
Cards random_cards(std::size_t size, std::uint64_t n) {
  const CounterRandom random(StreamPurpose::test, {size, n});
  Cards deck = make_deck();
  for (std::size_t i = 0; i < size; ++i) std::swap(deck[i], deck[i + random.below(i, deck.size() - i)]);
  deck.resize(size);
  return deck;
}

int sign(int difference) { return (difference > 0) - (difference < 0); }

/// Every rank of the oracle belongs to one rank of ours and they ascend together; returns the number of classes.
std::size_t expect_same_order(const std::map<NaiveRank, std::set<HandRank>>& classes) {
  int last = -1;
  for (const auto& [naive, ranks] : classes) {
    EXPECT_EQ(ranks.size(), 1U);
    EXPECT_GT(*ranks.begin(), last);
    EXPECT_EQ(static_cast<int>(category(*ranks.begin())), naive[0]);
    last = *ranks.rbegin();
    if (::testing::Test::HasFailure()) break;
  }
  return classes.size();
}

/// Counts and orders all hands of five cards; the oracle, which is slow, sees the first hand of each rank and every
/// `oracle_stride`-th.
void check_five_cards(int oracle_stride) {
  CategoryCounts counts = {};
  std::map<NaiveRank, std::set<HandRank>> classes;
  std::set<HandRank> known;
  int hands = 0;
  Cards cards;
  for_each_set(
      5,
      [&](const Cards& hand) {
        const HandRank rank = evaluate(hand);
        ++counts[static_cast<std::size_t>(category(rank))];
        const bool is_new = known.insert(rank).second;
        if (hands++ % oracle_stride == 0 || is_new) classes[naive_rank(hand)].insert(rank);
      },
      cards);
  EXPECT_EQ(hands, 2598960);
  EXPECT_EQ(counts, (CategoryCounts{1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40}));
  EXPECT_EQ(known.size(), 7462U);
  EXPECT_EQ(expect_same_order(classes), 7462U);
}

TEST(Evaluator, FiveCardsCountedAndOrderedLikeTheRules) { check_five_cards(101); }

TEST(EvaluatorSlow, FiveCardsEachOneLikeTheRules) { check_five_cards(1); }

// What the tables rest on, for hands too rare for the quick tests.
TEST(Evaluator, SumsOfRankTermsAreDistinct) {
  std::set<int> sums;
  int multisets = 0;
  const auto visit = [&](auto&& self, std::size_t rank, int missing, int sum) -> void {
    if (rank == detail::kRankTerms.size()) {
      ++multisets;
      sums.insert(sum);
      return;
    }
    for (int n = 0; n <= std::min(4, missing); ++n) self(self, rank + 1, missing - n, sum + n * detail::kRankTerms[rank]);
  };
  visit(visit, 0, kMaxHandCards, 0);
  EXPECT_EQ(multisets, 3180);
  EXPECT_EQ(sums.size(), 3180U);
}

TEST(Evaluator, FewerCardsAllHandsOrderedWithoutStraightsAndFlushes) {
  const std::array<std::size_t, 4> class_counts = {13, 13 + 78, 13 + 13 * 12 + 286, 13 + 13 * 12 + 78 + 13 * 66 + 715};
  for (int size = 1; size <= 4; ++size) {
    std::map<NaiveRank, std::set<HandRank>> classes;
    Cards cards;
    for_each_set(
        size, [&](const Cards& hand) { classes[naive_rank(hand)].insert(evaluate(hand)); }, cards);
    EXPECT_EQ(expect_same_order(classes), class_counts[static_cast<std::size_t>(size) - 1]) << size << " cards";
  }
}

TEST(Evaluator, SixAndSevenCardsAreTheBestFive) {
  for (const std::size_t size : {6U, 7U}) {
    for (std::uint64_t n = 0; n < 3000; ++n) {
      const Cards hand = random_cards(size, n);
      HandRank best = 0;
      for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = i; j < size; ++j) {
          if ((size == 7) == (i == j)) continue;  // leave out two of seven, one of six
          Cards five;
          for (std::size_t k = 0; k < size; ++k) {
            if (k != i && k != j) five.push_back(hand[k]);
          }
          best = std::max(best, evaluate(five));
        }
      }
      ASSERT_EQ(evaluate(hand), best) << card_names(hand);
    }
  }
}

TEST(Evaluator, RandomHandsOrderedLikeTheRules) {
  for (const std::size_t size : {5U, 6U, 7U}) {
    std::vector<std::pair<NaiveRank, HandRank>> ranks;
    for (std::uint64_t n = 0; n < 2000; ++n) {
      const Cards hand = random_cards(size, n);
      ranks.emplace_back(naive_rank(hand), evaluate(hand));
    }
    for (const auto& [naive_a, rank_a] : ranks) {
      for (const auto& [naive_b, rank_b] : ranks) {
        ASSERT_EQ(sign(rank_a - rank_b), (naive_a > naive_b) - (naive_a < naive_b)) << size << " cards";
      }
    }
  }
}

TEST(Evaluator, SuitsAndOrderNeverRank) {
  for (std::uint64_t n = 0; n < 500; ++n) {
    const Cards hand = random_cards(1 + n % 7, n);
    std::array<int, 4> suits = {0, 1, 2, 3};
    do {
      Cards other = hand;
      for (Card& card : other) card = make_card(card_rank(card), suits[static_cast<std::size_t>(card_suit(card))]);
      std::rotate(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(n % other.size()), other.end());
      ASSERT_EQ(evaluate(other), evaluate(hand)) << card_names(hand) << ' ' << card_names(other);
    } while (std::next_permutation(suits.begin(), suits.end()));
  }
}

// Users of five other evaluators reported wrong winners for hands like these.
TEST(Evaluator, R30HandPairs) {
  struct Pair {
    const char* id;
    std::string board, first, second;
    int winner;  // 1, 2, or 0 for a tie
  };
  const std::vector<Pair> pairs = {
      {"H01", "Jd7hJcKhKs", "Ah8h", "AsQc", 0}, {"H02", "5c6d7h8s9c", "AsKd", "2h2d", 0},
      {"H03", "5c6d7h8s9c", "AsTd", "AhAd", 1}, {"H04", "9c7s5h5s3c", "8hKs", "4dQs", 1},
      {"H08", "ThJhQhKhAh", "2c2d", "9h8h", 0}, {"H09", "8c8d8h8sKd", "Ac2d", "AdQh", 0},
      {"H10", "KcKdKh7s7c", "7d2h", "AsQd", 0}, {"H11", "AcAdKcKd2h", "QsQd", "QhJd", 0},
      {"H12", "2h5h9hJhKh", "3h4h", "AcAd", 1}, {"H14", "QcQd5h5s9c", "Qs2d", "5cAd", 1},
      {"H15", "2h5h9hJhKh", "3h4c", "7h6c", 2}, {"H16", "Ad3s4s5h6s", "AhKs", "AcKh", 0},
  };
  for (const Pair& pair : pairs) {
    const int comparison = sign(rank_of(pair.board + pair.first) - rank_of(pair.board + pair.second));
    EXPECT_EQ(comparison, pair.winner == 0 ? 0 : pair.winner == 1 ? 1 : -1) << pair.id;
  }
}

// R31: a report of a pair that seemed to beat trips; in that evaluator lower was better.
TEST(Evaluator, HigherIsBetter) {
  EXPECT_GT(rank_of("9HJH7D2SKC7C7H"), rank_of("9HJH7D2SKCJC5H"));
  EXPECT_EQ(category(rank_of("9HJH7D2SKC7C7H")), HandCategory::three_of_a_kind);
  EXPECT_EQ(category(rank_of("9HJH7D2SKCJC5H")), HandCategory::pair);
}

TEST(Evaluator, CategoriesAscend) {
  const std::vector<std::pair<std::string, std::string>> hands = {
      {"AsKdQhJc9s", "high card"},       {"2s2dAhKcQs", "pair"},           {"3s3d2h2c4s", "two pair"},
      {"2s2d2h4c3s", "three of a kind"}, {"As2d3h4c5s", "straight"},       {"2s3s4s5s7s", "flush"},
      {"2s2d2h3c3s", "full house"},      {"2s2d2h2c3s", "four of a kind"}, {"As2s3s4s5s", "straight flush"},
  };
  for (std::size_t i = 0; i < hands.size(); ++i) {
    const HandRank rank = rank_of(hands[i].first);
    EXPECT_EQ(category(rank), static_cast<HandCategory>(i));
    EXPECT_EQ(category_name(category(rank)), hands[i].second);
    if (i > 0) {
      EXPECT_GT(rank, rank_of(hands[i - 1].first));
    }
  }
}

/// -1, 0, 1: the rule of Leduc. A pair with the board beats everything, else the higher rank wins.
int leduc_rule(Card first, Card second, Card board) {
  const bool first_pairs = card_rank(first) == card_rank(board);
  const bool second_pairs = card_rank(second) == card_rank(board);
  if (first_pairs != second_pairs) return first_pairs ? 1 : -1;
  return sign(card_rank(first) - card_rank(second));
}

// A33: codes such as 100 + rank for a pair collide with high cards once there are many ranks.
TEST(Evaluator, LeducPairsBeatHighCardsForEveryNumberOfRanks) {
  for (int ranks = 2; ranks <= kRankCount; ++ranks) {
    const Cards deck = make_deck(ranks, 2);
    int deals = 0;
    for (const Card first : deck) {
      for (const Card second : deck) {
        for (const Card board : deck) {
          if (first == second || first == board || second == board) continue;
          ++deals;
          const int comparison = sign(evaluate(Cards{first, board}) - evaluate(Cards{second, board}));
          ASSERT_EQ(comparison, leduc_rule(first, second, board)) << card_names(Cards{first, second, board});
        }
      }
    }
    EXPECT_EQ(deals, 2 * ranks * (2 * ranks - 1) * (2 * ranks - 2));  // 120 for Leduc itself
  }
}

TEST(Evaluator, KuhnIsHighCard) {
  EXPECT_LT(rank_of("Qs"), rank_of("Ks"));
  EXPECT_LT(rank_of("Ks"), rank_of("As"));
  EXPECT_EQ(category(rank_of("2c")), HandCategory::high_card);
}

TEST(Evaluator, AccumulatorsAddUpInAnyGrouping) {
  for (std::uint64_t n = 0; n < 1000; ++n) {
    const Cards hand = random_cards(7, n);
    HandAccumulator board;
    for (std::size_t i = 0; i < 5; ++i) board += hand[i];
    HandAccumulator hole;
    hole += hand[5];
    hole += hand[6];
    EXPECT_EQ((board + hole).size(), 7);
    ASSERT_EQ(evaluate(board + hole), evaluate(hand));
    ASSERT_EQ(Evaluator()(hole + board), evaluate(hand));
    ASSERT_EQ(evaluate(board + hand[6] + hand[5]), evaluate(hand));
  }
}

TEST(Evaluator, WrongSetsOfCardsAreRefused) {
  const std::vector<Cards> wrong = {
      {}, {0, 0}, {51, 51, 51}, {52}, {kNoCard}, {0, kNoCard}, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 0, 6}};
  for (const Cards& cards : wrong) {
    EXPECT_THROW(evaluate(cards), Error) << card_names(cards);
    EXPECT_THROW(require_hand(cards), Error) << card_names(cards);
  }
  EXPECT_NO_THROW(require_hand(parse_cards("AsKsQsJsTs9s8s")));
  try {
    require_hand(parse_cards("AsKsQsJsTs9s8s7s"));
    ADD_FAILURE() << "eight cards accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(), "a hand of 8 cards (AsKsQsJsTs9s8s7s) is not in 1..7");
  }
}

TEST(Evaluator, FirstUseFromSeveralThreads) {
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] { wrong += category(rank_of("AsKsQsJsTs2c2d")) == HandCategory::straight_flush ? 0 : 1; });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(EvaluatorSlow, SevenCardsAllHandsCounted) {
  const Evaluator evaluator;
  CategoryCounts counts = {};
  const auto count = [&](auto&& self, int first, int missing, const HandAccumulator& hand) -> void {
    for (int card = first; card < kDeckSize; ++card) {
      const HandAccumulator next = hand + static_cast<Card>(card);
      if (missing == 1) {
        ++counts[static_cast<std::size_t>(category(evaluator(next)))];
      } else {
        self(self, card + 1, missing - 1, next);
      }
    }
  };
  count(count, 0, 7, HandAccumulator());
  EXPECT_EQ(counts, (CategoryCounts{23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584}));
}

}  // namespace
}  // namespace deepcfr
