// Advantages that are a fixed function of a row's bytes: like a network, but exact. As a source of states (encodes them as a whole) and as
// an engine (takes rows as traversals write them): the two agree only if the rows are the same bits.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "deepcfr/cfr/inference.h"
#include "deepcfr/core/bfloat16.h"
#include "deepcfr/core/bytes.h"
#include "deepcfr/core/error.h"

namespace deepcfr::test {

struct RowHash {
  FeatureKind kind = FeatureKind::dense;
  RowType type = RowType::float32;
  bool shared_cards = false;
  int uniform_player = -1;  ///< whose strategy is uniform

  void advantages(int player, const std::vector<float>& row, std::span<float> out) const {
    std::vector<std::byte> bytes(row.size() * 4);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const float element = type == RowType::float32 ? row[i] : from_bfloat16(to_bfloat16(row[i]));
      std::memcpy(bytes.data() + i * 4, &element, 4);
    }
    const CounterRandom random(mix_key({content_hash(bytes), static_cast<std::uint64_t>(player)}));
    for (std::size_t a = 0; a < out.size(); ++a) out[a] = player == uniform_player ? 1.0F : static_cast<float>(random.uniform(a) - 0.3);
  }
};

class RowHashSource final : public AdvantageSource {
 public:
  RowHashSource(const Game& game, RowHash hash) : game_(game), encoder_(game, hash.kind), hash_(hash) {}
  void advantages(int player, std::span<const State* const> states, std::span<float> out) override {
    std::vector<float> row(static_cast<std::size_t>(encoder_.width()));
    const auto actions = static_cast<std::size_t>(game_.num_actions());
    for (std::size_t i = 0; i < states.size(); ++i) {
      EXPECT_EQ(states[i]->actor, player);
      encoder_.encode(*states[i], row.data());
      hash_.advantages(player, row, out.subspan(i * actions, actions));
    }
  }

 private:
  const Game& game_;
  Encoder encoder_;
  RowHash hash_;
};

class RowHashEngine final : public ForwardEngine {
 public:
  RowHashEngine(const Game& game, RowHash hash) : game_(game), encoder_(game, hash.kind), hash_(hash) {}

  RowFormat format(int player) const override {
    RowFormat format;
    format.uniform = player == hash_.uniform_player;
    format.type = hash_.type;
    format.kind = hash_.kind;
    format.shared_cards = hash_.shared_cards;
    format.width = hash_.shared_cards ? encoder_.layout().bet_width : encoder_.width();
    format.stride = format.width + 5;
    format.card_vector = hash_.shared_cards ? encoder_.layout().card_count : 0;
    return format;
  }

  void forward(std::span<Minibatch* const> batches) override {
    const int at = calls->fetch_add(1);
    if (fail_at >= 0 && at >= fail_at) throw Error(ErrorKind::input, "the engine fails as told");
    const auto actions = static_cast<std::size_t>(game_.num_actions());
    for (Minibatch* batch : batches) {
      EXPECT_EQ(batch->player, batches.front()->player);
      for (std::int64_t r = 0; r < batch->rows; ++r) {
        std::vector<float> row = elements(*batch, r);
        if (batch->format.shared_cards) {
          const std::vector<float> cards = card_vector(*batch, r);
          row.insert(row.begin(), cards.begin(), cards.end());
        }
        hash_.advantages(batch->player, row, std::span(batch->advantages).subspan(static_cast<std::size_t>(r) * actions, actions));
        if (perturbed) batch->advantages[0] += 1.0F;
      }
    }
  }

  std::unique_ptr<ForwardEngine> clone() const override { return std::make_unique<RowHashEngine>(*this); }
  std::string name() const override { return "hash of rows"; }

  std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);  // of all clones
  int fail_at = -1;
  bool perturbed = false;

 private:
  std::vector<float> elements(Minibatch& batch, std::int64_t r) const {
    const std::byte* bytes = batch.row(r);
    std::vector<float> row(static_cast<std::size_t>(batch.format.stride));
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::uint16_t narrow;
      if (batch.format.type == RowType::float32) {
        std::memcpy(&row[i], bytes + i * 4, 4);
      } else {
        std::memcpy(&narrow, bytes + i * 2, 2);
        row[i] = from_bfloat16(narrow);
      }
    }
    for (std::size_t i = static_cast<std::size_t>(batch.format.width); i < row.size(); ++i) EXPECT_EQ(row[i], 0.0F);  // padding
    row.resize(static_cast<std::size_t>(batch.format.width));
    return row;
  }

  /// The card branch is the identity here.
  std::vector<float> card_vector(Minibatch& batch, std::int64_t r) const {
    const std::uint32_t slot = batch.card_slot[static_cast<std::size_t>(r)];
    CardSlots& cards = *batch.cards;
    float* const vector = cards.vector_of(slot);
    if (cards.ready[slot] == 0) {
      for (std::size_t i = 0; i < cards.cards_of(slot).size(); ++i) vector[i] = static_cast<float>(cards.cards_of(slot)[i]);
      cards.ready[slot] = 1;
    }
    return {vector, vector + cards.cards};
  }

  const Game& game_;
  Encoder encoder_;
  RowHash hash_;
};

}  // namespace deepcfr::test
