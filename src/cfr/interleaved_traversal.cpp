// Option B. A traversal in flight is a tree that grows: a traverser's node gets all its children at once, an opponent's node one child as
// soon as its strategy is known. Its strategies come in minibatches that hold rows of many traversals. When the last answer of a
// traversal is in, the recursion of recursion.h runs over its grown tree; the sampled actions are drawn twice, by place, with the same
// outcome.
#include <deque>

#include "recursion.h"
#include "traversal_slot.h"

namespace deepcfr {
namespace {

using Tag = Minibatch::Tag;

/// Rows on their way: one open minibatch for each player, full ones, those with the backend, and empty ones for reuse.
class Minibatches {
 public:
  Minibatches(const Game& game, InferenceBackend& backend, std::int64_t capacity, CardSlots& cards)
      : backend_(backend), capacity_(capacity), num_actions_(game.num_actions()), cards_(cards), open_(static_cast<std::size_t>(game.players())) {}

  /// The open minibatch of a player, never full.
  Minibatch& open(int player) {
    auto& batch = open_[static_cast<std::size_t>(player)];
    if (!batch) batch = take(player);
    return *batch;
  }
  void close_if_full(int player) {
    if (open_[static_cast<std::size_t>(player)]->full()) close(player);
  }
  /// Closes the open minibatch with the most rows, that of `last` only if there is no other; false if all are empty.
  bool close_largest(int last) {
    int largest = -1;
    for (int player = 0; player < static_cast<int>(open_.size()); ++player) {
      const std::int64_t rows = open_rows(player);
      if (rows == 0) continue;
      if (largest < 0 || largest == last || (player != last && rows > open_rows(largest))) largest = player;
    }
    if (largest < 0) return false;
    close(largest);
    return true;
  }
  bool any_ready() const noexcept { return !ready_.empty(); }
  bool any_under_way() const noexcept { return !under_way_.empty(); }
  bool may_submit() const noexcept { return !ready_.empty() && under_way_.size() < static_cast<std::size_t>(backend_.depth()); }
  void submit() {
    std::unique_ptr<Minibatch> batch = std::move(ready_.front());
    ready_.pop_front();
    under_way_.push_back(std::move(batch));
    backend_.submit(*under_way_.back());
  }
  /// The oldest one, answered.
  std::unique_ptr<Minibatch> collect() {
    backend_.wait(*under_way_.front());
    std::unique_ptr<Minibatch> batch = std::move(under_way_.front());
    under_way_.pop_front();
    return batch;
  }
  void recycle(std::unique_ptr<Minibatch> batch) { free_.push_back(std::move(batch)); }
  /// After an error: what is with the backend must be waited for before it may be destroyed.
  void abandon() noexcept {
    while (!under_way_.empty()) {
      try {
        backend_.wait(*under_way_.front());
      } catch (...) {  // the first error is already on its way
      }
      under_way_.pop_front();
    }
    ready_.clear();
    for (auto& batch : open_) batch.reset();
  }

 private:
  std::int64_t open_rows(int player) const noexcept {
    const auto& batch = open_[static_cast<std::size_t>(player)];
    return batch ? batch->rows : 0;
  }
  void close(int player) { ready_.push_back(std::move(open_[static_cast<std::size_t>(player)])); }
  std::unique_ptr<Minibatch> take(int player) {
    const auto same = std::find_if(free_.begin(), free_.end(), [&](const auto& batch) { return batch->player == player; });
    if (same != free_.end()) {
      std::unique_ptr<Minibatch> batch = std::move(*same);
      free_.erase(same);
      batch->rows = 0;
      return batch;
    }
    auto batch = std::make_unique<Minibatch>();
    batch->prepare(player, backend_.format(player), capacity_, num_actions_, &cards_);
    return batch;
  }

