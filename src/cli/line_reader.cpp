// A handler may interrupt a thread other than the one that waits for input, and it may come just before the wait begins. So it writes
// a byte into a pipe that the wait watches beside standard input.
#include "line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

// What a handler may touch: lock-free atomics.
std::atomic<int> interruptions{0};
std::atomic<int> wake_up{-1};
static_assert(std::atomic<int>::is_always_lock_free);

constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
std::array<struct sigaction, kSignals.size()> previous_actions;
std::array<int, 2> wake_pipe = {-1, -1};

extern "C" void handle_interruption(int signal_number) {
  const int saved = errno;
  if (interruptions.fetch_add(1) != 0) {
    ::signal(signal_number, SIG_DFL);
    ::raise(signal_number);
    return;
  }
  const char byte = 0;
  const ssize_t written = ::write(wake_up.load(), &byte, 1);
  (void)written;  // a full pipe wakes up as well
  errno = saved;
}

}  // namespace

LineReader::LineReader() : terminal_(::isatty(STDIN_FILENO) == 1) {
  if (::pipe2(wake_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) throw Error(ErrorKind::input, "cannot make a pipe", "standard input");
  interruptions = 0;
  wake_up = wake_pipe[1];
  struct sigaction action = {};
  action.sa_handler = handle_interruption;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &action, &previous_actions[i]);
}

LineReader::~LineReader() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &previous_actions[i], nullptr);
  for (const int end : wake_pipe) ::close(end);
}

bool LineReader::interrupted() const noexcept { return interruptions.load() != 0; }

/// False after a signal.
bool LineReader::wait_for_input() const {
  std::array<pollfd, 2> watched = {pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{wake_pipe[0], POLLIN, 0}};
  for (;;) {
    if (interrupted()) return false;
    if (::poll(watched.data(), watched.size(), -1) < 0) {
      if (errno != EINTR) throw Error(ErrorKind::input, "cannot be read", "standard input");
      continue;
    }
    if (watched[1].revents != 0) return false;
    if (watched[0].revents != 0) return true;
  }
}

std::optional<std::string> LineReader::next() {
  for (;;) {
    const std::size_t end = buffer_.find('\n');
    if (end != std::string::npos || (ended_ && !buffer_.empty())) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end == std::string::npos ? buffer_.size() : end + 1);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return line;
    }
    if (ended_ || !wait_for_input()) return std::nullopt;
    std::array<char, 4096> chunk;
    const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ended_ = true;
    if (count > 0) buffer_.append(chunk.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace deepcfr
