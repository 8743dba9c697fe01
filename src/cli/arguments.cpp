#include "arguments.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "deepcfr/config/numbers.h"
#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

/// Puts the option's name before an error about its value.
template <typename Read>
auto named(const std::string& flag, Read read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(), flag, error.hint());
  }
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

}  // namespace

CLI::Option* add_whole(CLI::App& app, const std::string& flag, std::int64_t& target, std::int64_t min, std::int64_t max,
                       const std::string& help) {
  const auto read = [=, &target](const std::string& text) {
    target = named(flag, [&] { return parse_whole_number(text, min, max); });
  };
  return app.add_option_function<std::string>(flag, read, help)->type_name("N");
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& target, const std::string& help) {
  const auto read = [&target](const std::string& text) {
    target = named("--seed", [&] { return parse_unsigned_number(text, 0, std::numeric_limits<std::uint64_t>::max()); });
  };
  return app.add_option_function<std::string>("--seed", read, help)->type_name("N");
}

CLI::Option* add_seconds(CLI::App& app, const std::string& flag, double& target, double min, const std::string& help) {
  const auto read = [=, &target](const std::string& text) {
    target = named(flag, [&] { return parse_number(text, {min, 365.0 * 86400, false}); });
  };
  return app.add_option_function<std::string>(flag, read, help)->type_name("SECONDS");
}

std::uint16_t parse_port(const std::string& text, int min) {
  return static_cast<std::uint16_t>(named("port", [&] { return parse_whole_number(text, min, 65535); }));
}

CLI::Option* add_word(CLI::App& app, const std::string& flag, std::string& target, const std::vector<std::string>& words,
                      const std::string& help) {
  const auto read = [=, &target](const std::string& text) {
    if (std::find(words.begin(), words.end(), text) == words.end()) {
      const std::string near = nearest_word(text, words.data(), words.data() + words.size());
      throw Error(ErrorKind::usage, text + " is none of " + joined(words), flag,
                  near.empty() ? "" : "did you mean " + near + "?");
    }
    target = text;
  };
  return app.add_option_function<std::string>(flag, read, help)->type_name(joined(words));
}

CLI::Option* add_repeated(CLI::App& app, const std::string& flag, std::vector<std::string>& target, const std::string& type,
                          const std::string& help) {
  return app.add_option(flag, target, help)->type_name(type)->allow_extra_args(false);
}

CLI::Option* add_list(CLI::App& app, const std::string& flag, std::vector<std::string>& target, const std::string& type,
                      const std::string& help) {
  const auto read = [&target](const std::string& text) {
    target.clear();
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) target.push_back(word);
  };
  return app.add_option_function<std::string>(flag, read, help)->type_name(type);
}

CLI::Option* add_json(CLI::App& app, bool& target) { return app.add_flag("--json", target, "Report as JSON"); }

Game GameArguments::make(bool canonical_suits) const {
  return make_game(game, rules == "cardroom" ? RuleSet::cardroom : RuleSet::acpc, canonical_suits);
}

void add_game_positional(CLI::App& app, GameArguments& target) {
  app.add_option("GAME", target.game, "A name of the command games, or a .game file")->required()->type_name("");
}

void add_rules(CLI::App& app, GameArguments& target) {
  add_word(app, "--rules", target.rules, {"acpc", "cardroom"}, "Rule set (acpc)");
}

}  // namespace deepcfr
