// game state: replays an ACPC state string by the rules.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "deepcfr/game/acpc_string.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  GameArguments game;
  std::string state;
  bool json = false;
};

bool showdown_cards_known(const Game& game, const State& state) {
  int left = 0;
  bool known = true;
  for (int player = 0; player < game.players(); ++player) {
    if (state.has_folded(player)) continue;
    ++left;
    const auto& hole = state.deal.hole[static_cast<std::size_t>(player)];
    known = known && std::find(hole.begin(), hole.begin() + game.definition().hole_cards, kNoCard) ==
                         hole.begin() + game.definition().hole_cards;
  }
  return left == 1 || known;
}

Json legal_json(const Game& game, const State& state) {
  Json legal = Json::array();
  const ActionMask mask = game.legal_actions(state);
  for (int action = 0; action < game.num_actions(); ++action) {
    if (((mask >> action) & 1) == 0) continue;
    const auto chosen = static_cast<Action>(action);
    Json entry = {{"action", game.action_name(chosen)}, {"words", game.describe(state, chosen)}};
    if (chosen >= kFirstRaise) entry["total"] = game.raise_to(state, chosen);
    legal.push_back(entry);
  }
  return legal;
}

Json state_json(const Game& game, const ParsedState& parsed) {
  const State& state = parsed.state;
  Json json;
  json["round"] = state.round;
  json["spent"] = std::vector<std::int32_t>(state.spent.begin(), state.spent.begin() + game.players());
  json["actor"] = state.finished ? Json() : Json(state.actor);
  json["fold"] = !state.finished && game.fold_legal(state);
  const std::optional<RaiseRange> range = state.finished ? std::nullopt : game.raise_range(state);
  json["raise"] = range ? Json::array({range->min, range->max}) : Json();
  json["finished"] = state.finished;
  json["values"] = Json();
  if (state.finished && showdown_cards_known(game, state)) {
    std::vector<double> values(static_cast<std::size_t>(game.players()));
    game.values(state, values);
    json["values"] = Json::array();
    for (const double value : values) json["values"].push_back(json_number(value));
  }
  json["legal"] = state.finished ? Json::array() : legal_json(game, state);
  json["consumed"] = parsed.consumed;
  return json;
}

std::string as_text(const Json& json) {
  std::string text;
  const auto row = [&](const char* name, const Json& value) {
    text +=
        std::string(name) + std::string(10 - std::string(name).size(), ' ') + (value.is_null() ? "none" : value.dump()) + "\n";
  };
  for (const char* key : {"round", "spent", "actor", "fold", "raise", "finished", "values"}) row(key, json[key]);
  std::string legal;
  for (const Json& action : json["legal"]) legal += (legal.empty() ? "" : ", ") + action["words"].get<std::string>();
  return text + "legal     " + (legal.empty() ? "none" : legal) + "\n";
}

/// Every line of standard input, a JSON line each.
void replay_lines(const Game& game) {
  for (std::string line; std::getline(std::cin, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    Json json;
    json["input"] = line;
    try {
      json.update(state_json(game, parse_acpc_state(game, line)));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      json["error"] = error.what();
    }
    std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  }
}

void replay(const Arguments& arguments) {
  const Game game = arguments.game.make();
  if (arguments.state == "-") {
    replay_lines(game);
    return;
  }
  const Json json = state_json(game, parse_acpc_state(game, arguments.state));
  if (arguments.json) {
    write_json(json);
  } else {
    std::cout << as_text(json);
  }
}

}  // namespace

void add_game_state(CLI::App& app, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("state", "Replay an ACPC state: who spent what, who acts, which raises are legal, who wins");
  const auto arguments = std::make_shared<Arguments>();
  add_game_positional(*command, arguments->game);
  command
      ->add_option("STATE", arguments->state,
                   "STATE:<hand>:<betting>:<cards>, or - for one on each line of standard input, answered by a JSON line each")
      ->required()
      ->type_name("");
  add_rules(*command, arguments->game);
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { replay(*arguments); }; });
}

}  // namespace deepcfr
