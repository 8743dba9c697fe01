// Algorithm 2 of Deep CFR. It departs from the paper in one point: all cards of a traversal are dealt at its start, which is the
// same chance outcome for all branches (external sampling) and needs no chance nodes.
#include "deepcfr/cfr/traversal.h"

#include <algorithm>
#include <array>
#include <bit>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

using Strategy = std::array<double, kMaxActions>;

constexpr std::uint64_t kRootPlace = 0;
constexpr std::uint64_t child_place(std::uint64_t place, Action action) noexcept {
  return mix64(place + 0x632be59bd9b4e019ULL * (action + 1U));
}

struct Streams {
  CounterRandom deal;
  CounterRandom action;
  Streams(const TraversalTask& task, std::uint64_t id)
      : deal(StreamPurpose::deal, {task.seed, task.iteration, player_and_kind(task), id}),
        action(StreamPurpose::action, {task.seed, task.iteration, player_and_kind(task), id}) {}

 private:
  static std::uint64_t player_and_kind(const TraversalTask& task) noexcept {
    return static_cast<std::uint64_t>(task.traverser) + (task.kind == TraversalKind::average ? 1000U : 0U);
  }
};

/// Uniform over the legal actions: how the others act in walks for the average.
Action uniform_action(ActionMask legal, CounterRandom stream, std::uint64_t place) {
  auto skip = stream.below(place, static_cast<std::uint64_t>(std::popcount(legal)));
  while (skip-- > 0) legal = static_cast<ActionMask>(legal & (legal - 1U));
  return static_cast<Action>(std::countr_zero(legal));
}

/// The recursion of external sampling over any walker. A walker knows: Node, terminal, value, actor, legal, strategy, child,
/// put_advantage, put_strategy.
template <typename Walker>
class Recursion {
 public:
  Recursion(Walker& walker, const Game& game, const TraversalTask& task, CounterRandom stream, TraversalCounts& counts)
      : walker_(walker),
        traverser_(task.traverser),
        recorded_((task.traverser + 1) % game.players()),
        two_players_(game.players() == 2),
        kind_(task.kind),
        num_actions_(static_cast<std::size_t>(game.num_actions())),
        stream_(stream),
        counts_(counts) {}

  void run(const typename Walker::Node& root) {
    if (kind_ == TraversalKind::regrets) {
      counts_.value_sum += visit(root, kRootPlace);
    } else {
      walk_for_average(root, kRootPlace);
    }
    ++counts_.traversals;
  }

 private:
  double visit(const typename Walker::Node& node, std::uint64_t place) {
    if (walker_.terminal(node)) {
      ++counts_.terminals;
      return walker_.value(node, traverser_);
    }
    ++counts_.decisions;
    return walker_.actor(node) == traverser_ ? visit_traverser(node, place) : visit_opponent(node, place);
  }

  double visit_traverser(const typename Walker::Node& node, std::uint64_t place) {
    const ActionMask legal = walker_.legal(node);
    Strategy values{};
    double mean = 0;
    Strategy sigma_copy;
    const std::span<const double> sigma = walker_.strategy(node, sigma_copy);
    for (std::size_t a = 0; a < num_actions_; ++a) {
      if (((legal >> a) & 1) == 0) continue;
      const auto action = static_cast<Action>(a);
      values[a] = visit(walker_.child(node, action), child_place(place, action));
      mean += sigma[a] * values[a];
    }
    for (std::size_t a = 0; a < num_actions_; ++a) values[a] = ((legal >> a) & 1) != 0 ? values[a] - mean : 0.0;
    walker_.put_advantage(node, {values.data(), num_actions_});
    return mean;
  }

  double visit_opponent(const typename Walker::Node& node, std::uint64_t place) {
    const Action action = play(node, place, two_players_);
    return visit(walker_.child(node, action), child_place(place, action));
  }

  /// The action that the node's player draws from its strategy.
  Action play(const typename Walker::Node& node, std::uint64_t place, bool record) {
    Strategy sigma_copy;
    const std::span<const double> sigma = walker_.strategy(node, sigma_copy).first(num_actions_);
    if (record) walker_.put_strategy(node, sigma);
    return sample_action(sigma, stream_.uniform(place));
  }

