// Batches for a fit, out of a memory of packed records.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "betting_table.h"
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
  BettingTable* betting = nullptr;         ///< of this game, spares the replay of histories; null: every row is encoded anew
  std::int64_t iteration;        ///< T: a record of iteration t weighs 2 t / T, once
  int batch_size;
  CounterRandom stream;
};

// Sources made here fill any steps from several threads at once.

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

/// The merged memory of a small game, kept up to date record by record instead of by a pass over millions of them. Sums are integers
/// (values in steps of 2^-20), so adding and removing is exact: the same sums whatever the order, also when rebuilt on resume.
class MergedSums {
 public:
  explicit MergedSums(const SampleCodec& codec);  ///< a codec that numbers infosets; outlives this
  void add(const std::byte* record) { change(record, 1); }
  void remove(const std::byte* record) { change(record, -1); }
  /// Infosets with records, ascending; weights Σ 2 t / T.
  MergedMemory merged(std::int64_t iteration) const;

 private:
  __extension__ using Wide = __int128;
  void change(const std::byte* record, int sign);
  const SampleCodec* codec_;
  std::size_t actions_;
  std::uint64_t records_ = 0;
  std::vector<std::int64_t> counts_;   // [infoset]
  std::vector<std::int64_t> weights_;  // [infoset]: Σ t
  std::vector<Wide> values_;           // [infoset][action]: Σ t · value
};

/// All rows at once where they fit into a batch (or into 2,048 rows), else rows drawn in proportion to their records.
std::unique_ptr<BatchSource> make_merged_batches(const BatchSetup& setup, MergedMemory merged);

}  // namespace deepcfr
