// A policy: probabilities over legal actions at the acting player's infoset. What evaluation, play and export see.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/game/game.h"

namespace deepcfr {

/// Hands of one player on one board, asked about together.
struct HandsOnBoard {
  int round = 0;
  std::array<Card, kMaxBoardCards> board;               ///< the cards of rounds up to `round`, the rest kNoCard
  std::vector<std::array<Card, kMaxHoleCards>> holes;  ///< none of them on the board, unused places kNoCard
};

/// One thread at a time per object unless a class says otherwise.
class Policy {
 public:
  virtual ~Policy() = default;
  /// states: unfinished; out: states.size() × game.num_actions(), row by row. Illegal actions get exactly 0, a row sums to 1
  /// within 1e-6. Looks only at what the acting player knows.
  virtual void probabilities(std::span<const State* const> states, std::span<double> out) = 0;
  virtual std::string name() const = 0;
  /// The same within played hands: a policy that mixes over whole strategies (single Deep CFR) plays one of them for a whole hand,
  /// drawn by hand_keys[i] (a pure function of match seed, game and seat) and the acting player. Others ignore the key.
  virtual void probabilities_in_hands(std::span<const State* const> states, std::span<const std::uint64_t> hand_keys,
                                      std::span<double> out) {
    (void)hand_keys;
    probabilities(states, out);
  }
  /// Many hands at once. states: public decision states of hands.round, the same player acts in all of them (their cards are ignored); out:
  /// states × holes × game.num_actions(). The same answers as probabilities() gives within 1e-6; by default asked state by state.
  virtual void probabilities_of_hands(std::span<const State* const> states, const HandsOnBoard& hands, std::span<double> out);
  /// false: a function of the public state alone. A promise of the policy, never found out by trying.
  virtual bool looks_at_cards() const { return true; }
  /// true: cards that are equal up to a permutation of suits always get the same probabilities (statement 21). A promise too.
  virtual bool treats_suits_alike() const { return !looks_at_cards(); }
  /// A copy for another thread.
  virtual std::unique_ptr<Policy> clone() const = 0;
};

/// Fixed policies for reference values, none looks at cards: uniform; always_call; always_raise (the largest legal raise, else call);
/// always_fold (fold when legal, else check); half_call_raise (always_call and always_raise with 1/2 each at every decision). Thread-safe.
std::unique_ptr<Policy> make_fixed_policy(const Game& game, const std::string& name);
/// The names above.
std::span<const std::string> fixed_policy_names();

}  // namespace deepcfr
