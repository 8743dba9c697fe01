// The table of fields: every key of a config file, once.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/train/options.h"
#include "yaml_tree.h"

namespace deepcfr {

struct Field {
  /// Keys for both networks (or fits) come three times: shared, and one for each of the two.
  enum class Scope { single, shared, advantage, strategy };

  std::string path;  ///< "training.learning_rate"
  Scope scope = Scope::single;
  std::string range;  ///< what a value may be, in words: "1..512", "`mlp` or `card_bet`"
  std::string help;   ///< one sentence or two, with unit
  /// Takes a value; Error{usage} without a place.
  std::function<void(const YamlNode&, TrainOptions&)> read;
  /// The value: number, boolean, string or array of those. Of a shared field: that of the advantage network.
  std::function<nlohmann::ordered_json(const TrainOptions&)> get;

  std::string section() const;  ///< "training"; "" at the top level
  std::string name() const;     ///< "learning_rate"
  bool specific() const noexcept { return scope == Scope::advantage || scope == Scope::strategy; }
};

/// In the order of printing: keys of a section lie together, a section's own keys before those of its sections.
const std::vector<Field>& config_fields();
const Field* find_field(std::string_view path);
/// True if keys begin with `path` + ".".
bool is_config_section(std::string_view path);
/// Where a resolved file states the value: a shared field where both networks agree, the specific ones where they differ.
bool stated_in_resolved(const Field& field, const TrainOptions& options);
/// The field of the other scope: training.steps -> training.strategy.steps.
const Field& sibling(const Field& field, Field::Scope scope);

}  // namespace deepcfr
