#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "report.h"
#include "signals.h"

namespace deepcfr {
namespace {

constexpr auto kLeastInterval = std::chrono::milliseconds(100);

int terminal_columns() {
  winsize size = {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

std::string progress_bar(const Progress& progress, int columns) {
  const std::string what =
      "iteration " + std::to_string(progress.iteration) + "/" + std::to_string(progress.iterations) + "  " + progress.phase;
  return work_bar(what, progress.phase_fraction, progress.seconds_left, columns);
}

std::string work_bar(const std::string& what, double part, double seconds_left, int columns) {
  const double fraction = std::clamp(std::isfinite(part) ? part : 0.0, 0.0, 1.0);
  const std::string head = what + "  ";
  std::string tail = " " + std::to_string(static_cast<int>(100 * fraction)) + " %";
  if (seconds_left >= 0) tail += "  about " + show_duration(seconds_left) + " left";
  const int room = columns - 1 - static_cast<int>(head.size() + tail.size()) - 2;
  std::string text = head;
  if (room >= 8) {
    const auto width = static_cast<std::size_t>(std::min(room, 30));
    const auto full = static_cast<std::size_t>(std::floor(fraction * static_cast<double>(width)));
    text += "[" + std::string(full, '#') + std::string(width - full, ' ') + "]";
  }
  text += tail;
  return text.substr(0, static_cast<std::size_t>(std::max(columns - 1, 0)));
}

WorkBar::WorkBar(std::string what)
    : what_(std::move(what)), bar_(TerminalObserver::bar_possible()), begun_(std::chrono::steady_clock::now()) {}

WorkBar::~WorkBar() {
  if (!drawn_) return;
  set_line_in_place(false);
  std::cerr << "\r\033[K" << std::flush;
}

void WorkBar::show(double fraction) {
  const auto now = std::chrono::steady_clock::now();
  if (!bar_ || (drawn_ && now - last_drawn_ < kLeastInterval)) return;
  last_drawn_ = now;
  drawn_ = true;
  set_line_in_place(true);
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double left = fraction > 0 ? seconds * (1 - fraction) / fraction : -1;
  std::cerr << "\r" << work_bar(what_, fraction, left, terminal_columns()) << "\033[K" << std::flush;
}

TerminalObserver::TerminalObserver(std::ostream& lines, bool bar) : lines_(lines), bar_(bar) {}

TerminalObserver::~TerminalObserver() { clear(); }

bool TerminalObserver::bar_possible() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

void TerminalObserver::progress(const Progress& progress) {
  if (!bar_) return;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && now - last_drawn_ < kLeastInterval) return;
  last_drawn_ = now;
  drawn_ = true;
  set_line_in_place(true);
  std::cerr << "\r" << progress_bar(progress, terminal_columns()) << "\033[K" << std::flush;
}

void TerminalObserver::line(const std::string& text) {
  clear();
  lines_ << text << std::endl;
}

void TerminalObserver::warning(const std::string& text) {
  clear();
  lines_.flush();
  std::cerr << "warning: " << text << std::endl;
}

void TerminalObserver::clear() {
  if (!drawn_) return;
  drawn_ = false;
  set_line_in_place(false);
  std::cerr << "\r\033[K" << std::flush;
}

}  // namespace deepcfr
