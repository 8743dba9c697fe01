#include "recursion.h"

namespace deepcfr {
namespace {

/// Asks the source at every node, one row at a time.
class RecursiveTraversal final : public Traversal {
 public:
  RecursiveTraversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source)
      : game_(game), source_(source), recorder_(game, codec, scale), row_(static_cast<std::size_t>(game.num_actions())) {}

  void run(const TraversalTask& task, TraversalWork& work) override {
    run_one_by_one(*this, game_, task, work, recorder_, [this](const Streams& streams) { return game_.initial_state(game_.sample_deal(streams.deal)); });
  }

 private:
  friend class Recursion<RecursiveTraversal>;
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

  const Game& game_;
  AdvantageSource& source_;
  Recorder recorder_;
  std::vector<float> row_;
};

}  // namespace

std::unique_ptr<Traversal> make_recursive_traversal(const Game& game, const SampleCodec& codec, double scale, AdvantageSource& source) {
  return std::make_unique<RecursiveTraversal>(game, codec, scale, source);
}

}  // namespace deepcfr
