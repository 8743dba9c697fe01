// The betting rules. acpc: what the reference engine of the Annual Computer Poker Competition does, stated by the vectors in
// tests/data/acpc-vectors.txt. cardroom: rule 47 of the Tournament Directors Association: who has acted may raise again
// only when facing at least a full raise.
#include <algorithm>
#include <bit>
#include <cassert>

#include "deepcfr/core/error.h"
#include "deepcfr/game/game.h"

namespace deepcfr {

namespace {

std::uint16_t bit(int player) { return static_cast<std::uint16_t>(1u << player); }

std::uint16_t without(std::uint16_t set, std::uint16_t removed) { return static_cast<std::uint16_t>(set & ~removed); }

/// The first player of a set that is not empty, going round the table from `start`.
std::uint8_t next_of(std::uint16_t set, int start) {
  const unsigned ahead = static_cast<unsigned>(set) >> start << start;
  return static_cast<std::uint8_t>(std::countr_zero(ahead != 0 ? ahead : static_cast<unsigned>(set)));
}

}  // namespace

State Game::initial_state(const Deal& deal) const {
  State state;
  state.deal = deal;
  for (int p = 0; p < players(); ++p) {
    const auto i = static_cast<std::size_t>(p);
    state.spent[i] = std::min(definition_.blind[i], definition_.stack[i]);
    if (state.spent[i] == definition_.stack[i]) state.all_in |= bit(p);
  }
  state.max_spent = big_blind_;
  start_round(state, 0);
  if (nothing_to_decide(state, true)) {
    state.finished = true;
    state.round = static_cast<std::uint8_t>(rounds() - 1);
  }
  return state;
}

void Game::start_round(State& state, int round) const noexcept {
  const auto r = static_cast<std::size_t>(round);
  state.round = static_cast<std::uint8_t>(round);
  state.raises = 0;
  state.last_raise = definition_.limit ? definition_.raise_size[r] : big_blind_;
  state.min_raise_to = state.max_spent + big_blind_;
  state.acted = 0;
  state.to_act = without(everyone_, state.folded | state.all_in);
  if (state.to_act != 0) state.actor = next_of(state.to_act, definition_.first_player[r]);
}

/// Nobody can act, or only one can, and nobody else has put in more. After a blind that a short stack could not post in full
/// the bet to match may be nobody's; then nothing is asked. The reference engine asks a lone big blind that has not acted to
/// check, a card room does not at the start of a round.
bool Game::nothing_to_decide(const State& state, bool round_starts) const noexcept {
  const std::uint16_t can_act = without(everyone_, state.folded | state.all_in);
  if (can_act == 0) return true;
  if (!std::has_single_bit(can_act)) return false;
  const auto actor = static_cast<std::size_t>(std::countr_zero(can_act));
  std::int32_t others = 0;
  for (int p = 0; p < players(); ++p) {
    const auto i = static_cast<std::size_t>(p);
    if (i != actor && !state.has_folded(p)) others = std::max(others, state.spent[i]);
  }
  if (state.spent[actor] < others) return false;
  return state.spent[actor] < state.max_spent || (round_starts && rules_ == RuleSet::cardroom);
}

std::int32_t Game::call_cost(const State& state) const noexcept {
  const auto p = static_cast<std::size_t>(state.actor);
  return std::min(state.max_spent, definition_.stack[p]) - state.spent[p];
}

bool Game::fold_legal(const State& state) const noexcept { return !state.finished && state.spent[state.actor] < state.max_spent; }

/// No opponent could put in more than the bet to match.
bool Game::all_others_covered(const State& state) const noexcept {
  for (int p = 0; p < players(); ++p) {
    if (p != state.actor && !state.has_folded(p) && definition_.stack[static_cast<std::size_t>(p)] > state.max_spent)
      return false;
  }
  return true;
}

std::optional<RaiseRange> Game::raise_range(const State& state) const noexcept {
  if (state.finished || state.raises >= definition_.max_raises[state.round]) return std::nullopt;
  const unsigned can_act = without(everyone_, state.folded | state.all_in);
  if (std::has_single_bit(can_act)) return std::nullopt;
  const std::int32_t stack = definition_.stack[state.actor];
  if (stack <= state.max_spent) return std::nullopt;
  if (rules_ == RuleSet::cardroom) {
    const bool has_acted = ((state.acted >> state.actor) & 1) != 0;
    if (has_acted && state.max_spent - state.spent[state.actor] < state.last_raise) return std::nullopt;
    if (all_others_covered(state)) return std::nullopt;
  }
  if (definition_.limit) {
    const std::int32_t total = std::min(state.max_spent + definition_.raise_size[state.round], stack);
    return RaiseRange{total, total};
  }
  return RaiseRange{std::min(state.min_raise_to, stack), stack};
}

/// All chips in after the actor's call: what sizes are fractions of.
double Game::pot_after_call(const State& state) const noexcept {
  std::int64_t pot = call_cost(state);
  for (int p = 0; p < players(); ++p) pot += state.spent[static_cast<std::size_t>(p)];
  return static_cast<double>(pot);
}

/// Nearest chips, halves up; at least the minimum. The small term absorbs the error of products such as 0.29 · 50.
std::int32_t Game::size_total(const State& state, const RaiseRange& range, double pot, std::size_t size) const noexcept {
  const double raise = abstraction_.pot_fractions[state.round][size] * pot + 0.5 + 1e-7;
  const auto total = state.max_spent + static_cast<std::int64_t>(raise);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(total, range.min, range.max));
}

