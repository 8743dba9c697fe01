#include "app.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "command.h"
#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

struct TopFlags {
  bool version = false;
  bool json = false;
};

void declare(CLI::App& app, Invocation& invocation, TopFlags& flags) {
  app.description("Trains poker agents by Deep CFR, evaluates them, and measures their exploitability.");
  app.footer("A first run: " + invocation.program + " train configs/kuhn.yaml\nHelp on a command: " + invocation.program +
             " COMMAND --help\nExit codes: 0 done, 1 a bug, 2 usage or config, 3 input, output or checkpoint, 4 device");
  app.add_flag("--version", flags.version, "Print version, commit, compiler and LibTorch");
  app.add_flag("--json", flags.json, "With --version: as JSON");
  app.require_subcommand(0, 1);
  add_train(app, invocation);
  add_resume(app, invocation);
  add_eval(app, invocation);
  add_compare(app, invocation);
  add_exploit(app, invocation);
  add_solve(app, invocation);
  add_samples(app, invocation);
  add_play(app, invocation);
  add_inspect(app, invocation);
  add_games(app, invocation);
  add_game(app, invocation);
  add_rank(app, invocation);
  add_equity(app, invocation);
  add_match(app, invocation);
  add_connect(app, invocation);
  add_dealer(app, invocation);
  add_replay(app, invocation);
  add_convert(app, invocation);
  add_config(app, invocation);
  add_doctor(app, invocation);
}

/// CLI11 would only say "The following argument was not expected".
void refuse_unknown_command(const CLI::App& app, const std::string& argument, const Invocation& invocation,
                            const std::string& parent) {
  if (argument.empty() || argument[0] == '-') return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (names.empty() || std::find(names.begin(), names.end(), argument) != names.end()) return;
  const std::string near = nearest_word(argument, names.data(), names.data() + names.size());
  throw Error(ErrorKind::usage, "unknown command " + parent + argument, {},
              near.empty() ? "see: " + invocation.program + " " + parent + "--help" : "did you mean " + parent + near + "?");
}

void check_command(const CLI::App& app, int argc, char** argv, const Invocation& invocation) {
  if (argc < 2) return;
  refuse_unknown_command(app, argv[1], invocation, "");
  if (argc < 3) return;
  for (const CLI::App* group : app.get_subcommands({})) {
    if (group->get_name() == argv[1]) refuse_unknown_command(*group, argv[2], invocation, group->get_name() + " ");
  }
}

/// " game state": the subcommand that was named.
std::string command_words(const CLI::App& app) {
  std::string words;
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    words += " " + at->get_name();
  }
  return words;
}

/// Parses and runs; CLI11's own errors become Error{usage}.
void parse_and_run(int argc, char** argv, Invocation& invocation) {
  CLI::App app;
  TopFlags flags;
  app.name(invocation.program);
  declare(app, invocation, flags);
  check_command(app, argc, argv, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return;
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw Error(ErrorKind::usage, text, {}, "see: " + invocation.program + command_words(app) + " --help");
  }
  if (flags.version) {
    print_version(flags.json);
  } else if (invocation.run) {
    invocation.run();
  } else {
    throw Error(ErrorKind::usage, "no command", {}, "see: " + invocation.program + " --help");
  }
}

int report_error(const std::string& text, int code) {
  std::cout.flush();
  std::cerr << "error: " << text << std::endl;
  return code;
}

}  // namespace

int run_program(int argc, char** argv) noexcept {
  try {
    Invocation invocation;
    if (argc > 0 && argv[0] != nullptr && argv[0][0] != '\0') invocation.program = argv[0];
    parse_and_run(argc, argv, invocation);
    std::cout.flush();
    if (!std::cout) throw Error(ErrorKind::input, "cannot write", "standard output");
    return 0;
  } catch (const Error& error) {
    return report_error(error.what(), error.exit_code());
  } catch (const std::bad_alloc&) {
    return report_error("out of memory (lower memory.*_capacity; deepcfr config check FILE prints what a run needs)", 3);
  } catch (const std::exception& error) {
    return report_error(
        std::string("internal: ") + error.what() + " (this is a bug in deepcfr; please report it with the command line)", 1);
  } catch (...) {
    return report_error("internal: an unknown exception (this is a bug in deepcfr; please report it with the command line)", 1);
  }
}

}  // namespace deepcfr
