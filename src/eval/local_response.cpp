#include "deepcfr/eval/local_response.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/eval/public_response.h"
#include "deepcfr/game/evaluator.h"
#include "ordered_tasks.h"
#include "public_boards.h"
#include "public_plan.h"

namespace deepcfr {
namespace {

constexpr std::size_t kSlotsOfAThread = 16;

std::uint64_t mask_of(std::span<const Card> cards) {
  std::uint64_t mask = 0;
  for (const Card card : cards) mask |= std::uint64_t{1} << card;
  return mask;
}

/// What all hands share.
struct Setting {
  Setting(const Game& of_game, const LocalResponseOptions& of_options)
      : game(of_game),
        options(of_options),
        hands(of_game.definition()),
        actions(static_cast<std::size_t>(of_game.num_actions())) {
    for (int h = 0; h < hands.count(); ++h) {
      HandAccumulator cards;
      for (int c = 0; c < hands.hole_cards(); ++c) cards += hands.hole(h)[static_cast<std::size_t>(c)];
      accumulators.push_back(cards);
    }
  }
  const Game& game;
  const LocalResponseOptions& options;
  HandTable hands;
  std::vector<HandAccumulator> accumulators;  // by hand
  std::size_t actions;
};

/// One hand of the responder against all hands that the opponent can hold.
class LocalHand {
 public:
  LocalHand(const Setting& setting, Policy& policy, std::uint64_t pair, int seat);
  /// The responder's chips.
  double play();

 private:
  struct Answers {
    bool known = false;
    std::vector<double> rows;  // [seen hand][action]
  };

  void see_round();
  void judge_chances();
  void judge_board(const HandAccumulator& board, std::uint64_t mask, std::vector<double>& counted);
  void ask(const State& state, Answers& answers);
  Action respond();
  double value_of_raise(const State& next, Answers& answers) const;
  /// Sum over seen hands of weight, and of weight × (2 · chance − 1), each times factor(i).
  template <typename Factor>
  std::array<double, 2> sums(Factor factor) const;
  Action opponent_acts();
  double end() const;

