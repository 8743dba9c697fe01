#include "deepcfr/game/definition.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "deepcfr/core/error.h"

namespace deepcfr {

int GameDefinition::board_count(int round) const noexcept {
  int count = 0;
  for (int r = 0; r <= round && r < rounds; ++r) count += board_cards[static_cast<std::size_t>(r)];
  return count;
}

std::int32_t GameDefinition::big_blind() const noexcept { return *std::max_element(blind.begin(), blind.end()); }

namespace {

enum class Count { one, players, rounds };

struct Key {
  const char* name;
  Count count;
  std::int64_t low;
  std::int64_t high;
};

enum KeyIndex : std::size_t {
  kNumPlayers,
  kNumRounds,
  kStack,
  kBlind,
  kRaiseSize,
  kFirstPlayer,
  kMaxRaises,
  kNumSuits,
  kNumRanks,
  kNumHoleCards,
  kNumBoardCards,
  kKeyCount
};

constexpr std::array<Key, kKeyCount> kKeys{{
    {"numPlayers", Count::one, 2, kMaxPlayers},
    {"numRounds", Count::one, 1, kMaxRounds},
    {"stack", Count::players, 1, kUnlimitedStack},
    {"blind", Count::players, 0, kUnlimitedStack},
    {"raiseSize", Count::rounds, 1, kUnlimitedStack},
    {"firstPlayer", Count::rounds, 1, kMaxPlayers},
    {"maxRaises", Count::rounds, 0, 255},
    {"numSuits", Count::one, 1, 4},
    {"numRanks", Count::one, 1, 13},
    {"numHoleCards", Count::one, 1, kMaxHoleCards},
    {"numBoardCards", Count::rounds, 0, kMaxBoardCards},
}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !is_space(text[end])) ++end;
    words.push_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

std::string squeezed(std::string_view line) {
  std::string out;
  for (const std::string_view word : words_of(line)) out += (out.empty() ? "" : " ") + lower(word);
  return out;
}

/// Printable and short, for messages.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 40)) out += (c >= ' ' && c < 127) ? c : '?';
  return out + (text.size() > 40 ? "…'" : "'");
}

/// "games/leduc.game" → "leduc".
std::string stem_of(const std::string& source) {
  std::string name = std::filesystem::path(source).filename().string();
  if (name.ends_with(".game")) name.resize(name.size() - 5);
  return name;
}

class DefinitionParser {
 public:
  explicit DefinitionParser(const std::string& source) : source_(source) {}

  GameDefinition parse(std::string_view text) {
    read_lines(text);
    GameDefinition d;
    d.name = stem_of(source_);
    if (!betting_line_) fail(end_line_, "neither 'limit' nor 'nolimit' is given", "add a line 'limit' or 'nolimit'");
    d.limit = limit_;
    d.players = number(kNumPlayers);
    d.rounds = number(kNumRounds);
    d.suits = number(kNumSuits);
    d.ranks = number(kNumRanks);
    d.hole_cards = number(kNumHoleCards);
    read_chips(d);
    read_rounds(d);
    check_cards(d);
    return d;
  }

 private:
  struct Entry {
    int line = 0;
    std::vector<std::int64_t> values;
  };

  [[noreturn]] void fail(int line, std::string what, std::string hint = {}) const {
    throw Error(ErrorKind::usage, std::move(what), source_ + ":" + std::to_string(line), std::move(hint));
  }

  void read_lines(std::string_view text) {
    enum { before, inside, after } place = before;
    int line = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view raw = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      ++line;
      const std::string_view content = trim(raw);
      if (content.empty() || raw.front() == '#') continue;
      const std::string word = squeezed(content);
      if (place == before) {
        if (word != "gamedef") fail(line, quoted(content) + " stands before GAMEDEF", "a definition begins with GAMEDEF");
        place = inside;
      } else if (place == inside) {
        if (word == "end gamedef") {
          place = after;
          end_line_ = line;
        } else {
          read_line(content, word, line);
        }
      } else {
        fail(line, quoted(content) + " stands after END GAMEDEF", "one file holds one definition");
      }
    }
    if (place == before) fail(std::max(line, 1), "GAMEDEF is missing", "a definition lies between GAMEDEF and END GAMEDEF");
    if (place == inside) fail(line, "END GAMEDEF is missing", "close the definition with END GAMEDEF");
  }

