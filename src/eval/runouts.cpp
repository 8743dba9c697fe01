#include "runouts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "deepcfr/core/error.h"
#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

struct Hands {
  std::array<HandAccumulator, kMaxPlayers> cards;  // hole cards and the board so far
  std::size_t players;
};

void rank_all(const Evaluator& evaluator, const Hands& hands, const HandAccumulator& rest, std::vector<HandRank>& out) {
  for (std::size_t p = 0; p < hands.players; ++p) out.push_back(evaluator(hands.cards[p] + rest));
}

void enumerate(const Evaluator& evaluator, const Hands& hands, std::span<const Card> deck, std::size_t missing,
               const HandAccumulator& rest, std::vector<HandRank>& out) {
  if (missing == 0) return rank_all(evaluator, hands, rest, out);
  for (std::size_t i = 0; i + missing <= deck.size(); ++i)
    enumerate(evaluator, hands, deck.subspan(i + 1), missing - 1, rest + deck[i], out);
}

double combinations(std::size_t n, std::size_t k) {
  double ways = 1;
  for (std::size_t i = 0; i < k; ++i) ways *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return ways;
}

}  // namespace

void Runouts::fill(const Game& game, const Deal& deal, int round, CounterRandom stream) {
  const GameDefinition& definition = game.definition();
  players_ = static_cast<std::size_t>(game.players());
  const auto known = static_cast<std::size_t>(definition.board_count(round));
  const std::size_t missing = static_cast<std::size_t>(definition.board_count(game.rounds() - 1)) - known;
  std::vector<Card> deck = make_deck(definition.ranks, definition.suits);
  const auto take = [&](Card card) {
    const auto place = std::find(deck.begin(), deck.end(), card);
    DEEPCFR_CHECK(place != deck.end(), card_name(card) + " is not left in the deck");
    deck.erase(place);
  };
  Hands hands{{}, players_};
  HandAccumulator board;
  for (const Card card : std::span(deal.board).first(known)) {
    take(card);
    board += card;
  }
  for (std::size_t p = 0; p < players_; ++p) {
    hands.cards[p] = board;
    for (const Card card : std::span(deal.hole[p]).first(static_cast<std::size_t>(definition.hole_cards))) {
      take(card);
      hands.cards[p] += card;
    }
  }
  const Evaluator evaluator;
  ranks_.clear();
  if (combinations(deck.size(), missing) <= kExactBoards) return enumerate(evaluator, hands, deck, missing, {}, ranks_);
  SequentialRandom random(stream);
  ranks_.reserve(kSampledBoards * players_);
  for (std::size_t sample = 0; sample < kSampledBoards; ++sample) {
    HandAccumulator rest;
    for (std::size_t i = 0; i < missing; ++i) {  // the head of a shuffle, going on from the last one
      std::swap(deck[i], deck[i + random.below(deck.size() - i)]);
      rest += deck[i];
    }
    rank_all(evaluator, hands, rest, ranks_);
  }
}

void Runouts::edges(unsigned live, std::span<double> out) const {
  DEEPCFR_CHECK(out.size() == players_ && !empty());
  std::fill(out.begin(), out.end(), 0.0);
  const auto count = static_cast<std::size_t>(std::popcount(live));
  if (count < 2) return;
  if (count == 2) return edges_of_two(live, out);
  // Wins are counted by how many share them.
  std::array<std::array<std::int64_t, kMaxPlayers + 1>, kMaxPlayers> shared{};
  for (std::size_t b = 0; b < ranks_.size(); b += players_) {
    HandRank best = 0;
    unsigned winners = 0;
    for (unsigned set = live; set != 0; set &= set - 1) {
      const int p = std::countr_zero(set);
      const HandRank rank = ranks_[b + static_cast<std::size_t>(p)];
      if (rank > best) winners = 0;
      if (rank >= best) winners |= 1U << p;
      best = std::max(best, rank);
    }
    const auto sharing = static_cast<std::size_t>(std::popcount(winners));
    for (; winners != 0; winners &= winners - 1) ++shared[static_cast<std::size_t>(std::countr_zero(winners))][sharing];
  }
  const auto boards_here = static_cast<std::int64_t>(boards());
  for (unsigned set = live; set != 0; set &= set - 1) {
    const auto p = static_cast<std::size_t>(std::countr_zero(set));
    double sum = 0;
    for (std::size_t k = 2; k <= count; ++k)
      sum += static_cast<double>(shared[p][k]) * (static_cast<double>(count) / static_cast<double>(k) - 1);
    sum += static_cast<double>(shared[p][1]) * static_cast<double>(count - 1);
    std::int64_t lost = boards_here;
    for (std::size_t k = 1; k <= count; ++k) lost -= shared[p][k];
    out[p] = (sum - static_cast<double>(lost)) / static_cast<double>(boards_here) / static_cast<double>(count);
  }
}

void Runouts::edges_of_two(unsigned live, std::span<double> out) const {
  const auto a = static_cast<std::size_t>(std::countr_zero(live)), b = static_cast<std::size_t>(std::bit_width(live) - 1);
  std::int64_t wins = 0;  // less losses
  for (std::size_t i = 0; i < ranks_.size(); i += players_)
    wins += static_cast<int>(ranks_[i + a] > ranks_[i + b]) - static_cast<int>(ranks_[i + a] < ranks_[i + b]);
  out[a] = static_cast<double>(wins) / static_cast<double>(2 * boards());
  out[b] = -out[a];
}

void Runouts::values(const Game& game, const State& finished, std::span<double> out) const {
  DEEPCFR_CHECK(out.size() == players_ && !empty());
  std::array<double, kMaxPlayers> one;
  const std::span<double> values = std::span(one).first(players_);
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t b = 0; b < ranks_.size(); b += players_) {
    game.values(finished, std::span(ranks_).subspan(b, players_), values);
    for (std::size_t p = 0; p < players_; ++p) out[p] += values[p];
  }
  for (double& value : out) value /= static_cast<double>(boards());
}

}  // namespace deepcfr
