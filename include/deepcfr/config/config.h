// YAML files to TrainOptions and back. One table of fields (src/config/fields.cpp) serves reading, --set, printing and the
// documentation, so they cannot differ.
// Pure but for the files named and, for `seed: random`, the system's entropy. One thread at a time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/train/options.h"

namespace deepcfr {

struct LoadedConfig {
  TrainOptions options;
  std::string resolved_yaml;          ///< print_config(options)
  std::vector<std::string> warnings;  ///< settings that are valid and probably not meant
};

/// What to lay over a file, in this order.
struct Overlay {
  std::string profile;            ///< name under `profiles:`, empty: none
  std::vector<std::string> sets;  ///< "a.b=value"
};

/// Reads `path`. The later of file, profile and sets wins; within one of them network.advantage.* and network.strategy.* win over
/// network.*, likewise under training. A `.game` path in the file is relative to the file, one in --set to the current folder.
/// Error{input} if the file cannot be read; otherwise Error{usage} at `path`:line or at the --set, for everything that
/// docs/configuration.md rules out, and for settings that do not go together.
LoadedConfig load_config(const std::string& path, const Overlay& overlay = {});
/// The same for a text; `source` stands for the path in errors.
LoadedConfig parse_config(std::string_view text, const std::string& source, const Overlay& overlay = {});

/// All settings as YAML, in the table's order: loading it gives the same options and the same text. `comments`: each key's help
/// above it.
std::string print_config(const TrainOptions& options, bool comments = false);
/// All settings as one JSON object, in the same shape.
nlohmann::ordered_json config_json(const TrainOptions& options);

/// docs/configuration.md.
std::string config_documentation();

}  // namespace deepcfr
