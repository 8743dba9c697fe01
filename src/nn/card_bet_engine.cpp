// Rows through a card_bet network. With shared cards, what the card branch adds to the trunk's first layer is kept in the cards'
// slot: the same sums in the same order as row by row, so the same results.
#include <algorithm>
#include <map>

#include "card_bet.h"
#include "deepcfr/core/error.h"
#include "network_impl.h"
#include "player_forward.h"

namespace deepcfr::nn {
namespace {

constexpr std::int64_t kCardBlock = 256;  // slots that go through the card branch together

struct CardBetWeights {
  CardBetWeights(const Network& network, RowType row_type, bool share_cards, Bfloat16Unit for_unit)
      : type(row_type),
        share(share_cards),
        unit(for_unit),
        model(std::dynamic_pointer_cast<const CardBet>(network.impl().model)),
        packed(network.impl().packed.size()) {
    DEEPCFR_CHECK(model != nullptr);
    std::copy_n(network.impl().packed.data(), packed.size(), packed.data());
    if (type == RowType::float32) return;
    for (const DenseLayer& layer : model->layers())
      for (std::size_t part = 0; part < layer.parts.size(); ++part) {
        const float* w = packed.data() + layer.weight[part];
        rounded.try_emplace(w, unit, layer.parts[part], layer.out, w);
      }
  }
  RowType type;
  bool share;
  Bfloat16Unit unit;
  std::shared_ptr<const CardBet> model;
  AlignedFloats packed;
  std::map<const float*, Bfloat16Weights> rounded;  // by the place of the float32 weights
};

/// Products of the engine's own, immutable weights: operands rounded, everything else in float32.
class RoundedProducts final : public Products {
 public:
  explicit RoundedProducts(const CardBetWeights& weights) : weights_(weights), kernel_(make_bfloat16_kernel(weights.unit)) {}
  void forward(std::int64_t rows, int in, int, const float* x, const float* w, float* y, const ProductOptions& options) override {
    x_.reserve(rows, in);
    round_panels(rows, in, x, x_);
    kernel_->multiply(rows, x_, weights_.rounded.at(w), {.bias = options.bias, .add = options.add, .relu = options.relu, .y = y});
  }
  void backward_input(std::int64_t, int, int, const float*, const float*, float*, const ProductOptions&) override {
    DEEPCFR_CHECK(false, "inference only");
  }
  void backward_weight(std::int64_t, int, int, const float*, const float*, bool, float*) override {
    DEEPCFR_CHECK(false, "inference only");
  }

 private:
  const CardBetWeights& weights_;
  std::unique_ptr<Bfloat16Kernel> kernel_;
  Bfloat16Panels x_;
};

std::unique_ptr<Products> make_engine_products(const CardBetWeights& weights) {
  if (weights.type == RowType::float32) return make_float32_products();
  return std::make_unique<RoundedProducts>(weights);
}

class CardBetEngine final : public PlayerForward {
 public:
  explicit CardBetEngine(std::shared_ptr<const CardBetWeights> weights)
      : weights_(std::move(weights)), products_(make_engine_products(*weights_)), pass_(*weights_->model, *products_) {}

  RowFormat format() const override {
    const FeatureLayout& layout = weights_->model->layout();
    RowFormat format;
    format.type = weights_->type;
    format.kind = FeatureKind::cards;
    format.shared_cards = weights_->share;
    format.width = weights_->share ? layout.bet_width : layout.width;
    const int line = weights_->type == RowType::float32 ? 16 : 32;
    format.stride = (format.width + line - 1) / line * line;
    format.card_vector = weights_->share ? padded(weights_->model->dim) : 0;
    return format;
  }

