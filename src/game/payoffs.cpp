// Who gets what at the end: the pots are layers between the amounts that the players who are left have put in. What folded
// players put in above the highest of these goes into the last pot (fold into the pot below).
#include <algorithm>
#include <array>
#include <bit>

#include "deepcfr/core/error.h"
#include "deepcfr/game/evaluator.h"
#include "deepcfr/game/game.h"

namespace deepcfr {

namespace {

struct Pot {
  std::int64_t chips = 0;
  unsigned eligible = 0;  // bit p
};

/// Pots from the main pot up; layers with the same eligible players are one pot.
std::size_t make_pots(const State& state, int players, std::array<Pot, kMaxPlayers>& pots) {
  std::size_t count = 0;
  std::int32_t floor = 0;
  const unsigned left = ((1u << players) - 1) & ~static_cast<unsigned>(state.folded);
  unsigned eligible = left;
  while (eligible != 0) {
    std::int32_t level = kUnlimitedStack;
    for (unsigned set = eligible; set != 0; set &= set - 1)
      level = std::min(level, state.spent[static_cast<std::size_t>(std::countr_zero(set))]);
    unsigned above = 0;
    for (unsigned set = eligible; set != 0; set &= set - 1) {
      const int p = std::countr_zero(set);
      if (state.spent[static_cast<std::size_t>(p)] > level) above |= 1u << p;
    }
    const bool last = above == 0;
    Pot pot{0, eligible};
    for (int p = 0; p < players; ++p) {
      const std::int32_t spent = state.spent[static_cast<std::size_t>(p)];
      pot.chips += std::max(0, (last ? spent : std::min(spent, level)) - floor);
    }
    pots[count++] = pot;
    floor = level;
    eligible = above;
  }
  return count;
}

/// Whole shares; what is left over goes to the first winner left of the button.
void share_whole(const Pot& pot, unsigned winners, int first, int players, std::span<double> out) {
  const std::int64_t whole = pot.chips / std::popcount(winners);
  std::int64_t odd = pot.chips - whole * std::popcount(winners);
  for (int i = 0; i < players; ++i) {
    const int p = (first + i) % players;
    if (((winners >> p) & 1) == 0) continue;
    out[static_cast<std::size_t>(p)] += static_cast<double>(whole + odd);
    odd = 0;
  }
}

void share_real(const Pot& pot, unsigned winners, std::span<double> out) {
  const double share = static_cast<double>(pot.chips) / std::popcount(winners);
  for (unsigned set = winners; set != 0; set &= set - 1) out[static_cast<std::size_t>(std::countr_zero(set))] += share;
}

}  // namespace

HandRank Game::hand_rank(const Deal& deal, int player) const {
  HandAccumulator hand;
  const int board = definition_.board_count(rounds() - 1);
  for (int c = 0; c < definition_.hole_cards; ++c) hand += deal.hole[static_cast<std::size_t>(player)][static_cast<std::size_t>(c)];
  for (int c = 0; c < board; ++c) hand += deal.board[static_cast<std::size_t>(c)];
  if (hand.size() != definition_.hole_cards + board) {
    throw Error(ErrorKind::usage, "a showdown needs all cards; one is unknown or there twice",
                "player " + std::to_string(player + 1));
  }
  return evaluate(hand);
}

void Game::values(const State& state, std::span<double> out) const {
  DEEPCFR_CHECK(state.finished, "values of a hand that goes on");
  std::array<HandRank, kMaxPlayers> ranks{};
  const unsigned left = everyone_ & ~static_cast<unsigned>(state.folded);
  if (!std::has_single_bit(left)) {
    for (unsigned set = left; set != 0; set &= set - 1) {
      const int p = std::countr_zero(set);
      ranks[static_cast<std::size_t>(p)] = hand_rank(state.deal, p);
    }
  }
  values(state, ranks, out);
}

void Game::values(const State& state, std::span<const HandRank> ranks, std::span<double> out) const {
  DEEPCFR_CHECK(state.finished, "values of a hand that goes on");
  DEEPCFR_CHECK(out.size() == static_cast<std::size_t>(players()));
  const unsigned left = everyone_ & ~static_cast<unsigned>(state.folded);
  std::int64_t total = 0;
  for (std::size_t p = 0; p < out.size(); ++p) {
    out[p] = static_cast<double>(-state.spent[p]);
    total += state.spent[p];
  }
  if (std::has_single_bit(left)) {
    out[static_cast<std::size_t>(std::countr_zero(left))] += static_cast<double>(total);
    return;
  }
  std::array<Pot, kMaxPlayers> pots;
  const std::size_t count = make_pots(state, players(), pots);
  for (std::size_t i = 0; i < count; ++i) {
    HandRank best = 0;
    unsigned winners = 0;
    for (unsigned set = pots[i].eligible; set != 0; set &= set - 1) {
      const int p = std::countr_zero(set);
      const HandRank r = ranks[static_cast<std::size_t>(p)];
      if (winners == 0 || r > best) winners = 0;
      if (winners == 0) best = r;
      if (r == best) winners |= 1u << p;
    }
    if (rules_ == RuleSet::cardroom) {
      share_whole(pots[i], winners, definition_.first_player[static_cast<std::size_t>(rounds() - 1)], players(), out);
    } else {
      share_real(pots[i], winners, out);
    }
  }
}

double Game::value(const State& state, int player) const {
  std::array<double, kMaxPlayers> all{};
  values(state, std::span(all).first(static_cast<std::size_t>(players())));
  return all[static_cast<std::size_t>(player)];
}

}  // namespace deepcfr
