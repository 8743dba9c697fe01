// One hand as a table sees it: any legal raise, sizes counted by betting round, and the text that an ACPC program would read.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "deepcfr/game/game.h"
#include "deepcfr/protocol/betting.h"

namespace deepcfr {

/// The game must outlive it.
class TableHand {
 public:
  TableHand(const Game& game, const Deal& deal);

  const Game& game() const noexcept { return *game_; }
  const State& state() const noexcept { return state_; }
  const Betting& betting() const noexcept { return betting_; }
  /// Chips that a player had in before this betting round; antes (blinds that are alike) count as such. A bet "to 300" in this
  /// round is a total over the hand of base + 300.
  std::int32_t base(int player) const noexcept { return base_[static_cast<std::size_t>(player)]; }
  /// Nobody has bet in this round (blinds are bets).
  bool unopened() const noexcept { return state_.max_spent <= base(state_.actor); }
  std::int32_t pot() const noexcept;
  /// Chips behind, or -1 where the game has no stacks.
  std::int32_t behind(int player) const noexcept;

  /// A legal action of the acting player, else Error{usage}.
  void apply(const TableAction& action);
  /// "fold", "check", "call 50", "bet 100", "raise to 300", "raise to 20000 (all-in)": sizes in chips of this round.
  std::string words(const TableAction& action) const;
  /// The same about somebody: "folds", "raises to 300". `you`: "fold", "raise to 300".
  std::string told(const TableAction& action, bool you) const;

 private:
  bool takes_whole_stack(const TableAction& action) const;

  const Game* game_;
  State state_;
  Betting betting_;
  std::array<std::int32_t, kMaxPlayers> base_{};
};

/// Seats by name: "button", "small blind", "big blind"; heads-up with blinds "button, small blind"; in games without blinds "acts
/// first", "acts last"; else "".
std::string position_name(const Game& game, int seat);

}  // namespace deepcfr
