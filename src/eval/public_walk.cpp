// The walk that asks the policy for every hand. What goes down is each player's own reach for each of its hands, what comes up, for both
// players as responders at once, the value of each hand against the other's reach; chance is uniform over the cards that are left, so that it
// enters as one divisor at the root. All betting of a round is gone through for one board: first down to the ends of the round, then the boards
// that follow, then back up with their values. Boards equal up to suits are walked once and their values spread over what they stand for.
#include <algorithm>
#include <bit>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/public_response.h"
#include "ordered_tasks.h"
#include "public_boards.h"
#include "public_plan.h"
#include "public_showdown.h"

namespace deepcfr {
namespace {

using Pairs = std::vector<Pair>;

constexpr std::size_t kSlotsOfAThread = 8;  // boards that are done ahead of the one that is summed up next

/// What a worker needs for one board of a round.
struct RoundSpace {
  explicit RoundSpace(const HandTable& hands, const BoardTable& boards) : live(hands, boards.no_board(), false) {}
  BoardHands live;
  HandsOnBoard asked;               // one hand of each class
  std::vector<std::int32_t> class_of;  // [live hand]
  std::vector<std::int32_t> class_of_hand;  // [hand of the table]
  std::vector<double> strategy[2];  // [decision of the player][class][action]
  std::vector<Pairs> reach, values;  // by depth: [live hand]
  std::vector<Pairs> exit_reach, exit_values;  // by exit: [hand of the table]
  std::vector<const State*> states;
  std::vector<Pairs> child_values;  // by exit, of one board that follows
  double value = 0;                 // of player 0 when both follow the policy: sum over ends
};

struct Worker {
  std::unique_ptr<Policy> policy;
  std::vector<RoundSpace> rounds;
};

class PublicWalk {
 public:
  PublicWalk(const Game& game, Policy& policy, const PublicWalkOptions& options)
      : game_(game),
        options_(options),
        plan_(game, kMostBettingNodes),
        hands_(game.definition()),
        boards_(game.definition(), hands_, options.merge_suits && policy.treats_suits_alike()),
        actions_(static_cast<std::size_t>(game.num_actions())) {
    for (int w = 0; w < std::max(1, options.threads); ++w) workers_.push_back(make_worker(policy));
    main_ = make_worker(policy);
  }

  ExploitabilityReport report() {
    const std::vector<Pairs> reach(1, Pairs(static_cast<std::size_t>(hands_.count()), Pair{{1, 1}}));
    std::vector<Pairs> values(1, Pairs(reach[0].size()));
    const double value = boards_after(main_, boards_.no_board(), -1, reach, values);
    const double deals = game_size(game_).deals;
    ExploitabilityReport report;
    report.value = {value / deals, -value / deals};
    for (const std::size_t p : {0U, 1U}) {
      double sum = 0;
      for (const Pair& v : values[0]) sum += v.of[p];
      report.best_response.push_back(sum / deals);
      report.nash_conv += report.best_response[p] - report.value[p];
    }
    report.exploitability = report.nash_conv / 2;
    return report;
  }

 private:
  Worker make_worker(const Policy& policy) const {
    Worker worker;
    worker.policy = policy.clone();
    for (int r = 0; r <= plan_.last_round(); ++r) {
      RoundSpace& space = worker.rounds.emplace_back(hands_, boards_);
      space.reach.assign(plan_.depth() + 1, Pairs(static_cast<std::size_t>(hands_.count())));
      space.values = space.reach;
      space.class_of_hand.resize(static_cast<std::size_t>(hands_.count()));
      if (r == plan_.last_round()) continue;
      space.exit_reach.assign(plan_.exits(r).size(), Pairs(static_cast<std::size_t>(hands_.count())));
      space.exit_values = space.child_values = space.exit_reach;
    }
    return worker;
  }

  double boards_after(Worker& worker, const Board& board, int round, const std::vector<Pairs>& reach, std::vector<Pairs>& values);
  double boards_in_threads(const std::vector<Board>& boards, int round, const std::vector<Pairs>& reach, std::vector<Pairs>& values);
  double play_board(Worker& worker, const Board& board, int round, const std::vector<Pairs>& reach, std::vector<Pairs>& values);
  void add_board(const Board& board, const std::vector<Pairs>& of_board, std::vector<Pairs>& values) const;
  void ask(Worker& worker, const Board& board, int round) const;
  void follow(RoundSpace& space, std::int32_t node, std::size_t action, const Pairs& reach, Pairs& next) const;
  void down(RoundSpace& space, std::int32_t node, int round, std::size_t depth) const;
  void up(RoundSpace& space, std::int32_t node, int round, std::size_t depth) const;
  void end(RoundSpace& space, std::int32_t node, int round, std::size_t depth) const;
  template <typename Visit>
  void for_each_child(std::int32_t node, Visit visit) const;

