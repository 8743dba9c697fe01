// Cards: one index space for every game, the 52-card deck. Smaller decks are subsets of it, so a card has the same
// index, name and order everywhere.
// Value types and pure functions: any thread may call them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace deepcfr {

/// Index of a card, 0..51: rank * 4 + suit, rank 0..12 = 2..A, suit 0..3 = c d h s (ACPC order).
using Card = std::uint8_t;

inline constexpr int kRankCount = 13;
inline constexpr int kSuitCount = 4;
inline constexpr int kDeckSize = kRankCount * kSuitCount;
/// Strength of a hand (evaluator.h), higher is better: category * 4096 + place within the category.
using HandRank = std::uint16_t;

/// "No card" or "card unknown". Never an argument of a function here, unless its comment says so.
inline constexpr Card kNoCard = 255;

constexpr int card_rank(Card card) noexcept { return card / kSuitCount; }
constexpr int card_suit(Card card) noexcept { return card % kSuitCount; }
/// `rank` 0..12, `suit` 0..3; not checked.
constexpr Card make_card(int rank, int suit) noexcept { return static_cast<Card>(rank * kSuitCount + suit); }

/// "As", "Td"; "??" for kNoCard and every other index above 51.
std::string card_name(Card card);
/// Names in the order given, without blanks: "AsTd"; "" for no cards.
std::string card_names(std::span<const Card> cards);

/// Exactly two characters, a rank (2-9 T J Q K A) and a suit (c d h s), each in either case; nullopt for anything else.
std::optional<Card> parse_card(std::string_view text) noexcept;
/// Cards one after another, blanks and commas between cards allowed: "AsKd", "As Kd, 2c"; "" gives no cards. Does not
/// look for duplicates.
/// Throws Error{usage} that quotes the two characters at fault, the whole text, and says how a card is written.
std::vector<Card> parse_cards(std::string_view text);

/// Throws Error{usage} naming the first card that appears twice.
/// Cards are 0..51, else Error{bug}.
void require_distinct(std::span<const Card> cards);

/// The deck of a game with `ranks` ranks (1..13) and `suits` suits (1..4), ascending: the top ranks and the top suits, as
/// the ACPC reference engine does. (3, 1) is Kuhn's Qs Ks As, (3, 2) Leduc's Qh Qs Kh Ks Ah As.
/// Throws Error{usage} for a count out of range.
std::vector<Card> make_deck(int ranks = kRankCount, int suits = kSuitCount);

}  // namespace deepcfr