  void read_line(std::string_view content, const std::string& word, int line) {
    if (word == "limit" || word == "nolimit") {
      if (betting_line_) fail(line, word + ": the betting is already given in line " + std::to_string(*betting_line_));
      betting_line_ = line;
      limit_ = word == "limit";
      return;
    }
    const std::size_t equals = content.find('=');
    const std::string_view name = trim(content.substr(0, equals));
    const std::size_t key = find_key(name, line);
    if (equals == std::string_view::npos) fail(line, std::string(kKeys[key].name) + ": '=' is missing", "write key = value");
    Entry& entry = entries_[key];
    if (entry.line != 0) {
      fail(line, std::string(kKeys[key].name) + ": given a second time, first in line " + std::to_string(entry.line),
           "remove one of the two");
    }
    entry.line = line;
    for (const std::string_view value : words_of(content.substr(equals + 1))) {
      entry.values.push_back(read_value(kKeys[key], value, line));
    }
  }

  std::size_t find_key(std::string_view name, int line) const {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < kKeyCount; ++k) {
      if (lower(name) == lower(kKeys[k].name)) return k;
      known.emplace_back(kKeys[k].name);
    }
    known.insert(known.end(), {"limit", "nolimit", "END GAMEDEF"});
    const std::string near = nearest_word(std::string(name), known.data(), known.data() + known.size());
    fail(line, "unknown key " + quoted(name), near.empty() ? "" : "did you mean " + near + "?");
  }

  std::int64_t read_value(const Key& key, std::string_view word, int line) const {
    const auto range = " is not in " + std::to_string(key.low) + ".." + std::to_string(key.high);
    if (word.find_first_not_of("0123456789") != std::string_view::npos) {
      const bool negative = word.size() > 1 && word[0] == '-' && word.find_first_not_of("0123456789", 1) == word.npos;
      fail(line, std::string(key.name) + ": " + quoted(word) + (negative ? range : " is not a whole number"));
    }
    if (word.size() > 1 && word[0] == '0') {
      fail(line, std::string(key.name) + ": " + quoted(word) + " looks octal", "write it without leading zeros");
    }
    std::int64_t value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc{} || value < key.low || value > key.high)
      fail(line, std::string(key.name) + ": " + std::string(word) + range);
    return value;
  }

  const Entry& required(std::size_t key) const {
    const Entry& entry = entries_[key];
    if (entry.line == 0) {
      fail(end_line_, std::string(kKeys[key].name) + " is missing", "add a line '" + std::string(kKeys[key].name) + " = …'");
    }
    return entry;
  }

  int number(std::size_t key) const {
    const Entry& entry = required(key);
    expect_count(key, 1);
    return static_cast<int>(entry.values[0]);
  }

  void expect_count(std::size_t key, int count) const {
    const Entry& entry = entries_[key];
    if (entry.line == 0 || static_cast<int>(entry.values.size()) == count) return;
    std::string why;
    if (kKeys[key].count == Count::players) why = ", one for each player (numPlayers = " + std::to_string(count) + ")";
    if (kKeys[key].count == Count::rounds) why = ", one for each round (numRounds = " + std::to_string(count) + ")";
    fail(entry.line, std::string(kKeys[key].name) + ": " + std::to_string(entry.values.size()) + " values where " +
                         std::to_string(count) + (count == 1 ? " is" : " are") + " wanted" + why);
  }

  template <typename Array>
  void copy(std::size_t key, int count, Array& out, std::int64_t minus = 0) const {
    expect_count(key, count);
    const Entry& entry = entries_[key];
    for (std::size_t i = 0; i < entry.values.size(); ++i) {
      out[i] = static_cast<typename Array::value_type>(entry.values[i] - minus);
    }
  }

  void read_chips(GameDefinition& d) const {
    if (d.limit) {
      std::fill_n(d.stack.begin(), d.players, kUnlimitedStack);
      required(kRaiseSize);
    } else {
      required(kStack);
      if (entries_[kRaiseSize].line != 0) {
        fail(entries_[kRaiseSize].line, "raiseSize: a no-limit game has none",
             "remove the line, or write limit instead of nolimit");
      }
    }
    required(kBlind);
    copy(kStack, d.players, d.stack);
    copy(kBlind, d.players, d.blind);
    copy(kRaiseSize, d.rounds, d.raise_size);
    if (d.big_blind() == 0) {
      fail(entries_[kBlind].line, "blind: nobody posts anything",
           "give at least one player a blind above 0; antes are equal blinds");
    }
  }

  void read_rounds(GameDefinition& d) const {
    std::fill_n(d.max_raises.begin(), d.rounds, std::uint8_t{255});
    copy(kFirstPlayer, d.rounds, d.first_player, 1);
    copy(kMaxRaises, d.rounds, d.max_raises);
    required(kNumBoardCards);
    copy(kNumBoardCards, d.rounds, d.board_cards);
    for (int r = 0; r < d.rounds; ++r) {
      if (d.first_player[static_cast<std::size_t>(r)] < d.players) continue;
      fail(entries_[kFirstPlayer].line, "firstPlayer: " + std::to_string(d.first_player[static_cast<std::size_t>(r)] + 1) +
                                            " is not in 1.." + std::to_string(d.players));
    }
  }

  void check_cards(const GameDefinition& d) const {
    const int board = d.board_count(d.rounds - 1);
    const int line = entries_[kNumBoardCards].line;
    if (board > kMaxBoardCards) {
      fail(line, "numBoardCards: " + std::to_string(board) + " cards on the board, at most " + std::to_string(kMaxBoardCards) +
                     " are possible");
    }
    if (d.hole_cards + board > 7) {
      fail(line, "numBoardCards: " + std::to_string(d.hole_cards) + " hole cards and " + std::to_string(board) +
                     " on the board are more than the 7 that a hand is ranked from");
    }
    const int dealt = d.players * d.hole_cards + board;
    if (dealt > d.deck_size()) {
      fail(entries_[kNumRanks].line, "numRanks: a deck of " + std::to_string(d.suits) + " × " + std::to_string(d.ranks) + " = " +
                                         std::to_string(d.deck_size()) + " cards is too small for the " + std::to_string(dealt) +
                                         " cards dealt");
    }
  }

  std::string source_;
  std::array<Entry, kKeyCount> entries_{};
  std::optional<int> betting_line_;
  bool limit_ = true;
  int end_line_ = 1;
};

