#include "value_function.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr std::size_t kTermsOfRound = 5;

class PotValue final : public ValueFunction {
 public:
  explicit PotValue(const Game& game) : game_(game), players_(static_cast<std::size_t>(game.players())) {}

  std::vector<double> prior() const override {
    std::vector<double> prior(1 + kTermsOfRound * static_cast<std::size_t>(game_.rounds()), 0.0);
    prior[0] = 1;
    for (std::size_t first = 1; first < prior.size(); first += kTermsOfRound) prior[first] = 1;
    return prior;
  }

  void terms(const State& state, std::span<const double> edge, int hero, std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    const auto h = static_cast<std::size_t>(hero);
    const std::size_t first = state.finished ? 0 : 1 + kTermsOfRound * state.round;
    if (state.has_folded(hero)) {
      out[first] = -state.spent[h];
      return;
    }
    const unsigned live = ((1U << players_) - 1) & ~static_cast<unsigned>(state.folded);
    if (std::has_single_bit(live)) {  // the hero alone
      out[first] = pot_of(state) - state.spent[h];
      return;
    }
    const CallDown down = call_down(state, live);
    out[first] = down.pot / std::popcount(live) - down.cost(hero) + edge[h] * down.pot;
    if (state.finished) return;
    const double left = chips_to_come(state, live, down);
    out[first + 1] = edge[h] * std::sqrt(down.pot * left);
    out[first + 2] = edge[h] * left;
    const unsigned facing = facing_bet(state, live);
    if (facing == 0 || !std::has_single_bit(live & ~facing)) return;  // with callers in between it stays a pot for several
    const bool betting = (((live & ~facing) >> h) & 1) != 0;
    const double if_all_fold = betting ? pot_of(state) - state.spent[h] : -state.spent[h];
    double their_edge = 0;
    for (unsigned set = facing; set != 0; set &= set - 1) their_edge += edge[static_cast<std::size_t>(std::countr_zero(set))];
    out[first + 3] = if_all_fold - out[first];
    out[first + 4] = out[first + 3] * their_edge;
  }

 private:
  /// Everybody checks and calls from here on.
  struct CallDown {
    std::int32_t bet;  // what everybody who is left has in at the end, as far as chips go
    double pot;
    const Game* game;
    double cost(int p) const { return std::min(bet, game->definition().stack[static_cast<std::size_t>(p)]); }
  };

  double pot_of(const State& state) const {
    double sum = 0;
    for (std::size_t p = 0; p < players_; ++p) sum += state.spent[p];
    return sum;
  }

  CallDown call_down(const State& state, unsigned live) const {
    // What the largest stack has put in above the second largest stack comes back to it.
    std::int32_t largest = 0, second = 0;
    for (unsigned set = live; set != 0; set &= set - 1) {
      const std::int32_t stack = game_.definition().stack[static_cast<std::size_t>(std::countr_zero(set))];
      second = std::max(second, std::min(stack, largest));
      largest = std::max(largest, stack);
    }
    CallDown down{std::min(state.max_spent, second), 0, &game_};
    for (int p = 0; p < game_.players(); ++p)
      down.pot += state.has_folded(p) ? static_cast<double>(state.spent[static_cast<std::size_t>(p)]) : down.cost(p);
    return down;
  }

  /// Limit: one bet. No-limit: what the shorter stack of the two largest has left.
  double chips_to_come(const State& state, unsigned live, const CallDown& down) const {
    const GameDefinition& definition = game_.definition();
    if (definition.limit) return definition.raise_size[state.round];
    std::int32_t largest = 0, second = 0;
    for (unsigned set = live; set != 0; set &= set - 1) {
      const auto p = static_cast<std::size_t>(std::countr_zero(set));
      const std::int32_t left = std::max(0, definition.stack[p] - down.bet);
      second = std::max(second, std::min(left, largest));
      largest = std::max(largest, left);
    }
    return second;
  }

  /// Those left who must still answer a raise of this round.
  static unsigned facing_bet(const State& state, unsigned live) { return state.raises == 0 ? 0U : live & state.to_act; }

  const Game& game_;
  std::size_t players_;
};

}  // namespace

std::unique_ptr<ValueFunction> make_pot_value(const Game& game) { return std::make_unique<PotValue>(game); }

}  // namespace deepcfr
