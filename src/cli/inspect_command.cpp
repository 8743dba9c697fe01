// inspect: what an agent thinks in one spot, given as an ACPC string.
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.h"
#include "card_style.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "open_run.h"
#include "play_input.h"
#include "play_screen.h"
#include "players.h"
#include "range_grid.h"
#include "report.h"
#include "spot.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string run;
  std::string state;
  std::string policy;
  std::string action;
  std::uint64_t seed = 1;
  bool range = false;
  bool json = false;
};

/// One policy's answer in the spot; what a run lacks is not in the list.
struct Answer {
  std::string name;  // "network", "mixture", "current"
  std::vector<double> strategy;
};

/// All that is told about a spot.
struct Findings {
  const OpenRun* run = nullptr;
  std::string run_dir;
  const Game* game = nullptr;
  const Spot* spot = nullptr;
  std::vector<int> legal;  // actions of the abstraction
  std::vector<Answer> answers;
  std::vector<double> advantages;  // chips, by action; empty: no network of this player yet
  std::optional<Range> range;
  std::string range_policy;
};

double entropy_bits(const std::vector<double>& strategy) {
  double bits = 0;
  for (const double p : strategy) bits -= p > 0 ? p * std::log2(p) : 0;
  return bits;
}

Policy* policy_named(Agent& agent, const std::string& name) {
  return name == "network" ? agent.network.get() : name == "mixture" ? agent.mixture.get() : agent.current.get();
}

void ask_policies(Agent& agent, Findings& found) {
  const State& state = found.spot->question.state;
  const State* const states[] = {&state};
  const auto actions = static_cast<std::size_t>(found.game->num_actions());
  for (const std::string& name : agent_policy_names()) {
    Policy* policy = policy_named(agent, name);
    if (policy == nullptr) continue;
    Answer answer{name, std::vector<double>(actions)};
    policy->probabilities(states, answer.strategy);
    found.answers.push_back(std::move(answer));
  }
  if (!agent.advantages_fitted[state.actor]) return;
  std::vector<float> advantages(actions);
  agent.advantages->advantages(state.actor, states, advantages);
  found.advantages.assign(advantages.begin(), advantages.end());
}

// -- JSON
// ---------------------------------------------------------------------------------------------------------------------------------

/// {action: value} of the legal actions.
Json by_action(const Findings& found, const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  Json json = Json::object();
  for (const int a : found.legal) json[found.game->action_name(static_cast<Action>(a))] = values[static_cast<std::size_t>(a)];
  return json;
}

Json legal_json(const Findings& found) {
  Json legal = Json::array();
  const TableHand& record = found.spot->record;
  for (const int a : found.legal) {
    const TableAction& answer = found.spot->answers[static_cast<std::size_t>(a)];
    Json entry = {{"action", found.game->action_name(static_cast<Action>(a))}, {"words", record.words(answer)}};
    if (answer.kind == TableAction::Kind::raise) {
      entry["total"] = answer.total;
      entry["this_round"] = answer.total - record.base(found.spot->player());
    }
    legal.push_back(entry);
  }
  return legal;
}

Json range_json(const Findings& found) {
  const Range& range = *found.range;
  Json json = {{"policy", found.range_policy}, {"combos", json_number(range.combos)}};
  json["frequency"] = by_action(found, range.frequency);
  json["frequency_reached"] = by_action(found, range.reached);
  json["hands"] = Json::array();
  for (const HandClass& hand : range.classes) {
    if (hand.combos == 0) continue;
    json["hands"].push_back(
        {{"hand", hand.name}, {"combos", hand.combos}, {"reach", hand.reach}, {"frequency", by_action(found, hand.frequency)}});
  }
  return json;
}

std::string hole_names(const Findings& found) {
  const TableHand& record = found.spot->record;
  const auto count = static_cast<std::size_t>(found.game->definition().hole_cards);
  return card_names(std::span(record.state().deal.hole[static_cast<std::size_t>(found.spot->player())]).first(count));
}

std::span<const Card> board_cards(const Findings& found) {
  const State& state = found.spot->record.state();
  return std::span(state.deal.board).first(static_cast<std::size_t>(found.game->definition().board_count(state.round)));
}