  void walk_for_average(typename Walker::Node node, std::uint64_t place) {
    while (!walker_.terminal(node)) {
      const bool own = walker_.actor(node) == recorded_;
      counts_.decisions += own;
      const Action action = own ? play(node, place, true) : uniform_action(walker_.legal(node), stream_, place);
      node = walker_.child(node, action);
      place = child_place(place, action);
    }
    ++counts_.terminals;
  }

  Walker& walker_;
  int traverser_;
  int recorded_;
  bool two_players_;
  TraversalKind kind_;
  std::size_t num_actions_;
  CounterRandom stream_;
  TraversalCounts& counts_;
};

/// Appends records to a buffer.
class Recorder {
 public:
  Recorder(const Game& game, const SampleCodec& codec, double scale) : game_(game), codec_(codec), inverse_scale_(1.0 / scale) {
    DEEPCFR_CHECK(scale > 0);
  }
  void begin(const TraversalTask& task, SampleBuffer& out) {
    iteration_ = task.iteration;
    out_ = &out;
  }
  template <typename Key>
  void advantage(const Key& key, std::span<const double> regrets) {
    std::array<double, kMaxActions> scaled;
    for (std::size_t a = 0; a < regrets.size(); ++a) scaled[a] = regrets[a] * inverse_scale_;
    put(out_->advantage, key, {scaled.data(), regrets.size()});
  }
  template <typename Key>
  void strategy(const Key& key, std::span<const double> sigma) {
    put(out_->strategy, key, sigma);
  }

 private:
  void put(std::vector<std::byte>& buffer, const State& state, std::span<const double> values) {
    codec_.pack(infoset_of(game_, state), iteration_, values, grow(buffer));
  }
  void put(std::vector<std::byte>& buffer, std::int32_t infoset_number, std::span<const double> values) {
    codec_.pack(infoset_number, iteration_, values, grow(buffer));
  }
  std::byte* grow(std::vector<std::byte>& buffer) const {
    const std::size_t at = buffer.size();
    buffer.resize(at + codec_.bytes());
    return buffer.data() + at;
  }
  const Game& game_;
  const SampleCodec& codec_;
  double inverse_scale_;
  std::uint32_t iteration_ = 0;
  SampleBuffer* out_ = nullptr;
};

/// Asks the source at every node, one row at a time.
class RecursiveTraversal final : public Traversal {
 public:
  RecursiveTraversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source)
      : game_(game), source_(source), recorder_(game, codec, scale), row_(static_cast<std::size_t>(game.num_actions())) {}

  TraversalCounts run(const TraversalTask& task, SampleBuffer& out) override {
    TraversalCounts counts;
    recorder_.begin(task, out);
    for (std::uint64_t id = task.first_id; id < task.first_id + task.count; ++id) {
      const Streams streams(task, id);
      Recursion(*this, game_, task, streams.action, counts).run(game_.initial_state(game_.sample_deal(streams.deal)));
    }
    return counts;
  }

  // walker
  using Node = State;
  static bool terminal(const State& state) noexcept { return state.finished; }
  double value(const State& state, int player) const { return game_.value(state, player); }
  static int actor(const State& state) noexcept { return state.actor; }
  ActionMask legal(const State& state) const noexcept { return game_.legal_actions(state); }
  std::span<const double> strategy(const State& state, Strategy& copy) {
    const State* states[] = {&state};
    source_.advantages(state.actor, states, row_);
    regret_matching(std::span<const float>(row_), legal(state), {copy.data(), row_.size()});
    return {copy.data(), row_.size()};
  }
  State child(const State& state, Action action) const noexcept {
    State next = state;
    game_.apply(next, action);
    return next;
  }
  void put_advantage(const State& state, std::span<const double> regrets) { recorder_.advantage(state, regrets); }
  void put_strategy(const State& state, std::span<const double> sigma) { recorder_.strategy(state, sigma); }

 private:
  const Game& game_;
  AdvantageSource& source_;
  Recorder recorder_;
  std::vector<float> row_;
};

