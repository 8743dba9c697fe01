#include "deepcfr/game/catalogue.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "deepcfr/core/error.h"

namespace deepcfr {

namespace {

constexpr std::array<CatalogueEntry, 7> kCatalogue{{
    {"kuhn", "Kuhn poker: three cards, ante 1, one bet of 1",
     R"(GAMEDEF
limit
numPlayers = 2
numRounds = 1
blind = 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
)"},
    {"kuhn3", "Kuhn poker for three players: four cards, ante 1, one bet of 1",
     R"(GAMEDEF
limit
numPlayers = 3
numRounds = 1
blind = 1 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
)"},
    {"leduc", "Leduc hold'em: six cards, two rounds, ante 1, raises of 2 and 4, two in a round",
     R"(GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
)"},
    {"fhp", "flop hold'em: limit hold'em heads-up that ends after the flop, blinds 50/100",
     R"(GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 100 50
raiseSize = 100 100
firstPlayer = 2 1
maxRaises = 3 3
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3
END GAMEDEF
)"},
    {"hulh", "limit hold'em heads-up, blinds 5/10",
     R"(GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
)"},
    {"hunl", "no-limit hold'em heads-up, 200 big blinds, blinds 50/100",
     R"(GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
)"},
    {"nlhe6", "no-limit hold'em for six players, 100 big blinds, blinds 50/100",
     R"(GAMEDEF
nolimit
numPlayers = 6
numRounds = 4
stack = 10000 10000 10000 10000 10000 10000
blind = 50 100 0 0 0 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
)"},
}};

}  // namespace

std::span<const CatalogueEntry> game_catalogue() noexcept { return kCatalogue; }

GameDefinition find_game_definition(const std::string& name_or_path) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : kCatalogue) {
    if (entry.name == name_or_path) return parse_game_definition(entry.definition, name_or_path);
    names.emplace_back(entry.name);
  }
  std::error_code ignored;
  const bool looks_like_path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".game");
  if (looks_like_path || std::filesystem::exists(name_or_path, ignored)) return read_game_definition(name_or_path);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  const std::string near = nearest_word(name_or_path, names.data(), names.data() + names.size());
  throw Error(ErrorKind::usage, "'" + name_or_path + "' is neither a built-in game (" + all + ") nor a file", {},
              near.empty() ? "name a .game file by its path" : "did you mean " + near + "?");
}

BetAbstraction default_abstraction(const GameDefinition& definition) {
  BetAbstraction abstraction;
  if (definition.limit) return abstraction;
  const std::vector<double> fractions = definition.name == "hunl" ? std::vector<double>{0.5, 1, 2} : std::vector<double>{0.5, 1};
  std::fill_n(abstraction.pot_fractions.begin(), definition.rounds, fractions);
  return abstraction;
}

Game make_game(const std::string& name_or_path, RuleSet rules, bool canonical_suits) {
  GameDefinition definition = find_game_definition(name_or_path);
  BetAbstraction abstraction = default_abstraction(definition);
  return Game(std::move(definition), rules, std::move(abstraction), canonical_suits);
}

}  // namespace deepcfr
