#include "prefetched_batches.h"

#include <algorithm>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr std::size_t kMostAhead = 8;
constexpr std::size_t kSmallBatches = std::size_t{8} << 20;  // bytes; large batches are slow to fit, so that two are enough

std::size_t ahead(std::size_t batch_bytes) { return std::clamp(kSmallBatches / std::max<std::size_t>(1, batch_bytes), std::size_t{2}, kMostAhead); }

}  // namespace

std::size_t PrefetchedBatches::bytes_ahead(std::int64_t rows, const RowShape& shape) {
  const std::size_t batch = static_cast<std::size_t>(rows) * shape.floats() * sizeof(float);
  return ahead(batch) * batch;
}

PrefetchedBatches::PrefetchedBatches(BatchSource& source, const RowShape& shape, std::int64_t steps, ThreadGroup& group)
    : source_(source), shape_(shape), steps_(steps) {
  const auto rows = static_cast<std::size_t>(source.batch_rows());
  if (rows == 0 || source.constant()) return;  // nothing to fill, or once
  const std::size_t floats = rows * shape.floats();
  slots_.resize(ahead(floats * sizeof(float)));
  for (Slot& slot : slots_) slot.floats.resize(floats);
  group.start([this](std::size_t) { work(); });
  group_ = &group;
}

PrefetchedBatches::~PrefetchedBatches() {
  if (group_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  group_->wait();  // work() keeps what is thrown in its slot
}

BatchView PrefetchedBatches::view(Slot& slot) const {
  const auto rows = static_cast<std::size_t>(source_.batch_rows());
  const std::span<float> all(slot.floats);
  const std::size_t features = rows * shape_.features;
  const std::size_t actions = rows * shape_.actions;
  return {all.first(features), all.subspan(features, actions), all.subspan(features + actions, actions), all.last(rows)};
}

/// Batches that may be begun now.
std::int64_t PrefetchedBatches::room() const {
  return std::min(steps_, taken_ + static_cast<std::int64_t>(slots_.size())) - begun_;
}

/// A short fit takes a batch in microseconds: a thread that rests is woken for several at once.
bool PrefetchedBatches::worth_waking() const {
  return room() >= std::min(static_cast<std::int64_t>(slots_.size() + 1) / 2, steps_ - begun_);
}

void PrefetchedBatches::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (room() == 0) wake_.wait(lock, [&] { return stopping_ || worth_waking(); });
    if (stopping_ || begun_ >= steps_) return;
    const std::int64_t step = begun_++;
    Slot& mine = slot(step);
    lock.unlock();
    std::exception_ptr failure;
    try {
      source_.fill(step, view(mine));
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    mine.failure = failure;
    mine.ready = true;
    ready_.notify_one();
  }
}

void PrefetchedBatches::fill(std::int64_t step, const BatchView& batch) {
  const BatchView rows = rows_of(step, batch);
  if (rows.features.data() == batch.features.data()) return;
  std::ranges::copy(rows.features, batch.features.begin());
  std::ranges::copy(rows.targets, batch.targets.begin());
  std::ranges::copy(rows.mask, batch.mask.begin());
  std::ranges::copy(rows.weights, batch.weights.begin());
}

BatchView PrefetchedBatches::rows_of(std::int64_t step, const BatchView& own) {
  if (group_ == nullptr) return source_.rows_of(step, own);
  DEEPCFR_CHECK(step == next_ && step < steps_, "steps are taken in order");
  ++next_;
  std::unique_lock lock(mutex_);
  if (taken_ < step) {  // the slot that was looked at is free again
    slot(taken_).ready = false;
    taken_ = step;
    if (worth_waking()) wake_.notify_one();
  }
  if (begun_ == step) {
    begun_ = taken_ = step + 1;
    lock.unlock();
    source_.fill(step, own);
    return own;
  }
  Slot& theirs = slot(step);
  ready_.wait(lock, [&] { return theirs.ready; });
  if (theirs.failure) std::rethrow_exception(theirs.failure);
  return view(theirs);
}

}  // namespace deepcfr