ActionMask Game::legal_actions(const State& state) const noexcept {
  if (state.finished) return 0;
  unsigned mask = 1u << kCall;
  if (state.spent[state.actor] < state.max_spent) mask |= 1u << kFold;
  if (state.raises >= raise_cap_[state.round]) return static_cast<ActionMask>(mask);
  const std::optional<RaiseRange> range = raise_range(state);
  if (!range) return static_cast<ActionMask>(mask);
  if (definition_.limit) return static_cast<ActionMask>(mask | 1u << kFirstRaise);
  if (has_all_in_) mask |= 1u << (num_actions_ - 1);
  const std::size_t sizes = abstraction_.pot_fractions[state.round].size();
  const double pot = pot_after_call(state);
  std::int32_t previous = 0;
  for (std::size_t k = 0; k < sizes; ++k) {
    const std::int32_t total = size_total(state, *range, pot, k);
    if (total >= range->max) break;
    if (total != previous) mask |= 1u << (kFirstRaise + k);
    previous = total;
  }
  return static_cast<ActionMask>(mask);
}

std::int32_t Game::raise_to(const State& state, Action action) const noexcept {
  if (is_all_in(action)) return definition_.stack[state.actor];
  const std::optional<RaiseRange> range = raise_range(state);
  assert(range);
  if (!range) return 0;
  return definition_.limit ? range->min : size_total(state, *range, pot_after_call(state), action - kFirstRaise);
}

void Game::apply(State& state, Action action) const noexcept {
  assert((legal_actions(state) >> action) & 1);
  if (action == kFold) {
    fold(state);
  } else if (action == kCall) {
    call(state);
  } else {
    raise(state, raise_to(state, action));
  }
  state.history.push(action);
}

void Game::apply_raise_to(State& state, std::int32_t total) const {
  const std::optional<RaiseRange> range = raise_range(state);
  if (!range) throw Error(ErrorKind::usage, "no raise is legal here", "raise to " + std::to_string(total));
  if (total < range->min || total > range->max) {
    throw Error(ErrorKind::usage,
                std::to_string(total) + " is not in " + std::to_string(range->min) + ".." + std::to_string(range->max),
                "raise to " + std::to_string(total));
  }
  Action recorded = kOffTreeRaise;
  const ActionMask legal = legal_actions(state);
  for (int a = kFirstRaise; a < num_actions_; ++a) {
    const auto action = static_cast<Action>(a);
    if (((legal >> a) & 1) == 0 || raise_to(state, action) != total) continue;
    recorded = action;
    break;
  }
  raise(state, total);
  state.history.push(recorded);
}

void Game::fold(State& state) const noexcept {
  state.folded |= bit(state.actor);
  state.to_act = without(state.to_act, bit(state.actor));
  if (std::has_single_bit(static_cast<unsigned>(without(everyone_, state.folded)))) {
    state.finished = true;
  } else {
    advance(state);
  }
}

void Game::call(State& state) const noexcept {
  const auto p = static_cast<std::size_t>(state.actor);
  state.spent[p] = std::min(state.max_spent, definition_.stack[p]);
  if (state.spent[p] == definition_.stack[p]) state.all_in |= bit(state.actor);
  state.acted |= bit(state.actor);
  state.to_act = without(state.to_act, bit(state.actor));
  advance(state);
}

void Game::raise(State& state, std::int32_t total) const noexcept {
  const auto p = static_cast<std::size_t>(state.actor);
  const std::int32_t size = total - state.max_spent;
  if (rules_ == RuleSet::acpc) {
    // A short all-in leaves the least raise as it was.
    state.min_raise_to = std::max(state.min_raise_to, total + size);
    state.last_raise = std::max(state.last_raise, size);
  } else {
    state.last_raise = std::max(state.last_raise, size);
    state.min_raise_to = total + state.last_raise;
  }
  state.max_spent = total;
  state.spent[p] = total;
  ++state.raises;
  if (total == definition_.stack[p]) state.all_in |= bit(state.actor);
  state.acted |= bit(state.actor);
  state.to_act = without(everyone_, state.folded | state.all_in | bit(state.actor));
  advance(state);
}

void Game::advance(State& state) const noexcept {
  if (state.to_act != 0 && !nothing_to_decide(state, false)) [[likely]] {
    state.actor = next_of(state.to_act, state.actor);
    return;
  }
  const unsigned can_act = without(everyone_, state.folded | state.all_in);
  if (state.round + 1 < rounds() && !std::has_single_bit(can_act) && can_act != 0) {
    start_round(state, state.round + 1);
    return;
  }
  state.finished = true;
  state.to_act = 0;
  state.round = static_cast<std::uint8_t>(rounds() - 1);
}

}  // namespace deepcfr
