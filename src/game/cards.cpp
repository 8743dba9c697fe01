#include "deepcfr/game/cards.h"

#include <cstddef>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr std::string_view kRankLetters = "23456789TJQKA";
constexpr std::string_view kSuitLetters = "cdhs";

// Not std::tolower: the locale has no say in how a card is written.
constexpr char ascii_lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char ascii_upper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

constexpr bool is_separator(char c) noexcept { return c == ' ' || c == ',' || c == '\t'; }

[[noreturn]] void throw_not_a_card(std::string_view piece, std::string_view text) {
  std::string what = "\"" + std::string(piece) + "\" is not a card";
  if (piece.size() != text.size()) what += " (in \"" + std::string(text) + "\")";
  std::string hint = "write a rank 2-9 T J Q K A and a suit c d h s, as in As or 9d";
  if (piece == "10") hint += "; ten is written T";
  throw Error(ErrorKind::usage, what, {}, hint);
}

}  // namespace

std::string card_name(Card card) {
  if (card >= kDeckSize) return "??";
  return {kRankLetters[static_cast<std::size_t>(card_rank(card))], kSuitLetters[static_cast<std::size_t>(card_suit(card))]};
}

std::string card_names(std::span<const Card> cards) {
  std::string names;
  for (const Card card : cards) names += card_name(card);
  return names;
}

std::optional<Card> parse_card(std::string_view text) noexcept {
  if (text.size() != 2) return std::nullopt;
  const std::size_t rank = kRankLetters.find(ascii_upper(text[0]));
  const std::size_t suit = kSuitLetters.find(ascii_lower(text[1]));
  if (rank == std::string_view::npos || suit == std::string_view::npos) return std::nullopt;
  return make_card(static_cast<int>(rank), static_cast<int>(suit));
}

std::vector<Card> parse_cards(std::string_view text) {
  std::vector<Card> cards;
  for (std::size_t i = 0; i < text.size();) {
    if (is_separator(text[i])) {
      ++i;
      continue;
    }
    const std::string_view piece = text.substr(i, 2);
    const std::optional<Card> card = parse_card(piece);
    if (!card) throw_not_a_card(piece, text);
    cards.push_back(*card);
    i += 2;
  }
  return cards;
}

void require_distinct(std::span<const Card> cards) {
  std::uint64_t seen = 0;
  for (const Card card : cards) {
    DEEPCFR_CHECK(card < kDeckSize, "card index " + std::to_string(card));
    const std::uint64_t bit = std::uint64_t{1} << card;
    if ((seen & bit) != 0) {
      throw Error(ErrorKind::usage, "card " + card_name(card) + " appears twice in " + card_names(cards), {},
                  "a deck holds each card once");
    }
    seen |= bit;
  }
}

std::vector<Card> make_deck(int ranks, int suits) {
  if (ranks < 1 || ranks > kRankCount) {
    throw Error(ErrorKind::usage, "number of ranks: " + std::to_string(ranks) + " is not in 1..13");
  }
  if (suits < 1 || suits > kSuitCount) {
    throw Error(ErrorKind::usage, "number of suits: " + std::to_string(suits) + " is not in 1..4");
  }
  std::vector<Card> deck;
  for (int rank = kRankCount - ranks; rank < kRankCount; ++rank) {
    for (int suit = kSuitCount - suits; suit < kSuitCount; ++suit) deck.push_back(make_card(rank, suit));
  }
  return deck;
}

}  // namespace deepcfr
