// Batched inference as traversals see it: minibatches of rows, an engine that computes them, a backend that takes them from one worker.
// Backends are decorators of one interface (local, server, check); results never depend on which one answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/cfr/advantage_source.h"
#include "deepcfr/core/aligned.h"
#include "deepcfr/game/encoder.h"

namespace deepcfr {

enum class RowType { float32, bfloat16 };

/// What one player's network wants to read.
struct RowFormat {
  /// No rows at all: the answer is 1 for every action (not fitted yet: regret matching plays uniformly, statement 2).
  bool uniform = false;
  bool states = false;  ///< whole states instead of rows (for sources that know nothing of features)
  RowType type = RowType::float32;  ///< of the elements of a row
  FeatureKind kind = FeatureKind::dense;
  /// FeatureKind::cards only: a row holds the betting features alone and refers to its cards by slot, so that the card branch is
  /// computed once for each slot in use. Otherwise a row is what Encoder::encode writes.
  bool shared_cards = false;
  int width = 0;      ///< elements of a row that are written
  int stride = 0;     ///< elements from one row to the next, ≥ width; the rest is zero
  int card_vector = 0;  ///< shared_cards: floats that the card branch leaves for a slot
  bool operator==(const RowFormat&) const = default;
  std::size_t row_bytes() const noexcept { return static_cast<std::size_t>(stride) * (type == RowType::float32 ? 4 : 2); }
};

/// The cards that rows refer to, one worker's: a slot for each traversal in flight, player and round. The traversal writes numbers and
/// clears `ready`; the engine writes vectors and sets it. All slots of a player belong to that player's network.
struct CardSlots {
  int cards = 0;                      ///< card numbers of a slot (FeatureLayout::card_count)
  int vector_size = 0;                ///< floats of a vector
  std::vector<std::int8_t> numbers;   ///< [slot][cards], −1 none
  std::vector<std::uint8_t> ready;    ///< [slot]: the vector belongs to the numbers
  AlignedVector<float> vectors;       ///< [slot][vector_size]
  void resize(std::size_t slots, int card_count, int floats);
  std::span<const std::int8_t> cards_of(std::uint32_t slot) const noexcept {
    return {numbers.data() + static_cast<std::size_t>(slot) * static_cast<std::size_t>(cards), static_cast<std::size_t>(cards)};
  }
  float* vector_of(std::uint32_t slot) noexcept { return vectors.data() + static_cast<std::size_t>(slot) * static_cast<std::size_t>(vector_size); }
};

/// Questions to one player's network. Filled by the traversal, answered in place; between submit() and wait() it belongs to the backend.
struct Minibatch {
  /// The traversal that a row belongs to, and its node there; the backend does not look at it.
  struct Tag {
    std::uint32_t slot = 0;
    std::uint32_t node = 0;
  };
  int player = 0;
  std::int64_t rows = 0;
  std::int64_t capacity = 0;
  RowFormat format;
  AlignedVector<std::byte> features;     ///< [rows][format.row_bytes()]
  std::vector<State> states;             ///< [rows] if format.states
  std::vector<std::uint32_t> card_slot;  ///< [rows] if format.shared_cards
  CardSlots* cards = nullptr;            ///< if format.shared_cards
  std::vector<float> advantages;         ///< out: [rows][num_actions]; entries of illegal actions are unspecified
  std::vector<Tag> tags;                 ///< [rows]

  void prepare(int of_player, const RowFormat& row_format, std::int64_t row_capacity, int num_actions, CardSlots* card_slots);
  std::byte* row(std::int64_t i) noexcept { return features.data() + static_cast<std::size_t>(i) * format.row_bytes(); }
  bool full() const noexcept { return rows == capacity; }
};

/// Computes minibatches. One thread at a time per object; clones share the weights and may run at the same time. Weights do not change
/// while an engine lives. A row's result is the same bits whatever batch it is part of.
class ForwardEngine {
 public:
  virtual ~ForwardEngine() = default;
  virtual RowFormat format(int player) const = 0;
  /// Minibatches of one player with its format (not uniform), together as one batch: writes all their advantages.
  virtual void forward(std::span<Minibatch* const> batches) = 0;
  virtual std::unique_ptr<ForwardEngine> clone() const = 0;
  virtual std::string name() const = 0;  ///< for logs: "float32, own kernels", "bfloat16, oneDNN, AMX"
};

/// One worker's door to the networks. One thread per object.
class InferenceBackend {
 public:
  virtual ~InferenceBackend() = default;
  virtual RowFormat format(int player) const = 0;
  /// The worker asks between enter() and leave(); outside, nobody waits for it.
  virtual void enter() {}
  virtual void leave() noexcept {}
  /// Begins to answer; the minibatch must stay where it is until wait() on it has returned or thrown. May block while a queue is full.
  virtual void submit(Minibatch& batch) = 0;
  /// Blocks until it is answered. Rethrows what went wrong there.
  virtual void wait(Minibatch& batch) = 0;
  /// Minibatches that a worker should have under way at once: 1 for a backend that answers in the worker's own thread.
  virtual int depth() const noexcept { return 1; }
};

/// Answers at once in the calling thread.
std::unique_ptr<InferenceBackend> make_local_backend(std::unique_ptr<ForwardEngine> engine);
/// Uniform strategies of all players: nothing is ever asked.
std::unique_ptr<InferenceBackend> make_uniform_backend();
/// Answers at once over anything that answers for states; `source` outlives it.
std::unique_ptr<InferenceBackend> make_source_backend(AdvantageSource& source);

}  // namespace deepcfr
