#include "deepcfr/game/encoder.h"

#include <algorithm>
#include <array>

namespace deepcfr {

namespace {

constexpr int kSlotFeatures = 3;
constexpr int kPotFeatures = 2;
constexpr float kPotScaleBigBlinds = 10;

std::int64_t pot_of(const State& state, int players) {
  std::int64_t pot = 0;
  for (int p = 0; p < players; ++p) pot += state.spent[static_cast<std::size_t>(p)];
  return pot;
}

}  // namespace

Encoder::Encoder(const Game& game, FeatureKind kind) : game_(&game), initial_(game.initial_state(Deal{})) {
  const GameDefinition& d = game.definition();
  layout_.kind = kind;
  layout_.first_card = make_card(kRankCount - d.ranks, kSuitCount - d.suits);
  layout_.group_size[0] = d.hole_cards;
  layout_.groups = 1;
  int board = 0;
  for (int r = 0; r < d.rounds; ++r) {
    const int cards = d.board_cards[static_cast<std::size_t>(r)];
    if (cards > 0) layout_.group_size[static_cast<std::size_t>(layout_.groups++)] = cards;
    board += cards;
  }
  layout_.bet_width = d.rounds * game.max_actions_in_round() * kSlotFeatures + kPotFeatures;
  if (kind == FeatureKind::cards) {
    layout_.card_count = d.hole_cards + board;
    card_width_ = layout_.card_count;
  } else {
    card_width_ = layout_.groups * d.deck_size() + d.ranks + (board > 0 ? d.ranks + 1 : 0);
  }
  layout_.width = card_width_ + layout_.bet_width;
}

void Encoder::encode(const State& state, float* row) const { encode(infoset_of(*game_, state), row); }

void Encoder::encode(const Infoset& infoset, float* row) const {
  encode_cards(infoset, row);
  encode_betting(infoset.history, row + card_width_);
}

void Encoder::encode_cards(const Infoset& infoset, float* cards) const {
  if (layout_.kind == FeatureKind::cards) {
    encode_card_numbers(infoset, cards);
  } else {
    encode_dense_cards(infoset, cards);
  }
}

void Encoder::encode_card_numbers(const Infoset& infoset, float* row) const {
  const auto number = [](Card card) { return card == kNoCard ? -1.0f : static_cast<float>(card); };
  const int hole = layout_.group_size[0];
  for (int c = 0; c < hole; ++c) row[c] = number(infoset.hole[static_cast<std::size_t>(c)]);
  for (int c = hole; c < layout_.card_count; ++c) row[c] = number(infoset.board[static_cast<std::size_t>(c - hole)]);
}

void Encoder::encode_dense_cards(const Infoset& infoset, float* row) const {
  const GameDefinition& d = game_->definition();
  const int deck = d.deck_size();
  const int lowest_rank = kRankCount - d.ranks;
  const int lowest_suit = kSuitCount - d.suits;
  std::fill_n(row, card_width_, 0.0f);
  float* const hole_ranks = row + layout_.groups * deck;
  float* const board_ranks = hole_ranks + d.ranks;
  const auto add = [&](Card card, int group, float* ranks) {
    if (card == kNoCard) return;
    row[group * deck + (card_rank(card) - lowest_rank) * d.suits + card_suit(card) - lowest_suit] = 1;
    ranks[card_rank(card) - lowest_rank] += 1;
  };
  for (int c = 0; c < d.hole_cards; ++c) add(infoset.hole[static_cast<std::size_t>(c)], 0, hole_ranks);
  std::size_t next = 0;
  for (int group = 1; group < layout_.groups; ++group) {
    for (int c = 0; c < layout_.group_size[static_cast<std::size_t>(group)]; ++c) add(infoset.board[next++], group, board_ranks);
  }
  if (layout_.groups == 1) return;
  for (int c = 0; c < d.hole_cards; ++c) {
    const Card card = infoset.hole[static_cast<std::size_t>(c)];
    if (card != kNoCard && board_ranks[card_rank(card) - lowest_rank] > 0) row[card_width_ - 1] = 1;
  }
}

void Encoder::begin_betting(float* betting) const {
  std::fill_n(betting, layout_.bet_width, 0.0f);
  const auto pot = pot_features(initial_, pot_of(initial_, game_->players()));
  std::copy(pot.begin(), pot.end(), betting + layout_.bet_width - kPotFeatures);
}

BettingStep Encoder::betting_step(const State& before, Action action, int turn, const State& after) const {
  const std::int32_t chips = after.spent[before.actor] - before.spent[before.actor];
  const std::int64_t pot = pot_of(after, game_->players());
  BettingStep step;
  step.slot = (before.round * game_->max_actions_in_round() + turn) * kSlotFeatures;
  step.action[0] = action == kCall ? 1.0f : action == kFold ? -1.0f : 0.0f;
  if (action >= kFirstRaise)
    step.action[1] = static_cast<float>(action - kFirstRaise + 1) / static_cast<float>(game_->num_actions() - kFirstRaise);
  step.action[2] = static_cast<float>(chips) / static_cast<float>(pot);
  step.pot = pot_features(after, pot);
  return step;
}

std::array<float, 2> Encoder::pot_features(const State& state, std::int64_t pot) const {
  const auto chips_in = static_cast<float>(pot);
  const auto to_call = static_cast<float>(state.finished ? 0 : game_->call_cost(state));
  return {chips_in / (chips_in + kPotScaleBigBlinds * static_cast<float>(game_->definition().big_blind())),
          to_call / (chips_in + to_call)};
}

void Encoder::encode_betting(const History& history, float* row) const {
  begin_betting(row);
  State state = initial_;
  int turn = 0;
  for (int i = 0; i < history.size; ++i) {
    const State before = state;
    game_->apply(state, history[i]);
    betting_step(before, history[i], turn, state).write(row, layout_.bet_width, [](float x) { return x; });
    turn = state.round == before.round ? turn + 1 : 0;
  }
}

}  // namespace deepcfr
