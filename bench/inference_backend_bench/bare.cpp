#include "bare.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "clock.h"
#include "deepcfr/cfr/traversal.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/thread_group.h"

namespace deepcfr::bench {
namespace {

/// Copies the minibatches that come by; the last full one of each player stays, or the largest.
class CapturingBackend final : public InferenceBackend {
 public:
  CapturingBackend(std::unique_ptr<InferenceBackend> inner, std::vector<Minibatch>& batches, std::vector<CardSlots>& cards)
      : inner_(std::move(inner)), batches_(batches), cards_(cards) {}
  RowFormat format(int player) const override { return inner_->format(player); }
  void submit(Minibatch& batch) override {
    const auto player = static_cast<std::size_t>(batch.player);
    if (batch.rows >= batches_[player].rows) {
      batches_[player] = batch;
      if (batch.cards != nullptr) cards_[player] = *batch.cards;  // which vectors are ready is part of what is asked
    }
    inner_->submit(batch);
  }
  void wait(Minibatch& batch) override { inner_->wait(batch); }

 private:
  std::unique_ptr<InferenceBackend> inner_;
  std::vector<Minibatch>& batches_;
  std::vector<CardSlots>& cards_;
};

}  // namespace

std::string bare_name(BareKind kind) {
  switch (kind) {
    case BareKind::engine: return "engine";
    case BareKind::libtorch: return "libtorch";
    case BareKind::prepacked: return "onednn_prepacked";
  }
  return {};
}

CapturedBatches::CapturedBatches(Arena& arena, const ModelSpec& model, RowType dtype)
    : batches_(static_cast<std::size_t>(arena.game().players())), cards_(batches_.size()) {
  constexpr std::uint64_t kTraversals = 48;  // three times those in flight: batches as they are in the middle of a phase
  auto backend = std::make_unique<CapturingBackend>(make_local_backend(arena.engine(model, dtype, true)), batches_, cards_);
  const auto traversal =
      make_interleaved_traversal(arena.game(), arena.codec(), arena.scale(), std::move(backend), {.in_flight = kTraversals / 3, .batch = 256});
  SampleBuffer records;
  traversal->run({.seed = 3, .iteration = 2, .traverser = 0, .count = kTraversals}, records);
  for (const Minibatch& batch : batches_) DEEPCFR_CHECK(batch.rows > 0, "a player was never asked");
}

Minibatch CapturedBatches::batch(int player, std::int64_t rows, CardSlots& cards) const {
  const Minibatch& from = batches_[static_cast<std::size_t>(player)];
  Minibatch to;
  const auto actions = from.advantages.size() / static_cast<std::size_t>(from.capacity);
  cards = cards_[static_cast<std::size_t>(player)];
  to.prepare(player, from.format, rows, static_cast<int>(actions), &cards);
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto source = i % from.rows;
    std::memcpy(to.row(i), from.features.data() + static_cast<std::size_t>(source) * from.format.row_bytes(), from.format.row_bytes());
    if (from.format.shared_cards) to.card_slot[static_cast<std::size_t>(i)] = from.card_slot[static_cast<std::size_t>(source)];
  }
  to.rows = rows;
  return to;
}

Forward engine_forward(Arena& arena, const BareSpec& spec, const CapturedBatches& captured) {
  struct Work {
    std::unique_ptr<ForwardEngine> engine;
    std::vector<CardSlots> cards;
    std::vector<Minibatch> batches;
    std::size_t turn = 0;
  };
  const auto work = std::make_shared<Work>();
  work->engine = arena.engine(spec.model, spec.dtype, true);
  work->cards.resize(static_cast<std::size_t>(arena.game().players()));
  for (int player = 0; player < arena.game().players(); ++player) {
    work->batches.push_back(captured.batch(player, spec.rows, work->cards[static_cast<std::size_t>(player)]));
  }
  return [work, &captured] {
    const std::size_t player = work->turn++ % work->batches.size();
    work->cards[player].ready = captured.cards(static_cast<int>(player)).ready;
    Minibatch* const batches[] = {&work->batches[player]};
    work->engine->forward(batches);
  };
}

struct Bare::Impl {
  std::unique_ptr<CapturedBatches> captured;
  std::vector<Forward> forwards;  // by worker
  std::unique_ptr<ThreadGroup> group;
};

Bare::Bare(Arena& arena, const BareSpec& spec) : spec_(spec), impl_(std::make_unique<Impl>()) {
  const Pinned pinned(spec.workers);
  const bool ours = spec.kind == BareKind::engine;
  impl_->captured = std::make_unique<CapturedBatches>(arena, spec.model, ours ? spec.dtype : RowType::float32);
  for (int i = 0; i < spec.workers; ++i) {
    impl_->forwards.push_back(ours ? engine_forward(arena, spec, *impl_->captured) : libtorch_forward(arena, spec, *impl_->captured));
  }
  impl_->group = std::make_unique<ThreadGroup>(static_cast<std::size_t>(spec.workers), [](std::size_t) { one_openmp_thread_here(); });
}

Bare::~Bare() = default;

double Bare::rows_per_second(double seconds) {
  std::vector<double> rates(static_cast<std::size_t>(spec_.workers));
  impl_->group->run([&](std::size_t worker) {
    std::int64_t rows = 0;
    const double start = thread_cpu_seconds();
    double now = start;
    while (now - start < seconds) {
      const std::int64_t calls = std::max<std::int64_t>(1, 256 / spec_.rows);  // few looks at the clock
      for (std::int64_t i = 0; i < calls; ++i) impl_->forwards[worker]();
      rows += calls * spec_.rows;
      now = thread_cpu_seconds();
    }
    rates[worker] = static_cast<double>(rows) / (now - start);
  });
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

}  // namespace deepcfr::bench
