// Network inputs: one row of floats for an infoset. Injective: any two infosets differ in some feature (statement 14).
#pragma once

#include <cstddef>
#include <span>

#include "deepcfr/game/infoset.h"

namespace deepcfr {

/// dense: for `mlp`: [multi-hot cards of each group: hole, then each round with board cards; deck_size each][rank counts of the
/// hole cards, of the whole board, and 1 if a hole card's rank is on the board; no board: hole counts only][betting features].
/// cards: for `card_bet`: [card numbers by group, −1 none][betting features].
enum class FeatureKind { dense, cards };

/// What a row holds, for networks that split it.
struct FeatureLayout {
  FeatureKind kind = FeatureKind::dense;
  int width = 0;
  // FeatureKind::cards: the row is [card_count card numbers][bet_width betting features]
  int card_count = 0;
  int bet_width = 0;
  /// Cards by group in row order: hole, then one group for each round with board cards.
  std::array<int, 1 + kMaxRounds> group_size{};
  int groups = 0;
  int first_card = 0;  ///< lowest card number of the deck; networks index rank = card / 4 and suit = card % 4
};

/// Betting features that one action writes: three at `slot`, the last two of all.
struct BettingStep {
  int slot = 0;
  std::array<float, 3> action{};
  std::array<float, 2> pot{};
  /// Writes them into a row of betting features of `width` elements; `convert` makes an element of a float.
  template <typename Element, typename Convert>
  void write(Element* betting, int width, Convert convert) const {
    for (std::size_t i = 0; i < action.size(); ++i) betting[static_cast<std::size_t>(slot) + i] = convert(action[i]);
    for (std::size_t i = 0; i < pot.size(); ++i) betting[static_cast<std::size_t>(width) - pot.size() + i] = convert(pot[i]);
  }
};

/// Thread-safe, immutable.
/// Betting features: for each round max_actions_in_round() slots in order of play, 3 numbers each: kind (+1 check or call, −1
/// fold, 0 raise or empty); raise (0, or the rank of its size among the game's raise actions, in (0, 1]); chips added ÷ pot
/// after the action. Then pot ÷ (pot + 10 big blinds) and amount to call ÷ (pot + amount to call). All numbers lie in
/// [−1, max(1, hole cards, board cards)], but for the card numbers. The width does not depend on the stack.
class Encoder {
 public:
  Encoder(const Game& game, FeatureKind kind);
  const FeatureLayout& layout() const noexcept { return layout_; }
  int width() const noexcept { return layout_.width; }
  void encode(const Infoset& infoset, float* row) const;
  void encode(const State& state, float* row) const;  ///< of the acting player

  // The parts of a row, for walks that know them already: [cards: card_width()][betting: layout().bet_width].
  int card_width() const noexcept { return card_width_; }
  /// From the infoset's cards alone.
  void encode_cards(const Infoset& infoset, float* cards) const;
  /// Betting features before the first action.
  void begin_betting(float* betting) const;
  /// What an action changes in the betting features: `after` is the successor of `before` by `action`, `turn` the number of actions that the
  /// round of `before` had seen. The same bits as encoding the whole history.
  BettingStep betting_step(const State& before, Action action, int turn, const State& after) const;

 private:
  void encode_card_numbers(const Infoset& infoset, float* row) const;
  void encode_dense_cards(const Infoset& infoset, float* row) const;
  void encode_betting(const History& history, float* row) const;
  std::array<float, 2> pot_features(const State& state, std::int64_t pot) const;

  const Game* game_;  // outlives the encoder
  FeatureLayout layout_;
  State initial_;       // before the first action
  int card_width_ = 0;  // numbers before the betting features
};

}  // namespace deepcfr
