#include <toml++/toml.h>

#include <algorithm>
#include <bitset>
#include <charconv>
#include <cmath>
#include <sstream>

#include "deepcfr/core/error.h"
#include "deepcfr/protocol/phh.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

constexpr std::uint8_t kPhhRaiseCap = 4;
constexpr std::int64_t kMostChips = 1'000'000'000;

/// Fields of one hand, with the lines they stand on.
class Fields {
 public:
  Fields(const toml::table& table, int first_line) : table_(table), first_line_(first_line) {}

  [[noreturn]] void fail(int line, const std::string& what, const std::string& hint = {}) const {
    throw Error(ErrorKind::usage, what, "line " + std::to_string(line), hint);
  }
  int line_of(const toml::node& node) const { return first_line_ + static_cast<int>(node.source().begin.line) - 1; }
  int first_line() const { return first_line_; }
  const toml::node* find(const char* key) const { return table_.get(key); }

  const toml::node& need(const char* key) const {
    const toml::node* node = find(key);
    if (node == nullptr) fail(first_line_, std::string("'") + key + "' is missing");
    return *node;
  }

  std::string text(const char* key) const {
    const std::optional<std::string> value = need(key).value<std::string>();
    if (!value) fail(line_of(need(key)), std::string(key) + " is no string");
    return *value;
  }

  std::int32_t chips(const toml::node& node, const char* key) const {
    const std::optional<double> value = node.value<double>();
    if (!value) fail(line_of(node), std::string(key) + " holds something that is no number");
    if (*value != std::floor(*value) || *value < 0 || *value > static_cast<double>(kMostChips)) {
      fail(line_of(node), std::string(key) + ": " + show(*value) + " is no whole number of chips in 0.." + std::to_string(kMostChips),
           "count in the smallest coin: 0.5 with blinds of 0.5 and 1 is 50 cents of 50 and 100");
    }
    return static_cast<std::int32_t>(*value);
  }
  std::int32_t chips(const char* key) const { return chips(need(key), key); }

  const toml::array& array(const char* key) const {
    const toml::array* values = need(key).as_array();
    if (values == nullptr) fail(line_of(need(key)), std::string(key) + " is no array");
    return *values;
  }

  static std::string show(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
  }

 private:
  const toml::table& table_;
  int first_line_;
};

GameDefinition read_definition(const Fields& fields) {
  GameDefinition d;
  const std::string variant = fields.text("variant");
  if (variant != "FT" && variant != "NT") {
    fields.fail(fields.line_of(fields.need("variant")), "variant '" + variant + "' is not read here",
                "FT and NT, limit and no-limit hold'em, are");
  }
  d.name = variant == "FT" ? "limit hold'em" : "no-limit hold'em";
  d.limit = variant == "FT";
  const toml::array& stacks = fields.array("starting_stacks");
  if (stacks.size() < 2 || stacks.size() > kMaxPlayers) {
    fields.fail(fields.line_of(stacks), std::to_string(stacks.size()) + " players are not in 2.." + std::to_string(kMaxPlayers));
  }
  d.players = static_cast<int>(stacks.size());
  for (std::size_t p = 0; p < stacks.size(); ++p) d.stack[p] = fields.chips(stacks[p], "starting_stacks");
  for (const toml::node& ante : fields.array("antes")) {
    if (fields.chips(ante, "antes") != 0) fields.fail(fields.line_of(ante), "antes beside blinds are not known here");
  }
  const toml::array& blinds = fields.array("blinds_or_straddles");
  for (std::size_t p = 0; p < blinds.size(); ++p) {
    const std::int32_t blind = fields.chips(blinds[p], "blinds_or_straddles");
    if (p >= stacks.size()) fields.fail(fields.line_of(blinds), "more blinds than players");
    if (p > 1 && blind != 0) fields.fail(fields.line_of(blinds[p]), "straddles are not known here");
    d.blind[p] = blind;
  }
  if (d.players == 2) std::swap(d.blind[0], d.blind[1]);
  d.rounds = 4;
  d.first_player[0] = d.players == 2 ? 1 : 2;
  d.max_raises.fill(d.limit ? kPhhRaiseCap : 255);
  d.board_cards = {0, 3, 1, 1};
  if (d.limit) {
    const std::int32_t small = fields.chips("small_bet"), big = fields.chips("big_bet");
    d.raise_size = {small, small, big, big};
  } else if (fields.chips("min_bet") != d.big_blind()) {
    fields.fail(fields.line_of(fields.need("min_bet")), "min_bet is not the big blind of " + std::to_string(d.big_blind()));
  }
  if (d.big_blind() < 1) fields.fail(fields.line_of(blinds), "there is no blind");
  return d;
}