Json spot_json(const Findings& found) {
  const Spot& spot = *found.spot;
  const State& state = spot.record.state();
  Json json = {{"run", found.run_dir}, {"game", found.game->name()}, {"iteration", found.run->agent.iteration}};
  json["player"] = spot.player();
  json["round"] = state.round;
  json["cards"] = spot.cards_known ? Json(hole_names(found)) : Json();
  json["board"] = card_names(board_cards(found));
  json["betting"] = spot.betting;
  json["understood_as"] = spot.translated() ? Json(spot.understood) : Json();
  json["pot"] = spot.record.pot();
  json["spent"] = std::vector<std::int32_t>(state.spent.begin(), state.spent.begin() + found.game->players());
  json["to_call"] = found.game->call_cost(state);
  const std::optional<RaiseRange> raises = found.game->raise_range(state);
  json["raise"] = raises ? Json::array({raises->min, raises->max}) : Json();
  json["legal"] = legal_json(found);
  for (const Answer& answer : found.answers) json[answer.name] = by_action(found, answer.strategy);
  json["advantages"] = by_action(found, found.advantages);
  json["entropy_bits"] = Json::object();
  for (const Answer& answer : found.answers) json["entropy_bits"][answer.name] = entropy_bits(answer.strategy);
  if (found.range) json["range"] = range_json(found);
  return json;
}

// -- text
// ---------------------------------------------------------------------------------------------------------------------------------

template <typename... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 256> buffer;
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

std::string head_text(const Findings& found, const CardStyle& style) {
  const Spot& spot = *found.spot;
  const State& state = spot.record.state();
  const std::string position = position_name(*found.game, spot.player());
  std::string text = found.game->name() + ", " + round_name(*found.game, state.round) + ": player " + std::to_string(spot.player()) +
                     (position.empty() ? "" : " (" + position + ")") + " is to act; " + found.run_dir + ", iteration " +
                     std::to_string(found.run->agent.iteration) + "\n";
  const auto count = static_cast<std::size_t>(found.game->definition().hole_cards);
  if (spot.cards_known)
    text += "cards " + show_cards(std::span(state.deal.hole[static_cast<std::size_t>(spot.player())]).first(count), style) + "   ";
  if (!board_cards(found).empty()) text += "board " + show_cards(board_cards(found), style) + "   ";
  text += "pot " + std::to_string(spot.record.pot()) + "   in";
  for (int p = 0; p < found.game->players(); ++p)
    text += (p == 0 ? " " : " | ") + std::to_string(state.spent[static_cast<std::size_t>(p)]);
  if (spot.record.behind(spot.player()) >= 0) text += "   behind " + std::to_string(spot.record.behind(spot.player()));
  text += "\nlegal: " + legal_moves_text(spot.record) + "\n";
  if (spot.translated()) {
    text += "The agent has other bet sizes: it takes " + spot.betting + " for " + spot.understood + " (pseudo-harmonic mapping).\n";
  }
  if (spot.question.raise_is_call)
    text += "As the agent understands the hand it has already answered here: a raise of its policy becomes a call.\n";
  return text;
}

std::string columns_text(const Findings& found) {
  std::string text = formatted("\n%-26s", "");
  for (const Answer& answer : found.answers) text += formatted("%12s", answer.name.c_str());
  text += formatted("%14s\n", "advantage");
  for (const int a : found.legal) {
    const auto action = static_cast<std::size_t>(a);
    const std::string name = found.game->action_name(static_cast<Action>(a));
    std::string words = found.spot->record.words(found.spot->answers[action]);
    if (!found.game->definition().limit && name.starts_with("raise ")) words += ", " + name.substr(6);
    text += formatted("%-26s", words.c_str());
    for (const Answer& answer : found.answers) text += formatted("%10.1f %%", 100 * answer.strategy[action]);
    text += found.advantages.empty() ? formatted("%14s\n", "-") : formatted("%+14.3f\n", found.advantages[action]);
  }
  text += formatted("%-26s", "entropy");
  for (const Answer& answer : found.answers) text += formatted("%7.2f bits", entropy_bits(answer.strategy));
  text += formatted("%14s\n", found.advantages.empty() ? "none yet" : "chips");
  bool network = false;
  for (const Answer& answer : found.answers) {
    network = network || answer.name == "network";
    text += formatted("%-8s ", answer.name.c_str()) + policy_label(answer.name) + "\n";
  }
  if (!network) text += "network  none: the checkpoint has no strategy network\n";
  return text;
}

std::string frequencies(const Findings& found, const std::vector<double>& shares) {
  std::vector<std::pair<std::string, double>> parts;
  for (const int a : found.legal)
    parts.emplace_back(found.spot->record.words(found.spot->answers[static_cast<std::size_t>(a)]), shares[static_cast<std::size_t>(a)]);
  return percent_list(parts);
}

