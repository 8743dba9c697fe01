// PHH, the Poker Hand History format (Kim: "Recording and Describing Poker Hands", IEEE CoG 2024; TOML 1.0): limit (FT) and no-limit (NT)
// Texas hold'em. Player p(i + 1) of a file is position i here. Amounts behind `cbr` count on the street alone; blinds heads-up are listed
// in reverse.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/protocol/hand_record.h"

namespace deepcfr {

/// Error{usage} if PHH has no code for the game: it has one for hold'em with the whole deck, four rounds, usual blinds and order of
/// players.
void require_phh_game(const Game& game);

/// The fields of one hand, a line each, without a table header. A limit game without stacks is written with twice what a hand can cost. Own
/// fields:
/// `_rules` (acpc or cardroom). Error{usage} as above.
std::string print_phh(const HandRecord& hand);

/// A game made for reading hands: any number of raises, no sizes of its own.
std::shared_ptr<const Game> table_game(GameDefinition definition, RuleSet rules);

struct PhhOptions {
  std::optional<RuleSet> rules;  ///< unless a hand's own field `_rules` says which; else cardroom, as the format's authors play
};

/// One hand, from the text of its fields, with or without a header [n] above them. `line`: that of the text's first line in its file.
/// Checks legality, whose turn it is, when the board is dealt, `finishing_stacks` where they stand. Error{usage} whose place
/// is "line N".
HandRecord parse_phh(std::string_view text, int line, const PhhOptions& options);

/// A .phhs file cut at its table headers, so that a broken hand costs that hand alone. A .phh file without headers is one piece.
struct PhhPiece {
  std::string label;  ///< what stands in the header; "1" without one
  std::string_view text;
  int line = 1;
};
std::vector<PhhPiece> split_phhs(std::string_view text);

}  // namespace deepcfr
