#include "hand_rows.h"

#include <algorithm>

#include "deepcfr/core/error.h"

namespace deepcfr::nn {

HandRows::HandRows(std::shared_ptr<const Game> game, FeatureKind kind, std::unique_ptr<ForwardEngine> engine)
    : game_(std::move(game)),
      encoder_(*game_, kind),
      engine_(std::move(engine)),
      cards_(static_cast<std::size_t>(encoder_.card_width())),
      betting_(static_cast<std::size_t>(encoder_.layout().bet_width)) {}

void HandRows::forward(std::span<const State* const> states, const HandsOnBoard& hands,
                       const std::function<void(std::size_t, std::span<const float>)>& visit) {
  if (states.empty() || hands.holes.empty()) return;
  const int player = states[0]->actor;
  const RowFormat format = engine_->format(player);
  DEEPCFR_CHECK(!format.uniform && format.type == RowType::float32 && format.kind == encoder_.layout().kind);
  const std::size_t count = hands.holes.size();
  if (format.shared_cards) slots_.resize(count, encoder_.layout().card_count, format.card_vector);
  batch_.prepare(player, format, static_cast<std::int64_t>(count), game_->num_actions(), &slots_);
  batch_.rows = static_cast<std::int64_t>(count);
  encode_cards(hands);
  const int first = format.shared_cards ? 0 : encoder_.card_width();
  Minibatch* const view[] = {&batch_};
  for (std::size_t s = 0; s < states.size(); ++s) {
    DEEPCFR_CHECK(states[s]->actor == player && states[s]->round == hands.round);
    encode_betting(states[s]->history);
    for (std::size_t h = 0; h < count; ++h)
      std::copy(betting_.begin(), betting_.end(), reinterpret_cast<float*>(batch_.row(static_cast<std::int64_t>(h))) + first);
    engine_->forward(view);
    visit(s, std::span<const float>(batch_.advantages).first(count * static_cast<std::size_t>(game_->num_actions())));
  }
}

void HandRows::encode_cards(const HandsOnBoard& hands) {
  Infoset infoset;
  const int board_count = game_->definition().board_count(hands.round);
  for (std::size_t h = 0; h < hands.holes.size(); ++h) {
    canonical_cards(*game_, hands.holes[h], hands.board, board_count, infoset.hole, infoset.board);
    encoder_.encode_cards(infoset, cards_.data());
    if (batch_.format.shared_cards) {
      batch_.card_slot[h] = static_cast<std::uint32_t>(h);
      std::transform(cards_.begin(), cards_.end(), slots_.numbers.begin() + static_cast<std::ptrdiff_t>(h * cards_.size()),
                     [](float number) { return static_cast<std::int8_t>(number); });
    } else {
      std::copy(cards_.begin(), cards_.end(), reinterpret_cast<float*>(batch_.row(static_cast<std::int64_t>(h))));
    }
  }
}

void HandRows::encode_betting(const History& history) {
  encoder_.begin_betting(betting_.data());
  State state = game_->initial_state(Deal{});
  int turn = 0;
  for (int i = 0; i < history.size; ++i) {
    const State before = state;
    game_->apply(state, history[i]);
    encoder_.betting_step(before, history[i], turn, state).write(betting_.data(), encoder_.layout().bet_width, [](float x) { return x; });
    turn = state.round == before.round ? turn + 1 : 0;
  }
}

}  // namespace deepcfr::nn
