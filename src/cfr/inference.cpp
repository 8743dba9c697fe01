#include "deepcfr/cfr/inference.h"

#include "deepcfr/core/error.h"

namespace deepcfr {

void CardSlots::resize(std::size_t slots, int card_count, int floats) {
  cards = card_count;
  vector_size = floats;
  numbers.assign(slots * static_cast<std::size_t>(card_count), -1);
  ready.assign(slots, 0);
  vectors.assign(slots * static_cast<std::size_t>(floats), 0.0F);
}

void Minibatch::prepare(int of_player, const RowFormat& row_format, std::int64_t row_capacity, int num_actions, CardSlots* card_slots) {
  DEEPCFR_CHECK(row_format.uniform || row_format.states || (row_format.stride >= row_format.width && row_capacity >= 1));
  DEEPCFR_CHECK(!row_format.shared_cards || card_slots != nullptr);
  player = of_player;
  rows = 0;
  capacity = row_capacity;
  format = row_format;
  cards = card_slots;
  const auto count = static_cast<std::size_t>(row_capacity);
  features.assign(count * format.row_bytes(), std::byte{0});
  states.assign(format.states ? count : 0, State{});
  card_slot.assign(format.shared_cards ? count : 0, 0);
  advantages.assign(count * static_cast<std::size_t>(num_actions), 0.0F);
  tags.assign(count, {});
}

namespace {

class LocalBackend final : public InferenceBackend {
 public:
  explicit LocalBackend(std::unique_ptr<ForwardEngine> engine) : engine_(std::move(engine)) {}
  RowFormat format(int player) const override { return engine_->format(player); }
  void submit(Minibatch& batch) override {
    Minibatch* const batches[] = {&batch};
    engine_->forward(batches);
  }
  void wait(Minibatch&) override {}

 private:
  std::unique_ptr<ForwardEngine> engine_;
};

class SourceBackend final : public InferenceBackend {
 public:
  explicit SourceBackend(AdvantageSource& source) : source_(source) {}
  RowFormat format(int) const override {
    RowFormat format;
    format.states = true;
    return format;
  }
  void submit(Minibatch& batch) override {
    const auto rows = static_cast<std::size_t>(batch.rows);
    states_.clear();
    for (std::size_t i = 0; i < rows; ++i) states_.push_back(&batch.states[i]);
    const std::size_t actions = batch.advantages.size() / static_cast<std::size_t>(batch.capacity);
    source_.advantages(batch.player, states_, std::span(batch.advantages).first(rows * actions));
  }
  void wait(Minibatch&) override {}

 private:
  AdvantageSource& source_;
  std::vector<const State*> states_;
};

class UniformBackend final : public InferenceBackend {
 public:
  RowFormat format(int) const override {
    RowFormat format;
    format.uniform = true;
    return format;
  }
  void submit(Minibatch&) override { throw Error(ErrorKind::bug, "a uniform strategy was asked for"); }
  void wait(Minibatch&) override {}
};

}  // namespace

std::unique_ptr<InferenceBackend> make_uniform_backend() { return std::make_unique<UniformBackend>(); }

std::unique_ptr<InferenceBackend> make_source_backend(AdvantageSource& source) { return std::make_unique<SourceBackend>(source); }

std::unique_ptr<InferenceBackend> make_local_backend(std::unique_ptr<ForwardEngine> engine) {
  return std::make_unique<LocalBackend>(std::move(engine));
}

}  // namespace deepcfr
