#include "public_boards.h"

#include <algorithm>
#include <bit>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr std::uint64_t card_bit(Card card) noexcept { return std::uint64_t{1} << card; }
constexpr std::uint64_t kOneSuit = 0x1111111111111;  // the cards of suit 0

}  // namespace

HandTable::HandTable(const GameDefinition& definition) : hole_cards_(definition.hole_cards), by_cards_(kDeckSize * kDeckSize, -1) {
  DEEPCFR_CHECK(hole_cards_ == 1 || hole_cards_ == 2);
  const std::vector<Card> deck = make_deck(definition.ranks, definition.suits);
  const auto add = [&](Card low, Card high) {
    by_cards_[static_cast<std::size_t>(low) * kDeckSize + high] = count();
    holes_.push_back({low, hole_cards_ == 2 ? high : kNoCard, kNoCard});
    masks_.push_back(card_bit(low) | card_bit(high));
  };
  for (std::size_t i = 0; i < deck.size(); ++i) {
    if (hole_cards_ == 1) add(deck[i], deck[i]);
    for (std::size_t j = i + 1; hole_cards_ == 2 && j < deck.size(); ++j) add(deck[i], deck[j]);
  }
}

int HandTable::find(std::uint64_t mask) const noexcept {
  const auto low = static_cast<std::size_t>(std::countr_zero(mask));
  const auto high = static_cast<std::size_t>(std::bit_width(mask) - 1);
  return by_cards_[low * kDeckSize + high];
}

BoardTable::BoardTable(const GameDefinition& definition, const HandTable& hands, bool merge_suits)
    : definition_(&definition), hands_(&hands), deck_(make_deck(definition.ranks, definition.suits)) {
  std::array<std::uint8_t, 4> suits{0, 1, 2, 3};
  const auto first = suits.begin() + (kSuitCount - definition.suits);
  do suits_.push_back(suits);
  while (merge_suits && std::next_permutation(first, suits.end()));
  images_.reserve(suits_.size() * static_cast<std::size_t>(hands.count()));
  for (std::size_t s = 0; s < suits_.size(); ++s)
    for (int h = 0; h < hands.count(); ++h) images_.push_back(hands.find(image_of_cards(static_cast<int>(s), hands.mask(h))));
}

std::uint64_t BoardTable::image_of_cards(int symmetry, std::uint64_t mask) const noexcept {
  const std::array<std::uint8_t, 4>& suits = suits_[static_cast<std::size_t>(symmetry)];
  std::uint64_t image = 0;
  for (unsigned s = 0; s < kSuitCount; ++s) image |= ((mask >> s) & kOneSuit) << suits[s];
  return image;
}

Board BoardTable::no_board() const {
  Board board;
  board.cards.fill(kNoCard);
  for (std::size_t s = 0; s < suits_.size(); ++s) board.symmetries.push_back(static_cast<int>(s));
  return board;
}

std::vector<Board> BoardTable::next(const Board& board, int round) const {
  const int dealt = definition_->board_cards[static_cast<std::size_t>(round)];
  std::vector<Board> boards;
  std::vector<Card> left;
  for (const Card card : deck_)
    if ((board.mask & card_bit(card)) == 0) left.push_back(card);
  const auto add = [&](std::uint64_t cards) {
    Board next = board;
    next.symmetries.clear();
    for (const int symmetry : board.symmetries) {
      const std::uint64_t image = image_of_cards(symmetry, cards);
      if (image < cards) return;  // another one stands for this
      if (image == cards) next.symmetries.push_back(symmetry);
    }
    next.weight = static_cast<double>(board.symmetries.size()) / static_cast<double>(next.symmetries.size());
    next.mask |= cards;
    for (; cards != 0; cards &= cards - 1) next.cards[static_cast<std::size_t>(next.count++)] = static_cast<Card>(std::countr_zero(cards));
    boards.push_back(std::move(next));
  };
  const auto choose = [&](auto& self, std::size_t from, int more, std::uint64_t cards) -> void {
    if (more == 0) return add(cards);
    for (std::size_t i = from; i < left.size(); ++i) self(self, i + 1, more - 1, cards | card_bit(left[i]));
  };
  choose(choose, 0, dealt, 0);
  return boards;
}

void BoardTable::symmetrise(const Board& board, std::span<double> values, std::size_t stride) const {
  if (board.symmetries.size() < 2) return;
  const std::vector<double> from(values.begin(), values.end());
  const double share = 1 / static_cast<double>(board.symmetries.size());
  std::fill(values.begin(), values.end(), 0.0);
  for (const int symmetry : board.symmetries)
    for (int h = 0; h < hands_->count(); ++h) {
      const double* source = from.data() + static_cast<std::size_t>(h) * stride;
      double* target = values.data() + static_cast<std::size_t>(image(symmetry, h)) * stride;
      for (std::size_t k = 0; k < stride; ++k) target[k] += source[k] * share;
    }
}

int BoardTable::representative(const Board& board, int hand) const noexcept {
  int least = hand;
  for (const int symmetry : board.symmetries) least = std::min(least, image(symmetry, hand));
  return least;
}

}  // namespace deepcfr
