// `card_bet`: the network of Brown et al. 2019, appendix C. Per card group (hole, each round's board) rank and suit embeddings
// summed over its cards; groups concatenated into the card branch; bet branch and trunk with skip connections; the last features
// normalised row by row; linear head. Departures: no embedding of the single card beside rank and suit, and ε in the
// normalisation (the paper's code divides by the bare standard deviation, which is 0 for a constant row).
#pragma once

#include <array>
#include <cstdint>

#include "model.h"

namespace deepcfr::nn {

struct CardBet final : public Model {
  CardBet(const FeatureLayout& layout, int outputs, const NetworkOptions& options);
  std::unique_ptr<Pass> make_pass(Amp amp) const override;

  static constexpr int kRanks = 13;
  static constexpr int kSuits = 4;
  static constexpr float kNormalisationEpsilon = 1e-3F;  // beside a standard deviation of order 1; a constant row gives zeros

  int dim;
  std::vector<std::size_t> ranks, suits;  // tables by group
  std::array<std::size_t, 3> card, trunk;
  std::array<std::size_t, 2> bet;
  std::size_t head;
};

/// Calls visit(row, rank, suit) for the present cards of a group; cards [count][layout.card_count].
template <typename Visit>
void for_each_card(const FeatureLayout& layout, std::size_t group, std::int64_t count, const std::int8_t* cards,
                   const Visit& visit) {
  int first = 0;
  for (std::size_t g = 0; g < group; ++g) first += layout.group_size[g];
  for (std::int64_t r = 0; r < count; ++r)
    for (int i = first; i < first + layout.group_size[group]; ++i)
      if (const int c = cards[r * layout.card_count + i]; c >= 0) visit(r, c / CardBet::kSuits, c % CardBet::kSuits);
}

/// Sum of the lanes of a vector, in order.
float lane_sum(simd::Vec v);

/// The way forward, in two parts: what depends on the cards alone, and the rest. One thread at a time per object; what it leaves
/// in its members is what the way back needs. Matrices are in panel format.
class CardBetForward {
 public:
  /// Both outlive this object.
  CardBetForward(const CardBet& model, Products& products);

  /// Room for `count` rows of the second part, and of features.
  void reserve(std::int64_t count);
  /// Error{bug} unless it is −1 or the number of a card.
  static std::int8_t checked_card(float number);
  /// From cards[count][card_count], −1 none, to start[count × dim]: what the cards add to the trunk's first layer, before its
  /// ReLU.
  void run_cards(std::int64_t count, const float* packed, const std::int8_t* cards, float* start);
  /// From features and trunk[0], which holds what run_cards() made of each row's cards, to the outputs.
  const float* run_rows(std::int64_t count, const float* packed);

  AlignedFloats features;  ///< betting features
  std::vector<AlignedFloats> embedded;
  std::array<AlignedFloats, 3> card, trunk;
  std::array<AlignedFloats, 2> bet;
  AlignedFloats normal, out;
  std::vector<float> deviation;  ///< by row

 private:
  void dense(std::int64_t count, std::size_t layer, const float* packed, std::span<const float* const> inputs, float* y,
             const float* skip = nullptr);
  void embed(std::int64_t count, std::size_t group, const float* packed, const std::int8_t* cards);
  void normalise(std::int64_t count);

  const CardBet& model_;
  Products& products_;
  AlignedFloats real_;  // 1 for columns that exist, 0 for padding
};

}  // namespace deepcfr::nn
