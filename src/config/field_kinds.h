// Kinds of fields: how a value of a type is read, limited and written. A Part is a field of some options struct, before it gets
// its place in the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "deepcfr/config/numbers.h"
#include "deepcfr/core/error.h"
#include "readers.h"

namespace deepcfr {

template <typename Options>
struct Part {
  std::string name;
  std::string range;
  std::string help;
  std::function<void(const YamlNode&, Options&)> read;
  std::function<nlohmann::ordered_json(const Options&)> get;
};

/// What a value of an optional setting is when it is not set.
inline constexpr const char* kDefaultWord = "default";

inline bool is_default_word(const YamlNode& node) { return node.kind == YamlNode::Kind::scalar && node.text == kDefaultWord; }

/// A whole number. `access`: [](auto& options) -> auto& { return options.member; }, here and below.
template <typename Options, typename Access>
Part<Options> whole(std::string name, std::int64_t min, std::int64_t max, Access access, std::string help) {
  using Value = std::remove_cvref_t<decltype(access(std::declval<Options&>()))>;
  return {std::move(name), std::to_string(min) + ".." + std::to_string(max), std::move(help),
          [=](const YamlNode& node, Options& options) {
            access(options) = static_cast<Value>(parse_whole_number(plain_text(node, "a whole number"), min, max));
          },
          [=](const Options& options) { return nlohmann::ordered_json(access(options)); }};
}

template <typename Options, typename Access>
Part<Options> number(std::string name, NumberRange range, Access access, std::string help) {
  return {std::move(name), describe(range), std::move(help),
          [=](const YamlNode& node, Options& options) { access(options) = parse_number(plain_text(node, "a number"), range); },
          [=](const Options& options) { return nlohmann::ordered_json(access(options)); }};
}

template <typename Options, typename Access>
Part<Options> boolean(std::string name, Access access, std::string help) {
  return {std::move(name), "`true` or `false`", std::move(help),
          [=](const YamlNode& node, Options& options) { access(options) = read_boolean(node); },
          [=](const Options& options) { return nlohmann::ordered_json(access(options)); }};
}

/// Words of an enum. A word that is also a boolean (`on`, `off`) answers to the other spellings of that boolean.
template <typename Value>
using Words = std::vector<std::pair<std::string, Value>>;

template <typename Value>
Value read_enum(const YamlNode& node, const Words<Value>& words) {
  if (const std::optional<bool> truth = boolean_word(node)) {
    const std::string word = *truth ? "on" : "off";
    for (const auto& [text, value] : words) {
      if (text == word) return value;
    }
  }
  std::vector<std::string> texts;
  for (const auto& [text, value] : words) texts.push_back(text);
  return words[read_word(node, texts)].second;
}

template <typename Options, typename Value, typename Access>
Part<Options> one_of(std::string name, const Words<Value>& words, Access access, std::string help) {
  std::vector<std::string> quoted;
  for (const auto& [text, value] : words) quoted.push_back('`' + text + '`');
  return {std::move(name), join_words(quoted), std::move(help),
          [=](const YamlNode& node, Options& options) { access(options) = read_enum(node, words); },
          [=](const Options& options) {
            for (const auto& [text, value] : words) {
              if (value == access(options)) return nlohmann::ordered_json(text);
            }
            DEEPCFR_CHECK(false, "an enumerator without a word");
            return nlohmann::ordered_json();
          }};
}

}  // namespace deepcfr