  InferenceBackend& backend_;
  std::int64_t capacity_;
  int num_actions_;
  CardSlots& cards_;
  std::vector<std::unique_ptr<Minibatch>> open_;
  std::deque<std::unique_ptr<Minibatch>> ready_, under_way_;
  std::vector<std::unique_ptr<Minibatch>> free_;
};

/// The worker asks the backend while this lives.
class Presence {
 public:
  explicit Presence(InferenceBackend& backend) : backend_(backend) { backend_.enter(); }
  ~Presence() { backend_.leave(); }
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

 private:
  InferenceBackend& backend_;
};

class InterleavedTraversal final : public Traversal {
 public:
  InterleavedTraversal(const Game& game, const SampleCodec& codec, double scale, std::unique_ptr<InferenceBackend> backend,
                       const InterleavedOptions& options)
      : game_(game),
        recorder_(game, codec, scale),
        backend_(std::move(backend)),
        num_actions_(static_cast<std::size_t>(game.num_actions())),
        forms_(game, *backend_, codec.layout()),
        tree_(game, forms_.betting_rows(), options.shared_nodes),
        slots_(options.in_flight),
        batches_(game, *backend_, options.batch, cards_),
        ones_(num_actions_, 1.0F) {
    DEEPCFR_CHECK(options.in_flight >= 1 && options.batch >= 1 && backend_->depth() >= 1);
    forms_.size_card_slots(cards_, slots_.size());
    for (std::size_t i = slots_.size(); i > 0; --i) idle_.push_back(static_cast<std::uint32_t>(i - 1));
  }

  void run(const TraversalTask& task, TraversalWork& work) override {
    task_ = task;
    work_ = &work;
    exhausted_ = false;
    const Presence presence(*backend_);
    try {
      advance_all();
    } catch (...) {
      reset();
      throw;
    }
  }

 private:
  friend class Recursion<InterleavedTraversal>;

  void advance_all() {
    while (true) {
      while (!batches_.any_ready() && start()) {
      }
      if (batches_.may_submit()) {
        batches_.submit();
      } else if (batches_.any_under_way()) {
        std::unique_ptr<Minibatch> batch = batches_.collect();
        absorb(*batch);
        batches_.recycle(std::move(batch));
      } else if (!batches_.close_largest(task_.kind == TraversalKind::regrets ? task_.traverser : -1)) {
        return;  // nothing under way, nothing to ask, nothing to start
      }
    }
  }

  // -- traversals ---------------------------------------------------------------------------------------------

  /// Begins one more traversal; false if there is no free slot or no id.
  bool start() {
    if (idle_.empty() || !next_id()) return false;
    const std::uint32_t index = idle_.back();
    idle_.pop_back();
    Slot& slot = slots_[index];
    slot.begin(game_, task_, next_id_++, current_);
    const std::uint32_t root = slot.add_node(tree_.root(), kRootPlace, tree_);
    grow(index, root);
    if (slot.unanswered == 0) complete(index);
    return true;
  }

  bool next_id() {
    if (current_ != nullptr && next_id_ < current_->first_id + current_->records.size()) return true;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    if (exhausted_ || !work_->next(first, count)) {
      exhausted_ = true;
      return false;
    }
    current_ = take_range();
    current_->first_id = first;
    current_->remaining = count;
    current_->records.resize(count);
    current_->counts.resize(count);
    next_id_ = first;
    return true;
  }

  TraversalRange* take_range() {
    if (free_ranges_.empty()) {
      ranges_.push_back(std::make_unique<TraversalRange>());
      return ranges_.back().get();
    }
    TraversalRange* const range = free_ranges_.back();
    free_ranges_.pop_back();
    return range;
  }

  void complete(std::uint32_t index) {
    Slot& slot = slots_[index];
    TraversalRange& range = *slot.owner;
    const std::uint64_t i = slot.id - range.first_id;
    range.records[i].clear();
    range.counts[i] = {};
    recorder_.begin(task_, range.records[i]);
    walked_ = index;
    Recursion(*this, game_, task_, slot.streams->action, range.counts[i]).run(0U);
    slot.owner = nullptr;
    idle_.push_back(index);
    if (--range.remaining == 0) finish(range);
  }

