#include "deepcfr/game/betting_tree.h"

#include <bit>
#include <string>
#include <unordered_map>

#include "deepcfr/core/error.h"

namespace deepcfr {

namespace {

/// What the rest of a hand depends on at the start of a round (all but the cards).
struct RoundStart {
  std::array<std::int32_t, kMaxPlayers> spent;
  std::int32_t max_spent;
  std::uint16_t folded;
  std::uint8_t round;
  bool operator==(const RoundStart&) const = default;
};

struct RoundStartHash {
  std::size_t operator()(const RoundStart& start) const noexcept {
    std::uint64_t hash = mix_key({start.folded, start.round, static_cast<std::uint64_t>(start.max_spent)});
    for (const std::int32_t spent : start.spent) hash = mix64(hash ^ static_cast<std::uint64_t>(spent));
    return hash;
  }
};

/// Walks the tree; what follows an equal start of a round is counted once.
class BettingCounter {
 public:
  BettingCounter(const Game& game, bool every_raise, std::uint64_t limit)
      : game_(game), every_raise_(every_raise), limit_(limit) {}

  BettingCounts count() {
    walk(game_.initial_state(Deal{}));
    return counts_;
  }

 private:
  static constexpr std::size_t kMostStarts = 1'000'000;  // remembered; about 100 MB

  void add(std::uint64_t& counter, std::uint64_t nodes) {
    counter += nodes;
    seen_ += nodes;
    if (seen_ > limit_) counts_.complete = false;
  }

  void walk(const State& state) {
    if (!counts_.complete) return;
    if (state.finished) return add(counts_.terminals, 1);
    add(counts_.decision_points[state.round], 1);
    ActionMask legal = game_.legal_actions(state);
    if (every_raise_) legal &= 1u << kFold | 1u << kCall;
    for (unsigned set = legal; set != 0 && counts_.complete; set &= set - 1) {
      State next = state;
      game_.apply(next, static_cast<Action>(std::countr_zero(set)));
      walk_next(state.round, next);
    }
    if (every_raise_) walk_raises(state);
  }

  void walk_raises(const State& state) {
    const std::optional<RaiseRange> range = game_.raise_range(state);
    if (!range) return;
    for (std::int32_t total = range->min; total <= range->max && counts_.complete; ++total) {
      State next = state;
      game_.apply_raise_to(next, total);
      walk_next(state.round, next);
    }
  }

  void walk_next(int round, const State& next) {
    if (next.finished || next.round == round) return walk(next);
    const RoundStart start{next.spent, next.max_spent, next.folded, next.round};
    const auto known = starts_.find(start);
    if (known != starts_.end()) {
      for (std::size_t r = 0; r < kMaxRounds; ++r) add(counts_.decision_points[r], known->second.decision_points[r]);
      return add(counts_.terminals, known->second.terminals);
    }
    BettingCounts before = counts_;
    walk(next);
    if (!counts_.complete || starts_.size() >= kMostStarts) return;
    for (std::size_t r = 0; r < kMaxRounds; ++r)
      before.decision_points[r] = counts_.decision_points[r] - before.decision_points[r];
    before.terminals = counts_.terminals - before.terminals;
    starts_.emplace(start, before);
  }

  const Game& game_;
  bool every_raise_;
  std::uint64_t limit_;
  std::uint64_t seen_ = 0;
  BettingCounts counts_;
  std::unordered_map<RoundStart, BettingCounts, RoundStartHash> starts_;
};

double choose(int n, int k) {
  double ways = 1;
  for (int i = 0; i < k; ++i) ways = ways * (n - i) / (i + 1);
  return ways;
}

}  // namespace

BettingCounts count_betting(const Game& game, bool every_raise, std::uint64_t limit) {
  return BettingCounter(game, every_raise, limit).count();
}

BettingTree::BettingTree(const Game& game, std::size_t limit) {
  const auto expand = [&](auto& self, std::int32_t index) -> void {
    const State state = node(index).state;
    const ActionMask legal = game.legal_actions(state);
    if (legal == 0) return;
    const auto first = static_cast<std::int32_t>(nodes_.size());
    BettingNode& parent = nodes_[static_cast<std::size_t>(index)];
    parent.legal = legal;
    parent.first_child = first;
    parent.decision = decisions_++;
    if (nodes_.size() + static_cast<std::size_t>(std::popcount(legal)) > limit) {
      throw Error(ErrorKind::usage, "the betting tree has more than " + std::to_string(limit) + " nodes", "game " + game.name(),
                  "take a smaller game, or fewer raise sizes and raises");
    }
    for (unsigned set = legal; set != 0; set &= set - 1) {
      BettingNode child;
      child.state = state;
      child.parent = index;
      child.action = static_cast<Action>(std::countr_zero(set));
      game.apply(child.state, child.action);
      nodes_.push_back(child);
    }
    for (int i = 0; i < std::popcount(legal); ++i) self(self, first + i);
  };
  BettingNode root;
  root.state = game.initial_state(Deal{});
  nodes_.push_back(root);
  expand(expand, 0);
}

std::int32_t BettingTree::child(std::int32_t node_index, Action action) const noexcept {
  const BettingNode& parent = node(node_index);
  return parent.first_child + std::popcount(static_cast<unsigned>(parent.legal) & ((1u << action) - 1));
}

std::int32_t BettingTree::find(const History& history) const noexcept {
  std::int32_t index = 0;
  for (int i = 0; i < history.size; ++i) {
    const Action action = history[i];
    if (((node(index).legal >> action) & 1) == 0) return -1;
    index = child(index, action);
  }
  return history.overflow ? -1 : index;
}

GameSize game_size(const Game& game, std::uint64_t limit) {
  const GameDefinition& d = game.definition();
  GameSize size;
  size.betting = count_betting(game, false, limit);
  double nodes = static_cast<double>(size.betting.terminals);
  double known = choose(d.deck_size(), d.hole_cards);
  size.deals = 1;
  for (int p = 0; p < d.players; ++p) size.deals *= choose(d.deck_size() - p * d.hole_cards, d.hole_cards);
  for (int r = 0; r < d.rounds; ++r) {
    const auto i = static_cast<std::size_t>(r);
    const int before = r == 0 ? 0 : d.board_count(r - 1);
    known *= choose(d.deck_size() - d.hole_cards - before, d.board_cards[i]);
    size.deals *= choose(d.deck_size() - d.players * d.hole_cards - before, d.board_cards[i]);
    const auto points = static_cast<double>(size.betting.decision_points[i]);
    size.infosets += points * known;
    nodes += points;
  }
  size.histories = size.deals * nodes;
  return size;
}

}  // namespace deepcfr
