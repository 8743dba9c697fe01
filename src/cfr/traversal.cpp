#include "deepcfr/cfr/traversal.h"

namespace deepcfr {
namespace {

/// One range, its records appended to a buffer.
class OneRange final : public TraversalWork {
 public:
  OneRange(const TraversalTask& task, SampleBuffer& out) : task_(task), out_(out) {}
  bool next(std::uint64_t& first_id, std::uint64_t& count) override {
    if (taken_ || task_.count == 0) return false;
    taken_ = true;
    first_id = task_.first_id;
    count = task_.count;
    return true;
  }
  void done(std::uint64_t, SampleBuffer& records, const TraversalCounts& counts) override {
    out_.advantage.insert(out_.advantage.end(), records.advantage.begin(), records.advantage.end());
    out_.strategy.insert(out_.strategy.end(), records.strategy.begin(), records.strategy.end());
    counts_ = counts;
  }
  const TraversalCounts& counts() const noexcept { return counts_; }

 private:
  const TraversalTask& task_;
  SampleBuffer& out_;
  TraversalCounts counts_;
  bool taken_ = false;
};

}  // namespace

TraversalCounts Traversal::run(const TraversalTask& task, SampleBuffer& out) {
  OneRange work(task, out);
  run(task, work);
  return work.counts();
}

}  // namespace deepcfr
