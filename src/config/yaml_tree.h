// YAML text as a tree that knows its lines. Built on yaml-cpp's events, not on YAML::Node, because a Node hides what a strict
// reader must see: duplicate keys, anchors, merge keys, whether a scalar was quoted, second documents (reported faults T35, T38).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deepcfr {

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, sequence, map };
  Kind kind = Kind::null;
  std::string text;                ///< scalar
  bool quoted = false;             ///< scalar in quotes or a block scalar: a string, whatever it looks like
  int line = 0;                    ///< 1-based
  std::vector<YamlNode> items;     ///< sequence
  std::vector<YamlEntry> entries;  ///< map, in file order, keys distinct
};

struct YamlEntry {
  std::string key;
  int line = 0;
  YamlNode value;
};

/// The one document in `text`. Error{usage} at `source`:line for text that is not UTF-8, tabs and other control characters,
/// syntax errors, duplicate keys, keys that are not plain words, anchors, aliases, merge keys, tags, directives, a second
/// document. An empty text gives a null node.
YamlNode parse_yaml(std::string_view text, const std::string& source);

/// "source:line".
std::string place(const std::string& source, int line);

}  // namespace deepcfr
