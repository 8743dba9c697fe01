// Players of a table that sit in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "deepcfr/game/game.h"
#include "deepcfr/protocol/table.h"
#include "players.h"

namespace deepcfr {

/// A player of the command line with its own game: the same rules for all of a table, raise sizes as the player knows them. Movable; what
/// it holds stays where it is.
struct SeatedPlayer {
  std::shared_ptr<const Game> game;
  Player player;
  std::unique_ptr<PolicyPlayer> seat;
};

/// Opens `spec` for `table` and has it answer once, so that the first hand costs no more than the others. `game_option`: what the table's
/// game was named by; runs may then have raise sizes of their own. Error{usage} if the player is of another game or of other rules.
SeatedPlayer seat_player(const std::string& spec, const std::string& name, const std::shared_ptr<const Game>& table,
                         const std::string& game_option, std::uint64_t seed);
/// The opening of some hand as the first player sees it: what a first answer has to set up is set up by a question about it. nullopt if
/// nobody can act in this game.
std::optional<TableView> opening_view(const Game& game);

/// Names for a log: `given`, or the specs; equal ones get "-2", "-3".
std::vector<std::string> table_names(const std::vector<std::string>& specs, const std::vector<std::string>& given);

}  // namespace deepcfr
