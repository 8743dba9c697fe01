#include "yaml_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_yaml(text, "f");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(YamlTree, keeps_lines_quotes_and_order) {
  const YamlNode root = parse_yaml("# comment\nb:\n  c: 'no'\n  d: no\na: [1, \"2\"]\ne: |\n  x\n", "f");
  ASSERT_EQ(root.kind, YamlNode::Kind::map);
  ASSERT_EQ(root.entries.size(), 3U);
  EXPECT_EQ(root.entries[0].key, "b");
  EXPECT_EQ(root.entries[0].line, 2);
  const YamlNode& b = root.entries[0].value;
  EXPECT_EQ(b.entries[0].value.text, "no");
  EXPECT_TRUE(b.entries[0].value.quoted);
  EXPECT_EQ(b.entries[1].value.text, "no");
  EXPECT_FALSE(b.entries[1].value.quoted);
  EXPECT_EQ(b.entries[1].line, 4);
  const YamlNode& a = root.entries[1].value;
  ASSERT_EQ(a.items.size(), 2U);
  EXPECT_FALSE(a.items[0].quoted);
  EXPECT_TRUE(a.items[1].quoted);
  EXPECT_TRUE(root.entries[2].value.quoted);
}

TEST(YamlTree, an_absent_value_is_null_at_its_keys_line) {
  const YamlNode root = parse_yaml("a:\n\n\nb: ~\n", "f");
  EXPECT_EQ(root.entries[0].value.kind, YamlNode::Kind::null);
  EXPECT_EQ(root.entries[0].value.line, 1);
  EXPECT_EQ(root.entries[1].value.kind, YamlNode::Kind::null);
  EXPECT_EQ(parse_yaml("# nothing\n", "f").kind, YamlNode::Kind::null);
}

TEST(YamlTree, accepts_a_byte_order_mark_crlf_and_a_start_marker) {
  EXPECT_EQ(parse_yaml("\xef\xbb\xbf"
                       "a: 1\r\nb: 2\r\n",
                       "f")
                .entries[1]
                .value.text,
            "2");
  EXPECT_EQ(parse_yaml("---\na: 1\n", "f").entries[0].value.text, "1");
  EXPECT_EQ(parse_yaml("a: 1 # a\ttab in a comment\n", "f").entries[0].value.text, "1");
}

TEST(YamlTree, refuses_what_yaml_cpp_lets_pass) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a: 1\nb: 2\na: 3\n", "f:3: a: duplicate key"},
      {"x: {a: 1, a: 2}\n", "f:1: a: duplicate key"},
      {"a: 1\n---\nb: 2\n", "f:2: a second document"},
      {"a: 1\n...\nb: 2\n", "f:3: a second document"},
      {"a: &x 1\n", "f:1: an anchor, &x"},
      {"a: &x 1\nb: *x\n", "f:1: an anchor, &x"},
      {"<<: {a: 1}\n", "f:1: a merge key"},
      {"a: !!int 3\n", "f:1: a tag"},
      {"a: !x {b: 1}\n", "f:1: a tag"},
      {"%YAML 1.2\n---\na: 1\n", "f:1: a YAML directive"},
      {"? [1, 2]\n: 3\n", "f:1: a key that is not a single word"},
      {"~: 3\n", "f:1: a key that is empty or null"},
      {"\"\": 3\n", "f:1: an empty key"},
      {"a:\n\tb: 1\n", "f:2: a tab"},
      {"a: 1\t\n", "f:1: a tab"},
      {"a: caf\xe9\n", "f:1: a byte that is not UTF-8"},
      {"a: \xc0\xaf\n", "f:1: a byte that is not UTF-8"},
      {"a: 1\nb: \xed\xa0\x80\n", "f:2: a byte that is not UTF-8"},
      {std::string("a: 1\nb: \0\n", 10), "f:2: a control character"},
      {"a: 1\rb: 2\n", "f:1: a carriage return"},
  };
  for (const auto& [text, beginning] : cases) {
    EXPECT_EQ(refusal(text).substr(0, beginning.size()), beginning) << text;
  }
}

TEST(YamlTree, syntax_errors_name_the_line_counted_from_one) {
  for (const std::string text : {"a: 1\nb: c: d\n", "a: 1\n b: 2\n", "a: 1\n}\n", "a: 1\nb: @x\n"}) {
    EXPECT_EQ(refusal(text).substr(0, 14), "f:2: not YAML:") << text << refusal(text);
  }
  EXPECT_NE(refusal("a: [1, 2\n"), "accepted");
  EXPECT_EQ(refusal("a: 1\nb: \"x\n"), "f:2: a quote that is not closed");
  EXPECT_EQ(refusal("b: 'it''s\nc: d\n"), "f:1: a quote that is not closed");
  EXPECT_EQ(refusal("b: \"\\\"\n"), "f:1: a quote that is not closed");
  EXPECT_EQ(parse_yaml("# \xc3\xa9\r\nb: 'it''s'\r\nc: \"\\\"\"\r\n", "f").entries[1].value.text, "\"");
  EXPECT_NE(refusal(std::string(100, '[')), "accepted");
  EXPECT_NE(refusal(std::string(100'000, '[')), "accepted");
}

}  // namespace
}  // namespace deepcfr
