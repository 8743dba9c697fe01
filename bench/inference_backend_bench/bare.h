// Forwards by themselves, with nothing around them: what traversals are measured against.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arena.h"

namespace deepcfr::bench {

enum class BareKind {
  engine,     ///< ours
  libtorch,   ///< at::linear + relu, its default
  prepacked,  ///< oneDNN with weights packed beforehand, activation fused (mkldnn::_linear_pointwise)
};
std::string bare_name(BareKind kind);

struct BareSpec {
  ModelSpec model;
  RowType dtype = RowType::float32;
  BareKind kind = BareKind::engine;
  int workers = 1;
  std::int64_t rows = 256;
};

/// Minibatches as traversals really ask them, one for each player, brought to a number of rows by repeating theirs.
class CapturedBatches {
 public:
  CapturedBatches(Arena& arena, const ModelSpec& model, RowType dtype);
  /// A copy of player's with `rows` rows; its card slots are `cards`, which the caller keeps.
  Minibatch batch(int player, std::int64_t rows, CardSlots& cards) const;
  const CardSlots& cards(int player) const { return cards_[static_cast<std::size_t>(player)]; }

 private:
  std::vector<Minibatch> batches_;
  std::vector<CardSlots> cards_;
};

/// Computes `rows` rows of one player, another one at each call.
using Forward = std::function<void()>;
/// kind engine: float32 and bfloat16. The batches must be of the same model and type.
Forward engine_forward(Arena& arena, const BareSpec& spec, const CapturedBatches& captured);
/// mlp only. float32 rows of the captured batches; bfloat16 rows are converted beforehand. Declared here, defined where LibTorch is.
Forward libtorch_forward(Arena& arena, const BareSpec& spec, const CapturedBatches& captured_float32);

/// OpenMP counts its threads for each thread that calls it, and oneDNN takes what it says: without this a bare forward would run on two
/// threads, and only one of them be counted.
void one_openmp_thread_here();

class Bare {
 public:
  Bare(Arena& arena, const BareSpec& spec);
  ~Bare();
  const BareSpec& spec() const noexcept { return spec_; }
  /// `workers` threads at once, each for `seconds` of CPU time; rows/s of all together, by the CPU time of each.
  double rows_per_second(double seconds);

 private:
  struct Impl;
  BareSpec spec_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deepcfr::bench
