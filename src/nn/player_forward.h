// One player's half of a ForwardEngine: rows of minibatches through one network.
#pragma once

#include <memory>
#include <span>

#include "bfloat16_kernel.h"
#include "deepcfr/cfr/inference.h"
#include "deepcfr/nn/network.h"

namespace deepcfr::nn {

/// Rows of one minibatch.
struct RowSegment {
  Minibatch* batch;
  std::int64_t first;
  std::int64_t count;
};

/// Rows that go through the network together: segments in order, of one player.
struct RowBlock {
  std::vector<RowSegment> segments;
  std::int64_t rows = 0;
};

/// One thread at a time per object.
class PlayerForward {
 public:
  virtual ~PlayerForward() = default;
  virtual RowFormat format() const = 0;
  /// Before the blocks of a call, with all its minibatches.
  virtual void prepare(std::span<Minibatch* const> batches) { (void)batches; }
  /// Writes the advantages of a block.
  virtual void forward(const RowBlock& block) = 0;
  /// Shares the weights.
  virtual std::unique_ptr<PlayerForward> clone() const = 0;
};

/// The rows' elements [first, first + width) as a float32 matrix in panel format of block.rows rows.
void load_panels(const RowBlock& block, int first, int width, float* panels);
/// Outputs in panel format of block.rows rows to the minibatches' advantages.
void write_advantages(const RowBlock& block, int outputs, const float* panels);

/// Weights are copied: later changes of the network are not seen.
std::unique_ptr<PlayerForward> make_mlp_forward(const Network& network);
std::unique_ptr<PlayerForward> make_mlp_bfloat16_forward(const Network& network, Bfloat16Unit unit);
std::unique_ptr<PlayerForward> make_card_bet_forward(const Network& network, RowType type, bool share_cards, Bfloat16Unit unit);

}  // namespace deepcfr::nn
