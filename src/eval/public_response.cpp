#include "deepcfr/eval/public_response.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "deepcfr/core/error.h"
#include "public_boards.h"
#include "public_plan.h"

namespace deepcfr {
namespace {

constexpr double kMostBoardsCounted = 200'000;  // a second at most
constexpr std::uint64_t kMostBettingCounted = 2'000'000;

/// Ways to deal the board up to and in `round`, and what symmetries leave of them at best.
double boards_in_closed_form(const GameDefinition& d, int round, bool merge_suits) {
  double ways = 1;
  for (int r = 0; r <= round; ++r)
    ways *= combinations(d.deck_size() - (r == 0 ? 0 : d.board_count(r - 1)), d.board_cards[static_cast<std::size_t>(r)]);
  double symmetries = 1;
  for (int s = 2; merge_suits && s <= d.suits; ++s) symmetries *= s;
  return std::max(1.0, ways / symmetries);
}

struct RoundCount {
  double boards = 0;
  double pairs = 0;  ///< (hand class, board)
};

void count_boards(const HandTable& hands, const BoardTable& table, const Board& board, int round, std::vector<RoundCount>& counts) {
  for (const Board& next : table.next(board, round)) {
    RoundCount& count = counts[static_cast<std::size_t>(round)];
    ++count.boards;
    for (int h = 0; h < hands.count(); ++h)
      if ((hands.mask(h) & next.mask) == 0 && table.representative(next, h) == h) ++count.pairs;
    if (static_cast<std::size_t>(round) + 1 < counts.size()) count_boards(hands, table, next, round + 1, counts);
  }
}

/// By round; exactly where that is quick.
std::vector<RoundCount> count_rounds(const GameDefinition& d, bool merge_suits) {
  std::vector<RoundCount> counts(static_cast<std::size_t>(d.rounds));
  if (boards_in_closed_form(d, d.rounds - 1, merge_suits) <= kMostBoardsCounted) {
    const HandTable hands(d);
    const BoardTable table(d, hands, merge_suits);
    count_boards(hands, table, table.no_board(), 0, counts);
    return counts;
  }
  for (int r = 0; r < d.rounds; ++r) {
    const double boards = boards_in_closed_form(d, r, merge_suits);
    counts[static_cast<std::size_t>(r)] = {boards, boards * combinations(d.deck_size() - d.board_count(r), d.hole_cards)};
  }
  return counts;
}

std::string rough(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

std::string size_text(const Game& game) {
  const GameSize size = game_size(game, kMostBettingCounted);
  return game.name() + " has " + (size.betting.complete ? "" : "over ") + rough(size.infosets) + " infosets";
}

}  // namespace

bool has_public_walk(const Game& game) { return game.players() == 2 && game.definition().hole_cards <= 2; }

PublicWalkSize public_walk_size(const Game& game, bool merge_suits, int threads) {
  const BettingCounts betting = count_betting(game, false, kMostBettingNodes);
  const std::vector<RoundCount> counts = count_rounds(game.definition(), merge_suits);
  PublicWalkSize size;
  size.boards = counts.back().boards;
  const double hands = combinations(game.definition().deck_size(), game.definition().hole_cards);
  double numbers = 0;  // of 8 bytes, of one worker: answers of a round, reach and values by depth and at exits
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto points = static_cast<double>(betting.decision_points[r]);
    size.decision_points += points;
    size.rows += points * counts[r].pairs;
    numbers += hands * (points * game.num_actions() + 4 * game.max_actions_in_round() + 6 * points);
  }
  const double ahead = 8 * 2 * hands * static_cast<double>(betting.decision_points[0]);
  size.bytes = static_cast<std::uint64_t>(8 * (numbers + ahead) * threads);
  return size;
}

PublicWalkSize blind_walk_size(const Game& game, int threads) {
  const GameDefinition& d = game.definition();
  const BettingCounts betting = count_betting(game, false, kMostBettingNodes);
  PublicWalkSize size;
  size.boards = boards_in_closed_form(d, d.rounds - 1, true);
  const double hands = combinations(d.deck_size(), d.hole_cards);
  size.rows = size.boards * combinations(d.deck_size() - d.board_count(d.rounds - 1), d.hole_cards);
  for (const std::uint64_t points : betting.decision_points) size.decision_points += static_cast<double>(points);
  // Rows of a few dozen numbers for each hand and round, and the margins of the boards below one flop.
  const double margins = d.rounds < 2 ? 0 : hands * combinations(d.deck_size(), d.board_count(d.rounds - 1) - d.board_count(std::max(0, d.rounds - 3)));
  size.bytes = static_cast<std::uint64_t>((hands * 40 * 8 * (2 * d.rounds + 8) + 2 * std::min(margins, 5e6)) * threads);
  return size;
}

std::string why_no_public_walk(const Game& game, bool looks_at_cards, bool treats_suits_alike) {
  if (!has_public_walk(game)) return size_text(game) + "; exact best responses of large games are for two players with at most two hole cards";
  const BettingCounts betting = count_betting(game, false, kMostBettingNodes);
  if (!betting.complete) return size_text(game) + " and more than " + std::to_string(kMostBettingNodes) + " betting states";
  const PublicWalkSize size = looks_at_cards ? public_walk_size(game, treats_suits_alike, 1) : blind_walk_size(game, 1);
  if (looks_at_cards && size.rows > kMostPublicRows)
    return size_text(game) + "; an exact best response would ask the policy for " + rough(size.rows) + " of them (at most " + rough(kMostPublicRows) +
           " are taken on)";
  if (!looks_at_cards && size.rows > kMostBlindPairs) return size_text(game) + " and " + rough(size.rows) + " hands on boards of the last round";
  return {};
}

ExploitabilityReport public_exploitability(const Game& game, Policy& policy, const PublicWalkOptions& options) {
  const std::string why = why_no_public_walk(game, policy.looks_at_cards(), policy.treats_suits_alike() && options.merge_suits);
  if (!why.empty()) throw Error(ErrorKind::usage, why, "game " + game.name(), "play it against bots (eval), or measure a smaller game");
  return policy.looks_at_cards() ? walk_every_hand(game, policy, options) : walk_blind(game, policy, options);
}

}  // namespace deepcfr
