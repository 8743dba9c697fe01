// A game: an ACPC definition, a rule set and a bet abstraction. Immutable after construction; every const member may be
// called by any number of threads at once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/game/definition.h"
#include "deepcfr/game/state.h"

namespace deepcfr {

/// acpc: what the reference engine of the Annual Computer Poker Competition does. A short all-in reopens the betting and leaves
/// the minimum raise-to as it was; a raise is legal while two or more players have chips left; ties are split by real division.
/// cardroom: rule 47 of the Tournament Directors Association. Who has acted in this round may raise again only when facing at
/// least a full raise, from one bet or from short all-ins together; minimum raise-to = bet + largest full raise (at least the
/// big blind); no raise over opponents who are all covered; a lone player who need not call is not asked at the start of a
/// hand. Odd chips go whole, pot by pot, to the first winner left of the button (from first_player of the last round on;
/// heads-up with reverse blinds: the big blind).
/// Both: a stack below its blind posts what it has. The amount to call and the minimum raise stay those of the full blind, but
/// a lone player who has already put in as much as every opponent is not asked.
enum class RuleSet { acpc, cardroom };

/// Raise sizes that no-limit actions are drawn from: raise-to = B + x · (P + 2 · B), see Game::raise_to. Ignored by limit games.
struct BetAbstraction {
  std::array<std::vector<double>, kMaxRounds> pot_fractions;  ///< ascending, > 0, at most 12 in a round
  bool all_in = true;
  int max_raises = 4;  ///< raises a round after which only fold and call are offered (the definition's cap also holds)
  bool operator==(const BetAbstraction&) const = default;
};

struct RaiseRange {
  std::int32_t min = 0;  ///< totals over the whole hand
  std::int32_t max = 0;
};

class Game {
 public:
  /// Error{usage} if the abstraction is out of range or a hand could take more actions than History holds.
  Game(GameDefinition definition, RuleSet rules, BetAbstraction abstraction, bool canonical_suits = true);

  const GameDefinition& definition() const noexcept { return definition_; }
  RuleSet rules() const noexcept { return rules_; }
  const BetAbstraction& abstraction() const noexcept { return abstraction_; }
  bool canonical_suits() const noexcept { return canonical_suits_; }
  const std::string& name() const noexcept { return definition_.name; }
  int players() const noexcept { return definition_.players; }
  int rounds() const noexcept { return definition_.rounds; }
  /// Actions of the abstraction = outputs of a network: 3 for limit, 2 + raise sizes + all-in for no-limit.
  int num_actions() const noexcept { return num_actions_; }
  /// Most actions that one round can hold under the abstraction; sets the width of the encoding, not the stack.
  int max_actions_in_round() const noexcept { return max_actions_in_round_; }
  /// Most actions that one hand can hold under the abstraction; ≤ History::kCapacity.
  int max_actions_in_hand() const noexcept { return max_actions_in_hand_; }
  /// Whether an action is the all-in of a no-limit abstraction.
  bool is_all_in(Action action) const noexcept { return has_all_in_ && action == num_actions_ - 1; }
  /// Words for an action: "fold", "call", "raise", "raise 0.5 pot", "all-in".
  std::string action_name(Action action) const;

  /// Blinds posted (a short stack posts what it has), first actor set; finished at once if nobody can act.
  State initial_state(const Deal& deal) const;
  /// A deal drawn without replacement; place-keyed, so a pure function of the stream.
  Deal sample_deal(CounterRandom stream) const;

  // -- the rules, in chips (any whole raise) ------------------------------------------------------------------
  /// Folding is legal only against a bet (ACPC).
  bool fold_legal(const State& state) const noexcept;
  /// nullopt when no raise is legal; limit games: min = max = the one total.
  std::optional<RaiseRange> raise_range(const State& state) const noexcept;
  /// Applies a raise to a total over the hand, within raise_range (else Error{usage}). Recorded in the history as the
  /// abstraction's action of that size if there is one, else as kOffTreeRaise.
  void apply_raise_to(State& state, std::int32_t total) const;
  /// Chips that the actor puts in by calling: min(to match, stack left); 0 is a check.
  std::int32_t call_cost(const State& state) const noexcept;

  // -- the actions of the abstraction ---------------------------------------------------------------------------
  /// Legal actions of the actor; never empty unless finished (then 0). Duplicates and illegal sizes are dropped: sizes under
  /// the minimum are lifted to it, of equal sizes the lowest action stays, sizes at or above the stack leave all-in only
  /// (nothing if the abstraction has no all-in).
  ActionMask legal_actions(const State& state) const noexcept;
  /// Total over the hand that a raise action means; a raise must be legal by the rules (raise_range), and the action one of the round. The bet to
  /// match + x · (all chips in + amount to call), nearest, halves up, within the rules. On one street heads-up: B + x · (P + 2 · B).
  std::int32_t raise_to(const State& state, Action action) const noexcept;
  /// Applies a legal action (checked in debug builds only).
  void apply(State& state, Action action) const noexcept;

  // -- the end ----------------------------------------------------------------------------------------------------
  /// Net chips of every player at a finished state; out.size() == players. Sums to 0. Real division of ties under acpc, whole
  /// chips under cardroom. Board cards must be dealt if two or more players are left.
  void values(const State& state, std::span<double> out) const;
  double value(const State& state, int player) const;
  /// The same with the players' hands already ranked: ranks[p] is read for players who have not folded, and only if two or more are left.
  void values(const State& state, std::span<const HandRank> ranks, std::span<double> out) const;
  /// A player's hand at a showdown. Error{usage} if one of its cards is unknown or there twice.
  HandRank hand_rank(const Deal& deal, int player) const;

  /// "fold", "call", "check", "raise to 300" for messages.
  std::string describe(const State& state, Action action) const;

 private:
  void check_abstraction() const;
  void check_sizes();
  void start_round(State& state, int round) const noexcept;
  void fold(State& state) const noexcept;
  void call(State& state) const noexcept;
  void raise(State& state, std::int32_t total) const noexcept;
  void advance(State& state) const noexcept;
  bool all_others_covered(const State& state) const noexcept;
  bool nothing_to_decide(const State& state, bool round_starts) const noexcept;
  double pot_after_call(const State& state) const noexcept;
  std::int32_t size_total(const State& state, const RaiseRange& range, double pot, std::size_t size) const noexcept;

  GameDefinition definition_;
  RuleSet rules_;
  BetAbstraction abstraction_;
  bool canonical_suits_;
  bool has_all_in_ = false;
  int num_actions_ = 0;
  int max_actions_in_round_ = 0;
  int max_actions_in_hand_ = 0;
  std::int32_t big_blind_ = 0;
  std::uint16_t everyone_ = 0;               // bit p for each player
  std::array<int, kMaxRounds> raise_cap_{};  // raises a round after which the abstraction offers none
  std::array<Card, 52> deck_{};
};

/// Unit in which results of this game are told: mbb/g for games with two or more hole cards ("hold'em games"), antes (the big
/// blind) for the toys. `scale` turns chips into the unit.
struct ResultUnit {
  std::string name;  ///< "mbb/g" or "antes"
  double scale;      ///< 1000 / big blind, or 1 / big blind
};
ResultUnit result_unit(const Game& game);

}  // namespace deepcfr