  const Setting& setting_;
  Policy& policy_;
  std::uint64_t pair_;
  int seat_;
  State state_;  // without cards
  std::array<Card, kMaxBoardCards> board_;
  std::uint64_t own_mask_, board_mask_;
  HandAccumulator own_;
  std::vector<double> weight_;      // [hand]: the policy's probability of the betting so far with that hand
  int round_ = -1;                  // that seen_ and chance_ belong to
  std::vector<std::int32_t> seen_;  // hands that the visible cards leave
  HandsOnBoard asked_;              // the same hands
  std::vector<double> chance_;      // [seen hand]: of winning a showdown, ties a half
  std::vector<Answers> after_;      // [action]: the policy's answers to a raise that was considered
  Action last_ = kFold;             // the responder's last action
};

LocalHand::LocalHand(const Setting& setting, Policy& policy, std::uint64_t pair, int seat)
    : setting_(setting), policy_(policy), pair_(pair), seat_(seat), after_(setting.actions) {
  const GameDefinition& d = setting.game.definition();
  const Deal deal = setting.game.sample_deal(CounterRandom(StreamPurpose::local_response_deal, {setting.options.seed, pair}));
  const std::span<const Card> own =
      std::span(deal.hole[static_cast<std::size_t>(seat)]).first(static_cast<std::size_t>(d.hole_cards));
  board_ = deal.board;
  own_mask_ = mask_of(own);
  board_mask_ = mask_of(std::span(board_).first(static_cast<std::size_t>(d.board_count(d.rounds - 1))));
  own_ = setting.accumulators[static_cast<std::size_t>(setting.hands.find(own_mask_))];
  weight_.assign(static_cast<std::size_t>(setting.hands.count()), 1.0);
  state_ = setting.game.initial_state(Deal{});
}

double LocalHand::play() {
  while (!state_.finished) {
    if (round_ != state_.round) see_round();
    const Action action = state_.actor == seat_ ? respond() : opponent_acts();
    setting_.game.apply(state_, action);
  }
  return end();
}

void LocalHand::see_round() {
  round_ = state_.round;
  const auto visible = static_cast<std::size_t>(setting_.game.definition().board_count(round_));
  const std::uint64_t taken = own_mask_ | mask_of(std::span(board_).first(visible));
  asked_.round = round_;
  asked_.board.fill(kNoCard);
  std::copy_n(board_.begin(), visible, asked_.board.begin());
  asked_.holes.clear();
  seen_.clear();
  for (int h = 0; h < setting_.hands.count(); ++h) {
    if ((setting_.hands.mask(h) & taken) != 0) continue;
    seen_.push_back(h);
    asked_.holes.push_back(setting_.hands.hole(h));
  }
  judge_chances();
}

/// Over the complete boards that can come, or a sample of them.
void LocalHand::judge_chances() {
  const GameDefinition& d = setting_.game.definition();
  const int visible = d.board_count(round_), all = d.board_count(d.rounds - 1);
  HandAccumulator common;
  for (int c = 0; c < visible; ++c) common += board_[static_cast<std::size_t>(c)];
  std::vector<Card> left;
  const std::uint64_t taken = own_mask_ | mask_of(std::span(board_).first(static_cast<std::size_t>(visible)));
  for (const Card card : make_deck(d.ranks, d.suits))
    if (((taken >> card) & 1) == 0) left.push_back(card);
  chance_.assign(seen_.size(), 0.0);
  std::vector<double> counted(seen_.size(), 0.0);
  const auto more = static_cast<std::size_t>(all - visible);
  if (combinations(static_cast<int>(left.size()), all - visible) <= setting_.options.rollout_boards) {
    const auto choose = [&](auto& self, std::size_t from, std::size_t missing, const HandAccumulator& board,
                            std::uint64_t mask) -> void {
      if (missing == 0) return judge_board(board, mask, counted);
      for (std::size_t i = from; i < left.size(); ++i)
        self(self, i + 1, missing - 1, board + left[i], mask | std::uint64_t{1} << left[i]);
    };
    choose(choose, 0, more, common, 0);
  } else {
    SequentialRandom random(
        CounterRandom(StreamPurpose::local_response_rollout,
                      {setting_.options.seed, pair_, static_cast<std::uint64_t>(seat_), static_cast<std::uint64_t>(round_)}));
    for (int b = 0; b < setting_.options.rollout_boards; ++b) {
      HandAccumulator board = common;
      std::uint64_t mask = 0;
      for (std::size_t i = 0; i < more; ++i) {
        std::swap(left[i], left[i + random.below(left.size() - i)]);
        board += left[i];
        mask |= std::uint64_t{1} << left[i];
      }
      judge_board(board, mask, counted);
    }
  }
  for (std::size_t i = 0; i < chance_.size(); ++i) chance_[i] = counted[i] > 0 ? chance_[i] / counted[i] : 0.5;
}

void LocalHand::judge_board(const HandAccumulator& board, std::uint64_t mask, std::vector<double>& counted) {
  const Evaluator evaluator;
  const HandRank own = evaluator(board + own_);
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if ((setting_.hands.mask(seen_[i]) & mask) != 0) continue;
    const HandRank other = evaluator(board + setting_.accumulators[static_cast<std::size_t>(seen_[i])]);
    chance_[i] += own > other ? 1 : own == other ? 0.5 : 0;
    counted[i] += 1;
  }
}

void LocalHand::ask(const State& state, Answers& answers) {
  if (answers.known) return;
  answers.rows.resize(seen_.size() * setting_.actions);
  const State* const view[] = {&state};
  policy_.probabilities_of_hands(view, asked_, answers.rows);
  answers.known = true;
}

template <typename Factor>
std::array<double, 2> LocalHand::sums(Factor factor) const {
  std::array<double, 2> sum{0, 0};
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const double weight = weight_[static_cast<std::size_t>(seen_[i])] * factor(i);
    sum[0] += weight;
    sum[1] += weight * (2 * chance_[i] - 1);
  }
  return sum;
}

/// Expected chips of a raise, if whoever does not fold to it checks and calls from there on. next: after the raise.
double LocalHand::value_of_raise(const State& next, Answers& answers) const {
  const auto other = static_cast<std::size_t>(1 - seat_);
  const double matched = std::min(next.spent[static_cast<std::size_t>(seat_)], setting_.game.definition().stack[other]);
  const auto all = sums([](std::size_t) { return 1.0; });
  if (next.finished || next.actor == seat_) return matched * all[1] / all[0];
  const auto stays = sums([&](std::size_t i) { return 1 - answers.rows[i * setting_.actions + kFold]; });
  return ((all[0] - stays[0]) * next.spent[other] + stays[1] * matched) / all[0];
}