/// Phase one grows the trees of a group of traversals level by level, each level's questions asked together; phase two is the same
/// recursion as above over the grown nodes. The sampled actions are drawn twice, by place, with the same outcome.
class BatchedTraversal final : public Traversal {
 public:
  BatchedTraversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source, std::uint64_t in_flight)
      : game_(game),
        source_(source),
        recorder_(game, codec, scale),
        in_flight_(in_flight),
        num_actions_(static_cast<std::size_t>(game.num_actions())),
        pending_(static_cast<std::size_t>(game.players())) {
    DEEPCFR_CHECK(in_flight >= 1);
  }

  TraversalCounts run(const TraversalTask& task, SampleBuffer& out) override {
    TraversalCounts counts;
    recorder_.begin(task, out);
    const std::uint64_t end = task.first_id + task.count;
    for (std::uint64_t first = task.first_id; first < end; first += in_flight_) {
      const std::uint64_t last = std::min(end, first + in_flight_);
      grow(task, first, last);
      for (std::uint64_t id = first; id < last; ++id) {
        Recursion(*this, game_, task, streams_[id - first].action, counts).run(static_cast<std::uint32_t>(id - first));
      }
    }
    return counts;
  }

  // walker over grown nodes
  using Node = std::uint32_t;
  bool terminal(Node n) const noexcept { return nodes_[n].state.finished; }
  double value(Node n, int player) const { return game_.value(nodes_[n].state, player); }
  int actor(Node n) const noexcept { return nodes_[n].state.actor; }
  ActionMask legal(Node n) const noexcept { return nodes_[n].legal; }
  std::span<const double> strategy(Node n, Strategy& copy) const noexcept {
    std::copy_n(strategies_.data() + static_cast<std::size_t>(n) * num_actions_, num_actions_, copy.data());
    return {copy.data(), num_actions_};
  }
  /// Children of a traverser's node lie in order of action; an opponent's node has the sampled one only.
  Node child(Node n, Action action) const noexcept {
    const TreeNode& node = nodes_[n];
    if (node.single_child) return node.first_child;
    const auto below = static_cast<unsigned>(node.legal & ((1U << action) - 1U));
    return node.first_child + static_cast<Node>(std::popcount(below));
  }
  void put_advantage(Node n, std::span<const double> regrets) { recorder_.advantage(nodes_[n].state, regrets); }
  void put_strategy(Node n, std::span<const double> sigma) { recorder_.strategy(nodes_[n].state, sigma); }

 private:
  struct TreeNode {
    State state;
    std::uint64_t place = kRootPlace;
    std::uint32_t first_child = 0;
    std::uint32_t traversal = 0;
    ActionMask legal = 0;
    bool single_child = false;
  };

  void grow(const TraversalTask& task, std::uint64_t first, std::uint64_t last) {
    nodes_.clear();
    streams_.clear();
    for (std::uint64_t id = first; id < last; ++id) {
      streams_.emplace_back(task, id);
      TreeNode root;
      root.state = game_.initial_state(game_.sample_deal(streams_.back().deal));
      root.traversal = static_cast<std::uint32_t>(id - first);
      nodes_.push_back(root);
    }
    for (std::size_t level = 0; level < nodes_.size();) {
      const std::size_t level_end = nodes_.size();
      strategies_.resize(level_end * num_actions_);
      ask(level, level_end, task);
      for (std::size_t n = level; n < level_end; ++n) expand(n, task);
      level = level_end;
    }
  }

  /// Whether a node needs its player's strategy; in walks for the average only those of the player recorded do.
  bool needs_strategy(const State& state, const TraversalTask& task) const noexcept {
    return task.kind == TraversalKind::regrets || state.actor == (task.traverser + 1) % game_.players();
  }

  void ask(std::size_t level, std::size_t level_end, const TraversalTask& task) {
    for (auto& list : pending_) list.clear();
    for (std::size_t n = level; n < level_end; ++n) {
      TreeNode& node = nodes_[n];
      if (node.state.finished) continue;
      node.legal = game_.legal_actions(node.state);
      if (needs_strategy(node.state, task)) pending_[node.state.actor].push_back(static_cast<Node>(n));
    }
    for (std::size_t player = 0; player < pending_.size(); ++player) {
      const std::vector<Node>& list = pending_[player];
      if (list.empty()) continue;
      states_.clear();
      for (const Node n : list) states_.push_back(&nodes_[n].state);
      rows_.resize(list.size() * num_actions_);
      source_.advantages(static_cast<int>(player), states_, rows_);
      for (std::size_t i = 0; i < list.size(); ++i) {
        regret_matching(std::span<const float>(rows_).subspan(i * num_actions_, num_actions_), nodes_[list[i]].legal,
                        std::span<double>(strategies_).subspan(list[i] * num_actions_, num_actions_));
      }
    }
  }

  void expand(std::size_t n, const TraversalTask& task) {
    if (nodes_[n].state.finished) return;
    nodes_[n].first_child = static_cast<Node>(nodes_.size());
    const ActionMask legal = nodes_[n].legal;
    if (task.kind == TraversalKind::regrets && nodes_[n].state.actor == task.traverser) {
      for (std::size_t a = 0; a < num_actions_; ++a) {
        if (((legal >> a) & 1) != 0) push_child(n, static_cast<Action>(a));
      }
      return;
    }
    nodes_[n].single_child = true;
    const CounterRandom stream = streams_[nodes_[n].traversal].action;
    if (needs_strategy(nodes_[n].state, task)) {
      const std::span<const double> sigma = std::span<const double>(strategies_).subspan(n * num_actions_, num_actions_);
      push_child(n, sample_action(sigma, stream.uniform(nodes_[n].place)));
    } else {
      push_child(n, uniform_action(legal, stream, nodes_[n].place));
    }
  }

  void push_child(std::size_t n, Action action) {
    nodes_.emplace_back();
    const TreeNode& parent = nodes_[n];
    TreeNode& child = nodes_.back();
    child.state = parent.state;
    child.place = child_place(parent.place, action);
    child.traversal = parent.traversal;
    game_.apply(child.state, action);
  }

  const Game& game_;
  AdvantageSource& source_;
  Recorder recorder_;
  std::uint64_t in_flight_;
  std::size_t num_actions_;
  std::vector<TreeNode> nodes_;  // roots first, then level by level
  std::vector<Streams> streams_;
  std::vector<double> strategies_;  // [node][action]
  std::vector<std::vector<Node>> pending_;
  std::vector<const State*> states_;
  std::vector<float> rows_;
};

