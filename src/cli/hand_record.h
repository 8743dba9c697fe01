// One hand as a table sees it: any legal raise, sizes counted by betting round, and the text that an ACPC program would read.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/game/game.h"

namespace deepcfr {

struct Move {
  enum class Kind { fold, call, raise };
  Kind kind = Kind::call;
  std::int32_t total = 0;  ///< of a raise: the player's chips over the whole hand afterwards (as in ACPC strings)
  bool operator==(const Move&) const = default;
};

/// The game must outlive it.
class HandRecord {
 public:
  HandRecord(const Game& game, const Deal& deal);

  const Game& game() const noexcept { return *game_; }
  const State& state() const noexcept { return state_; }
  const std::vector<Move>& moves() const noexcept { return moves_; }
  /// The betting part of an ACPC state, with the sizes that were really bet: "r300c/cr600".
  const std::string& betting() const noexcept { return betting_; }
  /// Chips that a player had in before this betting round; antes (blinds that are alike) count as such. A bet "to 300" in this
  /// round is a total over the hand of base + 300.
  std::int32_t base(int player) const noexcept { return base_[static_cast<std::size_t>(player)]; }
  /// Nobody has bet in this round (blinds are bets).
  bool unopened() const noexcept { return state_.max_spent <= base(state_.actor); }
  std::int32_t pot() const noexcept;
  /// Chips behind, or -1 where the game has no stacks.
  std::int32_t behind(int player) const noexcept;

  /// A legal move of the acting player, else Error{usage}.
  void apply(const Move& move);
  /// "fold", "check", "call 50", "bet 100", "raise to 300", "raise to 20000 (all-in)": sizes in chips of this round.
  std::string words(const Move& move) const;
  /// The same about somebody: "folds", "raises to 300". `you`: "fold", "raise to 300".
  std::string told(const Move& move, bool you) const;

  /// MATCHSTATE as `viewer` sees it: own cards only, until a showdown; viewer -1: STATE with all cards.
  std::string acpc(int viewer, std::uint32_t hand_id) const;

 private:
  void begin_round();
  bool covers_stack(const Move& move) const;

  const Game* game_;
  State state_;
  std::vector<Move> moves_;
  std::string betting_;
  std::array<std::int32_t, kMaxPlayers> base_{};
};

/// Replays the betting part of an ACPC state that parse_acpc_state has accepted: `text` up to the end of the betting.
HandRecord replay_betting(const Game& game, const Deal& deal, std::string_view betting);

/// Seats by name: "button", "small blind", "big blind"; heads-up with blinds "button, small blind"; in games without blinds "acts
/// first", "acts last"; else "".
std::string position_name(const Game& game, int seat);

}  // namespace deepcfr
