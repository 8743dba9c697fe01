// Cards and emphasis for people: in colour with suit symbols where the terminal can, plain letters elsewhere.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "deepcfr/game/cards.h"

namespace deepcfr {

struct CardStyle {
  bool colour = false;
  bool symbols = false;  ///< A♠ instead of As
};

/// Of what is written to the open file `descriptor`: colour if it is a terminal that understands it (TERM is set and not "dumb") and
/// NO_COLOR is unset or empty (no-color.org); symbols if, besides, the locale says UTF-8.
CardStyle card_style_of(int descriptor);

/// "As", "Td"; "??" for a card that is not known. Suits in four colours: hearts red, diamonds blue, clubs green, spades bold.
std::string show_card(Card card, const CardStyle& style);
/// With blanks between: "As Td".
std::string show_cards(std::span<const Card> cards, const CardStyle& style);

enum class Tone { strong, faint, good, bad };
std::string paint(std::string_view text, Tone tone, const CardStyle& style);
/// Text on a background that goes from none (0) to a full green (1).
std::string shade(std::string_view text, double share, const CardStyle& style);

}  // namespace deepcfr
