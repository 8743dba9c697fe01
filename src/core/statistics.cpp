#include "deepcfr/core/statistics.h"

namespace deepcfr {

void RunningStatistics::merge(const RunningStatistics& other) noexcept {
  if (other.count_ == 0) return;
  const std::int64_t total = count_ + other.count_;
  const double delta = other.mean_ - mean_;
  const double share = static_cast<double>(other.count_) / static_cast<double>(total);
  sum_squares_ += other.sum_squares_ + delta * delta * static_cast<double>(count_) * share;
  mean_ += delta * share;
  count_ = total;
}

}  // namespace deepcfr
