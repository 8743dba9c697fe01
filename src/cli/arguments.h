// Arguments that several subcommands take. Targets must live until the command has run.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// "--flag N", read as strictly as a config file's numbers (CLI11 would take "nan", and "-5" for an unsigned number).
CLI::Option* add_whole(CLI::App& app, const std::string& flag, std::int64_t& target, std::int64_t min, std::int64_t max,
                       const std::string& help);
CLI::Option* add_seed(CLI::App& app, std::uint64_t& target, const std::string& help);
/// "--flag SECONDS", min … a year.
CLI::Option* add_seconds(CLI::App& app, const std::string& flag, double& target, double min, const std::string& help);
/// A TCP port; `min` 0 where 0 means any free one. Error{usage}.
std::uint16_t parse_port(const std::string& text, int min);
/// "--flag WORD" with one of `words`; Error{usage} with the nearest otherwise.
CLI::Option* add_word(CLI::App& app, const std::string& flag, std::string& target, const std::vector<std::string>& words,
                      const std::string& help);
/// "--flag VALUE", repeatable, one value each: never swallows positionals (reported fault T40).
CLI::Option* add_repeated(CLI::App& app, const std::string& flag, std::vector<std::string>& target, const std::string& type,
                          const std::string& help);
/// "--flag A,B,C": one word, cut at the commas.
CLI::Option* add_list(CLI::App& app, const std::string& flag, std::vector<std::string>& target, const std::string& type,
                      const std::string& help);
CLI::Option* add_json(CLI::App& app, bool& target);

/// A game and its rules, as `game`, `exploit` and `solve` take them.
struct GameArguments {
  std::string game;
  std::string rules = "acpc";
  /// The game with its default abstraction; Error{usage} or Error{input} if there is none.
  Game make(bool canonical_suits = true) const;
};
void add_game_positional(CLI::App& app, GameArguments& target);
void add_rules(CLI::App& app, GameArguments& target);

}  // namespace deepcfr
