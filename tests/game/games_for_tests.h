// Games and hands that several tests of the game room use.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/game/acpc_string.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int kSlowdown = 20;  // sanitizers: fewer hands, same checks
#else
inline constexpr int kSlowdown = 1;
#endif

/// Hold'em without limit, one stack and blind for each player. Heads-up the second player opens, else the one after the
/// blinds (`first`, 1-based).
inline GameDefinition no_limit(std::string_view stacks, std::string_view blinds, int first, const std::string& name = "test") {
  int players = 1;
  for (const char c : stacks) players += c == ' ' ? 1 : 0;
  const std::string opener = std::to_string(first);
  const std::string text = "GAMEDEF\nnolimit\nnumPlayers = " + std::to_string(players) +
                           "\nnumRounds = 4\nstack = " + std::string(stacks) + "\nblind = " + std::string(blinds) +
                           "\nfirstPlayer = " + opener +
                           " 1 1 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n";
  return parse_game_definition(text, name);
}

inline Game no_limit_game(std::string_view stacks, std::string_view blinds, int first, RuleSet rules = RuleSet::acpc) {
  GameDefinition definition = no_limit(stacks, blinds, first);
  BetAbstraction abstraction = default_abstraction(definition);
  return Game(std::move(definition), rules, std::move(abstraction));
}

inline BetAbstraction sizes(std::initializer_list<double> fractions, bool all_in = true, int max_raises = 4) {
  BetAbstraction abstraction;
  abstraction.pot_fractions.fill(fractions);
  abstraction.all_in = all_in;
  abstraction.max_raises = max_raises;
  return abstraction;
}

/// Plays "r300c/cr600f" from the start, without separators being checked: f, c, r, rN.
inline State play(const Game& game, std::string_view betting, const Deal& deal = {}) {
  State state = game.initial_state(deal);
  for (std::size_t i = 0; i < betting.size();) {
    const char c = betting[i++];
    if (c == '/' || c == ' ') continue;
    if (c == 'f') game.apply(state, kFold);
    if (c == 'c') game.apply(state, kCall);
    if (c != 'r') continue;
    std::int32_t total = 0;
    while (i < betting.size() && betting[i] >= '0' && betting[i] <= '9') total = total * 10 + (betting[i++] - '0');
    game.apply_raise_to(state, total == 0 ? game.raise_range(state)->min : total);
  }
  return state;
}

/// "AsAd|KsKd/2c3c4h/9s/9h".
inline Deal deal_of(const Game& game, std::string_view text) {
  Deal deal;
  std::size_t player = 0;
  std::size_t card = 0;
  bool board = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '|' || text[i] == '/') {
      if (text[i] == '|') ++player;
      if (text[i] == '/' && !board) {
        board = true;
        card = 0;
      }
      if (!board) card = 0;
      ++i;
      continue;
    }
    const Card c = parse_card(text.substr(i, 2)).value();
    (board ? deal.board[card] : deal.hole[player][card]) = c;
    ++card;
    i += 2;
  }
  static_cast<void>(game);
  return deal;
}

inline std::vector<double> values_of(const Game& game, const State& state) {
  std::vector<double> values(static_cast<std::size_t>(game.players()));
  game.values(state, values);
  return values;
}

inline Action random_action(ActionMask legal, SequentialRandom& random) {
  unsigned set = legal;
  for (auto skip = random.below(static_cast<std::uint64_t>(std::popcount(set))); skip > 0; --skip) set &= set - 1;
  return static_cast<Action>(std::countr_zero(set));
}

/// All decision states of one random hand, and the finished state last.
inline std::vector<State> random_hand(const Game& game, std::uint64_t seed) {
  SequentialRandom random(CounterRandom(StreamPurpose::test, {seed}));
  std::vector<State> states{game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::deal, {seed})))};
  while (!states.back().finished) {
    State next = states.back();
    game.apply(next, random_action(game.legal_actions(next), random));
    states.push_back(next);
  }
  return states;
}

struct NamedGame {
  std::string name;
  Game game;
};

/// The catalogue under both rule sets, and games that are odd in some way.
inline std::vector<NamedGame> all_games() {
  std::vector<NamedGame> games;
  const auto add = [&games](const std::string& name, const GameDefinition& definition, const BetAbstraction& abstraction) {
    games.push_back({name + "_acpc", Game(definition, RuleSet::acpc, abstraction)});
    games.push_back({name + "_cardroom", Game(definition, RuleSet::cardroom, abstraction)});
  };
  for (const CatalogueEntry& entry : game_catalogue()) {
    const GameDefinition definition = find_game_definition(std::string(entry.name));
    add(definition.name, definition, default_abstraction(definition));
  }
  const std::string limit10 =
      "GAMEDEF\nlimit\nnumPlayers = 10\nnumRounds = 4\nblind = 5 10 0 0 0 0 0 0 0 0\nraiseSize = 10 10 20 20\n"
      "firstPlayer = 3 1 1 1\nmaxRaises = 2 2 2 2\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND "
      "GAMEDEF\n";
  add("limit10", parse_game_definition(limit10, "limit10"), {});
  const std::string short_limit =
      "GAMEDEF\nlimit\nnumPlayers = 4\nnumRounds = 2\nstack = 37 8 21 55\nblind = 5 10 0 0\nraiseSize = 10 20\nfirstPlayer = 3 "
      "1\n"
      "maxRaises = 3 3\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3\nEND GAMEDEF\n";
  add("limit4_short", parse_game_definition(short_limit, "limit4_short"), {});
  const std::string odd_cards =
      "GAMEDEF\nnolimit\nnumPlayers = 3\nnumRounds = 3\nstack = 40 40 40\nblind = 1 1 1\nfirstPlayer = 2 3 1\n"
      "maxRaises = 2 1 3\nnumSuits = 3\nnumRanks = 6\nnumHoleCards = 3\nnumBoardCards = 1 2 1\nEND GAMEDEF\n";
  add("odd_cards", parse_game_definition(odd_cards, "odd_cards"), sizes({0.33, 1}));
  add("unequal3", no_limit("500 1000 2000", "50 100 0", 3), sizes({0.5, 1}));
  add("short_big_blind", no_limit("500 30 2000", "50 100 0", 3), sizes({0.5, 1}));
  add("short_blinds", no_limit("20 30 25 500", "50 100 0 0", 3), sizes({0.5, 1}));
  add("short_heads_up", no_limit("30 1000", "100 50", 2), sizes({0.5, 1}));
  add("blind_all_in", no_limit("1000 50", "100 50", 2), sizes({0.5, 1}));
  add("everybody_all_in", no_limit("50 60", "100 50", 2), sizes({1}));
  add("no_all_in", no_limit("900 20000", "100 50", 2), sizes({0.25, 0.5, 2}, false));
  add("nine_short", no_limit("7 30 31 44 45 46 80 150 1000", "1 2 0 0 0 0 0 0 0", 3), sizes({0.7}, true, 2));
  return games;
}

}  // namespace deepcfr::testing