  const Game& game_;
  const PublicWalkOptions& options_;
  PublicPlan plan_;
  HandTable hands_;
  BoardTable boards_;
  std::size_t actions_;
  std::vector<Worker> workers_;
  Worker main_;
  bool in_threads_ = false;
};

/// The boards that follow `board` in round + 1: adds the values of the ends of `round`, and returns player 0's value.
double PublicWalk::boards_after(Worker& worker, const Board& board, int round, const std::vector<Pairs>& reach, std::vector<Pairs>& values) {
  std::vector<Board> boards = boards_.next(board, round + 1);
  if (options_.board_stride > 1 && boards.size() > 1 && !in_threads_) {
    std::size_t kept = 0;
    for (auto i = static_cast<std::size_t>(options_.first_board); i < boards.size(); i += static_cast<std::size_t>(options_.board_stride))
      std::swap(boards[kept++], boards[i]);
    boards.resize(kept);
  }
  for (Pairs& of_exit : values) std::fill(of_exit.begin(), of_exit.end(), Pair{});
  double value = 0;
  if (boards.size() > 1 && !in_threads_) {
    value = boards_in_threads(boards, round + 1, reach, values);
  } else {
    std::vector<Pairs> first(round < 0 ? 1 : 0, Pairs(static_cast<std::size_t>(hands_.count())));
    std::vector<Pairs>& of_board = round < 0 ? first : worker.rounds[static_cast<std::size_t>(round)].child_values;
    for (const Board& next : boards) {
      value += next.weight * play_board(worker, next, round + 1, reach, of_board);
      add_board(next, of_board, values);
    }
  }
  for (Pairs& of_exit : values) boards_.symmetrise(board, {reinterpret_cast<double*>(of_exit.data()), 2 * of_exit.size()}, 2);
  return value;
}

double PublicWalk::boards_in_threads(const std::vector<Board>& boards, int round, const std::vector<Pairs>& reach, std::vector<Pairs>& values) {
  in_threads_ = true;
  const std::size_t slots = kSlotsOfAThread * workers_.size();
  std::vector<std::vector<Pairs>> made(slots, std::vector<Pairs>(reach.size(), Pairs(static_cast<std::size_t>(hands_.count()))));
  std::vector<double> made_values(slots);
  double value = 0;
  run_in_order(
      workers_.size(), boards.size(), slots,
      [&](std::size_t item, std::size_t worker, std::size_t slot) {
        made_values[slot] = play_board(workers_[worker], boards[item], round, reach, made[slot]);
      },
      [&](std::size_t item, std::size_t slot) {
        value += boards[item].weight * made_values[slot];
        add_board(boards[item], made[slot], values);
        if (options_.progress) options_.progress(static_cast<double>(item + 1) / static_cast<double>(boards.size()));
      });
  in_threads_ = false;
  return value;
}

void PublicWalk::add_board(const Board& board, const std::vector<Pairs>& of_board, std::vector<Pairs>& values) const {
  for (std::size_t e = 0; e < values.size(); ++e)
    for (std::size_t h = 0; h < values[e].size(); ++h)
      for (const std::size_t p : {0U, 1U}) values[e][h].of[p] += board.weight * of_board[e][h].of[p];
}

/// All betting of a round on a board. reach, values: by entry of the round, [hand of the table]. Returns player 0's value.
double PublicWalk::play_board(Worker& worker, const Board& board, int round, const std::vector<Pairs>& reach, std::vector<Pairs>& values) {
  RoundSpace& space = worker.rounds[static_cast<std::size_t>(round)];
  space.live.set(board, round == plan_.last_round());
  space.value = 0;
  ask(worker, board, round);
  const std::vector<std::int32_t>& live = space.live.hands();
  const std::vector<std::int32_t>& entries = plan_.entries(round);
  const auto enter = [&](std::size_t entry) {
    for (std::size_t i = 0; i < live.size(); ++i) space.reach[0][i] = reach[entry][static_cast<std::size_t>(live[i])];
  };
  double later = 0;
  if (round < plan_.last_round() && !plan_.exits(round).empty()) {
    for (std::size_t e = 0; e < entries.size(); ++e) {
      enter(e);
      down(space, entries[e], round, 0);
    }
    later = boards_after(worker, board, round, space.exit_reach, space.exit_values);
  }
  for (std::size_t e = 0; e < entries.size(); ++e) {
    enter(e);
    up(space, entries[e], round, 0);
    std::fill(values[e].begin(), values[e].end(), Pair{});
    for (std::size_t i = 0; i < live.size(); ++i) values[e][static_cast<std::size_t>(live[i])] = space.values[0][i];
  }
  return space.value + later;
}

/// The policy's answers at all decisions of the round, for one hand of each class.
void PublicWalk::ask(Worker& worker, const Board& board, int round) const {
  RoundSpace& space = worker.rounds[static_cast<std::size_t>(round)];
  space.asked.round = round;
  space.asked.board = board.cards;
  space.asked.holes.clear();
  std::fill(space.class_of_hand.begin(), space.class_of_hand.end(), -1);
  space.class_of.clear();
  for (const std::int32_t h : space.live.hands()) {
    std::int32_t& known = space.class_of_hand[static_cast<std::size_t>(boards_.representative(board, h))];
    if (known < 0) {
      known = static_cast<std::int32_t>(space.asked.holes.size());
      space.asked.holes.push_back(hands_.hole(h));
    }
    space.class_of.push_back(known);
  }
  for (const int p : {0, 1}) {
    space.states.clear();
    for (const std::int32_t node : plan_.decisions(round, p)) space.states.push_back(&plan_.tree().node(node).state);
    space.strategy[p].resize(space.states.size() * space.asked.holes.size() * actions_);
    worker.policy->probabilities_of_hands(space.states, space.asked, space.strategy[p]);
  }
}

template <typename Visit>
void PublicWalk::for_each_child(std::int32_t node, Visit visit) const {
  const BettingNode& betting = plan_.tree().node(node);
  std::int32_t child = betting.first_child;
  for (unsigned set = betting.legal; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)), child++);
}