/// The words of an action before its comment.
std::vector<std::string> words_of(const std::string& action) {
  std::istringstream text(action.substr(0, action.find('#')));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

class HandReader {
 public:
  HandReader(const Fields& fields, const std::shared_ptr<const Game>& game) : fields_(fields), game_(*game) {
    hand_.game = game;
    state_ = game_.initial_state(Deal{});
  }

  HandRecord read() {
    const toml::array& actions = fields_.array("actions");
    for (const toml::node& node : actions) {
      line_ = fields_.line_of(node);
      const std::optional<std::string> action = node.value<std::string>();
      if (!action) fail("an action is no string");
      action_ = *action;
      take(words_of(action_));
    }
    line_ = fields_.line_of(actions);
    action_.clear();
    if (!state_.finished) fail("the hand is not over: p" + std::to_string(state_.actor + 1) + " has to act");
    return hand_;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { fields_.fail(line_, (action_.empty() ? "" : "'" + action_ + "': ") + what); }

  void take(const std::vector<std::string>& words) {
    if (words.empty()) return;
    if (words[0] == "d") {
      deal(words);
      return;
    }
    const int player = read_player(words[0]);
    const std::string kind = words.size() > 1 ? words[1] : "";
    if (kind == "sm" && words.size() <= 3) {
      show(player, words.size() == 3 ? words[2] : "");
    } else if (kind == "f" && words.size() == 2) {
      act(player, {Kind::fold, 0});
    } else if (kind == "cc" && words.size() == 2) {
      act(player, {Kind::call, 0});
    } else if (kind == "cbr" && words.size() == 3) {
      act(player, {Kind::raise, read_amount(words[2])});
    } else {
      fail("this is no action of hold'em");
    }
  }

  int read_player(const std::string& word) const {
    int number = 0;
    const auto [end, status] = std::from_chars(word.data() + 1, word.data() + word.size(), number);
    if (word[0] != 'p' || status != std::errc{} || end != word.data() + word.size() || number < 1 || number > game_.players()) {
      fail("'" + word + "' is none of p1..p" + std::to_string(game_.players()));
    }
    return number - 1;
  }

  std::int32_t read_amount(const std::string& word) const {
    double value = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc{} || end != word.data() + word.size() || value != std::floor(value) || value < 1 ||
        value > static_cast<double>(kMostChips)) {
      fail("'" + word + "' is no whole number of chips");
    }
    return static_cast<std::int32_t>(value) + street_start_;
  }

  std::vector<Card> read_cards(const std::string& text, int count) {
    if (text.size() != static_cast<std::size_t>(2 * count)) fail(std::to_string(count) + " cards are wanted");
    std::vector<Card> cards;
    for (std::size_t i = 0; i < text.size(); i += 2) {
      const std::string_view word = std::string_view(text).substr(i, 2);
      const std::optional<Card> card = parse_card(word);
      if (!card && word != "??") fail("'" + std::string(word) + "' is no card");
      cards.push_back(card.value_or(kNoCard));
    }
    return cards;
  }

  void mark_seen(Card card) {
    if (card == kNoCard) return;
    if (seen_[card]) fail(card_name(card) + " is dealt a second time");
    seen_[card] = true;
  }

  void set_hole(int player, const std::vector<Card>& cards) {
    auto& hole = hand_.deal.hole[static_cast<std::size_t>(player)];
    for (std::size_t c = 0; c < cards.size(); ++c) {
      if (cards[c] == kNoCard || cards[c] == hole[c]) continue;
      if (hole[c] != kNoCard) fail("these are not the cards that were dealt");
      mark_seen(cards[c]);
      hole[c] = cards[c];
    }
  }

  void deal(const std::vector<std::string>& words) {
    const GameDefinition& d = game_.definition();
    if (words.size() == 4 && words[1] == "dh") {
      set_hole(read_player(words[2]), read_cards(words[3], d.hole_cards));
      return;
    }
    if (words.size() != 3 || words[1] != "db") fail("d dh pN CARDS or d db CARDS are wanted");
    if (dealt_ + 1 >= game_.rounds() || dealt_ + 1 > state_.round) fail("no board cards are due here");
    ++dealt_;
    auto next = static_cast<std::size_t>(d.board_count(dealt_ - 1));
    for (const Card card : read_cards(words[2], d.board_cards[static_cast<std::size_t>(dealt_)])) {
      mark_seen(card);
      hand_.deal.board[next++] = card;
    }
  }

  void show(int player, const std::string& cards) {
    if (!state_.finished || state_.has_folded(player)) fail("there is no showdown for this player");
    if (cards.empty()) {
      hand_.mucked = static_cast<std::uint16_t>(hand_.mucked | (1u << player));
    } else if (cards != "-") {
      set_hole(player, read_cards(cards, game_.definition().hole_cards));
    }
  }

  void act(int player, TableAction action) {
    if (state_.finished) fail("the hand is over");
    if (player != state_.actor) fail("it is the turn of p" + std::to_string(state_.actor + 1));
    if (dealt_ != state_.round) fail("the board of this street has not been dealt");
    const int round = state_.round;
    try {
      apply_table_action(game_, state_, action);
    } catch (const Error& error) {
      fail((error.where().empty() ? "" : error.where() + " (over the whole hand): ") + error.message());
    }
    hand_.betting.push_back(action);
    if (state_.round != round) street_start_ = state_.max_spent;
  }

  const Fields& fields_;
  const Game& game_;
  HandRecord hand_;
  State state_;
  std::bitset<52> seen_;
  std::string action_;
  int line_ = 0;
  int dealt_ = 0;  // the last round whose board has been dealt
  std::int32_t street_start_ = 0;
};

/// Net chips that a field of the file states, if it is there.
std::optional<std::vector<double>> stated_values(const Fields& fields, const GameDefinition& d) {
  if (fields.find("finishing_stacks") == nullptr) return std::nullopt;
  const toml::array& finishing = fields.array("finishing_stacks");
  if (finishing.size() != static_cast<std::size_t>(d.players))
    fields.fail(fields.line_of(finishing), "finishing_stacks has not one value for each player");
  std::vector<double> values;
  for (std::size_t p = 0; p < finishing.size(); ++p) {
    const std::optional<double> value = finishing[p].value<double>();
    if (!value) fields.fail(fields.line_of(finishing[p]), "finishing_stacks holds something that is no number");
    values.push_back(*value - d.stack[p]);
  }
  return values;
}

void set_values(HandRecord& hand, const Fields& fields) {
  const std::optional<std::vector<double>> stated = stated_values(fields, hand.game->definition());
  try {
    hand.values = hand_values(hand);
  } catch (const Error& error) {
    if (!stated) fields.fail(fields.first_line(), error.message(), "finishing_stacks would say it");
    hand.values = *stated;
    return;
  }
  if (!stated) return;
  for (std::size_t p = 0; p < hand.values.size(); ++p) {
    if (std::abs((*stated)[p] - hand.values[p]) < 1e-5) continue;
    fields.fail(fields.line_of(fields.need("finishing_stacks")), "p" + std::to_string(p + 1) + " ends with " + print_chips((*stated)[p]) +
                                                                     " net here, by the rules with " + print_chips(hand.values[p]));
  }
}

RuleSet rules_of(const Fields& fields, const PhhOptions& options) {
  if (options.rules) return *options.rules;
  if (fields.find("_rules") == nullptr) return RuleSet::cardroom;
  const std::string rules = fields.text("_rules");
  if (rules != "acpc" && rules != "cardroom")
    fields.fail(fields.line_of(fields.need("_rules")), "'" + rules + "' is neither acpc nor cardroom");
  return rules == "acpc" ? RuleSet::acpc : RuleSet::cardroom;
}

bool is_blank_or_comment(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos || text[first] == '#';
}

/// The table of the hand: the whole text, or the one under its header.
const toml::table& hand_table(const toml::table& root) {
  if (root.size() == 1 && root.begin()->second.is_table()) return *root.begin()->second.as_table();
  return root;
}

}  // namespace

