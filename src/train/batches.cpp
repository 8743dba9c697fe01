#include "batches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr std::size_t kFullBatchRows = 2048;
constexpr std::uint64_t kLookahead = 16;  // rows
constexpr double kValueSteps = 1 << 20;
constexpr double kLargestValue = 1e12;  // beyond any stack; also keeps NaN out of the integer sums

/// Puts single rows into a batch.
class RowWriter {
 public:
  explicit RowWriter(const BatchSetup& setup)
      : setup_(setup), actions_(static_cast<std::size_t>(setup.game->num_actions())), width_(static_cast<std::size_t>(setup.encoder->width())) {}

  void features(std::int32_t infoset_number, std::size_t row, const BatchView& batch) const {
    std::ranges::copy(setup_.features->row(infoset_number), batch.features.begin() + static_cast<std::ptrdiff_t>(row * width_));
    mask(setup_.codec->small_game()->legal(infoset_number), row, batch);
  }
  void features(const Infoset& infoset, std::size_t row, const BatchView& batch) const {
    float* const numbers = batch.features.data() + row * width_;
    if (setup_.betting != nullptr) {
      if (const auto known = setup_.betting->find(infoset.history)) {
        setup_.encoder->encode_cards(infoset, numbers);
        std::ranges::copy(known->features, numbers + setup_.encoder->card_width());
        std::ranges::copy(known->mask, batch.mask.begin() + static_cast<std::ptrdiff_t>(row * actions_));
        return;
      }
    }
    setup_.encoder->encode(infoset, numbers);
    mask(setup_.game->legal_actions(state_of(*setup_.game, infoset)), row, batch);
  }
  void values(const double* values, double weight, std::size_t row, const BatchView& batch) const {
    for (std::size_t a = 0; a < actions_; ++a) batch.targets[row * actions_ + a] = static_cast<float>(values[a]);
    batch.weights[row] = static_cast<float>(weight);
  }
  std::size_t actions() const noexcept { return actions_; }

 private:
  void mask(ActionMask legal, std::size_t row, const BatchView& batch) const {
    for (std::size_t a = 0; a < actions_; ++a) batch.mask[row * actions_ + a] = static_cast<float>((legal >> a) & 1);
  }
  BatchSetup setup_;
  std::size_t actions_;
  std::size_t width_;
};

double record_weight(const BatchSetup& setup, const std::byte* record) {
  return 2.0 * SampleCodec::iteration(record) / static_cast<double>(setup.iteration);
}

class SampledBatches final : public BatchSource {
 public:
  SampledBatches(const BatchSetup& setup, const Reservoir& memory) : setup_(setup), memory_(memory), rows_(setup) {}
  std::int64_t batch_rows() const override { return memory_.size() == 0 ? 0 : setup_.batch_size; }
  bool constant() const override { return false; }

  void fill(std::int64_t step, const BatchView& batch) override {
    const auto rows = static_cast<std::uint64_t>(setup_.batch_size);
    const std::uint64_t first = static_cast<std::uint64_t>(step) * rows;
    std::array<const std::byte*, kLookahead> coming;  // a record lies anywhere in gigabytes: it is called for some rows in advance
    const auto call_for = [&](std::uint64_t row) {
      const std::byte* record = memory_.record(setup_.stream.below(first + row, memory_.size()));
      __builtin_prefetch(record);
      __builtin_prefetch(record + memory_.record_bytes() - 1);
      coming[row % kLookahead] = record;
    };
    for (std::uint64_t row = 0; row < std::min(rows, kLookahead); ++row) call_for(row);
    for (std::uint64_t row = 0; row < rows; ++row) {
      const std::byte* record = coming[row % kLookahead];
      if (row + kLookahead < rows) call_for(row + kLookahead);
      write(record, row, batch);
    }
  }

 private:
  void write(const std::byte* record, std::size_t row, const BatchView& batch) const {
    if (setup_.features != nullptr) {
      rows_.features(setup_.codec->infoset_number(record), row, batch);
    } else {
      rows_.features(setup_.codec->infoset(record), row, batch);
    }
    std::array<double, kMaxActions> values;
    setup_.codec->values(record, values.data());
    rows_.values(values.data(), record_weight(setup_, record), row, batch);
  }

  BatchSetup setup_;
  const Reservoir& memory_;
  RowWriter rows_;
};

class MergedBatches final : public BatchSource {
 public:
  MergedBatches(const BatchSetup& setup, MergedMemory merged)
      : setup_(setup),
        merged_(std::move(merged)),
        rows_(setup),
        full_(merged_.rows() <= std::max(kFullBatchRows, static_cast<std::size_t>(setup.batch_size))),
        mean_weight_(std::accumulate(merged_.weights.begin(), merged_.weights.end(), 0.0) /
                     static_cast<double>(std::max<std::uint64_t>(1, merged_.records))) {
    if (full_) return;
    double sum = 0;
    for (const double weight : merged_.weights) cumulative_.push_back(sum += weight);
  }
  std::int64_t batch_rows() const override { return static_cast<std::int64_t>(full_ ? merged_.rows() : static_cast<std::size_t>(setup_.batch_size)); }
  bool constant() const override { return full_; }

