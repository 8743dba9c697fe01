#include "signals.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace deepcfr {
namespace {

// What a handler may touch: lock-free atomics.
std::atomic<int> stop_requested{0};
std::atomic<bool> line_in_place{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
std::array<struct sigaction, kSignals.size()> previous_actions;

void write_text(std::string_view text) {
  const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  (void)written;  // nothing to be done about it in a handler
}

extern "C" void handle_stop(int signal_number) {
  if (line_in_place.exchange(false)) write_text("\r\033[K");
  if (stop_requested.exchange(1) != 0) {
    ::signal(signal_number, SIG_DFL);
    ::raise(signal_number);  // delivered when the handler returns; the exit status tells the signal
    return;
  }
  write_text("stopping: finishing this phase and saving; once more to stop at once\n");
}

}  // namespace

StopSignals::StopSignals() {
  stop_requested = 0;
  struct sigaction action = {};
  action.sa_handler = handle_stop;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &previous_actions[i]);
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &previous_actions[i], nullptr);
}

const std::atomic<int>& StopSignals::stop() const noexcept { return stop_requested; }

void set_line_in_place(bool there) noexcept { line_in_place = there; }

}  // namespace deepcfr