Action LocalHand::respond() {
  const ActionMask legal = setting_.game.legal_actions(state_);
  const auto own = static_cast<std::size_t>(seat_);
  for (Answers& answers : after_) answers.known = false;
  Action best = kCall;
  const auto all = sums([](std::size_t) { return 1.0; });
  const double called = std::min(state_.spent[own] + setting_.game.call_cost(state_), state_.spent[1 - own]);
  double most = called * all[1] / all[0];
  for (unsigned set = legal & ~(1U << kCall); set != 0; set &= set - 1) {
    const auto action = static_cast<Action>(std::countr_zero(set));
    double value = -static_cast<double>(state_.spent[own]);
    if (action != kFold) {
      State next = state_;
      setting_.game.apply(next, action);
      if (!next.finished && next.actor != seat_) ask(next, after_[action]);
      value = value_of_raise(next, after_[action]);
    }
    if (value <= most) continue;
    most = value;
    best = action;
  }
  last_ = best;
  return best;
}

/// Drawn as all hands together act that the whole board leaves: the board is dealt already, though nobody has seen it.
Action LocalHand::opponent_acts() {
  Answers fresh;
  Answers& answers = after_[last_].known && last_ >= kFirstRaise ? after_[last_] : fresh;
  ask(state_, answers);
  std::vector<double> probabilities(setting_.actions, 0.0);
  double total = 0;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if ((setting_.hands.mask(seen_[i]) & board_mask_) != 0) continue;
    const double weight = weight_[static_cast<std::size_t>(seen_[i])];
    total += weight;
    for (std::size_t a = 0; a < setting_.actions; ++a) probabilities[a] += weight * answers.rows[i * setting_.actions + a];
  }
  DEEPCFR_CHECK(total > 0, "the policy came where it never goes");
  for (double& p : probabilities) p /= total;
  const CounterRandom random(StreamPurpose::local_response_action,
                             {setting_.options.seed, pair_, static_cast<std::uint64_t>(seat_)});
  const Action action = sample_action(probabilities, random.uniform(state_.history.size));
  const double taken = probabilities[action] * total;  // weights sum to 1 again: they do not run out of digits
  for (std::size_t i = 0; i < seen_.size(); ++i)
    weight_[static_cast<std::size_t>(seen_[i])] *= answers.rows[i * setting_.actions + action] / taken;
  for (Answers& considered : after_) considered.known = false;
  return action;
}

double LocalHand::end() const {
  const double chips = chips_at_end(setting_.game, state_);
  if (state_.folded != 0) return seat_ == 0 ? chips : -chips;
  const GameDefinition& d = setting_.game.definition();
  HandAccumulator board;
  for (int c = 0; c < d.board_count(d.rounds - 1); ++c) board += board_[static_cast<std::size_t>(c)];
  const Evaluator evaluator;
  const HandRank own = evaluator(board + own_);
  double total = 0, won = 0;
  for (int h = 0; h < setting_.hands.count(); ++h) {
    if ((setting_.hands.mask(h) & (own_mask_ | board_mask_)) != 0) continue;
    const double weight = weight_[static_cast<std::size_t>(h)];
    const HandRank other = evaluator(board + setting_.accumulators[static_cast<std::size_t>(h)]);
    total += weight;
    won += weight * (own > other ? 1 : own == other ? 0 : -1);
  }
  return chips * won / total;
}

}  // namespace

LocalResponseReport local_best_response(const Game& game, Policy& policy, const LocalResponseOptions& options) {
  DEEPCFR_CHECK(has_public_walk(game), game.name());
  DEEPCFR_CHECK(options.hands >= 1 && options.threads >= 1 && options.rollout_boards >= 1);
  const Setting setting(game, options);
  const auto threads = static_cast<std::size_t>(options.threads);
  std::vector<std::unique_ptr<Policy>> policies;
  for (std::size_t t = 0; t < threads; ++t) policies.push_back(policy.clone());
  const auto pairs = static_cast<std::size_t>((options.hands + 1) / 2);
  std::vector<std::array<double, 2>> made(kSlotsOfAThread * threads);
  LocalResponseReport report;
  run_in_order(
      threads, pairs, made.size(),
      [&](std::size_t pair, std::size_t worker, std::size_t slot) {
        for (const int seat : {0, 1})
          made[slot][static_cast<std::size_t>(seat)] = LocalHand(setting, *policies[worker], pair, seat).play();
      },
      [&](std::size_t pair, std::size_t slot) {
        for (const std::size_t seat : {0U, 1U}) report.by_seat[seat].add(made[slot][seat]);
        report.both.add((made[slot][0] + made[slot][1]) / 2);
        if (options.progress) options.progress(static_cast<double>(pair + 1) / static_cast<double>(pairs));
      });
  return report;
}

}  // namespace deepcfr
