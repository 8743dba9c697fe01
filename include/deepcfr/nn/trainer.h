// Fits a network to records: weighted squared error over legal actions (advantages; Deep CFR eq. in section 4.1.1), or the strategy loss.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/nn/network.h"

namespace deepcfr {

class ThreadGroup;

/// Rows for one step, flat and owned by the trainer; the source fills them. Sizes: features rows × width, targets and mask rows ×
/// outputs (mask 1 legal, 0 illegal), weights rows.
struct BatchView {
  std::span<float> features;
  std::span<float> targets;
  std::span<float> mask;
  std::span<float> weights;
};

/// Where the rows of a fit come from.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  /// Rows in a batch; constant over a fit. 0: nothing to fit.
  virtual std::int64_t batch_rows() const = 0;
  /// True if every batch is the same (all rows of a merged memory): filled once.
  virtual bool constant() const = 0;
  /// A pure function of the step. Called from one thread, for steps 0, 1, 2 … in order.
  virtual void fill(std::int64_t step, const BatchView& batch) = 0;
  /// Where the rows of a step lie: in `own` unless the source has them ready elsewhere (spares a copy). Valid until the next call.
  virtual BatchView rows_of(std::int64_t step, const BatchView& own) {
    fill(step, own);
    return own;
  }
};

struct FitResult {
  double first_loss = 0;        ///< mean weighted loss of the first tenth of the steps
  double final_loss = 0;        ///< of the last tenth
  std::int64_t steps = 0;
  std::int64_t skipped_steps = 0;  ///< non-finite loss or gradient (statement 19)
};

enum class FitKind { advantage, strategy };

/// Adam (β 0.9, 0.999, ε 1e-8), fresh state. Loss of a step: Σ_i w_i · Σ_{a legal} (out − target)² ÷ Σ_i 1 for advantages: the weight
/// enters once, after the sum over actions (statement 7); strategy: masked log-softmax in float32, Σ_i w_i · loss_i ÷ rows.
/// Deterministic for given inputs. Error{bug}-free: more than 10 % skipped steps (and more than 3) ends with Error{input} saying
/// the loss did not stay finite, the learning rate and the remedy. `stop` is not looked at: fits are short; phases finish.
/// threads: may be null; parts of 1,024 rows and more are then computed at the same time. The result is the same bits for any number of threads.
FitResult fit(Network& network, FitKind kind, BatchSource& source, const FitOptions& options,
              StrategyLoss strategy_loss = StrategyLoss::cross_entropy, ThreadGroup* threads = nullptr);

}  // namespace deepcfr