/// Walks node numbers of the written-out betting tree; nothing is computed but values and records.
class TableTraversal final : public Traversal {
 public:
  TableTraversal(const SmallGame& game, const SampleCodec& codec, double scale, std::span<const double> strategies)
      : game_(game), recorder_(game.game(), codec, scale), strategies_(strategies), num_actions_(static_cast<std::size_t>(game.game().num_actions())) {
    DEEPCFR_CHECK(codec.small_game() != nullptr, "the codec must be one of the small game");
    DEEPCFR_CHECK(strategies.size() == static_cast<std::size_t>(game.num_infosets()) * num_actions_);
  }

  TraversalCounts run(const TraversalTask& task, SampleBuffer& out) override {
    TraversalCounts counts;
    recorder_.begin(task, out);
    const Game& rules = game_.game();
    for (std::uint64_t id = task.first_id; id < task.first_id + task.count; ++id) {
      const Streams streams(task, id);
      deal_ = game_.find_deal(rules.sample_deal(streams.deal));
      Recursion(*this, rules, task, streams.action, counts).run(0);
    }
    return counts;
  }

  // walker
  using Node = std::int32_t;
  bool terminal(Node n) const noexcept { return game_.tree().node(n).legal == 0; }
  double value(Node n, int player) const noexcept { return game_.value(n, deal_, player); }
  int actor(Node n) const noexcept { return game_.tree().node(n).state.actor; }
  ActionMask legal(Node n) const noexcept { return game_.tree().node(n).legal; }
  std::span<const double> strategy(Node n, Strategy&) const noexcept {
    return strategies_.subspan(static_cast<std::size_t>(game_.infoset(n, deal_)) * num_actions_, num_actions_);
  }
  Node child(Node n, Action action) const noexcept { return game_.tree().child(n, action); }
  void put_advantage(Node n, std::span<const double> regrets) { recorder_.advantage(game_.infoset(n, deal_), regrets); }
  void put_strategy(Node n, std::span<const double> sigma) { recorder_.strategy(game_.infoset(n, deal_), sigma); }

 private:
  const SmallGame& game_;
  Recorder recorder_;
  std::span<const double> strategies_;
  std::size_t num_actions_;
  int deal_ = 0;
};

}  // namespace

std::unique_ptr<Traversal> make_recursive_traversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source) {
  return std::make_unique<RecursiveTraversal>(game, codec, scale, source);
}

std::unique_ptr<Traversal> make_batched_traversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source,
                                                  std::uint64_t in_flight) {
  return std::make_unique<BatchedTraversal>(game, codec, scale, source, in_flight);
}

std::unique_ptr<Traversal> make_table_traversal(const SmallGame& game, const SampleCodec& codec, double scale,
                                                std::span<const double> strategies) {
  return std::make_unique<TableTraversal>(game, codec, scale, strategies);
}

}  // namespace deepcfr
