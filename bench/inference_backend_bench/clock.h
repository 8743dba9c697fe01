// Time that neighbours on the same machine disturb little: what the process used of its cores, and what it left unused.
#pragma once

#include <vector>

namespace deepcfr::bench {

/// The whole process on the first `count` of the cores that it may use (all of them if there are fewer), and threads that it starts
/// meanwhile; as before at the end.
class Pinned {
 public:
  explicit Pinned(int count);
  ~Pinned();
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  const std::vector<int>& cores() const noexcept { return cores_; }

 private:
  std::vector<int> before_;
  std::vector<int> cores_;
};

/// Cores that this process may run on.
std::vector<int> usable_cores();

struct Usage {
  double wall = 0;  ///< seconds
  double cpu = 0;   ///< of all threads of the process
  double idle = 0;  ///< of the given cores, in steps of 10 ms
};
Usage usage_now(const std::vector<int>& cores);

/// Seconds that the work between two moments takes on cores of its own: (CPU time + time that the cores were idle, waiting for this
/// process) ÷ cores. It is the wall time less what other programs took; waiting inside the process counts.
double own_seconds(const Usage& from, const Usage& to, std::size_t cores);

/// CPU seconds of the calling thread.
double thread_cpu_seconds();
double wall_seconds();

}  // namespace deepcfr::bench
