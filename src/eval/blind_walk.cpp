// Best responses to a policy that does not look at cards. Whatever it did so far, its hand is any of the hands left with equal probability, so
// that at a showdown nothing counts of the responder's hand but how many of them it beats: one whole number, the margin. What a subgame of the
// last round is worth is then a function of that number, computed once for each; before that, values are means over the cards to come, for all
// distinct subgames of a round (blind_plan.h) and both responders at once. Values are chips given the responder's hand and the board.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "blind_plan.h"
#include "deepcfr/core/aligned.h"
#include "deepcfr/core/error.h"
#include "deepcfr/eval/public_response.h"
#include "ordered_tasks.h"
#include "public_boards.h"
#include "public_showdown.h"

namespace deepcfr {
namespace {

using Doubles = AlignedVector<double>;
using Margins = std::vector<std::uint16_t>;  // by hand of the table: row of the last round's table of values

constexpr std::size_t kBlock = 64;   // hands whose betting is computed together
constexpr std::size_t kLine = 8;     // doubles; rows of values are multiples of it
constexpr std::size_t kSlotsOfAThread = 8;
constexpr std::size_t kMostEntries = 500;  // distinct subgames that a round begins with: rows of 8 kB for each hand

constexpr std::size_t padded(std::size_t columns) { return (columns + kLine - 1) / kLine * kLine; }

/// Rows of values: one row for each hand (or margin), for each entry of a round two numbers, player 0 as responder first.
struct Rows {
  std::size_t columns = 0;
  Doubles values;
  void resize(std::size_t rows, std::size_t entries) {
    columns = padded(2 * entries);
    values.assign(rows * columns, 0.0);
  }
  double* row(std::size_t i) noexcept { return values.data() + i * columns; }
  const double* row(std::size_t i) const noexcept { return values.data() + i * columns; }
};

struct Worker {
  explicit Worker(const HandTable& hands, const BoardTable& boards) : live(hands, boards.no_board(), false) {}
  BoardHands live;
  std::vector<std::int16_t> margins;
  std::unordered_map<std::uint64_t, Margins> known;  // by cards of the board: the same five lie on several ways
  std::vector<Rows> after, of_board;                 // by round: at its exits; at its entries
};

/// sum[c] += weight · rows[margins[k]][c] over k.
template <std::size_t Columns>
void add_rows(const Rows& table, std::size_t first, std::span<const std::uint16_t> margins, std::span<const double> weights, double* sum) {
  double total[Columns];
  for (std::size_t c = 0; c < Columns; ++c) total[c] = 0;
  for (std::size_t k = 0; k < margins.size(); ++k) {
    const double* row = table.row(margins[k]) + first;
    for (std::size_t c = 0; c < Columns; ++c) total[c] += weights[k] * row[c];
  }
  for (std::size_t c = 0; c < Columns; ++c) sum[c] = total[c];
}

class BlindWalk {
 public:
  BlindWalk(const Game& game, Policy& policy, const PublicWalkOptions& options)
      : definition_(game.definition()),
        options_(options),
        betting_(game, kMostBettingNodes),
        plan_(game, betting_, policy),
        hands_(definition_),
        boards_(definition_, hands_, options.merge_suits),
        last_(plan_.last_round()) {
    const int unseen = definition_.deck_size() - definition_.hole_cards - definition_.board_count(last_);
    opponents_ = static_cast<int>(combinations(unseen, definition_.hole_cards));
    for (int r = 0; r <= last_; ++r) {
      if (plan_.entries(r).size() <= kMostEntries) continue;
      throw Error(ErrorKind::usage, "round " + std::to_string(r + 1) + " begins in " + std::to_string(plan_.entries(r).size()) + " different ways (at most " +
                  std::to_string(kMostEntries) + " are taken on)", "game " + game.name(), "take fewer raise sizes and raises");
    }
    for (int w = 0; w <= std::max(1, options.threads); ++w) workers_.push_back(make_worker());  // the last one: this thread's
    make_table();
  }

  ExploitabilityReport report();

 private:
  Worker make_worker() const;
  void make_table();
  std::size_t none() const noexcept { return 2 * static_cast<std::size_t>(opponents_) + 1; }  // the row of hands that are not there
  const Margins& margins(Worker& worker, const Board& board) const;
  void play_board(Worker& worker, const Board& board, int round, Rows& out);
  void boards_after(Worker& worker, const Board& board, int round);
  void boards_in_threads(const std::vector<Board>& boards, int round, Rows& sum);
  void last_boards(Worker& worker, const std::vector<Board>& boards, Rows& sum) const;
  void bet(int round, std::size_t count, const Rows* after, Rows& out) const;
  void bet_block(int round, std::size_t first, std::size_t count, const Rows* after, Doubles& space, Rows& out) const;

