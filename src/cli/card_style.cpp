#include "card_style.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace deepcfr {
namespace {

constexpr std::string_view kReset = "\033[0m";
constexpr std::array<std::string_view, kSuitCount> kSuitColours = {"\033[32m", "\033[94m", "\033[91m", "\033[1m"};  // c d h s
constexpr std::array<std::string_view, kSuitCount> kSuitSymbols = {"\u2663", "\u2666", "\u2665", "\u2660"};
/// Greens of the 256-colour palette, from dark to bright.
constexpr std::array<int, 5> kGreens = {22, 28, 34, 40, 46};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// As the C library chooses: LC_ALL before LC_CTYPE before LANG.
bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = environment(name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

std::string coloured(std::string_view code, std::string_view text) { return std::string(code) + std::string(text) + std::string(kReset); }

}  // namespace

CardStyle card_style_of(int descriptor) {
  const std::string terminal = environment("TERM");
  CardStyle style;
  style.colour = ::isatty(descriptor) == 1 && !terminal.empty() && terminal != "dumb" && environment("NO_COLOR").empty();
  style.symbols = style.colour && utf8_locale();
  return style;
}

std::string show_card(Card card, const CardStyle& style) {
  std::string text = card_name(card);
  if (card >= kDeckSize) return text;
  const auto suit = static_cast<std::size_t>(card_suit(card));
  if (style.symbols) text = text.substr(0, 1) + std::string(kSuitSymbols[suit]);
  return style.colour ? coloured(kSuitColours[suit], text) : text;
}

std::string show_cards(std::span<const Card> cards, const CardStyle& style) {
  std::string text;
  for (const Card card : cards) text += (text.empty() ? "" : " ") + show_card(card, style);
  return text;
}

std::string paint(std::string_view text, Tone tone, const CardStyle& style) {
  if (!style.colour) return std::string(text);
  constexpr std::array<std::string_view, 4> kCodes = {"\033[1m", "\033[2m", "\033[32m", "\033[31m"};
  return coloured(kCodes[static_cast<std::size_t>(tone)], text);
}

std::string shade(std::string_view text, double share, const CardStyle& style) {
  const auto steps = static_cast<double>(kGreens.size());
  const int step = static_cast<int>(std::ceil(std::clamp(share, 0.0, 1.0) * steps - 1e-9));
  if (!style.colour || step == 0) return std::string(text);
  const int green = kGreens[static_cast<std::size_t>(step - 1)];
  return coloured("\033[48;5;" + std::to_string(green) + (step > 2 ? ";30m" : ";97m"), text);
}

}  // namespace deepcfr