/// Reach behind an action.
void PublicWalk::follow(RoundSpace& space, std::int32_t node, std::size_t action, const Pairs& reach, Pairs& next) const {
  const std::size_t actor = plan_.tree().node(node).state.actor;
  const double* strategy =
      space.strategy[actor].data() + plan_.decision_index(node) * space.asked.holes.size() * actions_ + action;
  const std::size_t count = space.live.count();
  for (std::size_t i = 0; i < count; ++i) {
    next[i] = reach[i];
    next[i].of[actor] *= strategy[static_cast<std::size_t>(space.class_of[i]) * actions_];
  }
}

/// Reach of the round's exits.
void PublicWalk::down(RoundSpace& space, std::int32_t node, int round, std::size_t depth) const {
  const PublicKind kind = plan_.kind(node, round);
  if (kind == PublicKind::exit) {
    Pairs& exit = space.exit_reach[plan_.exit_index(node, round)];
    std::fill(exit.begin(), exit.end(), Pair{});
    const std::vector<std::int32_t>& live = space.live.hands();
    for (std::size_t i = 0; i < live.size(); ++i) exit[static_cast<std::size_t>(live[i])] = space.reach[depth][i];
  } else if (kind == PublicKind::decision) {
    for_each_child(node, [&](std::size_t action, std::int32_t child) {
      follow(space, node, action, space.reach[depth], space.reach[depth + 1]);
      down(space, child, round, depth + 1);
    });
  }
}

/// Values of a node into values[depth], from reach[depth].
void PublicWalk::up(RoundSpace& space, std::int32_t node, int round, std::size_t depth) const {
  if (plan_.kind(node, round) != PublicKind::decision) return end(space, node, round, depth);
  const std::size_t actor = plan_.tree().node(node).state.actor;
  const std::size_t other = 1 - actor;
  const std::size_t count = space.live.count();
  Pair* const out = space.values[depth].data();
  bool first = true;
  for_each_child(node, [&](std::size_t action, std::int32_t child) {
    follow(space, node, action, space.reach[depth], space.reach[depth + 1]);
    up(space, child, round, depth + 1);
    const Pair* const of_child = space.values[depth + 1].data();
    if (first) {
      std::copy_n(of_child, count, out);
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        out[i].of[actor] = std::max(out[i].of[actor], of_child[i].of[actor]);
        out[i].of[other] += of_child[i].of[other];
      }
    }
    first = false;
  });
}

void PublicWalk::end(RoundSpace& space, std::int32_t node, int round, std::size_t depth) const {
  const Pairs& reach = space.reach[depth];
  Pairs& values = space.values[depth];
  const std::size_t count = space.live.count();
  const PublicKind kind = plan_.kind(node, round);
  if (kind == PublicKind::exit) {  // counted where the hand ends
    const Pairs& from = space.exit_values[plan_.exit_index(node, round)];
    for (std::size_t i = 0; i < count; ++i) values[i] = from[static_cast<std::size_t>(space.live.hands()[i])];
    return;
  }
  if (kind == PublicKind::fold) {
    space.live.fold(plan_.chips(node) * plan_.completions(round), reach, values);  // for every way that the board could go on
  } else {
    space.live.showdown(plan_.chips(node), reach, values);
  }
  double value = 0;
  for (std::size_t i = 0; i < count; ++i) value += reach[i].of[0] * values[i].of[0];
  space.value += value;
}

}  // namespace

ExploitabilityReport walk_every_hand(const Game& game, Policy& policy, const PublicWalkOptions& options) {
  DEEPCFR_CHECK(has_public_walk(game), game.name());
  return PublicWalk(game, policy, options).report();
}

}  // namespace deepcfr
