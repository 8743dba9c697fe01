#include "deepcfr/train/options.h"

#include "deepcfr/game/catalogue.h"

namespace deepcfr {

Game make_game(const GameOptions& options) {
  GameDefinition definition = find_game_definition(options.name);
  BetAbstraction abstraction = default_abstraction(definition);
  if (!options.pot_fractions.empty()) abstraction.pot_fractions.fill(options.pot_fractions);
  if (options.all_in) abstraction.all_in = *options.all_in;
  if (options.max_raises) abstraction.max_raises = *options.max_raises;
  return Game(std::move(definition), options.rules, std::move(abstraction), options.canonical_suits);
}

}  // namespace deepcfr
