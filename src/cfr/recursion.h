// Algorithm 2 of Deep CFR, written once for every way to walk. It departs from the paper in one point: all cards of a traversal are dealt
// at its start, which is the same chance outcome for all branches (external sampling) and needs no chance nodes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/cfr/traversal.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {

using Strategy = std::array<double, kMaxActions>;

inline constexpr std::uint64_t kRootPlace = 0;
constexpr std::uint64_t child_place(std::uint64_t place, Action action) noexcept {
  return mix64(place + 0x632be59bd9b4e019ULL * (action + 1U));
}

/// The draws of one traversal.
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
inline Action uniform_action(ActionMask legal, CounterRandom stream, std::uint64_t place) {
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
    Strategy values;  // those of all actions of the game are set
    double mean = 0;
    Strategy sigma_copy;
    const std::span<const double> sigma = walker_.strategy(node, sigma_copy);
    for (std::size_t a = 0; a < num_actions_; ++a) {
      values[a] = 0;
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

/// An infoset whose cards are packed already.
struct InfosetParts {
  const std::byte* cards = nullptr;
  const History* history = nullptr;
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
  /// key: a state, the number of an infoset, or an InfosetParts.
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
  void put(std::vector<std::byte>& buffer, const InfosetParts& parts, std::span<const double> values) {
    codec_.pack(parts.cards, *parts.history, iteration_, values, grow(buffer));
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

/// All ranges of the work, one traversal after the other. root(streams) → the walker's node to begin at.
template <typename Walker, typename Root>
void run_one_by_one(Walker& walker, const Game& game, const TraversalTask& task, TraversalWork& work, Recorder& recorder, const Root& root) {
  SampleBuffer records;
  TraversalTask range = task;
  while (work.next(range.first_id, range.count)) {
    records.clear();
    TraversalCounts counts;
    recorder.begin(range, records);
    for (std::uint64_t id = range.first_id; id < range.first_id + range.count; ++id) {
      const Streams streams(range, id);
      Recursion(walker, game, range, streams.action, counts).run(root(streams));
    }
    work.done(range.first_id, records, counts);
  }
}

}  // namespace deepcfr
