#include "players.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <vector>

#include "deepcfr/cfr/small_game.h"
#include "deepcfr/cfr/tabular.h"
#include "deepcfr/config/numbers.h"
#include "deepcfr/core/error.h"
#include "deepcfr/eval/bots.h"
#include "deepcfr/game/catalogue.h"
#include "open_run.h"

namespace deepcfr {
namespace {

constexpr int kEquilibriumIterations = 1000;  // CFR+: NashConv 0.0005 in Leduc

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

bool knows(std::span<const std::string> names, const std::string& name) { return std::find(names.begin(), names.end(), name) != names.end(); }

bool is_policy_without_run(const std::string& name) {
  return name == "equilibrium" || knows(bot_names(), name) || knows(fixed_policy_names(), name);
}

[[noreturn]] void refuse_name(const std::string& name) {
  std::vector<std::string> known(bot_names().begin(), bot_names().end());
  for (const std::string& fixed : fixed_policy_names())
    if (!knows(known, fixed)) known.push_back(fixed);
  known.push_back("equilibrium");
  std::string list;
  for (const std::string& word : known) list += (list.empty() ? "" : ", ") + word;
  const std::string near = nearest_word(name, known.data(), known.data() + known.size());
  throw Error(ErrorKind::usage, name + " is neither a bot nor the folder of a run", "player",
              near.empty() ? "bots: " + list + "; runs are folders like runs/leduc" : "did you mean " + near + "?");
}

std::string sizes_text(const BetAbstraction& sizes, int rounds) {
  std::ostringstream text;
  for (int r = 0; r < rounds; ++r) {
    text << (r == 0 ? "" : " | ");
    for (const double x : sizes.pot_fractions[static_cast<std::size_t>(r)]) text << x << ' ';
    if (sizes.all_in) text << "all-in";
  }
  text << ", at most " << sizes.max_raises << " raises";
  return text.str();
}

/// The first thing in which two games differ, in words; empty if nothing that matters does. `sizes`: raise sizes and rules count.
std::string difference(const Game& a, const Game& b, bool sizes) {
  GameDefinition left = a.definition(), right = b.definition();
  left.name = right.name = "";
  if (left != right) {
    std::istringstream lines_a(print_game_definition(a.definition())), lines_b(print_game_definition(b.definition()));
    std::string line_a, line_b;
    while (std::getline(lines_a, line_a) && std::getline(lines_b, line_b))
      if (line_a != line_b) return "'" + line_a + "' and '" + line_b + "'";
    return "their definitions";
  }
  if (sizes && a.rules() != b.rules()) return "rules acpc and cardroom";
  if (sizes && !left.limit && a.abstraction() != b.abstraction()) {
    return "raise sizes " + sizes_text(a.abstraction(), left.rounds) + " and " + sizes_text(b.abstraction(), left.rounds);
  }
  return "";
}

void require_same_game(const Game& game, const std::string& of, const Game& other, const std::string& name, bool sizes = true) {
  const std::string differs = difference(game, other, sizes);
  if (differs.empty()) return;
  throw Error(ErrorKind::usage, "plays " + other.name() + ", and " + of + " " + game.name() + "; they differ in " + differs, name,
              "players must be of the same game");
}

Player open_run_player(const std::string& name, const RunName& run_name, const std::shared_ptr<const Game>& game) {
  auto run = std::make_shared<OpenRun>(open_run(run_name.run_dir, run_name.iteration));
  require_same_game(*game, "this is", *run->agent.game, name);
  Player player;
  player.name = name;
  player.run_dir = run_name.run_dir;
  player.iteration = run->agent.iteration;
  player.policy_name = resolved_policy_name(*run, run_name.policy);
  player.label = run_name.run_dir + ", iteration " + std::to_string(player.iteration) + ", " + policy_label(player.policy_name);
  agent_policy(*run, player.policy_name);
  Agent& agent = run->agent;
  player.policy = std::move(player.policy_name == "network" ? agent.network : player.policy_name == "mixture" ? agent.mixture : agent.current);
  player.keeps = run;
  return player;
}

}  // namespace

std::optional<RunName> parse_run_name(const std::string& name) {
  if (is_policy_without_run(name)) return std::nullopt;
  RunName run{name, std::nullopt, ""};
  if (is_folder(run.run_dir)) return run;
  const auto& policies = agent_policy_names();
  if (const std::size_t colon = name.rfind(':'); colon != std::string::npos) {
    const std::string policy = name.substr(colon + 1);
    if (!knows(policies, policy)) {
      if (!is_folder(name.substr(0, colon)) && !is_folder(name.substr(0, name.find('@')))) return std::nullopt;
      const std::string near = nearest_word(policy, policies.data(), policies.data() + policies.size());
      throw Error(ErrorKind::usage, policy + " is none of network, mixture, current", name, near.empty() ? "" : "did you mean " + near + "?");
    }
    run.policy = policy;
    run.run_dir = name.substr(0, colon);
  }
  if (is_folder(run.run_dir)) return run;
  const std::size_t at = run.run_dir.rfind('@');
  if (at == std::string::npos || !is_folder(run.run_dir.substr(0, at))) return std::nullopt;
  try {
    run.iteration = parse_whole_number(run.run_dir.substr(at + 1), 1, 1'000'000'000);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, "the iteration behind @: " + error.message(), name, "RUN@ITERATION, for example " + run.run_dir.substr(0, at) + "@100");
  }
  run.run_dir.resize(at);
  return run;
}

std::shared_ptr<const Game> game_of_players(std::span<const std::string> names, const std::string& game_option) {
  std::shared_ptr<const Game> named, game;
  if (!game_option.empty()) named = std::make_shared<const Game>(make_game(game_option));
  std::string first;
  for (const std::string& name : names) {
    const std::optional<RunName> run = parse_run_name(name);
    if (!run) {
      if (!is_policy_without_run(name)) refuse_name(name);
      continue;
    }
    const auto of_run = std::make_shared<const Game>(make_game(load_run_config(run->run_dir).options.game));
    if (named) require_same_game(*named, "--game is", *of_run, name, false);  // a run's sizes are its own
    if (game) require_same_game(*game, first + " is of", *of_run, name);
    if (game) continue;
    game = of_run;
    first = run->run_dir;
  }
  if (!game) game = named;
  if (!game) throw Error(ErrorKind::usage, "no game is named", "--game", "give --game GAME, or a run as one of the players");
  return game;
}

Player open_player(const std::string& name, const std::shared_ptr<const Game>& game) {
  if (const std::optional<RunName> run = parse_run_name(name)) return open_run_player(name, *run, game);
  if (!is_policy_without_run(name)) refuse_name(name);
  Player player;
  player.name = player.label = name;
  if (name == "equilibrium") {
    const auto small_game = std::make_shared<const SmallGame>(*game);
    TabularSolver solver(small_game, {});
    for (int i = 0; i < kEquilibriumIterations; ++i) solver.iterate();
    player.policy = std::make_unique<TabularPolicy>(small_game, solver.average_strategy(), name);
    player.label = "equilibrium: CFR+, " + std::to_string(kEquilibriumIterations) + " iterations";
  } else {
    player.policy = knows(bot_names(), name) ? make_bot(*game, name) : make_fixed_policy(*game, name);
  }
  player.keeps = game;
  return player;
}

}  // namespace deepcfr
