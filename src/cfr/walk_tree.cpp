#include "walk_tree.h"

#include <cstring>

#include "deepcfr/core/bfloat16.h"

namespace deepcfr {

void BettingRows::begin(std::byte* row) const {
  const auto width = static_cast<std::size_t>(encoder->layout().bet_width);
  std::vector<float> features(width);
  encoder->begin_betting(features.data());
  if (type == RowType::float32) {
    std::memcpy(row, features.data(), width * sizeof(float));
    return;
  }
  for (std::size_t i = 0; i < width; ++i) {
    const std::uint16_t narrow = to_bfloat16(features[i]);
    std::memcpy(row + i * sizeof narrow, &narrow, sizeof narrow);
  }
}

void BettingRows::extend(const State& before, Action action, int turn, const State& after, std::byte* row) const {
  const int width = encoder->layout().bet_width;
  const BettingStep step = encoder->betting_step(before, action, turn, after);
  if (type == RowType::float32) {
    step.write(reinterpret_cast<float*>(row), width, [](float x) { return x; });
  } else {
    step.write(reinterpret_cast<std::uint16_t*>(row), width, to_bfloat16);
  }
}

void NodePool::clear() noexcept {
  nodes_.clear();
  states_.clear();
  outcomes_.clear();
  children_.clear();
  betting_.clear();
}

std::uint32_t NodePool::add(const Game& game, const BettingRows& rows, const State& state, int turn) {
  const std::uint32_t n = size();
  states_.push_back(state);
  betting_.resize(betting_.size() + rows.row_bytes());
  if (rows.encoder != nullptr) rows.begin(betting_.data() + n * rows.row_bytes());
  describe(game, n, turn);
  return n;
}

std::uint32_t NodePool::add_child(const Game& game, const BettingRows& rows, const NodePool& parents, std::uint32_t parent, Action action) {
  const std::uint32_t n = size();
  const int parent_turn = parents.node(parent).turn;
  states_.push_back(State{});
  states_[n] = parents.states_[parent];  // after the push: the pools may be the same
  game.apply(states_[n], action);
  const State& before = parents.states_[parent];
  const State& after = states_[n];
  const std::size_t bytes = rows.row_bytes();
  betting_.resize(betting_.size() + bytes);
  if (bytes > 0) {
    std::byte* const row = betting_.data() + n * bytes;
    std::memcpy(row, parents.betting_.data() + parent * bytes, bytes);
    rows.extend(before, action, parent_turn, after, row);
  }
  describe(game, n, after.round == before.round ? parent_turn + 1 : 0);
  return n;
}

void NodePool::describe(const Game& game, std::uint32_t n, int turn) {
  const State& state = states_[n];
  Node node;
  node.children = static_cast<std::uint32_t>(children_.size());
  node.legal = game.legal_actions(state);
  node.actor = state.actor;
  node.round = state.round;
  node.turn = static_cast<std::uint8_t>(turn);
  children_.resize(children_.size() + static_cast<std::size_t>(std::popcount(node.legal)), kUnknown);
  if (state.finished) {
    const unsigned everyone = (1U << game.players()) - 1U;
    node.showdown = !std::has_single_bit(everyone & ~static_cast<unsigned>(state.folded));
  }
  nodes_.push_back(node);
  if (!with_outcomes_) return;
  outcomes_.emplace_back();
  if (!state.finished) return;
  constexpr std::array<std::array<HandRank, 2>, 3> kRanks = {{{0, 1}, {1, 1}, {1, 0}}};
  for (std::size_t o = 0; o < kRanks.size(); ++o) {  // as player 0 sees it
    std::array<double, 2> values{};
    game.values(state, kRanks[o], values);
    outcomes_[n][0][o] = values[0];
    outcomes_[n][1][kRanks.size() - 1 - o] = values[1];
  }
}

WalkTree::WalkTree(const Game& game, BettingRows rows, std::uint32_t shared_nodes)
    : game_(game), rows_(rows), row_bytes_(rows.row_bytes()), shared_nodes_(shared_nodes), shared_(game.players() == 2) {
  shared_.add(game_, rows_, game_.initial_state(Deal{}), 0);
}

WalkTree::Place WalkTree::grow(NodePool& parents, std::uint32_t parent, bool in_own, Action action, NodePool& own) {
  const bool into_own = in_own || shared_.size() >= shared_nodes_;
  NodePool& pool = into_own ? own : shared_;
  const std::uint32_t n = pool.add_child(game_, rows_, parents, parent, action);
  const Place place = into_own ? n | kOwn : n;
  if (into_own == in_own) parents.child(parents.node(parent), action) = place;
  return place;
}

}  // namespace deepcfr