template <typename Array>
void print_line(std::ostringstream& out, const char* key, const Array& values, int count, int plus = 0) {
  out << key << " =";
  for (int i = 0; i < count; ++i) out << ' ' << static_cast<int>(values[static_cast<std::size_t>(i)]) + plus;
  out << '\n';
}

}  // namespace

GameDefinition parse_game_definition(std::string_view text, const std::string& source) {
  return DefinitionParser(source).parse(text);
}

GameDefinition read_game_definition(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad() || std::filesystem::is_directory(path)) {
    throw Error(ErrorKind::input, "cannot be read as a game definition", path, "is the path right?");
  }
  return parse_game_definition(text.str(), path);
}

std::string print_game_definition(const GameDefinition& d) {
  std::ostringstream out;
  out << "GAMEDEF\n" << (d.limit ? "limit" : "nolimit") << '\n';
  out << "numPlayers = " << d.players << "\nnumRounds = " << d.rounds << '\n';
  const auto unlimited = std::count(d.stack.begin(), d.stack.begin() + d.players, kUnlimitedStack);
  if (!d.limit || unlimited != d.players) print_line(out, "stack", d.stack, d.players);
  print_line(out, "blind", d.blind, d.players);
  if (d.limit) print_line(out, "raiseSize", d.raise_size, d.rounds);
  print_line(out, "firstPlayer", d.first_player, d.rounds, 1);
  print_line(out, "maxRaises", d.max_raises, d.rounds);
  out << "numSuits = " << d.suits << "\nnumRanks = " << d.ranks << "\nnumHoleCards = " << d.hole_cards << '\n';
  print_line(out, "numBoardCards", d.board_cards, d.rounds);
  out << "END GAMEDEF\n";
  return out.str();
}

}  // namespace deepcfr
