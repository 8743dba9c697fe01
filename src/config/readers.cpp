#include "readers.h"

#include <algorithm>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint = {}) { throw Error(ErrorKind::usage, what, {}, hint); }

constexpr const char* kBooleanWords = "true, yes, on, false, no or off, in lower case and without quotes";

}  // namespace

std::optional<bool> boolean_word(const YamlNode& node) {
  if (node.kind != YamlNode::Kind::scalar || node.quoted) return std::nullopt;
  if (node.text == "true" || node.text == "yes" || node.text == "on") return true;
  if (node.text == "false" || node.text == "no" || node.text == "off") return false;
  return std::nullopt;
}

const std::string& scalar_text(const YamlNode& node, const std::string& wanted) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      refuse("no value, where " + wanted + " is expected", "write a value or remove the key");
    case YamlNode::Kind::sequence:
      refuse("a list, where " + wanted + " is expected");
    case YamlNode::Kind::map:
      refuse("a section, where " + wanted + " is expected");
    case YamlNode::Kind::scalar:
      break;
  }
  return node.text;
}

const std::string& plain_text(const YamlNode& node, const std::string& wanted) {
  const std::string& text = scalar_text(node, wanted);
  if (node.quoted) refuse(shown(node) + " is a string, where " + wanted + " is expected", "write it without quotes");
  return text;
}

bool read_boolean(const YamlNode& node) {
  plain_text(node, "a boolean");
  const std::optional<bool> value = boolean_word(node);
  if (value) return *value;
  std::string hint = "write ";  // put together in place: g++ 12 warns of the sum
  hint += kBooleanWords;
  refuse(shown(node) + " is not a boolean", hint);
}

std::size_t read_word(const YamlNode& node, const std::vector<std::string>& words) {
  const std::string& text = scalar_text(node, join_words(words));
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::string near = nearest(text, words);
  refuse(shown(node) + " is not " + join_words(words), near.empty() ? "" : "did you mean " + near + "?");
}

const std::vector<YamlNode>& list_items(const YamlNode& node, const std::string& wanted) {
  if (node.kind == YamlNode::Kind::scalar) {
    refuse(shown(node) + " is a single value, where " + wanted + " is expected", "write [" + node.text + "]");
  }
  if (node.kind != YamlNode::Kind::sequence) scalar_text(node, wanted);
  return node.items;
}

std::string shown(const YamlNode& node) { return node.quoted ? '"' + node.text + '"' : node.text; }

std::string join_words(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

std::string nearest(const std::string& word, const std::vector<std::string>& words) {
  return nearest_word(word, words.data(), words.data() + words.size());
}

}  // namespace deepcfr
