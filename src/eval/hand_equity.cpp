#include "hand_equity.h"

#include <algorithm>
#include <array>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/evaluator.h"
#include "deepcfr/game/infoset.h"

namespace deepcfr {
namespace {

constexpr std::size_t kCacheEntries = std::size_t{1} << 20;
constexpr std::uint64_t kStreamSalt = 0x657175697479ULL;  // keeps these streams apart from all others

std::vector<Card> unseen_cards(const GameDefinition& definition, std::span<const Card> hole, std::span<const Card> board) {
  std::vector<Card> deck = make_deck(definition.ranks, definition.suits);
  const std::size_t full = deck.size();
  std::erase_if(deck, [&](Card card) {
    return std::find(hole.begin(), hole.end(), card) != hole.end() || std::find(board.begin(), board.end(), card) != board.end();
  });
  DEEPCFR_CHECK(full - deck.size() == hole.size() + board.size(), card_names(hole) + " | " + card_names(board));
  return deck;
}

HandAccumulator accumulated(std::span<const Card> cards) {
  HandAccumulator sum;
  for (const Card card : cards) sum += card;
  return sum;
}

int board_cards_to_come(const GameDefinition& definition, std::span<const Card> board) {
  return definition.board_count(definition.rounds - 1) - static_cast<int>(board.size());
}

/// Twice the score of one showdown: 2 win, 1 tie, 0 loss.
unsigned double_score(HandRank own, HandRank other) { return own > other ? 2U : own == other ? 1U : 0U; }

/// All boards to come, and all other hands for each.
class Enumeration {
 public:
  Enumeration(std::vector<Card> unseen, const HandAccumulator& hole, int hole_cards)
      : unseen_(std::move(unseen)), used_(unseen_.size(), false), hole_(hole), hole_cards_(hole_cards) {}

  void boards(std::size_t from, int left, const HandAccumulator& board) {
    if (left == 0) {
      own_ = evaluate(board + hole_);
      other_hands(0, hole_cards_, board);
      return;
    }
    for (std::size_t i = from; i < unseen_.size(); ++i) {
      used_[i] = true;
      boards(i + 1, left - 1, board + unseen_[i]);
      used_[i] = false;
    }
  }
  double equity() const { return 0.5 * static_cast<double>(score_) / static_cast<double>(count_); }

 private:
  void other_hands(std::size_t from, int left, const HandAccumulator& cards) {
    if (left == 0) {
      score_ += double_score(own_, evaluate(cards));
      ++count_;
      return;
    }
    for (std::size_t i = from; i < unseen_.size(); ++i) {
      if (!used_[i]) other_hands(i + 1, left - 1, cards + unseen_[i]);
    }
  }

  std::vector<Card> unseen_;
  std::vector<bool> used_;
  HandAccumulator hole_;
  int hole_cards_;
  HandRank own_ = 0;
  std::uint64_t score_ = 0;
  std::uint64_t count_ = 0;
};

/// Boards to come × hands for each.
double enumeration_size(const GameDefinition& definition, std::span<const Card> board) {
  double size = 1;
  double unseen = definition.deck_size() - definition.hole_cards - static_cast<double>(board.size());
  const int to_come = board_cards_to_come(definition, board);
  for (int i = 0; i < to_come; ++i) size *= unseen-- / (i + 1);
  for (int i = 0; i < definition.hole_cards; ++i) size *= unseen-- / (i + 1);
  return size;
}

}  // namespace

double exact_equity(const GameDefinition& definition, std::span<const Card> hole, std::span<const Card> board) {
  Enumeration all(unseen_cards(definition, hole, board), accumulated(hole), definition.hole_cards);
  all.boards(0, board_cards_to_come(definition, board), accumulated(board));
  return all.equity();
}

double sampled_equity(const GameDefinition& definition, std::span<const Card> hole, std::span<const Card> board, int samples,
                      CounterRandom stream) {
  std::vector<Card> cards = unseen_cards(definition, hole, board);
  const HandAccumulator own_hole = accumulated(hole);
  const HandAccumulator own_board = accumulated(board);
  const auto to_come = static_cast<std::size_t>(board_cards_to_come(definition, board));
  const std::size_t drawn = to_come + static_cast<std::size_t>(definition.hole_cards);
  SequentialRandom random(stream);
  std::uint64_t score = 0;
  for (int sample = 0; sample < samples; ++sample) {
    HandAccumulator complete = own_board;
    HandAccumulator other;
    for (std::size_t i = 0; i < drawn; ++i) {  // the head of a shuffle, going on from the last one
      std::swap(cards[i], cards[i + random.below(cards.size() - i)]);
      (i < to_come ? complete : other) += cards[i];
    }
    score += double_score(evaluate(complete + own_hole), evaluate(complete + other));
  }
  return 0.5 * static_cast<double>(score) / samples;
}

double hand_strength(const GameDefinition& definition, std::span<const Card> hole, int samples) {
  if (enumeration_size(definition, {}) <= HandEquity::kExactLimit) return exact_equity(definition, hole, {});
  std::uint64_t key = 0;
  for (const Card card : hole) key = key << 6 | card;
  return sampled_equity(definition, hole, {}, samples, CounterRandom(mix_key({kStreamSalt, key})));
}

double HandEquity::of_actor(const State& state) {
  const GameDefinition& definition = game_->definition();
  const auto hole_cards = static_cast<std::size_t>(definition.hole_cards);
  const auto board_cards = static_cast<std::size_t>(definition.board_count(state.round));
  std::array<Card, kMaxHoleCards> hole;
  std::array<Card, kMaxBoardCards> board;
  canonical_cards(*game_, std::span(state.deal.hole[state.actor]).first(hole_cards),
                  std::span(state.deal.board).first(board_cards), static_cast<int>(board_cards), hole, board);
  const auto known_hole = std::span<const Card>(hole).first(hole_cards);
  const auto known_board = std::span<const Card>(board).first(board_cards);
  std::uint64_t key = 0;
  for (const Card card : known_hole) key = key << 6 | card;
  for (std::size_t i = 0; i < board.size(); ++i) key = key << 6 | (i < board_cards ? board[i] : 63U);
  const auto cached = cache_.find(key);
  if (cached != cache_.end()) return static_cast<double>(cached->second);
  if (cache_.size() >= kCacheEntries) cache_.clear();
  double equity;
  if (enumeration_size(definition, known_board) <= kExactLimit) {
    equity = exact_equity(definition, known_hole, known_board);
  } else {
    equity = sampled_equity(definition, known_hole, known_board, state.round == 0 ? kFirstRoundSamples : kSamples,
                            CounterRandom(mix_key({kStreamSalt, key})));
  }
  const auto stored = static_cast<float>(equity);  // rounded before its first use, so that a hit and a miss agree
  cache_.emplace(key, stored);
  return static_cast<double>(stored);
}

}  // namespace deepcfr
