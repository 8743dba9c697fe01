#include "inference_report.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "deepcfr/core/bfloat16.h"
#include "deepcfr/nn/forward_engine.h"

namespace deepcfr {
namespace {

constexpr std::uint64_t kCompared = 512;  // records of each player

/// Rows of small numbers in the engine's form, each a card slot of its own.
void fill_rows(const RunParts& parts, std::int64_t rows, Minibatch& batch, CardSlots& cards) {
  const CounterRandom random(StreamPurpose::test, {7});
  const int card_count = batch.format.kind == FeatureKind::cards && !batch.format.shared_cards ? parts.advantage_layout.card_count : 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (int i = 0; i < batch.format.width; ++i) {
      const auto place = static_cast<std::uint64_t>(r * batch.format.width + i);
      const float value = i < card_count ? static_cast<float>(parts.advantage_layout.first_card) : static_cast<float>(random.below(place, 3)) * 0.5F;
      if (batch.format.type == RowType::float32) {
        std::memcpy(batch.row(r) + static_cast<std::size_t>(i) * 4, &value, 4);
      } else {
        const std::uint16_t narrow = to_bfloat16(value);
        std::memcpy(batch.row(r) + static_cast<std::size_t>(i) * 2, &narrow, 2);
      }
    }
    if (batch.format.shared_cards) {
      batch.card_slot[static_cast<std::size_t>(r)] = static_cast<std::uint32_t>(r);
      std::fill_n(cards.numbers.begin() + r * cards.cards, cards.cards, static_cast<std::int8_t>(parts.advantage_layout.first_card));
    }
  }
  batch.rows = rows;
}

/// Whether rows answer with the same bits in batches of other sizes.
bool batch_invariant(ForwardEngine& engine, Minibatch& batch) {
  const std::int64_t all = batch.rows;
  const std::vector<float> whole = batch.advantages;
  Minibatch* const batches[] = {&batch};
  for (std::int64_t size = 1; size < all; size = size * 2 + 1) {
    batch.rows = size;
    std::fill(batch.advantages.begin(), batch.advantages.end(), 0.0F);
    engine.forward(batches);
    const std::size_t count = batch.advantages.size() / static_cast<std::size_t>(batch.capacity) * static_cast<std::size_t>(size);
    if (std::memcmp(batch.advantages.data(), whole.data(), count * sizeof(float)) != 0) return false;
  }
  return true;
}

nlohmann::ordered_json figures(const DtypeDistance::Figures& f) { return {{"mean", f.mean}, {"p99", f.percentile_99}, {"largest", f.largest}}; }

}  // namespace

std::string inference_line(const TrainOptions& options, const RunParts& parts) {
  if (parts.fast_path) return "inference: float32 on all infosets after each fit (the fast path of small games)";
  using Clock = std::chrono::steady_clock;
  const auto network = std::make_shared<const Network>(parts.fresh_network(options, false, 0, 0));
  const std::unique_ptr<ForwardEngine> engine =
      make_forward_engine(*parts.game, std::vector(static_cast<std::size_t>(parts.game->players()), network),
                          {.type = options.inference.dtype, .share_cards = options.inference.share_cards});
  const std::int64_t rows = options.inference.batch;
  const RowFormat format = engine->format(0);
  CardSlots cards;
  if (format.shared_cards) cards.resize(static_cast<std::size_t>(rows), parts.advantage_layout.card_count, format.card_vector);
  Minibatch batch;
  batch.prepare(0, format, rows, parts.game->num_actions(), &cards);
  fill_rows(parts, rows, batch, cards);
  Minibatch* const batches[] = {&batch};
  engine->forward(batches);
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const Clock::time_point start = Clock::now();
    engine->forward(batches);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  char rate[64];
  std::snprintf(rate, sizeof rate, "%.3g us a row at %lld rows", best * 1e6 / static_cast<double>(rows), static_cast<long long>(rows));
  return "inference: " + engine->name() + ", " + rate + ", batch-invariant: " + (batch_invariant(*engine, batch) ? "yes" : "no");
}

nlohmann::ordered_json bfloat16_distance(const RunParts& parts, const RunState& state) {
  nlohmann::ordered_json by_player = nlohmann::ordered_json::array();
  const Encoder encoder(*parts.game, parts.advantage_layout.kind);
  for (std::size_t p = 0; p < state.advantage.size(); ++p) {
    const Reservoir& memory = state.advantage_memory[p];
    const std::uint64_t count = std::min(kCompared, memory.size());
    if (!state.advantage[p] || count == 0) return {};
    std::vector<float> rows(count * static_cast<std::size_t>(encoder.width()));
    std::vector<ActionMask> legal(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Infoset infoset = parts.advantage_codec->infoset(memory.record(i * memory.size() / count));
      encoder.encode(infoset, rows.data() + i * static_cast<std::size_t>(encoder.width()));
      legal[i] = parts.game->legal_actions(state_of(*parts.game, infoset));
    }
    const DtypeDistance distance = measure_distance(*state.advantage[p], rows, legal);
    by_player.push_back({{"rows", distance.rows},
                         {"mean_advantage", distance.mean_advantage},
                         {"advantage", figures(distance.advantages)},
                         {"strategy", figures(distance.strategies)}});
  }
  return by_player;
}

}  // namespace deepcfr
