// Action translation: real bets of any size, understood by a policy that knows the sizes of its abstraction only.
//
// The pseudo-harmonic mapping of Ganzfried and Sandholm ("Action Translation in Extensive-Form Games with Large Action Spaces: Axioms,
// Paradoxes, and the Pseudo-Harmonic Mapping", IJCAI 2013, section 6): a bet of x pots between the neighbouring sizes A < x < B is taken
// for A with probability
//     f(x) = (B - x)(1 + A) / ((B - A)(1 + x)),
// else for B. Here the draw is a function of (seed, hand, seat, place in the hand), so a message that is read twice is understood alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "deepcfr/core/random.h"
#include "deepcfr/game/game.h"
#include "deepcfr/protocol/betting.h"

namespace deepcfr {

/// f(x) above, for A ≤ x ≤ B, A < B, all ≥ 0: bets in pots (the pot after a call).
double pseudo_harmonic(double x, double a, double b) noexcept;

/// The draws of one hand as one seat understands it.
inline CounterRandom translation_draws(std::uint64_t seed, std::uint32_t hand, int seat) {
  return CounterRandom(StreamPurpose::match_translation, {seed, hand, static_cast<std::uint64_t>(seat)});
}

/// One hand: the real state beside the abstract one, which a policy may be asked about at any time. The abstract state only ever takes
/// actions that Game::legal_actions offers, so its history is always one of the policy's game. Rules, in the order in which they apply:
///
/// - Fold and call are what they are. A fold where the abstract state has no bet to call is a check.
/// - A raise of x real pots is mapped between the two neighbouring legal sizes of the abstract state, in its pots. Above the largest: the
/// largest.
/// - Below the smallest size the lower neighbour is check or call (A = 0), but only with two players left and where that does not end the
/// round.
/// - No raise is legal in the abstract state (its cap of raises, or somebody is all-in there): a call.
/// - A raise that leaves its player chips but is taken for all-in: with two players left the answer to it is the answer to all-in; the hand
/// goes
///   on with the largest smaller size. With more players left, or where no smaller size is legal, see take_all_in in the source.
/// - Actions for which the abstract state has no place (its round is over, its player is all-in) are passed over; players for whom the real
/// hand has
///   none check, call or fold there.
class HandTranslation {
 public:
  /// `seat`: the position of the policy's player; `game` must outlive this.
  HandTranslation(const Game& game, int seat, CounterRandom draws);

  /// The next real action, legal in real(). `meant`: what the policy chose, if this is its own action and it is known; else it is
  /// translated as if another had made it. Error{usage} if it is not legal.
  void observe(const TableAction& action, std::optional<Action> meant = std::nullopt);

  const State& real() const noexcept { return real_; }
  /// Never with a raise off the tree in its history.
  const State& abstract() const noexcept { return abstract_; }

  /// Where to ask the policy. `raise_is_call`: the state is that of the player's last decision of this round, since the abstract hand has
  /// no decision to offer; raises are then answered by calling.
  struct Question {
    State state;
    bool raise_is_call = false;
  };
  /// It must be the seat's turn in real(). nullopt: the abstract hand has none (its player is all-in there); check or call.
  std::optional<Question> question();
  /// The legal real action for the policy's choice: sizes are fractions of the real pot, raised or lowered to the legal range; all-in is
  /// all-in; a raise where none is legal is a call, a fold where there is nothing to call a check.
  TableAction answer(const Question& question, Action chosen) const;

 private:
  void catch_up(int player, int round);
  bool in_step(int player, int round) const noexcept;
  Action understand(const TableAction& action);
  Action understand_raise(std::int32_t total);
  Action take_all_in(Action all_in, Action smaller);
  bool call_goes_on() const;
  bool two_left() const noexcept;

  const Game* game_;
  int seat_;
  CounterRandom draws_;
  State real_;
  State abstract_;
  std::optional<State> answer_at_;  // the state to answer at, where it is not abstract_
  std::optional<State> last_own_;   // abstract state of the seat's last decision
  std::uint64_t count_ = 0;         // real actions so far
};

}  // namespace deepcfr
