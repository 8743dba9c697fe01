#include "print.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "deepcfr/config/config.h"
#include "fields.h"

namespace deepcfr {
namespace {

using Json = nlohmann::ordered_json;

TEST(Print, values_read_back_as_the_same_type_everywhere) {
  EXPECT_EQ(yaml_value(Json(0.003)), "0.003");
  EXPECT_EQ(yaml_value(Json(std::uint64_t{18446744073709551615ULL})), "18446744073709551615");
  EXPECT_EQ(yaml_value(Json(true)), "true");
  EXPECT_EQ(yaml_value(Json("leduc")), "leduc");
  EXPECT_EQ(yaml_value(Json("/a/b-c.game")), "/a/b-c.game");
  EXPECT_EQ(yaml_value(Json("no")), "\"no\"");
  EXPECT_EQ(yaml_value(Json("Yes")), "\"Yes\"");
  EXPECT_EQ(yaml_value(Json("1e6")), "\"1e6\"");
  EXPECT_EQ(yaml_value(Json("a: b # c")), "\"a: b # c\"");
  EXPECT_EQ(yaml_value(Json(std::vector<std::string>{"a", "no"})), "[a, \"no\"]");
  EXPECT_EQ(yaml_value(Json(std::vector<double>{0.5, 1})), "[0.5, 1]");
}

TEST(Print, defaults_in_table_order_and_round_trip) {
  const std::string text = print_config(TrainOptions{});
  EXPECT_EQ(text.substr(0, 40), "seed: 1\ngame:\n  name: leduc\n  rules: acp");
  EXPECT_EQ(text.find("advantage:"), std::string::npos);  // both networks agree
  const LoadedConfig again = parse_config(text, "f.yaml");
  EXPECT_EQ(again.resolved_yaml, text);
  EXPECT_TRUE(again.warnings.empty());
  EXPECT_EQ(parse_config(print_config(TrainOptions{}, true), "f.yaml").resolved_yaml, text);
}

/// A value of the field that is not its default, as YAML.
std::string other_value(const Field& field, const TrainOptions& defaults) {
  const Json value = field.get(defaults);
  if (field.path == "game.name") return "hunl";
  if (field.path == "game.pot_fractions") return "[0.25, 0.75, 2.5]";
  if (field.path == "game.all_in") return "false";
  if (field.path == "game.max_raises") return "3";
  if (field.path == "evaluation.opponents") return "[loose, always_fold]";
  if (field.path == "memory.directory") return "/fast/disk";
  if (value.is_boolean()) return value.get<bool>() ? "false" : "true";
  if (value.is_number_float()) return value.get<double>() == 0.125 ? "0.25" : "0.125";
  if (value.is_number()) return value.get<std::uint64_t>() == 7 ? "8" : "7";
  // a word of the range that is not the default
  for (std::size_t begin = field.range.find('`'); begin != std::string::npos; begin = field.range.find('`', begin)) {
    const std::size_t end = field.range.find('`', begin + 1);
    const std::string word = field.range.substr(begin + 1, end - begin - 1);
    if (value.get<std::string>() != word) return word;
    begin = end + 1;
  }
  return "";
}

TEST(Print, every_field_is_set_printed_and_read_again) {
  const TrainOptions defaults;
  for (const Field& field : config_fields()) {
    SCOPED_TRACE(field.path);
    std::vector<std::string> sets;
    if (field.path.starts_with("game.")) sets.push_back("game.name=hunl");  // raise sizes need a no-limit game
    sets.push_back(field.path + "=" + other_value(field, defaults));
    const LoadedConfig config = parse_config("seed: 1\n", "f.yaml", {"", sets});
    EXPECT_NE(field.get(config.options), field.get(defaults));
    EXPECT_EQ(yaml_value(field.get(config.options)), other_value(field, defaults));
    const LoadedConfig again = parse_config(config.resolved_yaml, "config.yaml");
    EXPECT_EQ(again.resolved_yaml, config.resolved_yaml);
    for (const Field& any : config_fields()) EXPECT_EQ(any.get(again.options), any.get(config.options)) << any.path;
  }
}

TEST(Print, specific_keys_appear_where_networks_differ) {
  const LoadedConfig config = parse_config("training: {steps: 100, strategy: {steps: 200}}\n", "f.yaml");
  EXPECT_NE(config.resolved_yaml.find("  advantage:\n    steps: 100\n  strategy:\n    steps: 200\n"), std::string::npos);
  EXPECT_EQ(config.resolved_yaml.find("\n  steps:"), std::string::npos);
  const Json json = config_json(config.options);
  EXPECT_EQ(json["training"]["strategy"]["steps"], 200);
  EXPECT_EQ(json["training"]["batch_size"], 512);
  EXPECT_EQ(json["game"]["pot_fractions"], "default");
}

TEST(Table, paths_are_unique_and_every_field_explains_itself) {
  std::set<std::string> paths;
  for (const Field& field : config_fields()) {
    EXPECT_TRUE(paths.insert(field.path).second) << field.path;
    EXPECT_GT(field.help.size(), 10U) << field.path;
    EXPECT_FALSE(field.range.empty()) << field.path;
    EXPECT_EQ(find_field(field.path), &field);
  }
  for (const char* key :
       {"evaluation.eval_every", "evaluation.games", "inference.backend", "training.amp", "network.layers", "network.hidden"}) {
    EXPECT_TRUE(paths.contains(key)) << key;  // names that users of the earlier system know
  }
  EXPECT_TRUE(is_config_section("network.strategy"));
  EXPECT_FALSE(is_config_section("network.type"));
  EXPECT_FALSE(is_config_section("net"));
}

TEST(Documentation, names_every_key_and_equals_the_page) {
  const std::string text = config_documentation();
  for (const Field& field : config_fields()) {
    EXPECT_TRUE(field.specific() || text.find("| `" + field.path + "`") != std::string::npos) << field.path;
  }
  const std::string path = std::string(DEEPCFR_SOURCE_DIR) + "/docs/configuration.md";
  std::ifstream file(path);
  std::ostringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), text) << "write it again: deepcfr config docs > docs/configuration.md";
}

}  // namespace
}  // namespace deepcfr
