// Batches for a fit, out of a memory of packed records.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "deepcfr/cfr/reservoir.h"
#include "deepcfr/cfr/sample.h"
#include "deepcfr/core/random.h"
#include "deepcfr/nn/trainer.h"
#include "small_tables.h"

namespace deepcfr {

/// What a source of batches needs to know of a run.
struct BatchSetup {
  const Game* game;
  const SampleCodec* codec;
  const Encoder* encoder;
  const FeatureTable* features;  ///< null unless the codec numbers infosets
  std::int64_t iteration;        ///< T: a record of iteration t weighs 2 t / T, once
  int batch_size;
  CounterRandom stream;
};

/// Rows drawn uniformly from the memory, with replacement.
std::unique_ptr<BatchSource> make_sampled_batches(const BatchSetup& setup, const Reservoir& memory);

/// Equal infosets of a memory as one row: weights summed, values averaged by weight. The squared error then has the same minimiser and
/// the same gradient as over all records (it differs by a constant), and so has the cross entropy.
struct MergedMemory {
  std::vector<std::int32_t> infoset_numbers;  ///< small games
  std::vector<Infoset> infosets;              ///< others
  std::vector<double> weights;                ///< Σ 2 t / T
  std::vector<double> values;                 ///< [row][action], weighted mean
  std::uint64_t records = 0;
  std::size_t rows() const noexcept { return weights.size(); }
};
MergedMemory merge_memory(const BatchSetup& setup, const Reservoir& memory);

/// All rows at once where they fit into a batch (or into 2,048 rows), else rows drawn in proportion to their records.
std::unique_ptr<BatchSource> make_merged_batches(const BatchSetup& setup, MergedMemory merged);

}  // namespace deepcfr
