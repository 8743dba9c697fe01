// Exact best responses of two-player games that are too large to be written out: the public tree is walked once, with vectors over hands.
// Johanson, Waugh, Bowling, Zinkevich: "Accelerating Best Response Calculation in Large Extensive Games" (IJCAI 2011).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "deepcfr/cfr/policy.h"
#include "deepcfr/eval/best_response.h"

namespace deepcfr {

struct PublicWalkOptions {
  int threads = 1;          ///< results are the same bits for any number
  /// Only one of several boards that are equal up to suits is walked, and hands that its remaining symmetries make equal are asked once. Right
  /// for policies that treat suits alike (statement 21) and used for no others.
  bool merge_suits = true;
  /// For measurements of speed: only every n-th board of the first cards dealt, from `first_board` on. The report is then not that of the game.
  int board_stride = 1;
  int first_board = 0;
  /// Called in the calling thread now and then with the part that is done, 0..1.
  std::function<void(double)> progress;
};

/// What a walk would take.
struct PublicWalkSize {
  double boards = 0;            ///< walked, on the last round
  double decision_points = 0;   ///< betting decision points of all rounds
  double rows = 0;              ///< answers that the policy is asked for: (hand, board, decision point)
  std::uint64_t bytes = 0;      ///< memory besides the policy
};

/// Two players and one or two hole cards: what the walks can do at all. Which of the two, and whether in reasonable time, the sizes tell.
bool has_public_walk(const Game& game);
/// Of the walk that asks the policy for every hand; counted exactly where that takes under a second, else in closed form.
PublicWalkSize public_walk_size(const Game& game, bool merge_suits, int threads);
/// Of the walk for policies that do not look at cards: rows counts (hand, board) pairs of the last round.
PublicWalkSize blind_walk_size(const Game& game, int threads);

/// The most rows that public_exploitability takes on: fhp with suits merged has 7.2e7, without 1.5e9.
inline constexpr double kMostPublicRows = 4e9;
/// The most betting nodes of a walk, and the most (hand, board) pairs of the last round of a walk for policies that do not look at cards.
inline constexpr std::size_t kMostBettingNodes = 200'000;
inline constexpr double kMostBlindPairs = 2e10;

/// "" if `policy` kind can be measured exactly in this game by one of the walks, else why not, with the size of the game; in under a second.
std::string why_no_public_walk(const Game& game, bool looks_at_cards, bool treats_suits_alike);

/// Best responses to a policy of both seats, and its value against itself, in chips as exploitability() gives them. Picks the walk for
/// policies that do not look at cards where that is promised. Each worker has a clone of the policy. Error{usage} where why_no_public_walk()
/// says why.
ExploitabilityReport public_exploitability(const Game& game, Policy& policy, const PublicWalkOptions& options);
/// The walk that asks for every hand, whatever the policy promises about looking at cards.
ExploitabilityReport walk_every_hand(const Game& game, Policy& policy, const PublicWalkOptions& options);
/// The walk for policies that do not look at cards: the opponent's hand stays uniform, so a hand's chances at showdown, and equal subgames,
/// are computed once. Error{bug} for other policies.
ExploitabilityReport walk_blind(const Game& game, Policy& policy, const PublicWalkOptions& options);

}  // namespace deepcfr
