// What the subcommands share: how one gets onto the command line, and what it knows when it runs.
//
// Each subcommand is one file with one function add_...(app, invocation): it declares the arguments; when CLI11 has chosen the
// subcommand, invocation.run is set, and called after parsing. So no command runs before the whole line is understood.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>

namespace deepcfr {

struct Invocation {
  std::string program = "deepcfr";  ///< as typed: commands that are shown begin with it
  std::function<void()> run;        ///< throws Error
};

void add_train(CLI::App& app, Invocation& invocation);
void add_resume(CLI::App& app, Invocation& invocation);
void add_eval(CLI::App& app, Invocation& invocation);
void add_compare(CLI::App& app, Invocation& invocation);
void add_exploit(CLI::App& app, Invocation& invocation);
void add_solve(CLI::App& app, Invocation& invocation);
void add_samples(CLI::App& app, Invocation& invocation);
void add_play(CLI::App& app, Invocation& invocation);
void add_inspect(CLI::App& app, Invocation& invocation);
void add_games(CLI::App& app, Invocation& invocation);
void add_game(CLI::App& app, Invocation& invocation);  ///< show, count, state
void add_game_show(CLI::App& app, Invocation& invocation);
void add_game_count(CLI::App& app, Invocation& invocation);
void add_game_state(CLI::App& app, Invocation& invocation);
void add_rank(CLI::App& app, Invocation& invocation);
void add_equity(CLI::App& app, Invocation& invocation);
void add_connect(CLI::App& app, Invocation& invocation);
void add_dealer(CLI::App& app, Invocation& invocation);
void add_match(CLI::App& app, Invocation& invocation);
void add_replay(CLI::App& app, Invocation& invocation);
void add_convert(CLI::App& app, Invocation& invocation);
void add_config(CLI::App& app, Invocation& invocation);  ///< check, print, docs
void add_doctor(CLI::App& app, Invocation& invocation);

/// --version.
void print_version(bool json);

}  // namespace deepcfr
