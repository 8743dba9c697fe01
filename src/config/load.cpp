// The loader: YAML text, profile and --set, laid over each other and over the defaults.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <utility>

#include "checks.h"
#include "deepcfr/config/config.h"
#include "deepcfr/core/error.h"
#include "fields.h"
#include "readers.h"
#include "yaml_tree.h"

namespace deepcfr {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfiles = "profiles";

struct Assignment {
  const Field* field = nullptr;
  YamlNode value;
  std::string where;  // for messages
  std::string shown;  // the key with the profile it stands in
};
using Layer = std::vector<Assignment>;

// -- keys -----------------------------------------------------------------------------------------------------------------------

/// Names of keys and sections directly under a section.
std::vector<std::string> names_under(const std::string& section) {
  const std::string prefix = section.empty() ? "" : section + ".";
  std::vector<std::string> names;
  for (const Field& field : config_fields()) {
    if (!field.path.starts_with(prefix)) continue;
    const std::string name = field.path.substr(prefix.size(), field.path.find('.', prefix.size()) - prefix.size());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (section.empty()) names.emplace_back(kProfiles);
  return names;
}

std::string with_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

/// What is probably meant by a key that is not there.
std::string unknown_key_hint(const std::string& section, const std::string& key) {
  const std::string name = with_underscores(key.substr(key.rfind('.') + 1));
  const std::vector<std::string> siblings = names_under(section);
  const auto did_you_mean = [&](const std::string& near) {
    return "did you mean " + (section.empty() ? near : section + "." + near) + "?";
  };
  if (std::find(siblings.begin(), siblings.end(), name) != siblings.end()) return did_you_mean(name);
  for (const Field& field : config_fields()) {
    if (!field.specific() && field.name() == name) {
      const std::string home = field.section();
      return "misplaced: " + name + " belongs " + (home.empty() ? "at the top level" : "under " + home);
    }
  }
  if (const std::string near = nearest(name, siblings); !near.empty()) return did_you_mean(near);
  std::vector<std::string> all;
  for (const Field& field : config_fields()) {
    if (!field.specific()) all.push_back(field.name());
  }
  if (const std::string near = nearest(name, all); !near.empty()) {
    for (const Field& field : config_fields()) {
      if (!field.specific() && field.name() == near) return "did you mean " + field.path + "?";
    }
  }
  return (section.empty() ? "sections and keys there: " : "keys there: ") + join_words(siblings, ", ");
}

std::string in_section(const std::string& section) { return section.empty() ? "at the top level" : "in section " + section; }

/// Collects the values under one map. `shown_prefix`: what stands before the key in messages ("profiles.home.").
void collect(const YamlNode& map, const std::string& section, const std::string& shown_prefix, const std::string& source,
             Layer& layer) {
  const std::string prefix = section.empty() ? "" : section + ".";
  for (const YamlEntry& entry : map.entries) {
    const std::string path = prefix + entry.key;
    const std::string where = place(source, entry.line);
    if (const Field* field = entry.key.find('.') == std::string::npos ? find_field(path) : nullptr) {
      layer.push_back({field, entry.value, where, shown_prefix + path});
    } else if (entry.key.find('.') == std::string::npos && is_config_section(path)) {
      if (entry.value.kind != YamlNode::Kind::map) {
        const std::string what = entry.value.kind == YamlNode::Kind::null ? "no value" : "a value";
        throw Error(ErrorKind::usage, shown_prefix + path + ": " + what + ", where a section is expected", where,
                    "its keys: " + join_words(names_under(path), ", "));
      }
      collect(entry.value, path, shown_prefix, source, layer);
    } else {
      const bool dotted = find_field(path) != nullptr;
      throw Error(ErrorKind::usage, shown_prefix + path + ": unknown key " + in_section(section), where,
                  dotted ? "dots are for --set; write nested sections" : unknown_key_hint(section, entry.key));
    }
  }
}

// -- sources
// ----------------------------------------------------------------------------------------------------------------------

struct FileLayers {
  Layer file;
  std::map<std::string, Layer> profiles;
};

FileLayers read_layers(std::string_view text, const std::string& source) {
  YamlNode root = parse_yaml(text, source);
  if (root.kind == YamlNode::Kind::null) throw Error(ErrorKind::usage, "the file is empty", source, "see configs/ for examples");
  if (root.kind != YamlNode::Kind::map) {
    throw Error(ErrorKind::usage, "not a map of keys", place(source, root.line), "a config file begins with keys like 'game:'");
  }
  FileLayers layers;
  const auto profiles =
      std::find_if(root.entries.begin(), root.entries.end(), [](const YamlEntry& e) { return e.key == kProfiles; });
  if (profiles != root.entries.end()) {
    if (profiles->value.kind != YamlNode::Kind::map) {
      throw Error(ErrorKind::usage, "profiles: a map from names to settings is expected", place(source, profiles->line));
    }
    for (const YamlEntry& profile : profiles->value.entries) {
      const std::string shown = std::string(kProfiles) + "." + profile.key;
      if (profile.value.kind != YamlNode::Kind::map) {
        throw Error(ErrorKind::usage, shown + ": a map of settings is expected", place(source, profile.line));
      }
      collect(profile.value, "", shown + ".", source, layers.profiles[profile.key]);
    }
    root.entries.erase(profiles);
  }
  collect(root, "", "", source, layers.file);
  return layers;
}

/// The value of a --set. Texts are taken as they stand; the rest is YAML.
YamlNode set_value(const Field& field, const std::string& text, const std::string& where) {
  if (field.path == "game.name" && !text.empty() && text[0] != '"' && text[0] != '\'') {
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.text = text;
    return node;
  }
  try {
    return parse_yaml(text, "value");
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(), where, error.hint());
  }
}

Layer read_sets(const std::vector<std::string>& sets) {
  Layer layer;
  for (const std::string& set : sets) {
    const std::string where = "--set " + set;
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(ErrorKind::usage, "no KEY=VALUE", where, "for example --set traversal.workers=2");
    }
    const std::string path = set.substr(0, equals);
    const Field* field = find_field(path);
    if (field == nullptr) {
      if (is_config_section(path)) {
        throw Error(ErrorKind::usage, path + " is a section", where, "its keys: " + join_words(names_under(path), ", "));
      }
      std::string section = path.substr(0, path.rfind('.') == std::string::npos ? 0 : path.rfind('.'));
      if (!is_config_section(section)) section.clear();
      throw Error(ErrorKind::usage, "unknown key " + path, where, unknown_key_hint(section, path));
    }
    // Of two values for one key the later counts, as usual on command lines.
    layer.erase(std::remove_if(layer.begin(), layer.end(), [&](const Assignment& a) { return a.field == field; }), layer.end());
    layer.push_back({field, set_value(*field, set.substr(equals + 1), where), where, {}});
  }
  return layer;
}