std::shared_ptr<const Game> table_game(GameDefinition definition, RuleSet rules) {
  BetAbstraction none;
  none.max_raises = 1;
  return std::make_shared<const Game>(std::move(definition), rules, std::move(none));
}

HandRecord parse_phh(std::string_view text, int line, const PhhOptions& options) {
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::usage, "this is not TOML: " + std::string(error.description()),
                "line " + std::to_string(line + static_cast<int>(error.source().begin.line) - 1));
  }
  const Fields fields(hand_table(root), line);
  HandRecord hand = HandReader(fields, table_game(read_definition(fields), rules_of(fields, options))).read();
  hand.line = line;
  if (const toml::node* number = fields.find("hand")) {
    if (const auto label = number->value<std::int64_t>())
      hand.label = std::to_string(*label);
    else if (const auto name = number->value<std::string>())
      hand.label = *name;
  }
  if (fields.find("players") != nullptr) {
    const toml::array& names = fields.array("players");
    for (const toml::node& name : names) hand.names.push_back(name.value<std::string>().value_or(""));
    if (hand.names.size() != static_cast<std::size_t>(hand.game->players()))
      fields.fail(fields.line_of(names), "players has not one name for each player");
  }
  set_values(hand, fields);
  return hand;
}

std::vector<PhhPiece> split_phhs(std::string_view text) {
  std::vector<PhhPiece> pieces;
  int line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++line;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view row = text.substr(begin, end - begin);
    const std::size_t indent = std::min(row.find_first_not_of(" \t"), row.size());
    row.remove_prefix(indent);
    const std::size_t close = row.find(']');
    if (row.starts_with('[') && close != std::string_view::npos && close > 1 &&
        row.substr(1, close - 1).find_first_of(",[") == std::string_view::npos && is_blank_or_comment(row.substr(close + 1))) {
      pieces.push_back({std::string(row.substr(1, close - 1)), text.substr(begin), line});
    }
    begin = end + 1;
  }
  if (pieces.empty()) return {{"1", text, 1}};
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    pieces[i].text = pieces[i].text.substr(0, static_cast<std::size_t>(pieces[i + 1].text.data() - pieces[i].text.data()));
  }
  return pieces;
}

}  // namespace deepcfr
