#include "hole_terms.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "deepcfr/game/infoset.h"
#include "hand_equity.h"

namespace deepcfr {
namespace {

constexpr int kSamples = 512;
constexpr std::size_t kMostForPairs = 2000;  // C(52, 2) = 1326

/// All hands of `count` cards.
void hands_of(std::span<const Card> deck, std::size_t count, std::vector<Card>& begun, std::vector<std::vector<Card>>& out) {
  if (begun.size() == count) {
    out.push_back(begun);
    return;
  }
  for (std::size_t i = 0; i < deck.size(); ++i) {
    begun.push_back(deck[i]);
    hands_of(deck.subspan(i + 1), count, begun, out);
    begun.pop_back();
  }
}

std::uint64_t card_mask(std::span<const Card> cards) {
  std::uint64_t mask = 0;
  for (const Card card : cards) mask |= std::uint64_t{1} << card;
  return mask;
}

}  // namespace

HoleTerms::HoleTerms(const Game& game)
    : players_(static_cast<std::size_t>(game.players())), hole_cards_(static_cast<std::size_t>(game.definition().hole_cards)) {
  std::vector<std::vector<Card>> hands;
  std::vector<Card> begun;
  hands_of(make_deck(game.definition().ranks, game.definition().suits), hole_cards_, begun, hands);
  std::size_t places = 1;
  for (std::size_t i = 0; i < hole_cards_; ++i) places *= kDeckSize;
  strength_.resize(places);
  std::map<std::array<Card, kMaxHoleCards>, double> by_canonical;
  std::vector<double> strengths;
  for (const std::vector<Card>& hand : hands) {
    std::array<Card, kMaxHoleCards> canonical;
    std::array<Card, kMaxBoardCards> board;
    canonical_cards(game, hand, {}, 0, canonical, board);
    const auto [at, fresh] = by_canonical.emplace(canonical, 0.0);
    if (fresh) {
      const auto own = std::span<const Card>(canonical).first(hole_cards_);
      at->second = hand_strength(game.definition(), own, kSamples) - 0.5;
    }
    strengths.push_back(at->second);
    strength_[place(hand)] = at->second;
  }
  const auto n = static_cast<double>(hands.size());
  for (const double s : strengths) {
    mean_ += s / n;
    mean_square_ += s * s / n;
  }
  products_ = hands.size() <= kMostForPairs;
  double pairs = 0;
  for (std::size_t i = 0; i < hands.size() && products_; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if ((card_mask(hands[i]) & card_mask(hands[j])) != 0) continue;
      mean_product_ += strengths[i] * strengths[j];
      ++pairs;
    }
  }
  if (pairs > 0) mean_product_ /= pairs;
}

std::size_t HoleTerms::place(std::span<const Card> sorted) const {
  std::size_t place = 0;
  for (const Card card : sorted) place = place * kDeckSize + card;
  return place;
}

double HoleTerms::strength(const Deal& deal, std::size_t player) const {
  std::array<Card, kMaxHoleCards> hand = deal.hole[player];
  std::sort(hand.begin(), hand.begin() + static_cast<std::ptrdiff_t>(hole_cards_));
  return strength_[place(std::span<const Card>(hand).first(hole_cards_))];
}

void HoleTerms::add(const Deal& deal, int hero, std::span<double> out) const {
  const double x = strength(deal, static_cast<std::size_t>(hero));
  const double share = 1.0 / static_cast<double>(players_ - 1);
  double y = 0, y_square = 0;
  for (std::size_t p = 0; p < players_; ++p) {
    if (p == static_cast<std::size_t>(hero)) continue;
    const double s = strength(deal, p);
    y += share * s;
    y_square += share * s * s;
  }
  out[0] += x - mean_;
  out[1] += x * x - mean_square_;
  out[2] += y - mean_;
  out[3] += y_square - mean_square_;
  if (products_) out[4] += x * y - mean_product_;
}

}  // namespace deepcfr
