#include "recursion.h"

namespace deepcfr {
namespace {

/// Walks node numbers of the written-out betting tree; nothing is computed but values and records.
class TableTraversal final : public Traversal {
 public:
  TableTraversal(const SmallGame& game, const SampleCodec& codec, double scale, std::span<const double> strategies)
      : game_(game), recorder_(game.game(), codec, scale), strategies_(strategies), num_actions_(static_cast<std::size_t>(game.game().num_actions())) {
    DEEPCFR_CHECK(codec.small_game() != nullptr, "the codec must be one of the small game");
    DEEPCFR_CHECK(strategies.size() == static_cast<std::size_t>(game.num_infosets()) * num_actions_);
  }

  void run(const TraversalTask& task, TraversalWork& work) override {
    const Game& rules = game_.game();
    run_one_by_one(*this, rules, task, work, recorder_, [&](const Streams& streams) {
      deal_ = game_.find_deal(rules.sample_deal(streams.deal));
      return Node{0};
    });
  }

 private:
  friend class Recursion<TableTraversal>;
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

  const SmallGame& game_;
  Recorder recorder_;
  std::span<const double> strategies_;
  std::size_t num_actions_;
  int deal_ = 0;
};

}  // namespace

std::unique_ptr<Traversal> make_table_traversal(const SmallGame& game, const SampleCodec& codec, double scale,
                                                std::span<const double> strategies) {
  return std::make_unique<TableTraversal>(game, codec, scale, strategies);
}

}  // namespace deepcfr
