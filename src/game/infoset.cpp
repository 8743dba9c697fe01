// Suit canonicalisation: the cards of one suit are described by one number (for each rank, the group that the card lies in);
// sorting the suits by that number and renaming them in that order is the same for all permutations of suits. In games of
// fewer than five cards a hand, where only ranks count, the suits of each rank are renamed by themselves.
#include "deepcfr/game/infoset.h"

#include <algorithm>
#include <cstring>

#include "deepcfr/core/error.h"
#include "deepcfr/game/acpc_string.h"

namespace deepcfr {

namespace {

template <typename Iterator>
void insertion_sort(Iterator begin, Iterator end) {
  for (Iterator i = begin; i != end; ++i) {
    for (Iterator j = i; j != begin && *j < *(j - 1); --j) std::swap(*j, *(j - 1));
  }
}

void sort_groups(const GameDefinition& d, int board_count, std::array<Card, kMaxHoleCards>& hole,
                 std::array<Card, kMaxBoardCards>& board) {
  insertion_sort(hole.begin(), hole.begin() + d.hole_cards);
  int begin = 0;
  for (int r = 0; r < d.rounds && begin < board_count; ++r) {
    const int end = std::min(begin + d.board_cards[static_cast<std::size_t>(r)], board_count);
    insertion_sort(board.begin() + begin, board.begin() + end);
    begin = end;
  }
}

/// New name of each suit; suits outside the deck keep theirs.
std::array<std::uint8_t, 4> suit_names(const GameDefinition& d, int board_count, const std::array<Card, kMaxHoleCards>& hole,
                                       const std::array<Card, kMaxBoardCards>& board) {
  std::array<std::uint64_t, 4> key{};
  const auto add = [&key](Card card, std::uint64_t group) {
    if (card != kNoCard) key[static_cast<std::size_t>(card_suit(card))] |= group << (3 * card_rank(card) + 2);
  };
  for (int c = 0; c < d.hole_cards; ++c) add(hole[static_cast<std::size_t>(c)], 7);
  for (int c = 0, r = 0; c < board_count; ++c) {
    while (c >= d.board_count(r)) ++r;
    add(board[static_cast<std::size_t>(c)], static_cast<std::uint64_t>(r) + 1);
  }
  std::array<std::uint8_t, 4> names{0, 1, 2, 3};
  const int lowest = 4 - d.suits;
  for (std::size_t s = 0; s < 4; ++s) key[s] |= s;  // which suit it is; decides only between equal ones
  std::array<std::uint64_t, 4> sorted = key;
  insertion_sort(sorted.begin() + lowest, sorted.end());
  for (std::size_t s = static_cast<std::size_t>(lowest); s < 4; ++s) names[sorted[s] & 3] = static_cast<std::uint8_t>(s);
  return names;
}

bool only_ranks_count(const GameDefinition& d) { return d.hole_cards + d.board_count(d.rounds - 1) < 5; }

/// The first card of a rank gets the highest suit, the next one the suit below.
class SuitByRank {
 public:
  void rename(Card& card) {
    if (card == kNoCard) return;
    const int rank = card_rank(card);
    card = make_card(rank, kSuitCount - ++seen_[static_cast<std::size_t>(rank)]);
  }