  void finish(TraversalRange& range) {
    joined_.clear();
    TraversalCounts counts;
    for (std::size_t i = 0; i < range.records.size(); ++i) {
      const SampleBuffer& records = range.records[i];
      joined_.advantage.insert(joined_.advantage.end(), records.advantage.begin(), records.advantage.end());
      joined_.strategy.insert(joined_.strategy.end(), records.strategy.begin(), records.strategy.end());
      counts.add(range.counts[i]);
    }
    if (current_ == &range) current_ = nullptr;
    free_ranges_.push_back(&range);
    work_->done(range.first_id, joined_, counts);
  }

  // -- growing ------------------------------------------------------------------------------------------------

  bool needs_strategy(int actor) const noexcept {
    return task_.kind == TraversalKind::regrets || actor == (task_.traverser + 1) % game_.players();
  }

  /// Expands a node and what follows until every path ends or waits for an answer.
  void grow(std::uint32_t index, std::uint32_t from) {
    Slot& slot = slots_[index];
    open_nodes_.push_back(from);
    while (!open_nodes_.empty()) {
      const std::uint32_t n = open_nodes_.back();
      open_nodes_.pop_back();
      const GrownNode node = slot.nodes[n];
      if (node.legal == 0) continue;
      if (task_.kind == TraversalKind::regrets && node.actor == task_.traverser) {
        expand_all(slot, n);
        ask(slot, index, n);
      } else if (!needs_strategy(node.actor)) {
        follow(slot, n, uniform_action(node.legal, slot.streams->action, node.place));
      } else if (ask(slot, index, n)) {
        follow(slot, n, sample_action(strategy_of(slot, n), slot.streams->action.uniform(node.place)));
      }
    }
  }

  void expand_all(Slot& slot, std::uint32_t n) {
    const GrownNode node = slot.nodes[n];
    slot.nodes[n].first_child = static_cast<std::uint32_t>(slot.nodes.size());
    for (unsigned set = node.legal; set != 0; set &= set - 1) {
      const auto action = static_cast<Action>(std::countr_zero(set));
      open_nodes_.push_back(slot.add_node(tree_.child(node.tree, action, slot.own), child_place(node.place, action), tree_));
    }
  }

  void follow(Slot& slot, std::uint32_t n, Action action) {
    const GrownNode node = slot.nodes[n];
    slot.nodes[n].single_child = true;
    slot.nodes[n].first_child = static_cast<std::uint32_t>(slot.nodes.size());
    open_nodes_.push_back(slot.add_node(tree_.child(node.tree, action, slot.own), child_place(node.place, action), tree_));
  }

  /// Asks for a node's strategy; true if it is known at once.
  bool ask(Slot& slot, std::uint32_t index, std::uint32_t n) {
    const GrownNode node = slot.nodes[n];
    slot.nodes[n].strategy = static_cast<std::uint32_t>(slot.strategies.size());
    slot.strategies.resize(slot.strategies.size() + num_actions_);
    if (forms_.format(node.actor).uniform) {
      regret_matching(std::span<const float>(ones_), node.legal, strategy_of(slot, n));
      return true;
    }
    ++slot.unanswered;
    Minibatch& batch = batches_.open(node.actor);
    forms_.write(slot, index, n, tree_, batch);
    batch.tags[static_cast<std::size_t>(batch.rows)] = Tag{index, n};
    ++batch.rows;
    batches_.close_if_full(node.actor);
    return false;
  }

  std::span<double> strategy_of(Slot& slot, std::uint32_t n) const noexcept {
    return {slot.strategies.data() + slot.nodes[n].strategy, num_actions_};
  }

  /// Takes the answers in; opponents' nodes go on from here.
  void absorb(const Minibatch& batch) {
    const bool blocking = task_.kind != TraversalKind::regrets || batch.player != task_.traverser;
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch.rows); ++i) {
      const Tag tag = batch.tags[i];
      Slot& slot = slots_[tag.slot];
      const GrownNode& node = slot.nodes[tag.node];
      const std::span<double> strategy = strategy_of(slot, tag.node);
      regret_matching(std::span<const float>(batch.advantages).subspan(i * num_actions_, num_actions_), node.legal, strategy);
      if (blocking) {
        follow(slot, tag.node, sample_action(strategy, slot.streams->action.uniform(node.place)));
        grow_open(tag.slot);
      }
      if (--slot.unanswered == 0) complete(tag.slot);
    }
  }

