#include "table_players.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"
#include "deepcfr/protocol/acpc_lines.h"

namespace deepcfr {

std::optional<TableView> opening_view(const Game& game) {
  const State state = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::deal, {0})));
  if (state.finished) return std::nullopt;
  return view_of(game, std::numeric_limits<std::uint32_t>::max(), state.actor, state, {});
}

SeatedPlayer seat_player(const std::string& spec, const std::string& name, const std::shared_ptr<const Game>& table,
                         const std::string& game_option, std::uint64_t seed) {
  std::shared_ptr<const Game> game = game_option.empty() ? table : game_of_players({&spec, 1}, game_option);
  if (game->rules() != table->rules()) {
    throw Error(ErrorKind::usage, "plays by other rules than the table", spec,
                "a dealer deals by the acpc rules; train with game.rules: acpc");
  }
  Player player = open_player(spec, game);
  auto seat = std::make_unique<PolicyPlayer>(*game, name, *player.policy, seed);
  if (const std::optional<TableView> opening = opening_view(*game)) seat->act(*opening);
  return {std::move(game), std::move(player), std::move(seat)};
}

std::vector<std::string> table_names(const std::vector<std::string>& specs, const std::vector<std::string>& given) {
  if (!given.empty() && given.size() != specs.size()) {
    throw Error(ErrorKind::usage, std::to_string(given.size()) + " names for " + std::to_string(specs.size()) + " players", "--names",
                "one for each, separated by commas");
  }
  std::vector<std::string> names;
  for (const std::string& spec : given.empty() ? specs : given) {
    const std::string base = acpc_name(spec.empty() ? "player" : spec);
    std::string name = base;
    for (int n = 2; std::find(names.begin(), names.end(), name) != names.end(); ++n) name = base + "-" + std::to_string(n);
    names.push_back(name);
  }
  return names;
}

}  // namespace deepcfr