  void fill(std::int64_t step, const BatchView& batch) override {
    const auto count = static_cast<std::size_t>(batch_rows());
    // full batch: the mean over rows equals the mean over records
    const double factor = static_cast<double>(count) / static_cast<double>(merged_.records);
    for (std::size_t row = 0; row < count; ++row) {
      const std::size_t source = full_ ? row : draw(static_cast<std::uint64_t>(step) * count + row);
      if (setup_.features != nullptr) {
        rows_.features(merged_.infoset_numbers[source], row, batch);
      } else {
        rows_.features(merged_.infosets[source], row, batch);
      }
      rows_.values(merged_.values.data() + source * rows_.actions(), full_ ? merged_.weights[source] * factor : mean_weight_, row, batch);
    }
  }

 private:
  /// A row with probability ∝ its weight; its own weight is then the mean one.
  std::size_t draw(std::uint64_t place) const {
    const double at = setup_.stream.uniform(place) * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    return std::min(static_cast<std::size_t>(found - cumulative_.begin()), cumulative_.size() - 1);
  }

  BatchSetup setup_;
  MergedMemory merged_;
  RowWriter rows_;
  bool full_;
  double mean_weight_;
  std::vector<double> cumulative_;
};

/// Sums of the rows under way: weight and weighted values.
void add_record(const BatchSetup& setup, const std::byte* record, std::size_t row, std::size_t actions, MergedMemory& merged) {
  std::array<double, kMaxActions> values;
  setup.codec->values(record, values.data());
  const double weight = record_weight(setup, record);
  merged.weights[row] += weight;
  for (std::size_t a = 0; a < actions; ++a) merged.values[row * actions + a] += weight * values[a];
}

void merge_by_key(const BatchSetup& setup, const Reservoir& memory, std::size_t actions, MergedMemory& merged) {
  std::unordered_map<std::string_view, std::size_t> row_of;  // keys point into the memory: the whole infoset, not a hash of it
  for (std::uint64_t i = 0; i < memory.size(); ++i) {
    const std::byte* record = memory.record(i);
    const std::span<const std::byte> key = setup.codec->key(record);
    const auto [it, fresh] = row_of.try_emplace({reinterpret_cast<const char*>(key.data()), key.size()}, merged.rows());
    if (fresh) {
      merged.infosets.push_back(setup.codec->infoset(record));
      merged.weights.push_back(0.0);
      merged.values.resize(merged.values.size() + actions, 0.0);
    }
    add_record(setup, record, it->second, actions, merged);
  }
}

}  // namespace

std::unique_ptr<BatchSource> make_sampled_batches(const BatchSetup& setup, const Reservoir& memory) {
  return std::make_unique<SampledBatches>(setup, memory);
}

MergedMemory merge_memory(const BatchSetup& setup, const Reservoir& memory) {
  if (setup.features != nullptr) {
    MergedSums sums(*setup.codec);
    for (std::uint64_t i = 0; i < memory.size(); ++i) sums.add(memory.record(i));
    return sums.merged(setup.iteration);
  }
  const auto actions = static_cast<std::size_t>(setup.game->num_actions());
  MergedMemory merged;
  merged.records = memory.size();
  merge_by_key(setup, memory, actions, merged);
  for (std::size_t row = 0; row < merged.rows(); ++row) {
    for (std::size_t a = 0; a < actions; ++a) merged.values[row * actions + a] /= merged.weights[row];
  }
  return merged;
}

MergedSums::MergedSums(const SampleCodec& codec)
    : codec_(&codec),
      actions_(static_cast<std::size_t>(codec.num_actions())),
      counts_(static_cast<std::size_t>(codec.small_game()->num_infosets()), 0),
      weights_(counts_.size(), 0),
      values_(counts_.size() * actions_, 0) {}

void MergedSums::change(const std::byte* record, int sign) {
  std::array<double, kMaxActions> values;
  codec_->values(record, values.data());
  const auto infoset = static_cast<std::size_t>(codec_->infoset_number(record));
  const std::int64_t t = sign * static_cast<std::int64_t>(SampleCodec::iteration(record));
  records_ += static_cast<std::uint64_t>(sign);
  counts_[infoset] += sign;
  weights_[infoset] += t;
  for (std::size_t a = 0; a < actions_; ++a) {
    DEEPCFR_CHECK(std::abs(values[a]) < kLargestValue, "a record holds a value that is not finite or far too large");
    values_[infoset * actions_ + a] += Wide{std::llround(values[a] * kValueSteps)} * t;
  }
}

MergedMemory MergedSums::merged(std::int64_t iteration) const {
  MergedMemory merged;
  merged.records = records_;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const auto weight = static_cast<double>(weights_[i]);
    merged.infoset_numbers.push_back(static_cast<std::int32_t>(i));
    merged.weights.push_back(2.0 * weight / static_cast<double>(iteration));
    for (std::size_t a = 0; a < actions_; ++a) merged.values.push_back(static_cast<double>(values_[i * actions_ + a]) / (weight * kValueSteps));
  }
  return merged;
}

std::unique_ptr<BatchSource> make_merged_batches(const BatchSetup& setup, MergedMemory merged) {
  return std::make_unique<MergedBatches>(setup, std::move(merged));
}

}  // namespace deepcfr
