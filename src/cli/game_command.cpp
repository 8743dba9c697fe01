// game: the group of show, count and state.
#include "command.h"

namespace deepcfr {

void add_game(CLI::App& app, Invocation& invocation) {
  CLI::App* group = app.add_subcommand("game", "Show a game, count its betting, or replay a state of it");
  group->require_subcommand(1);
  add_game_show(*group, invocation);
  add_game_count(*group, invocation);
  add_game_state(*group, invocation);
}

}  // namespace deepcfr
