// The state of one hand: a value, trivially copyable, under 200 bytes. All rules live in Game (game.h).
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "deepcfr/game/cards.h"
#include "deepcfr/game/definition.h"

namespace deepcfr {

/// An action of the abstraction: 0 fold, 1 check or call, 2 + k the k-th raise size of the game (limit: one), the last one
/// of a no-limit game all-in. The same number is the network's output.
using Action = std::uint8_t;
inline constexpr Action kFold = 0;
inline constexpr Action kCall = 1;
inline constexpr Action kFirstRaise = 2;
inline constexpr int kMaxActions = 15;       ///< fold, call and up to 13 raises
inline constexpr Action kOffTreeRaise = 15;  ///< in a history: a raise to an amount that the abstraction does not offer
using ActionMask = std::uint16_t;            ///< bit a = action a

/// The betting history, 4 bits an action (all rounds in one string; round limits follow from the rules). Recording stops
/// silently at capacity: `overflow` is then set and the history no longer tells infosets apart.
struct History {
  static constexpr int kCapacity = 128;
  std::array<std::uint8_t, kCapacity / 2> packed{};
  std::uint8_t size = 0;
  bool overflow = false;

  void push(Action action) noexcept {
    if (size >= kCapacity) {
      overflow = true;
      return;
    }
    packed[size / 2] = static_cast<std::uint8_t>(packed[size / 2] | (action << (4 * (size & 1))));
    ++size;
  }
  Action operator[](int i) const noexcept { return (packed[static_cast<unsigned>(i) / 2] >> (4 * (i & 1))) & 15; }
  bool operator==(const History&) const = default;
};

/// All cards of one hand, dealt in advance; cards of rounds to come are in it but must not be looked at by players.
/// Missing or unknown cards are kNoCard.
struct Deal {
  std::array<std::array<Card, kMaxHoleCards>, kMaxPlayers> hole;
  std::array<Card, kMaxBoardCards> board;
  Deal() noexcept {
    for (auto& cards : hole) cards.fill(kNoCard);
    board.fill(kNoCard);
  }
  bool operator==(const Deal&) const = default;
};

struct State {
  std::array<std::int32_t, kMaxPlayers> spent{};  ///< chips put in over the whole hand, ≤ stack
  std::int32_t max_spent = 0;     ///< the bet to match, over the whole hand (may exceed spent of all after a short blind)
  std::int32_t last_raise = 0;    ///< the size of the largest full raise of this round; at least the big blind
  std::int32_t min_raise_to = 0;  ///< the least full raise, over the whole hand (no-limit)
  Deal deal;
  History history;
  std::uint16_t folded = 0;  ///< bit p: player p has folded
  std::uint16_t all_in = 0;  ///< bit p: p has no chips left
  std::uint16_t to_act = 0;  ///< bit p: p must still act before the round ends (the actor's bit is set)
  std::uint16_t acted = 0;   ///< bit p: p has acted in this round (posting a blind is not acting)
  std::uint8_t round = 0;
  std::uint8_t actor = 0;   ///< undefined when finished
  std::uint8_t raises = 0;  ///< raises made in this round
  bool finished = false;

  bool operator==(const State&) const = default;
  bool has_folded(int player) const noexcept { return ((folded >> player) & 1) != 0; }
};

static_assert(std::is_trivially_copyable_v<State>);
static_assert(sizeof(State) < 200);

}  // namespace deepcfr
