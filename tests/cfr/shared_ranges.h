// Hands out ranges of a few ids to any number of workers, and keeps what comes back.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "deepcfr/cfr/traversal.h"

namespace deepcfr::test {

class SharedRanges final : public TraversalWork {
 public:
  SharedRanges(std::uint64_t total, std::uint64_t size) : total_(total), size_(size) {}
  bool next(std::uint64_t& first_id, std::uint64_t& count) override {
    const std::lock_guard lock(mutex_);
    if (next_ >= total_) return false;
    first_id = next_;
    count = std::min(size_, total_ - next_);
    next_ += count;
    return true;
  }
  void done(std::uint64_t first_id, SampleBuffer& records, const TraversalCounts& counts) override {
    const std::lock_guard lock(mutex_);
    EXPECT_TRUE(parts_.emplace(first_id, std::move(records)).second);
    records = {};
    counts_.add(counts);
  }
  /// The records in order of ids.
  SampleBuffer joined() const {
    SampleBuffer whole;
    for (const auto& [first, part] : parts_) {
      whole.advantage.insert(whole.advantage.end(), part.advantage.begin(), part.advantage.end());
      whole.strategy.insert(whole.strategy.end(), part.strategy.begin(), part.strategy.end());
    }
    return whole;
  }
  const TraversalCounts& counts() const noexcept { return counts_; }

 private:
  std::mutex mutex_;
  std::uint64_t total_, size_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, SampleBuffer> parts_;
  TraversalCounts counts_;
};

}  // namespace deepcfr::test