// -- applying
// ---------------------------------------------------------------------------------------------------------------------

std::uint64_t draw_seed() {
  // 53 bits: every JSON reader keeps them exactly. A time would repeat in processes started together (reported fault T45).
  std::random_device device;
  const std::uint64_t high = device();
  return ((high << 32) ^ device()) & ((std::uint64_t{1} << 53) - 1);
}

bool is_random_seed(const Assignment& assignment) {
  return assignment.field->path == "seed" && assignment.value.kind == YamlNode::Kind::scalar && assignment.value.text == "random";
}

class Loader {
 public:
  explicit Loader(std::string source) : source_(std::move(source)) {}

  TrainOptions& options() { return options_; }

  /// `folder`: what relative paths in the layer are relative to.
  void apply(const Layer& layer, const fs::path& folder) {
    apply_where(layer, [](const Field& field) { return !field.specific(); });
    apply_where(layer, [](const Field& field) { return field.specific(); });
    const bool names_game =
        std::any_of(layer.begin(), layer.end(), [](const Assignment& a) { return a.field->path == "game.name"; });
    std::string& name = options_.game.name;
    const bool is_path = name.find('/') != std::string::npos || name.ends_with(".game");
    if (names_game && is_path) name = fs::absolute(folder / name).lexically_normal().string();
  }

  std::string place_of(const std::string& path) const {
    const auto found = places_.find(path);
    return found == places_.end() ? source_ : found->second;
  }

  void draw_seed_if_wanted() {
    if (seed_is_random_) options_.seed = draw_seed();
  }

 private:
  template <typename Wanted>
  void apply_where(const Layer& layer, Wanted wanted) {
    for (const Assignment& assignment : layer) {
      if (wanted(*assignment.field)) apply_one(assignment);
    }
  }

  void apply_one(const Assignment& assignment) {
    places_[assignment.field->path] = assignment.where;
    if (assignment.field->path == "seed") seed_is_random_ = is_random_seed(assignment);
    if (is_random_seed(assignment)) return;
    try {
      assignment.field->read(assignment.value, options_);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::bug) throw;
      const std::string key = assignment.shown.empty() ? "" : assignment.shown + ": ";
      throw Error(ErrorKind::usage, key + error.message(), assignment.where, error.hint());
    }
  }

  std::string source_;
  TrainOptions options_;
  std::map<std::string, std::string> places_;
  bool seed_is_random_ = false;
};

const Layer& find_profile(const FileLayers& layers, const std::string& name, const std::string& source) {
  const auto found = layers.profiles.find(name);
  if (found != layers.profiles.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [profile, layer] : layers.profiles) names.push_back(profile);
  const std::string near = nearest(name, names);
  throw Error(ErrorKind::usage,
              names.empty() ? source + " has no profiles" : source + " has the profiles " + join_words(names, " and "),
              "--profile " + name, near.empty() ? "" : "did you mean " + near + "?");
}

}  // namespace

LoadedConfig parse_config(std::string_view text, const std::string& source, const Overlay& overlay) {
  const FileLayers layers = read_layers(text, source);
  const fs::path folder = fs::path(source).parent_path();
  Loader loader(source);
  loader.apply(layers.file, folder);
  for (const auto& [name, layer] : layers.profiles) Loader(loader).apply(layer, folder);  // each must be right, chosen or not
  if (!overlay.profile.empty()) loader.apply(find_profile(layers, overlay.profile, source), folder);
  loader.apply(read_sets(overlay.sets), {});
  loader.draw_seed_if_wanted();

  LoadedConfig config;
  config.options = loader.options();
  config.warnings = check_options(config.options, [&](const std::string& path) { return loader.place_of(path); });
  config.resolved_yaml = print_config(config.options);
  return config;
}

LoadedConfig load_config(const std::string& path, const Overlay& overlay) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw Error(ErrorKind::input, "is a folder, where a config file is expected", path);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    // An empty file leaves nothing to copy, which streams call a failure.
    if (file.is_open() && fs::file_size(path, ignored) == 0) return parse_config("", path, overlay);
    throw Error(ErrorKind::input, "cannot read the config file", path,
                fs::exists(path, ignored) ? "check its permissions" : "no such file");
  }
  return parse_config(text.str(), path, overlay);
}

}  // namespace deepcfr
