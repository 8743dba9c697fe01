// External-sampling traversals of Deep CFR (Brown, Lerer, Gross, Sandholm 2019, algorithm 2). Three ways to walk, one result:
// recursive (one row for each question: the yardstick and the oracle), interleaved (many traversals in flight, full minibatches), table
// (small games: strategies of all infosets known beforehand).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "deepcfr/cfr/advantage_source.h"
#include "deepcfr/cfr/inference.h"
#include "deepcfr/cfr/sample.h"
#include "deepcfr/game/game.h"

namespace deepcfr {

enum class TraversalKind {
  regrets,  ///< external sampling: advantage records of the traverser; with two players also strategy records of the opponent
  average,  ///< strategy records of player traverser + 1, for games with more than two players
};

/// What is walked. Every draw is a function of (seed, iteration, traverser, traversal id, place in the traversal).
struct TraversalTask {
  std::uint64_t seed = 1;
  std::uint32_t iteration = 1;
  int traverser = 0;
  TraversalKind kind = TraversalKind::regrets;
  std::uint64_t first_id = 0;
  std::uint64_t count = 0;
};

struct TraversalCounts {
  std::uint64_t traversals = 0;
  std::uint64_t decisions = 0;  ///< decision nodes at which a strategy was needed
  std::uint64_t terminals = 0;
  double value_sum = 0;         ///< Σ of the values passed up at the roots, chips of the traverser
  void add(const TraversalCounts& other) noexcept {
    traversals += other.traversals;
    decisions += other.decisions;
    terminals += other.terminals;
    value_sum += other.value_sum;
  }
};

/// What one worker is to do: ranges of traversal ids, and where their records go.
class TraversalWork {
 public:
  virtual ~TraversalWork() = default;
  /// The next range of this worker; false: there is none left. Never blocks.
  virtual bool next(std::uint64_t& first_id, std::uint64_t& count) = 0;
  /// All traversals of a range are done; ranges of one worker may end in another order than they were handed out. The records are the
  /// callee's to swap away; what is left in the buffer is discarded.
  virtual void done(std::uint64_t first_id, SampleBuffer& records, const TraversalCounts& counts) = 0;
};

/// Values in records are chips ÷ scale. Records come in traversal order; within a traversal strategy records on the way down,
/// advantage records on the way up, children in order of action: the same from every walker.
/// In each iteration t a traverser's record holds r(a) = v(a) − Σ σ(b) v(b) for all legal a, with no reach factor (statement 5);
/// an opponent's record holds σ (statement 6).
/// The average must weigh σ_t by own reach alone. With two players it does: the traverser's actions are all followed, so the opponent's
/// nodes are visited in proportion to the opponent's own reach. With more, a third player's sampled actions enter, which change with t
/// and are often impossible, so that no weight on the record could undo it (design section 4.2 records there nonetheless; a test shows the
/// bias). Hence walks of their own, kind `average`: player traverser + 1 plays σ, all others draw uniformly, one path from each deal.
class Traversal {
 public:
  virtual ~Traversal() = default;
  /// Traverses all ranges that `work` hands out. Not thread-safe: one object for each worker. seed, iteration, traverser and kind of the
  /// task count, its ids do not.
  virtual void run(const TraversalTask& task, TraversalWork& work) = 0;
  /// The ids of the task; appends to `out`.
  TraversalCounts run(const TraversalTask& task, SampleBuffer& out);
};

/// codec and source outlive the traversal.
std::unique_ptr<Traversal> make_recursive_traversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source);

struct InterleavedOptions {
  std::uint64_t in_flight = 64;       ///< traversals under way at once
  std::int64_t batch = 256;           ///< rows of a full minibatch
  std::uint32_t shared_nodes = 65536; ///< betting nodes kept for all traversals of the worker
};
/// Option B: many traversals as state machines, refilled at once. All children of a traverser's node are expanded together; its own
/// strategy is needed on the way up only, so that only opponents' nodes block. Its result does not depend on the options. Where `backend`
/// has a depth of 2 or more (server), the worker steps other traversals while minibatches are under way (Option C).
std::unique_ptr<Traversal> make_interleaved_traversal(const Game& game, const SampleCodec& codec, double scale,
                                                      std::unique_ptr<InferenceBackend> backend, const InterleavedOptions& options);
/// The same over a source of advantages of states, which outlives it.
std::unique_ptr<Traversal> make_interleaved_traversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source,
                                                      const InterleavedOptions& options);
/// strategies: [infoset][action] of all players, regret matching applied; read during run(). The codec must be one of this game.
std::unique_ptr<Traversal> make_table_traversal(const SmallGame& game, const SampleCodec& codec, double scale,
                                                std::span<const double> strategies);

/// Exact expectation of run() for small games, by enumeration of all deals and all opponents' actions with their probabilities: for
/// each infoset of the traverser, visits = Σ probability of a visit, and target_sum[infoset][action] = Σ probability × r(a) in
/// chips. Oracle of statements 4 and 5.
struct ExpectedSamples {
  std::vector<double> visits;
  std::vector<double> target_sum;
  double value = 0;  ///< expected value passed up at the root
};
ExpectedSamples expected_samples(const SmallGame& game, int traverser, std::span<const double> strategies);

}  // namespace deepcfr