 private:
  std::array<std::uint8_t, kRankCount> seen_{};
};

void rename_suits(const GameDefinition& d, int board_count, std::array<Card, kMaxHoleCards>& hole,
                  std::array<Card, kMaxBoardCards>& board) {
  const auto each = [&](auto rename) {
    for (int c = 0; c < d.hole_cards; ++c) rename(hole[static_cast<std::size_t>(c)]);
    for (int c = 0; c < board_count; ++c) rename(board[static_cast<std::size_t>(c)]);
  };
  if (only_ranks_count(d)) {
    SuitByRank suits;
    each([&suits](Card& card) { suits.rename(card); });
    return;
  }
  const std::array<std::uint8_t, 4> names = suit_names(d, board_count, hole, board);
  each([&names](Card& card) {
    if (card != kNoCard) card = make_card(card_rank(card), names[static_cast<std::size_t>(card_suit(card))]);
  });
}

}  // namespace

void canonical_cards(const Game& game, std::span<const Card> hole, std::span<const Card> board, int board_count,
                     std::array<Card, kMaxHoleCards>& hole_out, std::array<Card, kMaxBoardCards>& board_out) {
  const GameDefinition& d = game.definition();
  hole_out.fill(kNoCard);
  board_out.fill(kNoCard);
  std::copy_n(hole.begin(), d.hole_cards, hole_out.begin());
  std::copy_n(board.begin(), board_count, board_out.begin());
  if (game.canonical_suits()) rename_suits(d, board_count, hole_out, board_out);
  sort_groups(d, board_count, hole_out, board_out);
}

Infoset infoset_of(const Game& game, const State& state) {
  if (state.history.overflow)
    throw Error(ErrorKind::usage, "the hand has more actions than a history holds, so it has no infoset");
  for (int i = 0; i < state.history.size; ++i) {
    if (state.history[i] != kOffTreeRaise) continue;
    throw Error(ErrorKind::usage,
                "action " + std::to_string(i + 1) + " of the hand is a raise that the bet abstraction does not offer",
                "game " + game.name(), "map it to a size of the abstraction first");
  }
  Infoset infoset;
  canonical_cards(game, state.deal.hole[state.actor], state.deal.board, game.definition().board_count(state.round), infoset.hole,
                  infoset.board);
  infoset.history = state.history;
  return infoset;
}

State state_of(const Game& game, const Infoset& infoset) {
  State state = game.initial_state(Deal{});
  for (int i = 0; i < infoset.history.size; ++i) {
    const Action action = infoset.history[i];
    DEEPCFR_CHECK(((game.legal_actions(state) >> action) & 1) != 0, "a history of another game");
    game.apply(state, action);
  }
  state.deal.hole[state.actor] = infoset.hole;
  state.deal.board = infoset.board;
  return state;
}

std::string describe(const Game& game, const Infoset& infoset) {
  const GameDefinition& d = game.definition();
  std::string text;
  for (int c = 0; c < d.hole_cards; ++c) text += card_name(infoset.hole[static_cast<std::size_t>(c)]);
  const int board = d.board_count(d.rounds - 1);
  std::string cards;
  for (int c = 0, r = 0; c < board && infoset.board[static_cast<std::size_t>(c)] != kNoCard; ++c) {
    const int before = r;
    while (c >= d.board_count(r)) ++r;
    if (r != before && !cards.empty()) cards += '/';
    cards += card_name(infoset.board[static_cast<std::size_t>(c)]);
  }
  if (!cards.empty()) text += " | " + cards;
  const std::string betting = print_acpc_betting(game, state_of(game, infoset));
  return text + " | " + (betting.empty() ? "-" : betting);
}

InfosetLayout::InfosetLayout(const Game& game)
    : hole_cards_(game.definition().hole_cards),
      board_cards_(game.definition().board_count(game.rounds() - 1)),
      history_bytes_((game.max_actions_in_hand() + 1) / 2),
      bytes_(static_cast<std::size_t>(1 + hole_cards_ + board_cards_ + history_bytes_)) {}

void InfosetLayout::pack(const Infoset& infoset, std::byte* out) const noexcept {
  std::array<std::byte, kMaxHoleCards + kMaxBoardCards> cards;
  pack_cards(infoset, cards.data());
  pack(cards.data(), infoset.history, out);
}

void InfosetLayout::pack_cards(const Infoset& infoset, std::byte* cards) const noexcept {
  std::memcpy(cards, infoset.hole.data(), static_cast<std::size_t>(hole_cards_));
  std::memcpy(cards + hole_cards_, infoset.board.data(), static_cast<std::size_t>(board_cards_));
}

void InfosetLayout::pack(const std::byte* cards, const History& history, std::byte* out) const noexcept {
  *out++ = static_cast<std::byte>(history.size);
  std::memcpy(out, cards, card_bytes());
  std::memcpy(out + card_bytes(), history.packed.data(), static_cast<std::size_t>(history_bytes_));
}

Infoset InfosetLayout::unpack(const std::byte* in) const noexcept {
  Infoset infoset;
  infoset.hole.fill(kNoCard);
  infoset.board.fill(kNoCard);
  infoset.history.size = static_cast<std::uint8_t>(*in++);
  std::memcpy(infoset.hole.data(), in, static_cast<std::size_t>(hole_cards_));
  in += hole_cards_;
  std::memcpy(infoset.board.data(), in, static_cast<std::size_t>(board_cards_));
  in += board_cards_;
  std::memcpy(infoset.history.packed.data(), in, static_cast<std::size_t>(history_bytes_));
  return infoset;
}

}  // namespace deepcfr
