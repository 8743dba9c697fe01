#include "public_plan.h"

#include <algorithm>
#include <bit>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// Chips of player 0 at a fold, or of the winner at a showdown, where a tie is worth 0 to both.
double chips_at_end(const Game& game, const State& state) {
  std::array<double, 2> values{}, tied{};
  std::array<HandRank, 2> ranks{1, 0};
  game.values(state, ranks, values);
  if (state.folded != 0) return values[0];
  ranks[1] = 1;
  game.values(state, ranks, tied);
  DEEPCFR_CHECK(tied[0] == 0 && values[0] >= 0, "a showdown of two");
  return values[0];
}

}  // namespace

double combinations(int n, int k) noexcept {
  double ways = 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

PublicPlan::PublicPlan(const Game& game, std::size_t most_nodes)
    : tree_(game, most_nodes),
      last_round_(game.rounds() - 1),
      chips_(tree_.nodes().size(), 0.0),
      decision_index_(tree_.nodes().size(), 0) {
  DEEPCFR_CHECK(game.players() == 2);
  const GameDefinition& d = game.definition();
  double ways = 1;
  for (int round = last_round_; round >= 0; --round) {
    completions_[static_cast<std::size_t>(round)] = ways;
    const int before = round == 0 ? 0 : d.board_count(round - 1);
    ways *= combinations(d.deck_size() - 2 * d.hole_cards - before, d.board_cards[static_cast<std::size_t>(round)]);
  }
  entries_[0] = {0};
  for (int round = 0; round <= last_round_; ++round) {
    exit_index_[static_cast<std::size_t>(round)].assign(tree_.nodes().size(), -1);
    for (std::size_t e = 0; e < entries(round).size(); ++e) visit(game, entries(round)[e], round, 1);
  }
}

PublicKind PublicPlan::kind(std::int32_t node, int round) const noexcept {
  const BettingNode& betting = tree_.node(node);
  if (betting.decision >= 0) return betting.state.round == round ? PublicKind::decision : PublicKind::exit;
  if (betting.state.folded != 0) return PublicKind::fold;
  return round == last_round_ ? PublicKind::showdown : PublicKind::exit;
}

void PublicPlan::visit(const Game& game, std::int32_t node, int round, std::size_t depth) {
  depth_ = std::max(depth_, depth);
  const BettingNode& betting = tree_.node(node);
  const auto r = static_cast<std::size_t>(round);
  switch (kind(node, round)) {
    case PublicKind::decision: {
      std::vector<std::int32_t>& own = decisions_[r][betting.state.actor];
      decision_index_[static_cast<std::size_t>(node)] = own.size();
      own.push_back(node);
      for (int i = 0; i < std::popcount(betting.legal); ++i) visit(game, betting.first_child + i, round, depth + 1);
      break;
    }
    case PublicKind::exit:
      exit_index_[r][static_cast<std::size_t>(node)] = static_cast<std::int32_t>(entries_[r + 1].size());
      entries_[r + 1].push_back(node);
      break;
    case PublicKind::fold:
    case PublicKind::showdown: chips_[static_cast<std::size_t>(node)] = chips_at_end(game, betting.state); break;
  }
}

}  // namespace deepcfr