  void prepare(std::span<Minibatch* const> batches) override {
    if (!weights_->share) return;
    stale_.clear();
    for (Minibatch* batch : batches) {
      CardSlots& slots = *batch->cards;
      DEEPCFR_CHECK(slots.cards == weights_->model->layout().card_count && slots.vector_size == format().card_vector);
      for (std::int64_t r = 0; r < batch->rows; ++r) {
        const std::uint32_t slot = batch->card_slot[static_cast<std::size_t>(r)];
        if (slots.ready[slot] != 0) continue;
        slots.ready[slot] = 1;  // by the end of this call it is
        stale_.emplace_back(&slots, slot);
      }
    }
    for (std::size_t first = 0; first < stale_.size(); first += kCardBlock)
      fill_slots(std::span(stale_).subspan(first, std::min<std::size_t>(kCardBlock, stale_.size() - first)));
  }

  void forward(const RowBlock& block) override {
    const FeatureLayout& layout = weights_->model->layout();
    pass_.reserve(block.rows);
    if (weights_->share)
      gather_starts(block);
    else
      start_from_rows(block);
    load_panels(block, weights_->share ? 0 : layout.card_count, layout.bet_width, pass_.features.data());
    write_advantages(block, weights_->model->outputs(), pass_.run_rows(block.rows, weights_->packed.data()));
  }

  std::unique_ptr<PlayerForward> clone() const override { return std::make_unique<CardBetEngine>(weights_); }

 private:
  struct Slot {
    CardSlots* slots;
    std::uint32_t number;
  };

  void fill_slots(std::span<const Slot> slots) {
    const auto count = static_cast<std::int64_t>(slots.size());
    cards_.clear();
    for (const Slot& s : slots) {
      const std::span<const std::int8_t> numbers = s.slots->cards_of(s.number);
      for (const std::int8_t number : numbers) cards_.push_back(CardBetForward::checked_card(number));
    }
    const int dim = weights_->model->dim;
    starts_.reserve(panel_floats(count, dim));
    pass_.run_cards(count, weights_->packed.data(), cards_.data(), starts_.data());
    for (std::int64_t i = 0; i < count; ++i) {
      float* vector = slots[static_cast<std::size_t>(i)].slots->vector_of(slots[static_cast<std::size_t>(i)].number);
      for (int p = 0; p < panel_count(dim); ++p)
        std::copy_n(starts_.data() + (p * count + i) * kPanel, kPanel, vector + p * kPanel);
    }
  }

  /// From the rows' slots to the trunk.
  void gather_starts(const RowBlock& block) {
    float* to = pass_.trunk[0].data();
    std::int64_t row = 0;
    for (const RowSegment& segment : block.segments)
      for (std::int64_t i = segment.first; i < segment.first + segment.count; ++i, ++row) {
        const float* vector = segment.batch->cards->vector_of(segment.batch->card_slot[static_cast<std::size_t>(i)]);
        for (int p = 0; p < panel_count(weights_->model->dim); ++p)
          std::copy_n(vector + p * kPanel, kPanel, to + (p * block.rows + row) * kPanel);
      }
  }

  /// The card branch for each row.
  void start_from_rows(const RowBlock& block) {
    const int card_count = weights_->model->layout().card_count;
    cards_.clear();
    for (const RowSegment& segment : block.segments)
      for (std::int64_t i = segment.first; i < segment.first + segment.count; ++i)
        for (int c = 0; c < card_count; ++c) {
          const std::byte* row = segment.batch->row(i);
          cards_.push_back(CardBetForward::checked_card(weights_->type == RowType::float32
                                                            ? reinterpret_cast<const float*>(row)[c]
                                                            : from_bfloat16(reinterpret_cast<const Bfloat16Bits*>(row)[c])));
        }
    pass_.run_cards(block.rows, weights_->packed.data(), cards_.data(), pass_.trunk[0].data());
  }

  std::shared_ptr<const CardBetWeights> weights_;
  std::unique_ptr<Products> products_;
  CardBetForward pass_;
  std::vector<Slot> stale_;
  std::vector<std::int8_t> cards_;
  AlignedFloats starts_;
};

}  // namespace

std::unique_ptr<PlayerForward> make_card_bet_forward(const Network& network, RowType type, bool share_cards, Bfloat16Unit unit) {
  return std::make_unique<CardBetEngine>(std::make_shared<const CardBetWeights>(network, type, share_cards, unit));
}

}  // namespace deepcfr::nn
