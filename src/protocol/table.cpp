#include "deepcfr/protocol/table.h"

#include <bit>
#include <string>

#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

using Kind = TableAction::Kind;

bool is_legal(const Game& game, const State& state, const TableAction& action) {
  if (action.kind == Kind::call) return true;
  if (action.kind == Kind::fold) return game.fold_legal(state);
  const std::optional<RaiseRange> range = game.raise_range(state);
  return range && action.total >= range->min && action.total <= range->max;
}

class TableHand {
 public:
  TableHand(const Game& game, std::span<TablePlayer* const> players, std::uint32_t hand, std::uint64_t seed)
      : game_(game), players_(players), hand_(hand) {
    state_ = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::match_deal, {seed, hand})));
  }

  /// The player (by order on the command line) at a position of this hand.
  std::size_t player_at(int position) const { return (static_cast<std::size_t>(position) + hand_) % players_.size(); }

  void play(std::vector<std::uint64_t>& corrected) {
    while (true) {
      show();
      if (state_.finished) return;
      const std::size_t player = player_at(state_.actor);
      const std::optional<TableAction> wanted = players_[player]->act(view_of(game_, hand_, state_.actor, state_, betting_));
      const bool legal = wanted && is_legal(game_, state_, *wanted);
      if (!legal) ++corrected[player];
      const TableAction action = legal ? *wanted : corrected_action(game_, state_, wanted.value_or(TableAction{}));
      apply_table_action(game_, state_, action);
      betting_.push_back(action);
    }
  }

  HandRecord record(const std::shared_ptr<const Game>& game) const {
    HandRecord record;
    record.game = game;
    record.label = std::to_string(hand_);
    record.deal = state_.deal;
    record.betting = betting_;
    for (int p = 0; p < game_.players(); ++p) record.names.push_back(players_[player_at(p)]->name());
    record.values.resize(players_.size());
    game_.values(state_, record.values);
    return record;
  }

 private:
  void show() {
    for (int p = 0; p < game_.players(); ++p) players_[player_at(p)]->see(view_of(game_, hand_, p, state_, betting_));
  }

  const Game& game_;
  std::span<TablePlayer* const> players_;
  std::uint32_t hand_;
  State state_;
  Betting betting_;
};

}  // namespace

TableAction corrected_action(const Game& game, const State& state, const TableAction& action) {
  return action.kind == Kind::raise ? nearest_raise(game, state, action.total) : TableAction{Kind::call, 0};
}

TableView view_of(const Game& game, std::uint32_t hand, int position, const State& state, const Betting& betting) {
  TableView view{hand, position, state, betting};
  const int left = game.players() - std::popcount(static_cast<unsigned>(state.folded));
  const bool showdown = state.finished && left > 1;
  for (int p = 0; p < game.players(); ++p) {
    if (p != position && !(showdown && !state.has_folded(p))) view.state.deal.hole[static_cast<std::size_t>(p)].fill(kNoCard);
  }
  for (auto c = static_cast<std::size_t>(game.definition().board_count(state.round)); c < kMaxBoardCards; ++c) {
    view.state.deal.board[c] = kNoCard;
  }
  return view;
}

TableResult play_table(const Game& game, std::span<TablePlayer* const> players, const TableOptions& options,
                       std::span<TableObserver* const> observers) {
  if (players.size() != static_cast<std::size_t>(game.players())) {
    throw Error(ErrorKind::usage,
                std::to_string(players.size()) + " players are named, " + game.name() + " is for " + std::to_string(game.players()));
  }
  const auto shared = std::make_shared<const Game>(game);
  TableResult result;
  result.total.resize(players.size());
  result.corrected.resize(players.size());
  for (std::uint32_t h = 0; h < options.hands; ++h) {
    TableHand hand(game, players, h, options.seed);
    hand.play(result.corrected);
    const HandRecord record = hand.record(shared);
    for (int p = 0; p < game.players(); ++p) result.total[hand.player_at(p)] += record.values[static_cast<std::size_t>(p)];
    ++result.hands;
    for (TableObserver* observer : observers) observer->hand_over(record);
  }
  return result;
}

}  // namespace deepcfr
