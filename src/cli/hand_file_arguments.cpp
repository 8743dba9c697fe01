#include "hand_file_arguments.h"

#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {

std::string read_text(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) throw Error(ErrorKind::input, "cannot be read", path);
  return text;
}

HandFormat chosen_format(const std::string& path, const std::string& format, const std::string& option) {
  if (!format.empty()) return *hand_format(format);
  const std::optional<HandFormat> by_path = hand_format_of_path(path);
  if (!by_path) {
    throw Error(ErrorKind::usage, "its ending is none of .phh, .phhs, .log, .acpc, .slumbot", path,
                "name the notation: " + option + " phh|acpc|slumbot");
  }
  return *by_path;
}

HandFileOptions reading_options(const std::string& path, const std::string& format, const std::string& option, const std::string& game,
                                const std::string& rules) {
  HandFileOptions options;
  options.format = chosen_format(path, format, option);
  if (!rules.empty()) options.rules = rules == "cardroom" ? RuleSet::cardroom : RuleSet::acpc;
  if (options.format == HandFormat::phh) {
    if (!game.empty()) throw Error(ErrorKind::usage, "hands in PHH name their game themselves", "--game", "leave it out");
    return options;
  }
  if (game.empty() && options.format == HandFormat::acpc) {
    throw Error(ErrorKind::usage, "an ACPC log does not say which game it is of", path, "name it: --game hunl, or a .game file");
  }
  options.game = std::make_shared<const Game>(make_game(game.empty() ? "hunl" : game, options.rules.value_or(RuleSet::acpc)));
  return options;
}

void report_hand_errors(const std::string& path, const std::vector<HandError>& errors) {
  if (errors.empty()) return;
  std::cout.flush();
  for (const HandError& error : errors) {
    std::cerr << path << ":" << error.line << ": hand " << (error.hand.empty() ? "?" : error.hand) << ": " << error.what << "\n";
  }
  throw Error(ErrorKind::input,
              std::to_string(errors.size()) + (errors.size() == 1 ? " hand" : " hands") + " could not be read, the others were", path);
}

}  // namespace deepcfr
