#include "checks.h"

#include <memory>

#include "deepcfr/cfr/small_game.h"
#include "deepcfr/core/error.h"
#include "deepcfr/game/game.h"
#include "fields.h"

namespace deepcfr {
namespace {

/// "key: " for places that do not name the key themselves.
std::string key_at(const std::string& path, const std::string& where) { return where.starts_with("--set ") ? "" : path + ": "; }

[[noreturn]] void refuse(ErrorKind kind, const std::string& path, const std::string& what, const PlaceOf& place_of,
                         const std::string& hint) {
  const std::string where = place_of(path);
  throw Error(kind, key_at(path, where) + what, where, hint);
}

/// The game, or the error of the game room at the key that is to blame.
Game checked_game(const TrainOptions& options, const PlaceOf& place_of) {
  try {
    return make_game(options.game);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::bug) throw;
    // A definition file's own errors name the file and line; others are about the name or the sizes.
    const std::string inner = error.where().empty() ? error.message() : error.where() + ": " + error.message();
    refuse(error.kind(), "game.name", inner, place_of, error.hint());
  }
}

void refuse_no_limit_keys(const TrainOptions& options, const PlaceOf& place_of) {
  const auto check = [&](bool given, const std::string& path) {
    if (!given) return;
    refuse(ErrorKind::usage, path, options.game.name + " is a limit game, whose raise sizes are fixed", place_of,
           "remove the key or write default");
  };
  check(!options.game.pot_fractions.empty(), "game.pot_fractions");
  check(options.game.all_in.has_value(), "game.all_in");
  check(options.game.max_raises.has_value(), "game.max_raises");
}

void check_small_game(const TrainOptions& options, const Game& game, const PlaceOf& place_of) {
  const auto check = [&](Switch setting, const std::string& path) {
    if (setting != Switch::on || SmallGame::fits(game)) return;
    refuse(ErrorKind::usage, path, "on, but " + options.game.name + " is too large for it", place_of, "write auto or off");
  };
  check(options.algorithm.small_game, "algorithm.small_game");
  check(options.evaluation.exploitability, "evaluation.exploitability");
}

/// Reported fault A02: fresh weights every iteration and a handful of steps learn nothing.
void warn_of_few_steps(const TrainOptions& options, std::vector<std::string>& warnings) {
  constexpr int kFew = 50;
  const auto check = [&](int steps, const std::string& path) {
    if (steps >= kFew) return;
    warnings.push_back(path + ": a fit starts from fresh weights and has only " + std::to_string(steps) + " steps, fewer than " +
                       std::to_string(kFew) + ": it will hardly learn anything (raise it, or set training.warm_start: true)");
  };
  const bool alike = options.advantage_fit.steps == options.strategy_fit.steps;
  if (!options.training.warm_start) check(options.advantage_fit.steps, alike ? "training.steps" : "training.advantage.steps");
  // The strategy network is always fitted from fresh weights.
  if (!alike || options.training.warm_start) check(options.strategy_fit.steps, "training.strategy.steps");
}

/// Settings of the other network type, changed without effect.
void warn_of_unused_network_keys(const TrainOptions& options, std::vector<std::string>& warnings) {
  const auto check = [&](const NetworkOptions& network, const std::string& prefix) {
    const NetworkOptions standard;
    const auto warn = [&](bool changed, const std::string& key, const std::string& type) {
      if (changed) warnings.push_back(prefix + key + ": has no effect with " + prefix + "type: " + type);
    };
    if (network.type == NetworkType::mlp) {
      warn(network.dim != standard.dim, "dim", "mlp");
      warn(network.card_branch_width != standard.card_branch_width, "card_branch_width", "mlp");
    } else {
      warn(network.layers != standard.layers, "layers", "card_bet");
      warn(network.hidden != standard.hidden, "hidden", "card_bet");
    }
  };
  if (options.advantage_network == options.strategy_network) {
    check(options.advantage_network, "network.");
  } else {
    check(options.advantage_network, "network.advantage.");
    check(options.strategy_network, "network.strategy.");
  }
}

}  // namespace

std::vector<std::string> check_options(const TrainOptions& options, const PlaceOf& place_of) {
  const Game game = checked_game(options, place_of);
  if (game.definition().limit) refuse_no_limit_keys(options, place_of);
  check_small_game(options, game, place_of);
  std::vector<std::string> warnings;
  warn_of_few_steps(options, warnings);
  warn_of_unused_network_keys(options, warnings);
  return warnings;
}

}  // namespace deepcfr
