// Equity of a hand against one hand drawn at random, over the deck of a game and every board that can still come.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// Exact where at most kExactLimit pairs of (board to come, other hand) are left: toy games, the last board card. Otherwise the
/// mean of a fixed number of samples whose random stream is keyed by the cards themselves. So the answer is a pure function of
/// the cards up to a permutation of suits, and the cache changes nothing but time. One thread at a time.
class HandEquity {
 public:
  static constexpr double kExactLimit = 2000;
  static constexpr int kFirstRoundSamples = 4000;  ///< standard error 0.008; few hands, each worked out once
  static constexpr int kSamples = 256;             ///< standard error 0.03

  explicit HandEquity(const Game& game) : game_(&game) {}
  /// P(win) + P(tie) / 2 of the actor's hand in [0, 1]. The actor's cards and the board of the round must be known.
  double of_actor(const State& state);

 private:
  const Game* game_;
  std::unordered_map<std::uint64_t, float> cache_;  // by the canonical cards themselves, 6 bits each
};

/// The same without a cache: exactly, or by `samples` samples if that is not 0. `hole` and `board` are cards of the game's deck.
double exact_equity(const GameDefinition& definition, std::span<const Card> hole, std::span<const Card> board);
double sampled_equity(const GameDefinition& definition, std::span<const Card> hole, std::span<const Card> board, int samples,
                      CounterRandom stream);
/// Before any board card: exactly where that is at most kExactLimit pairs, else from samples keyed by the cards.
double hand_strength(const GameDefinition& definition, std::span<const Card> hole, int samples);

}  // namespace deepcfr
