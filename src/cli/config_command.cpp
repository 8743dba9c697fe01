// config: check, print, docs.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/config/config.h"
#include "deepcfr/train/run.h"
#include "open_run.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string file;
  Overlay overlay;
  bool comments = false;
  bool json = false;

  LoadedConfig load() const { return load_config(file, overlay); }
};

void check(const Arguments& arguments) {
  const LoadedConfig config = arguments.load();
  const MemoryEstimate memory = estimate_memory(config.options);
  if (arguments.json) {
    write_json({{"file", arguments.file},
                {"valid", true},
                {"warnings", config.warnings},
                {"memory_bytes",
                 {{"total", memory.total()},
                  {"advantage", memory.advantage_bytes},
                  {"strategy", memory.strategy_bytes},
                  {"traversal", memory.traversal_bytes},
                  {"networks", memory.network_bytes},
                  {"archive", memory.archive_bytes},
                  {"batches", memory.batch_bytes},
                  {"merged", memory.merged_bytes},
                  {"program", memory.program_bytes},
                  {"on_disk", memory.memories_on_disk},
                  {"available", memory.available}}}});
    return;
  }
  for (const std::string& warning : config.warnings) show_warning(warning);
  std::cout << arguments.file << ": valid; needs up to " << show_bytes(memory.total()) << " of memory, "
            << show_bytes(memory.available) << " are free\n";
}

void print(const Arguments& arguments) {
  const LoadedConfig config = arguments.load();
  for (const std::string& warning : config.warnings) show_warning(warning);
  if (arguments.json) {
    write_json(config_json(config.options));
  } else {
    std::cout << (arguments.comments ? print_config(config.options, true) : config.resolved_yaml);
  }
}

CLI::App* add_file_command(CLI::App& group, const std::string& name, const std::string& help, Arguments& arguments) {
  CLI::App* command = group.add_subcommand(name, help);
  command->add_option("FILE", arguments.file, "A config file")->required()->type_name("");
  command->add_option("--profile", arguments.overlay.profile, "Overlay from the file's profiles")->type_name("NAME");
  add_repeated(*command, "--set", arguments.overlay.sets, "KEY=VALUE", "Overlay of one key, may be repeated");
  add_json(*command, arguments.json);
  return command;
}

}  // namespace

void add_config(CLI::App& app, Invocation& invocation) {
  CLI::App* group = app.add_subcommand("config", "Check a config file, or print it with all settings");
  group->require_subcommand(1);
  const auto arguments = std::make_shared<Arguments>();
  add_file_command(*group, "check", "Read a file strictly, say what is wrong, tell the memory that a run needs", *arguments)
      ->callback([=, &invocation] { invocation.run = [=] { check(*arguments); }; });
  CLI::App* printing = add_file_command(*group, "print", "Print every setting that a run of this file would have", *arguments);
  printing->add_flag("--comments", arguments->comments, "With each key's meaning and values");
  printing->callback([=, &invocation] { invocation.run = [=] { print(*arguments); }; });
  group->add_subcommand("docs", "Print docs/configuration.md")->callback([&invocation] {
    invocation.run = [] { std::cout << config_documentation(); };
  });
}

}  // namespace deepcfr
