// Ctrl-C and SIGTERM: the first asks the run to stop at the end of its phase, the second ends the program at once.
#pragma once

#include <atomic>

namespace deepcfr {

/// Handlers as long as the object lives; one at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// 0, or 1 after a signal.
  const std::atomic<int>& stop() const noexcept;
};

/// Whether a line that is updated in place stands on stderr: the handler then clears it. Set by the progress bar.
void set_line_in_place(bool there) noexcept;

}  // namespace deepcfr
