// ACPC game definitions (the `.game` grammar of the Annual Computer Poker Competition), parsed strictly.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace deepcfr {

inline constexpr int kMaxPlayers = 10;
inline constexpr int kMaxRounds = 4;
inline constexpr int kMaxHoleCards = 3;
inline constexpr int kMaxBoardCards = 6;

/// Chips are integers. Players and positions are 0-based here, firstPlayer is 1-based in the file.
struct GameDefinition {
  std::string name;  ///< catalogue name, or the file's stem
  bool limit = true;
  int players = 2;                                ///< 2..10
  int rounds = 1;                                 ///< 1..4
  std::array<std::int32_t, kMaxPlayers> stack{};  ///< limit games without a stack line: kUnlimitedStack
  std::array<std::int32_t, kMaxPlayers> blind{};
  std::array<std::int32_t, kMaxRounds> raise_size{};    ///< limit only
  std::array<std::uint8_t, kMaxRounds> first_player{};  ///< 0-based
  std::array<std::uint8_t, kMaxRounds> max_raises{};    ///< 255 = no cap
  int suits = 4;                                        ///< 1..4, the top ones of c d h s
  int ranks = 13;                                       ///< 1..13, the top ones of 2..A
  int hole_cards = 2;                                   ///< 1..3
  std::array<std::uint8_t, kMaxRounds> board_cards{};   ///< dealt at the start of each round

  int deck_size() const noexcept { return suits * ranks; }
  /// Board cards visible in `round`.
  int board_count(int round) const noexcept;
  std::int32_t big_blind() const noexcept;  ///< the largest blind
  bool operator==(const GameDefinition&) const = default;
};

inline constexpr std::int32_t kUnlimitedStack = 1'000'000'000;

/// Parses one definition. Refuses, as Error{usage} naming `source`:line, key, value and remedy: unknown and duplicate keys,
/// values out of range, wrong counts of values, a deck too small for the deal, hole + board cards above 7, text outside
/// GAMEDEF … END GAMEDEF.
GameDefinition parse_game_definition(std::string_view text, const std::string& source);
/// Reads a `.game` file; Error{input} if it cannot be read.
GameDefinition read_game_definition(const std::string& path);
/// The canonical text; parse_game_definition(print(d)) == d.
std::string print_game_definition(const GameDefinition& definition);

}  // namespace deepcfr
