// One traversal in flight, and how its nodes become rows.
#pragma once

#include <optional>

#include "recursion.h"
#include "walk_tree.h"

namespace deepcfr {

struct GrownNode {
  std::uint64_t place = kRootPlace;  ///< of its random draws
  WalkTree::Place tree = 0;
  std::uint32_t first_child = 0;
  std::uint32_t strategy = 0;  ///< begin of its strategy in Slot::strategies
  ActionMask legal = 0;
  std::uint8_t actor = 0;
  std::uint8_t round = 0;
  bool single_child = false;
};

/// A range of ids whose traversals are under way; its records are put together when the last one is done.
struct TraversalRange {
  std::uint64_t first_id = 0;
  std::uint64_t remaining = 0;
  std::vector<SampleBuffer> records;  ///< by id
  std::vector<TraversalCounts> counts;
};

struct Slot {
  std::uint64_t id = 0;
  TraversalRange* owner = nullptr;  ///< that its id belongs to
  std::optional<Streams> streams;
  Deal deal;
  std::vector<GrownNode> nodes;  ///< root first, parents before children
  std::vector<double> strategies;
  NodePool own;  ///< betting nodes that the shared tree has no room for
  std::uint32_t unanswered = 0;
  std::uint64_t cards_known = 0;  ///< bit player · rounds + round: what RowForms keeps of these cards is of this deal
  std::array<HandRank, kMaxPlayers> ranks{};
  bool ranked = false;

  void begin(const Game& game, const TraversalTask& task, std::uint64_t traversal, TraversalRange* range);
  std::uint32_t add_node(WalkTree::Place place_in_tree, std::uint64_t place, const WalkTree& tree);
  /// Net chips at a terminal node.
  double value(const Game& game, const WalkTree& tree, std::uint32_t n, int player);

 private:
  void rank_hands(const Game& game);
};

/// Rows of all traversals of a worker. Card parts are made once for each traversal, player and round.
class RowForms {
 public:
  RowForms(const Game& game, const InferenceBackend& backend, const InfosetLayout& layout);
  const RowFormat& format(int player) const noexcept { return formats_[static_cast<std::size_t>(player)]; }
  BettingRows betting_rows() const noexcept;
  void size_card_slots(CardSlots& cards, std::size_t slots);
  /// Writes node n of a slot as the next row of a minibatch.
  void write(Slot& slot, std::uint32_t index, std::uint32_t n, const WalkTree& tree, Minibatch& batch);
  /// The infoset's cards as a record has them.
  const std::byte* infoset_cards(Slot& slot, std::uint32_t index, int player, int round, CardSlots& cards);

 private:
  std::size_t card_place(std::uint32_t index, int player, int round) const noexcept {
    return (index * static_cast<std::size_t>(game_.players()) + static_cast<std::size_t>(player)) * static_cast<std::size_t>(game_.rounds()) +
           static_cast<std::size_t>(round);
  }
  void know_cards(Slot& slot, std::uint32_t index, int player, int round, CardSlots& cards);
  void encode_cards(const Infoset& infoset, const RowFormat& format, std::size_t place, CardSlots& cards);

  const Game& game_;
  const InfosetLayout& layout_;
  std::vector<RowFormat> formats_;    // by player
  std::optional<Encoder> encoder_;    // if any player's rows hold features
  RowType type_ = RowType::float32;
  std::size_t element_bytes_ = 0;
  std::size_t card_row_bytes_ = 0;    // of the card part of a row
  AlignedVector<std::byte> card_rows_;  // [place]
  std::vector<std::byte> infoset_cards_;  // [place]
  std::vector<float> scratch_;
};

}  // namespace deepcfr
