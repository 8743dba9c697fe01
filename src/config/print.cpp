// TrainOptions as YAML and as JSON, from the table.
#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "deepcfr/config/config.h"
#include "deepcfr/config/numbers.h"
#include "fields.h"
#include "print.h"
#include "readers.h"

namespace deepcfr {
namespace {

using Json = nlohmann::ordered_json;

/// Whether every YAML reader takes the text, unquoted, for a string. `on` and `off` are excepted: they are words of keys here,
/// and read as such.
bool plain_string(const std::string& text) {
  if (text == "on" || text == "off") return true;
  static const std::vector<std::string> words = {"true", "false", "yes", "no", "on", "off", "y", "n", "null"};
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::find(words.begin(), words.end(), lower) != words.end()) return false;
  const auto letter = [](unsigned char c) { return c < 0x80 && std::isalpha(c) != 0; };
  if (text.empty() || !(letter(static_cast<unsigned char>(text[0])) || text[0] == '/')) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(static_cast<unsigned char>(c)) || (c >= '0' && c <= '9') ||
           std::string_view("_-./+").find(c) != std::string_view::npos;
  });
}

std::string padded(std::size_t depth) { return std::string(2 * depth, ' '); }

/// "a.b.c" -> {"a", "b", "c"}.
std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts;
  std::istringstream stream(path);
  for (std::string part; std::getline(stream, part, '.');) parts.push_back(part);
  return parts;
}

void print_comment(std::string& out, const std::string& help, const std::string& range, std::size_t depth) {
  constexpr std::size_t kWidth = 100;
  std::istringstream words(help + " (" + range + ")");
  std::string line;
  for (std::string word; words >> word;) {
    word.erase(std::remove(word.begin(), word.end(), '`'), word.end());
    if (!line.empty() && line.size() + 1 + word.size() + 2 * depth > kWidth) {
      out += padded(depth) + "#" + line + "\n";
      line.clear();
    }
    line += " " + word;
  }
  out += padded(depth) + "#" + line + "\n";
}

}  // namespace

std::string yaml_value(const Json& value) {
  if (value.is_number_float()) return print_number(value.get<double>());
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    return plain_string(text) ? text : value.dump();  // JSON's escapes are YAML's
  }
  if (!value.is_array()) return value.dump();
  std::string list = "[";
  for (const Json& item : value) list += (list.size() > 1 ? ", " : "") + yaml_value(item);
  return list + "]";
}

std::string print_config(const TrainOptions& options, bool comments) {
  std::string out;
  std::vector<std::string> open;
  for (const Field& field : config_fields()) {
    if (!stated_in_resolved(field, options)) continue;
    const std::vector<std::string> section = split(field.section());
    std::size_t common = 0;
    while (common < std::min(open.size(), section.size()) && open[common] == section[common]) ++common;
    for (std::size_t depth = common; depth < section.size(); ++depth) {
      if (comments && depth == 0) out += "\n";
      out += padded(depth) + section[depth] + ":\n";
    }
    open = section;
    if (comments) print_comment(out, field.help, field.range, section.size());
    out += padded(section.size()) + field.name() + ": " + yaml_value(field.get(options)) + "\n";
  }
  return out;
}

Json config_json(const TrainOptions& options) {
  Json root = Json::object();
  for (const Field& field : config_fields()) {
    if (!stated_in_resolved(field, options)) continue;
    Json* at = &root;
    for (const std::string& part : split(field.path)) at = &(*at)[part];
    *at = field.get(options);
  }
  return root;
}

}  // namespace deepcfr