  void grow_open(std::uint32_t index) {
    const std::uint32_t child = open_nodes_.back();
    open_nodes_.pop_back();
    grow(index, child);
  }

  /// After an error: as if nothing had been begun.
  void reset() {
    batches_.abandon();
    open_nodes_.clear();
    idle_.clear();
    for (std::size_t i = slots_.size(); i > 0; --i) idle_.push_back(static_cast<std::uint32_t>(i - 1));
    for (Slot& slot : slots_) slot.owner = nullptr;
    current_ = nullptr;
    free_ranges_.clear();
    for (const auto& range : ranges_) free_ranges_.push_back(range.get());
  }

  // -- walker over the grown tree of slot `walked_` -----------------------------------------------------------

  using Node = std::uint32_t;
  const GrownNode& grown(Node n) const noexcept { return slots_[walked_].nodes[n]; }
  bool terminal(Node n) const noexcept { return grown(n).legal == 0; }
  double value(Node n, int player) { return slots_[walked_].value(game_, tree_, n, player); }
  int actor(Node n) const noexcept { return grown(n).actor; }
  ActionMask legal(Node n) const noexcept { return grown(n).legal; }
  std::span<const double> strategy(Node n, Strategy&) const noexcept {
    return {slots_[walked_].strategies.data() + grown(n).strategy, num_actions_};
  }
  /// Children of a traverser's node lie in order of action; an opponent's node has the sampled one only.
  Node child(Node n, Action action) const noexcept {
    const GrownNode& node = grown(n);
    if (node.single_child) return node.first_child;
    return node.first_child + static_cast<Node>(std::popcount(node.legal & ((1U << action) - 1U)));
  }
  void put_advantage(Node n, std::span<const double> regrets) { recorder_.advantage(parts(n), regrets); }
  void put_strategy(Node n, std::span<const double> sigma) { recorder_.strategy(parts(n), sigma); }
  InfosetParts parts(Node n) {
    Slot& slot = slots_[walked_];
    return {forms_.infoset_cards(slot, walked_, slot.nodes[n].actor, slot.nodes[n].round, cards_), &tree_.state(slot.nodes[n].tree, slot.own).history};
  }

  const Game& game_;
  Recorder recorder_;
  std::unique_ptr<InferenceBackend> backend_;
  std::size_t num_actions_;
  RowForms forms_;
  WalkTree tree_;
  std::vector<Slot> slots_;
  CardSlots cards_;
  Minibatches batches_;
  std::vector<float> ones_;
  std::vector<std::uint32_t> idle_;        // free slots
  std::vector<std::uint32_t> open_nodes_;  // of the traversal that grows
  std::vector<std::unique_ptr<TraversalRange>> ranges_;
  std::vector<TraversalRange*> free_ranges_;
  SampleBuffer joined_;
  TraversalTask task_;
  TraversalWork* work_ = nullptr;
  bool exhausted_ = false;
  TraversalRange* current_ = nullptr;
  std::uint64_t next_id_ = 0;
  std::uint32_t walked_ = 0;
};

}  // namespace

std::unique_ptr<Traversal> make_interleaved_traversal(const Game& game, const SampleCodec& codec, double scale,
                                                      std::unique_ptr<InferenceBackend> backend, const InterleavedOptions& options) {
  return std::make_unique<InterleavedTraversal>(game, codec, scale, std::move(backend), options);
}

std::unique_ptr<Traversal> make_interleaved_traversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source,
                                                      const InterleavedOptions& options) {
  return make_interleaved_traversal(game, codec, scale, make_source_backend(source), options);
}

}  // namespace deepcfr
