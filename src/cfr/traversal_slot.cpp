#include "traversal_slot.h"

#include <cstring>

#include "deepcfr/core/bfloat16.h"

namespace deepcfr {

void Slot::begin(const Game& game, const TraversalTask& task, std::uint64_t traversal, TraversalRange* range) {
  id = traversal;
  owner = range;
  streams.emplace(task, traversal);
  deal = game.sample_deal(streams->deal);
  nodes.clear();
  strategies.clear();
  own.clear();
  unanswered = 0;
  cards_known = 0;
  ranked = false;
}

std::uint32_t Slot::add_node(WalkTree::Place place_in_tree, std::uint64_t place, const WalkTree& tree) {
  const NodePool::Node& node = tree.node(place_in_tree, own);
  nodes.push_back({.place = place, .tree = place_in_tree, .legal = node.legal, .actor = node.actor, .round = node.round});
  return static_cast<std::uint32_t>(nodes.size() - 1);
}

double Slot::value(const Game& game, const WalkTree& tree, std::uint32_t n, int player) {
  const WalkTree::Place place = nodes[n].tree;
  const bool showdown = tree.node(place, own).showdown;
  if (showdown && !ranked) rank_hands(game);
  if (const NodePool::Outcomes* outcomes = tree.outcomes(place, own)) {
    const auto p = static_cast<std::size_t>(player);
    const std::size_t outcome = !showdown || ranks[p] == ranks[1 - p] ? 1U : ranks[p] < ranks[1 - p] ? 0U : 2U;
    return (*outcomes)[p][outcome];
  }
  std::array<double, kMaxPlayers> values{};
  game.values(tree.state(place, own), ranks, std::span(values).first(static_cast<std::size_t>(game.players())));
  return values[static_cast<std::size_t>(player)];
}

void Slot::rank_hands(const Game& game) {
  for (int p = 0; p < game.players(); ++p) ranks[static_cast<std::size_t>(p)] = game.hand_rank(deal, p);
  ranked = true;
}

RowForms::RowForms(const Game& game, const InferenceBackend& backend, const InfosetLayout& layout) : game_(game), layout_(layout) {
  for (int p = 0; p < game.players(); ++p) {
    formats_.push_back(backend.format(p));
    const RowFormat& format = formats_.back();
    if (format.uniform || format.states) continue;
    if (!encoder_) {
      encoder_.emplace(game, format.kind);
      type_ = format.type;
      element_bytes_ = type_ == RowType::float32 ? 4 : 2;
    }
    DEEPCFR_CHECK(format.kind == encoder_->layout().kind && format.type == type_, "networks of one traversal read rows of one form");
    DEEPCFR_CHECK(format.width == (format.shared_cards ? encoder_->layout().bet_width : encoder_->width()));
  }
  DEEPCFR_CHECK(game.players() * game.rounds() <= 64);
  if (encoder_) {
    card_row_bytes_ = static_cast<std::size_t>(encoder_->card_width()) * element_bytes_;
    scratch_.resize(static_cast<std::size_t>(encoder_->card_width()));
  }
}

BettingRows RowForms::betting_rows() const noexcept { return {encoder_ ? &*encoder_ : nullptr, type_}; }

void RowForms::size_card_slots(CardSlots& cards, std::size_t slots) {
  const std::size_t places = card_place(static_cast<std::uint32_t>(slots), 0, 0);
  infoset_cards_.resize(places * layout_.card_bytes());
  card_rows_.resize(places * card_row_bytes_);
  int floats = 0;
  for (const RowFormat& format : formats_) {
    if (format.shared_cards) floats = std::max(floats, format.card_vector);
  }
  if (floats > 0) cards.resize(places, encoder_->layout().card_count, floats);
}

const std::byte* RowForms::infoset_cards(Slot& slot, std::uint32_t index, int player, int round, CardSlots& cards) {
  know_cards(slot, index, player, round, cards);
  return infoset_cards_.data() + card_place(index, player, round) * layout_.card_bytes();
}

void RowForms::know_cards(Slot& slot, std::uint32_t index, int player, int round, CardSlots& cards) {
  const std::uint64_t bit = std::uint64_t{1} << (player * game_.rounds() + round);
  if ((slot.cards_known & bit) != 0) return;
  slot.cards_known |= bit;
  const std::size_t place = card_place(index, player, round);
  Infoset infoset;
  canonical_cards(game_, slot.deal.hole[static_cast<std::size_t>(player)], slot.deal.board, game_.definition().board_count(round), infoset.hole,
                  infoset.board);
  layout_.pack_cards(infoset, infoset_cards_.data() + place * layout_.card_bytes());
  const RowFormat& format = formats_[static_cast<std::size_t>(player)];
  if (!format.uniform && !format.states) encode_cards(infoset, format, place, cards);
}

void RowForms::encode_cards(const Infoset& infoset, const RowFormat& format, std::size_t place, CardSlots& cards) {
  encoder_->encode_cards(infoset, scratch_.data());
  if (format.shared_cards) {
    for (std::size_t i = 0; i < scratch_.size(); ++i) cards.numbers[place * scratch_.size() + i] = static_cast<std::int8_t>(scratch_[i]);
    cards.ready[place] = 0;
    return;
  }
  std::byte* const row = card_rows_.data() + place * card_row_bytes_;
  if (type_ == RowType::float32) {
    std::memcpy(row, scratch_.data(), card_row_bytes_);
    return;
  }
  auto* const narrow = reinterpret_cast<std::uint16_t*>(row);
  for (std::size_t i = 0; i < scratch_.size(); ++i) narrow[i] = to_bfloat16(scratch_[i]);
}

void RowForms::write(Slot& slot, std::uint32_t index, std::uint32_t n, const WalkTree& tree, Minibatch& batch) {
  const GrownNode& node = slot.nodes[n];
  if (batch.format.states) {
    State& state = batch.states[static_cast<std::size_t>(batch.rows)];
    state = tree.state(node.tree, slot.own);
    state.deal = slot.deal;
    return;
  }
  know_cards(slot, index, node.actor, node.round, *batch.cards);
  const std::size_t place = card_place(index, node.actor, node.round);
  std::byte* row = batch.row(batch.rows);
  if (batch.format.shared_cards) {
    batch.card_slot[static_cast<std::size_t>(batch.rows)] = static_cast<std::uint32_t>(place);
  } else {
    std::memcpy(row, card_rows_.data() + place * card_row_bytes_, card_row_bytes_);
    row += card_row_bytes_;
  }
  std::memcpy(row, tree.betting(node.tree, slot.own), tree.betting_bytes());
}

}  // namespace deepcfr
