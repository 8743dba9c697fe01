// The built-in games: kuhn, kuhn3, leduc, fhp, hulh, hunl, nlhe6.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "deepcfr/game/game.h"

namespace deepcfr {

struct CatalogueEntry {
  std::string_view name;
  std::string_view summary;     ///< one line
  std::string_view definition;  ///< ACPC text
};

std::span<const CatalogueEntry> game_catalogue() noexcept;

/// Definition by catalogue name or by path of a `.game` file; Error{usage} with the nearest name if neither.
GameDefinition find_game_definition(const std::string& name_or_path);
/// The abstraction that a game has unless the config says otherwise: limit: none; no-limit: 0.5, 1 and all-in in each round;
/// hunl 0.5, 1, 2 and all-in.
BetAbstraction default_abstraction(const GameDefinition& definition);
/// find_game_definition + default abstraction.
Game make_game(const std::string& name_or_path, RuleSet rules = RuleSet::acpc, bool canonical_suits = true);

}  // namespace deepcfr
