#include "yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <utility>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

[[noreturn]] void refuse(const std::string& source, int line, const std::string& what, const std::string& hint = {}) {
  throw Error(ErrorKind::usage, what, place(source, line), hint);
}

/// Length of the UTF-8 sequence at `at`, 0 if it is none (overlong forms, surrogates and values above 10FFFF included).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned first = byte(0);
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = first == 0xed && byte(1) >= 0xa0;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool overlong = first == 0xf0 && byte(1) < 0x90;
    const bool beyond = first == 0xf4 && byte(1) >= 0x90;
    return tail(1) && tail(2) && tail(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

/// What yaml-cpp would take without a word.
void check_characters(std::string_view text, const std::string& source) {
  int line = 1;
  bool in_comment = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) refuse(source, line, "a byte that is not UTF-8", "save the file as UTF-8");
    const char c = text[i];
    const bool line_start = i == 0 || text[i - 1] == '\n';
    if (c == '#' && (line_start || text[i - 1] == ' ' || text[i - 1] == '\t')) in_comment = true;
    if (c == '\t' && !in_comment) refuse(source, line, "a tab", "indent with spaces");
    if (c == '%' && line_start) refuse(source, line, "a YAML directive", "remove the line");
    const bool control = (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
    if (control) refuse(source, line, "a control character");
    if (c == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) {
      refuse(source, line, "a carriage return in the middle of a line");
    }
    if (c == '\n') {
      ++line;
      in_comment = false;
    }
    i += length;
  }
}

class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

  YamlNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      refuse(source_, mark.line + 1, "a second document", "one file holds one document; remove '---' or '...' and what follows");
    }
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    refuse(source_, mark.line + 1, "an anchor, &" + name,
           "anchors, aliases and merge keys are not used here; write the values out");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(source_, mark.line + 1, "an alias", "anchors, aliases and merge keys are not used here; write the values out");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    // An absent value is reported by yaml-cpp where the next token stands; the key's line is the place to name.
    const int line = pending_key_ ? pending_key_line_ : mark.line + 1;
    if (expects_key()) refuse(source_, line, "a key that is empty or null", "quote it if it is meant as a word");
    YamlNode node;
    node.line = line;
    add(std::move(node));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    const int line = mark.line + 1;
    check_tag(line, tag);
    if (tag == "!") check_quote(mark);
    if (expects_key()) {
      add_key(value, line);
      return;
    }
    YamlNode node;
    node.kind = YamlNode::Kind::scalar;
    node.text = value;
    node.quoted = tag == "!";
    node.line = line;
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::sequence, mark.line + 1, tag);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark.line + 1, tag);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    std::optional<YamlEntry> entry;  // of the parent map: the key that this node is the value of
  };

  bool expects_key() const { return !open_.empty() && open_.back().node.kind == YamlNode::Kind::map && !pending_key_; }

  void check_tag(int line, const std::string& tag) const {
    if (tag != "?" && tag != "!" && !tag.empty())
      refuse(source_, line, "a tag, " + tag, "tags are not used here; write the value alone");
  }

  /// yaml-cpp takes a quote that runs to the end of the text for closed.
  void check_quote(const YAML::Mark& mark) const {
    std::size_t at = static_cast<std::size_t>(mark.pos);                        // in bytes
    if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return;  // a block scalar
    const char quote = text_[at];
    for (++at; at < text_.size(); ++at) {
      if (text_[at] == '\\' && quote == '"') {
        ++at;
      } else if (text_[at] == quote) {
        if (quote == '"' || at + 1 == text_.size() || text_[at + 1] != quote) return;
        ++at;  // '' within single quotes
      }
    }
    refuse(source_, mark.line + 1, "a quote that is not closed");
  }

  void add_key(const std::string& key, int line) {
    if (key == "<<") refuse(source_, line, "a merge key, <<", "write the values out");
    if (key.empty()) refuse(source_, line, "an empty key");
    const auto& entries = open_.back().node.entries;
    const auto earlier = std::find_if(entries.begin(), entries.end(), [&](const YamlEntry& e) { return e.key == key; });
    if (earlier != entries.end()) {
      refuse(source_, line, key + ": duplicate key", "it stands in line " + std::to_string(earlier->line) + " already; keep one");
    }
    pending_key_ = key;
    pending_key_line_ = line;
  }

  void open(YamlNode::Kind kind, int line, const std::string& tag) {
    check_tag(line, tag);
    if (expects_key()) refuse(source_, line, "a key that is not a single word", "is a bracket or brace before it left open?");
    if (open_.size() > 16) refuse(source_, line, "nested too deeply");
    Open next;
    next.node.kind = kind;
    next.node.line = line;
    next.entry = take_key();
    open_.push_back(std::move(next));
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    if (done.entry) {
      pending_key_ = done.entry->key;
      pending_key_line_ = done.entry->line;
    }
    add(std::move(done.node));
  }

  std::optional<YamlEntry> take_key() {
    if (!pending_key_) return std::nullopt;
    YamlEntry entry{*pending_key_, pending_key_line_, {}};
    pending_key_.reset();
    return entry;
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    YamlNode& parent = open_.back().node;
    if (parent.kind == YamlNode::Kind::sequence) {
      parent.items.push_back(std::move(node));
      return;
    }
    YamlEntry entry = *take_key();
    entry.value = std::move(node);
    parent.entries.push_back(std::move(entry));
  }

  std::string_view text_;
  std::string source_;
  int documents_ = 0;
  YamlNode root_;
  std::vector<Open> open_;
  std::optional<std::string> pending_key_;
  int pending_key_line_ = 0;
};

void run_parser(std::string_view text, YAML::EventHandler& handler) {
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  while (parser.HandleNextDocument(handler)) {
  }
}

}  // namespace

std::string place(const std::string& source, int line) { return source + ":" + std::to_string(line); }

YamlNode parse_yaml(std::string_view text, const std::string& source) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  check_characters(text, source);
  TreeBuilder builder(text, source);
  try {
    run_parser(text, builder);
  } catch (const YAML::Exception& error) {
    refuse(source, std::max(error.mark.line, 0) + 1, "not YAML: " + error.msg);
  }
  return builder.take();
}

}  // namespace deepcfr
