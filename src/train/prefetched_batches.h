// Batches made ahead of a fit, by threads that have nothing else to do while it runs.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "deepcfr/core/thread_group.h"
#include "deepcfr/nn/trainer.h"

namespace deepcfr {

/// Floats of a row.
struct RowShape {
  std::size_t features;
  std::size_t actions;  ///< of targets and of the mask
  std::size_t floats() const noexcept { return features + 2 * actions + 1; }
};

/// The same batches as those of `source`, whatever the timing: a batch is a function of its step. The fit takes a batch that is ready,
/// waits for one that is being made, and makes one itself that nobody has begun: a thread that does not get to run holds up nothing.
/// What a thread throws is thrown at its step.
class PrefetchedBatches final : public BatchSource {
 public:
  /// Bytes of batches made ahead.
  static std::size_t bytes_ahead(std::int64_t rows, const RowShape& shape);

  /// `source` fills any steps from several threads at once; it and `group` outlive this. The group is taken until the end of this object.
  PrefetchedBatches(BatchSource& source, const RowShape& shape, std::int64_t steps, ThreadGroup& group);
  ~PrefetchedBatches() override;
  PrefetchedBatches(const PrefetchedBatches&) = delete;
  PrefetchedBatches& operator=(const PrefetchedBatches&) = delete;

  std::int64_t batch_rows() const override { return source_.batch_rows(); }
  bool constant() const override { return source_.constant(); }
  void fill(std::int64_t step, const BatchView& batch) override;
  BatchView rows_of(std::int64_t step, const BatchView& own) override;

 private:
  struct Slot {
    std::vector<float> floats;
    std::exception_ptr failure;
    bool ready = false;
  };
  Slot& slot(std::int64_t step) { return slots_[static_cast<std::size_t>(step) % slots_.size()]; }
  BatchView view(Slot& slot) const;
  std::int64_t room() const;
  bool worth_waking() const;
  void work();

  BatchSource& source_;
  RowShape shape_;
  std::int64_t steps_;
  ThreadGroup* group_ = nullptr;  // null: nothing is made ahead
  std::vector<Slot> slots_;       // step modulo their number
  std::mutex mutex_;
  std::condition_variable wake_, ready_;
  std::int64_t begun_ = 0;  // steps below it have been begun
  std::int64_t taken_ = 0;  // steps below it are no longer looked at; taken_ ≤ begun_ ≤ taken_ + slots
  std::int64_t next_ = 0;   // the step that the fit asks for next: taken_, or taken_ + 1 while it looks at a slot
  bool stopping_ = false;
};

}  // namespace deepcfr
