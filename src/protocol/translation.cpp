#include "deepcfr/protocol/translation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

/// The raise in pots: chips above the bet to match ÷ all chips in after a call.
double in_pots(const Game& game, const State& state, std::int32_t total) {
  std::int64_t pot = game.call_cost(state);
  for (int p = 0; p < game.players(); ++p) pot += state.spent[static_cast<std::size_t>(p)];
  return static_cast<double>(total - state.max_spent) / static_cast<double>(pot);
}

bool is_legal(const Game& game, const State& state, Action action) { return ((game.legal_actions(state) >> action) & 1) != 0; }

int players_left(const Game& game, const State& state) { return game.players() - std::popcount(static_cast<unsigned>(state.folded)); }

struct Size {
  double pots = 0;
  Action action = kCall;
};

/// The legal raises of an abstract state, ascending.
struct Sizes {
  std::array<Size, kMaxActions> sizes;
  std::size_t count = 0;

  Sizes(const Game& game, const State& state) {
    const ActionMask legal = game.legal_actions(state);
    for (int a = kFirstRaise; a < game.num_actions(); ++a) {
      if (((legal >> a) & 1) == 0) continue;
      const auto action = static_cast<Action>(a);
      sizes[count++] = {in_pots(game, state, game.raise_to(state, action)), action};
    }
  }
};

}  // namespace

double pseudo_harmonic(double x, double a, double b) noexcept { return (b - x) * (1 + a) / ((b - a) * (1 + x)); }

HandTranslation::HandTranslation(const Game& game, int seat, CounterRandom draws)
    : game_(&game), seat_(seat), draws_(draws), real_(game.initial_state(Deal{})), abstract_(real_) {
  DEEPCFR_CHECK(seat >= 0 && seat < game.players());
}

/// Whether the abstract hand waits for this player in this round.
bool HandTranslation::in_step(int player, int round) const noexcept {
  return !abstract_.finished && abstract_.round == round && abstract_.actor == player;
}

bool HandTranslation::two_left() const noexcept { return players_left(*game_, real_) == 2 && players_left(*game_, abstract_) == 2; }

/// Whether a call in the abstract hand leaves others to act in this round.
bool HandTranslation::call_goes_on() const {
  State after = abstract_;
  game_->apply(after, kCall);
  return !after.finished && after.round == abstract_.round;
}

/// Lets players act in the abstract hand for whom the real one has no more decisions, until it waits for `player` in `round`, if it will.
void HandTranslation::catch_up(int player, int round) {
  while (!abstract_.finished && abstract_.round <= round && !in_step(player, round)) {
    if (abstract_.round == round && ((abstract_.to_act >> player) & 1) == 0) return;
    const bool folds = real_.has_folded(abstract_.actor) && game_->fold_legal(abstract_);
    game_->apply(abstract_, folds ? kFold : kCall);
  }
}

void HandTranslation::observe(const TableAction& action, std::optional<Action> meant) {
  const int player = real_.actor;
  const int round = real_.round;
  State next = real_;
  apply_table_action(*game_, next, action);  // refuses what is not legal before anything changes
  catch_up(player, round);
  if (in_step(player, round)) {
    const bool own = player == seat_;
    if (own) last_own_ = abstract_;
    answer_at_.reset();
    const Action understood = own && meant && is_legal(*game_, abstract_, *meant) ? *meant : understand(action);
    game_->apply(abstract_, understood);
  } else {
    answer_at_.reset();
  }
  real_ = next;
  ++count_;
}

Action HandTranslation::understand(const TableAction& action) {
  if (action.kind == Kind::fold) return game_->fold_legal(abstract_) ? kFold : kCall;
  if (action.kind == Kind::call) return kCall;
  return understand_raise(action.total);
}

Action HandTranslation::understand_raise(std::int32_t total) {
  const Sizes legal(*game_, abstract_);
  if (legal.count == 0) return kCall;
  const double x = in_pots(*game_, real_, total);
  const double draw = draws_.uniform(count_);
  std::size_t above = 0;  // the first size above x
  while (above < legal.count && legal.sizes[above].pots <= x) ++above;
  std::size_t chosen = above == legal.count ? above - 1 : above;
  if (above == 0) {
    if (two_left() && call_goes_on() && draw < pseudo_harmonic(x, 0, legal.sizes[0].pots)) return kCall;
  } else if (above < legal.count && draw < pseudo_harmonic(x, legal.sizes[above - 1].pots, legal.sizes[above].pots)) {
    chosen = above - 1;
  }
  const Action action = legal.sizes[chosen].action;
  const bool leaves_chips = total < game_->definition().stack[real_.actor];
  if (!leaves_chips || chosen == 0 || !game_->is_all_in(action)) return action;
  return take_all_in(action, legal.sizes[chosen - 1].action);
}

/// A raise that leaves its player chips, taken for all-in. If the abstract hand went on with its player all-in it would have no decisions
/// left when the real one has. So it goes on with the smaller size. Where the next decision is the seat's own and nobody else is left, that
/// one is made as against all-in; with more players it is made as against the smaller size.
Action HandTranslation::take_all_in(Action all_in, Action smaller) {
  if (real_.actor != seat_ && two_left()) {
    answer_at_ = abstract_;
    game_->apply(*answer_at_, all_in);
  }
  return smaller;
}

std::optional<HandTranslation::Question> HandTranslation::question() {
  DEEPCFR_CHECK(!real_.finished && real_.actor == seat_, "not this seat's turn");
  catch_up(seat_, real_.round);
  if (in_step(seat_, real_.round)) return Question{answer_at_ ? *answer_at_ : abstract_, false};
  if (last_own_ && last_own_->round == real_.round) return Question{*last_own_, true};
  return std::nullopt;
}

TableAction HandTranslation::answer(const Question& question, Action chosen) const {
  if (chosen == kFold) return {game_->fold_legal(real_) ? Kind::fold : Kind::call, 0};
  if (chosen == kCall || question.raise_is_call) return {Kind::call, 0};
  const std::optional<RaiseRange> range = game_->raise_range(real_);
  if (!range) return {Kind::call, 0};
  if (game_->is_all_in(chosen)) return {Kind::raise, range->max};
  return {Kind::raise, game_->raise_to(real_, chosen)};
}

}  // namespace deepcfr
