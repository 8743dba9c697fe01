// replay: plays the hands of a file by the rules and adds up what everybody won.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "deepcfr/protocol/hand_files.h"
#include "hand_file_arguments.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string file;
  std::string format;
  std::string game;
  std::string rules;
  bool each = false;
  bool json = false;
};

Json chips_json(const std::vector<double>& chips) {
  Json json = Json::array();
  for (const double value : chips) json.push_back(json_number(value));
  return json;
}

Json errors_json(const std::vector<HandError>& errors) {
  Json json = Json::array();
  for (const HandError& error : errors) json.push_back({{"hand", error.hand}, {"line", error.line}, {"error", error.what}});
  return json;
}

void print_text(const NetChips& chips) {
  std::cout << show_count(chips.hands()) << " hands, net chips\n";
  for (std::size_t p = 0; p < chips.by_position().size(); ++p) {
    std::cout << "  seat " << p + 1 << "  " << print_chips(chips.by_position()[p]) << "\n";
  }
  if (!chips.named()) return;
  for (std::size_t i = 0; i < chips.names().size(); ++i)
    std::cout << "  " << chips.names()[i] << "  " << print_chips(chips.by_name()[i]) << "\n";
}

void replay(const Arguments& arguments) {
  const HandFileOptions options = reading_options(arguments.file, arguments.format, "--format", arguments.game, arguments.rules);
  const std::string text = read_text(arguments.file);
  NetChips chips;
  std::vector<HandError> errors;
  Json results = Json::array();
  const auto on_hand = [&](HandRecord&& hand) {
    chips.add(hand);
    if (!arguments.each) return;
    results.push_back(chips_json(hand.values));
    if (!arguments.json) std::cout << "hand " << hand.label << " (line " << hand.line << "): " << results.back().dump() << "\n";
  };
  read_hands(text, options, on_hand, [&](const HandError& error) { errors.push_back(error); });
  if (arguments.json) {
    Json json = {{"file", arguments.file}, {"hands", chips.hands()}, {"by_seat", chips_json(chips.by_position())}};
    json["by_player"] = Json();
    for (std::size_t i = 0; chips.named() && i < chips.names().size(); ++i)
      json["by_player"][chips.names()[i]] = json_number(chips.by_name()[i]);
    json["errors"] = errors_json(errors);
    if (arguments.each) json["results"] = results;
    write_json(json);
  } else {
    print_text(chips);
  }
  report_hand_errors(arguments.file, errors);
}

}  // namespace

void add_replay(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("replay", "Replay a file of hands by the rules: net chips of each seat (PHH, ACPC log, Slumbot)");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("FILE", arguments->file, "FILE.phh, FILE.phhs, FILE.log, FILE.slumbot, or - for standard input")
      ->required()
      ->type_name("");
  add_word(*command, "--format", arguments->format, hand_format_names(), "Its notation (by the file's ending)");
  command->add_option("--game", arguments->game, "Game of an ACPC log or of Slumbot strings (hunl)")->type_name("GAME");
  add_word(*command, "--rules", arguments->rules, {"acpc", "cardroom"},
           "Rule set (PHH: the file's field _rules, else cardroom; others: acpc)");
  command->add_flag("--each", arguments->each, "The result of each hand too, by seat");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { replay(*arguments); }; });
}

}  // namespace deepcfr
