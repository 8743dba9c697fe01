// From a YAML value to a typed one, strictly (reported faults T35, T38). All throw Error{usage} without a place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "yaml_tree.h"

namespace deepcfr {

/// The words for booleans: YAML 1.1's, lower case, unquoted. nullopt for anything else.
std::optional<bool> boolean_word(const YamlNode& node);

/// The scalar's text; refuses empty values, lists and sections, naming what is `wanted`.
const std::string& scalar_text(const YamlNode& node, const std::string& wanted);
/// The same, and refuses quoted scalars: for numbers and booleans.
const std::string& plain_text(const YamlNode& node, const std::string& wanted);
bool read_boolean(const YamlNode& node);
/// Index of the word that the scalar is.
std::size_t read_word(const YamlNode& node, const std::vector<std::string>& words);
/// The list's items; refuses everything else, with the remedy for a single value.
const std::vector<YamlNode>& list_items(const YamlNode& node, const std::string& wanted);
/// A scalar as it should appear in a message: quoted if it was.
std::string shown(const YamlNode& node);

/// "a, b or c".
std::string join_words(const std::vector<std::string>& words, const std::string& last = " or ");
/// nearest_word over a vector.
std::string nearest(const std::string& word, const std::vector<std::string>& words);

}  // namespace deepcfr