std::string range_text(const Findings& found, const std::vector<int>& actions, const CardStyle& style) {
  const Range& range = *found.range;
  std::string text = "\nWhole range, " + policy_label(found.range_policy) + ", " + formatted("%.0f combos", range.combos) + "\n";
  text += "all hands alike:       " + frequencies(found, range.frequency) + "\n";
  bool decided_before = false;
  for (const HandClass& hand : range.classes) decided_before = decided_before || (hand.combos > 0 && hand.reach != 1);
  if (decided_before && !range.reached.empty()) text += "as they get here:      " + frequencies(found, range.reached) + "\n";
  if (found.game->definition().hole_cards == 1) {
    std::vector<std::string> names;
    for (const int a : actions) names.push_back(found.spot->record.words(found.spot->answers[static_cast<std::size_t>(a)]));
    return text + "\n" + range_table(range, actions, names);
  }
  if (decided_before) text += "\ngets here (percent, by its own actions)\n" + range_grid(range, -1, style);
  for (const int a : actions) {
    text += "\n" + found.spot->record.words(found.spot->answers[static_cast<std::size_t>(a)]) +
            " (percent; suited above the diagonal)\n" + range_grid(range, a, style);
  }
  return text;
}

// -- the command ------------------------------------------------------------------------------------------------------------------------

/// The actions whose grids are wanted.
std::vector<int> chosen_actions(const Arguments& arguments, const Findings& found) {
  if (arguments.action.empty()) return found.legal;
  std::vector<std::string> names;
  std::string list;
  for (const int a : found.legal) {
    names.push_back(found.game->action_name(static_cast<Action>(a)));
    if (names.back() == arguments.action) return {a};
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const std::string near = nearest_word(arguments.action, names.data(), names.data() + names.size());
  throw Error(ErrorKind::usage, arguments.action + " is no action here", "--action",
              near.empty() ? "there are " + list : "did you mean " + near + "?");
}

OpenRun open_named_run(Arguments& arguments) {
  const std::optional<RunName> name = parse_run_name(arguments.run);
  if (!name) return open_run(arguments.run);  // says what is wrong
  if (!name->policy.empty() && arguments.policy.empty()) arguments.policy = name->policy;
  arguments.run = name->run_dir;
  return open_run(name->run_dir, name->iteration);
}

void inspect(Arguments arguments) {
  OpenRun run = open_named_run(arguments);
  Agent& agent = run.agent;
  const Spot spot = read_spot(*agent.game, arguments.state, arguments.run, arguments.seed);
  if (!spot.cards_known && !arguments.range) {
    throw Error(ErrorKind::usage, "the cards of player " + std::to_string(spot.player()) + ", who is to act, are not in the state",
                arguments.state, "write them, or ask for the whole range with --range");
  }
  Findings found;
  found.run = &run;
  found.run_dir = arguments.run;
  found.game = agent.game.get();
  found.spot = &spot;
  const ActionMask mask = agent.game->legal_actions(spot.question.state);
  for (int a = 0; a < agent.game->num_actions(); ++a) {
    if (((mask >> a) & 1) != 0) found.legal.push_back(a);
  }
  const std::vector<int> actions = chosen_actions(arguments, found);
  if (spot.cards_known) ask_policies(agent, found);
  if (arguments.range) {
    found.range_policy = resolved_policy_name(run, arguments.policy);
    found.range = range_of(*agent.game, spot.question.state, agent_policy(run, found.range_policy));
  }
  if (arguments.json) {
    write_json(spot_json(found));
    return;
  }
  const CardStyle style = card_style_of(STDOUT_FILENO);
  std::cout << head_text(found, style);
  if (spot.cards_known) std::cout << columns_text(found);
  if (found.range) std::cout << range_text(found, actions, style);
}

}  // namespace

void add_inspect(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("inspect", "What an agent does in one spot: policies, advantages, whole ranges");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("RUN", arguments->run, "Folder of a run, or RUN@ITERATION")->required()->type_name("");
  command->add_option("STATE", arguments->state, "MATCHSTATE:<player>:<hand>:<betting>:<cards>, or STATE:<hand>:<betting>:<cards>")
      ->required()
      ->type_name("");
  command->add_flag("--range", arguments->range, "Show what the acting player does with every hand");
  command->add_option("--action", arguments->action, "With --range: only this action, for example call")->type_name("NAME");
  add_word(*command, "--policy", arguments->policy, agent_policy_names(), "With --range: whose (default: the run's evaluation.policy)");
  add_seed(*command, arguments->seed, "Draws for bets between the agent's sizes (1)");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { inspect(*arguments); }; });
}

}  // namespace deepcfr