  const GameDefinition& definition_;
  const PublicWalkOptions& options_;
  PublicPlan betting_;
  BlindPlan plan_;
  HandTable hands_;
  BoardTable boards_;
  int last_;
  int opponents_ = 0;  // hands that the opponent can hold on the last round
  Rows table_;         // of the last round, by margin
  std::vector<Worker> workers_;
  bool in_threads_ = false;
};

Worker BlindWalk::make_worker() const {
  Worker worker(hands_, boards_);
  const auto count = static_cast<std::size_t>(hands_.count());
  worker.after.resize(static_cast<std::size_t>(last_) + 1);
  worker.of_board.resize(worker.after.size());
  for (int r = 0; r <= last_; ++r) {
    const auto i = static_cast<std::size_t>(r);
    worker.of_board[i].resize(count, plan_.entries(r).size());
    if (r < last_) worker.after[i].resize(count, plan_.entries(r + 1).size());
  }
  return worker;
}

/// Values of the last round's entries for every margin, and a row of zeros.
void BlindWalk::make_table() {
  table_.resize(none() + 1, plan_.entries(last_).size());
  bet(last_, none(), nullptr, table_);
}

const Margins& BlindWalk::margins(Worker& worker, const Board& board) const {
  Margins& rows = worker.known[board.mask];
  if (!rows.empty()) return rows;
  worker.live.set(board, true);
  worker.margins.resize(worker.live.count());
  worker.live.margins(worker.margins);
  rows.assign(static_cast<std::size_t>(hands_.count()), static_cast<std::uint16_t>(none()));
  for (std::size_t i = 0; i < worker.live.count(); ++i)
    rows[static_cast<std::size_t>(worker.live.hands()[i])] = static_cast<std::uint16_t>(worker.margins[i] + opponents_);
  return rows;
}

/// Values of the round's entries on a board, by hand.
void BlindWalk::play_board(Worker& worker, const Board& board, int round, Rows& out) {
  if (round == last_ - 2) worker.known.clear();
  if (round == last_) {
    const Margins& rows = margins(worker, board);
    for (std::size_t h = 0; h < rows.size(); ++h) std::copy_n(table_.row(rows[h]), table_.columns, out.row(h));
    return;
  }
  boards_after(worker, board, round);
  bet(round, static_cast<std::size_t>(hands_.count()), &worker.after[static_cast<std::size_t>(round)], out);
}

/// Mean values over the cards of round + 1 of what that round's entries are worth, into worker.after[round].
void BlindWalk::boards_after(Worker& worker, const Board& board, int round) {
  const std::vector<Board> boards = boards_.next(board, round + 1);
  Rows& sum = worker.after[static_cast<std::size_t>(round)];
  std::fill(sum.values.begin(), sum.values.end(), 0.0);
  if (boards.size() > 1 && !in_threads_) {
    boards_in_threads(boards, round + 1, sum);
  } else if (round + 1 == last_) {
    last_boards(worker, boards, sum);
  } else {
    for (const Board& next : boards) {
      Rows& of_board = worker.of_board[static_cast<std::size_t>(round) + 1];
      play_board(worker, next, round + 1, of_board);
      for (std::size_t h = 0; h < static_cast<std::size_t>(hands_.count()); ++h) {
        if ((hands_.mask(static_cast<int>(h)) & next.mask) != 0) continue;
        for (std::size_t c = 0; c < sum.columns; ++c) sum.row(h)[c] += next.weight * of_board.row(h)[c];
      }
    }
  }
  boards_.symmetrise(board, sum.values, sum.columns);
  const int unseen = definition_.deck_size() - definition_.hole_cards - board.count;
  const double ways = combinations(unseen, definition_.board_cards[static_cast<std::size_t>(round) + 1]);
  for (double& x : sum.values) x /= ways;
}

void BlindWalk::boards_in_threads(const std::vector<Board>& boards, int round, Rows& sum) {
  in_threads_ = true;
  const std::size_t threads = workers_.size() - 1;
  std::vector<Rows> made(kSlotsOfAThread * threads);
  for (Rows& rows : made) rows.resize(static_cast<std::size_t>(hands_.count()), plan_.entries(round).size());
  run_in_order(
      threads, boards.size(), made.size(),
      [&](std::size_t item, std::size_t worker, std::size_t slot) {
        workers_[worker].known.clear();
        play_board(workers_[worker], boards[item], round, made[slot]);
      },
      [&](std::size_t item, std::size_t slot) {
        for (std::size_t h = 0; h < static_cast<std::size_t>(hands_.count()); ++h) {
          if ((hands_.mask(static_cast<int>(h)) & boards[item].mask) != 0) continue;
          for (std::size_t c = 0; c < sum.columns; ++c) sum.row(h)[c] += boards[item].weight * made[slot].row(h)[c];
        }
        if (options_.progress) options_.progress(static_cast<double>(item + 1) / static_cast<double>(boards.size()));
      });
  in_threads_ = false;
}

/// The inner loop of a long walk: for every hand the sum of one row of the table for each last board.
void BlindWalk::last_boards(Worker& worker, const std::vector<Board>& boards, Rows& sum) const {
  constexpr std::size_t kWide = 4 * kLine;
  std::vector<const Margins*> rows;
  std::vector<double> weights;
  for (const Board& board : boards) {
    rows.push_back(&margins(worker, board));  // stays where it is when others are added
    weights.push_back(board.weight);
  }
  std::vector<std::uint16_t> of_hand(rows.size());
  for (std::size_t h = 0; h < static_cast<std::size_t>(hands_.count()); ++h) {
    for (std::size_t k = 0; k < rows.size(); ++k) of_hand[k] = (*rows[k])[h];
    std::size_t c = 0;
    for (; c + kWide <= sum.columns; c += kWide) add_rows<kWide>(table_, c, of_hand, weights, sum.row(h) + c);
    for (; c < sum.columns; c += kLine) add_rows<kLine>(table_, c, of_hand, weights, sum.row(h) + c);
  }
}

/// All betting of a round for `count` rows. after: values of its exits; on the last round null, and row i has the margin i − opponents.
void BlindWalk::bet(int round, std::size_t count, const Rows* after, Rows& out) const {
  Doubles space((plan_.size() + 1) * 2 * kBlock);
  for (std::size_t first = 0; first < count; first += kBlock) bet_block(round, first, std::min(kBlock, count - first), after, space, out);
}

void BlindWalk::bet_block(int round, std::size_t first, std::size_t count, const Rows* after, Doubles& space, Rows& out) const {
  const auto values_of = [&](std::int32_t node, std::size_t responder) {
    return space.data() + (static_cast<std::size_t>(node) * 2 + responder) * kBlock;
  };
  const auto fill_end = [&](std::int32_t node) {
    const BlindNode& end = plan_.node(node);
    for (const std::size_t p : {0U, 1U}) {
      double* to = values_of(node, p);
      if (end.kind == PublicKind::fold) {
        std::fill_n(to, count, p == 0 ? end.chips : -end.chips);
      } else if (after != nullptr) {
        const std::size_t column = 2 * plan_.entry_index(node, round + 1) + p;
        for (std::size_t i = 0; i < count; ++i) to[i] = after->row(first + i)[column];
      } else {
        for (std::size_t i = 0; i < count; ++i)
          to[i] = end.chips * (static_cast<double>(first + i) - opponents_) / static_cast<double>(opponents_);
      }
    }
  };
  const auto ends_round = [&](std::int32_t node) { return plan_.node(node).kind != PublicKind::decision || plan_.leaves(node, round); };
  for (const std::int32_t node : plan_.decisions(round)) {
    const BlindNode& decision = plan_.node(node);
    for (const BlindNode::Branch& branch : decision.branches)
      if (ends_round(branch.child)) fill_end(branch.child);
    for (const std::size_t p : {0U, 1U}) {
      double* to = values_of(node, p);
      const bool responds = static_cast<std::size_t>(decision.actor) == p;
      bool begun = false;
      for (const BlindNode::Branch& branch : decision.branches) {
        const double* from = values_of(branch.child, p);
        const double part = responds ? 1 : branch.probability;
        if (!begun) {
          for (std::size_t i = 0; i < count; ++i) to[i] = part * from[i];
        } else if (responds) {
          for (std::size_t i = 0; i < count; ++i) to[i] = std::max(to[i], from[i]);
        } else {
          for (std::size_t i = 0; i < count; ++i) to[i] += part * from[i];
        }
        begun = true;
      }
    }
  }
  for (std::size_t e = 0; e < plan_.entries(round).size(); ++e) {
    const std::int32_t node = plan_.entries(round)[e];
    if (ends_round(node)) fill_end(node);
    for (const std::size_t p : {0U, 1U})
      for (std::size_t i = 0; i < count; ++i) out.row(first + i)[2 * e + p] = values_of(node, p)[i];
  }
}

ExploitabilityReport BlindWalk::report() {
  Worker& own = workers_.back();
  // A virtual round before the first one would do for games that deal a board at once; the first round's boards are averaged here.
  const std::vector<Board> boards = boards_.next(boards_.no_board(), 0);
  Rows sum;
  sum.resize(static_cast<std::size_t>(hands_.count()), 1);
  if (boards.size() > 1) {
    boards_in_threads(boards, 0, sum);
  } else {
    play_board(own, boards[0], 0, sum);
  }
  const double ways = combinations(definition_.deck_size() - definition_.hole_cards, definition_.board_cards[0]);
  ExploitabilityReport report;
  report.value = {plan_.value(), 0 - plan_.value()};  // 0, not −0
  for (const std::size_t p : {0U, 1U}) {
    double total = 0;
    for (std::size_t h = 0; h < static_cast<std::size_t>(hands_.count()); ++h) total += sum.row(h)[p];
    report.best_response.push_back(total / ways / hands_.count());
    report.nash_conv += report.best_response[p] - report.value[p];
  }
  report.exploitability = report.nash_conv / 2;
  return report;
}

}  // namespace

ExploitabilityReport walk_blind(const Game& game, Policy& policy, const PublicWalkOptions& options) {
  DEEPCFR_CHECK(has_public_walk(game), game.name());
  return BlindWalk(game, policy, options).report();
}

}  // namespace deepcfr
