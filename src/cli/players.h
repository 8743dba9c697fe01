// Players named on the command line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "deepcfr/cfr/policy.h"
#include "deepcfr/game/game.h"

namespace deepcfr {

/// What a name may be, for help texts: a bot, a fixed policy, RUN (its newest whole checkpoint), RUN@ITERATION (an older one; the mixture of any
/// earlier iteration), either with :network, :mixture or :current behind it, or `equilibrium` (games small enough for tables: CFR+, solved here).
inline constexpr const char* kPlayerHelp =
    "a bot, RUN, RUN@ITERATION, either with :network, :mixture or :current behind it, or equilibrium (toy games)";

struct Player {
  std::string name;                  ///< as given
  std::string label;                 ///< what plays, in words: "runs/leduc, iteration 600, strategy network"
  std::int64_t iteration = -1;       ///< of a run's agent; −1: not from a run
  std::string run_dir;               ///< empty: not from a run
  std::string policy_name;           ///< "network", "mixture", "current"; empty: not from a run
  std::unique_ptr<Policy> policy;    ///< one thread at a time; clones for others
  std::shared_ptr<const void> keeps; ///< what the policy needs; outlives its clones
};

/// A name of the form RUN[@ITERATION][:POLICY].
struct RunName {
  std::string run_dir;
  std::optional<std::int64_t> iteration;
  std::string policy;  ///< empty: as the run's config says
};
/// nullopt if the name is not that of a run. A folder's own name may hold '@' and ':'. Error{usage} for a policy or an iteration that is none.
std::optional<RunName> parse_run_name(const std::string& name);

/// The game of `game_option` (catalogue name or .game file, default sizes), else that of the first name that is a run. Error{usage} naming
/// both if two differ (stacks, blinds, rules, sizes: reported fault E24), or if nothing names a game.
std::shared_ptr<const Game> game_of_players(std::span<const std::string> names, const std::string& game_option);

/// Error{usage} for a name that is nothing, Error{input} for a run that cannot be read. Warnings go to stderr. A run must be of the same game.
Player open_player(const std::string& name, const std::shared_ptr<const Game>& game);

}  // namespace deepcfr
