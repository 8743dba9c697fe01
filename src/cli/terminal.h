// What a training run shows: finished lines, warnings, and a progress bar where there is a terminal.
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>

#include "deepcfr/train/run.h"

namespace deepcfr {

/// The bar for a terminal of `columns` columns, never longer than columns − 1:
/// "iteration 12/200  traversal  [########            ] 40 %  about 1:23 left".
std::string progress_bar(const Progress& progress, int columns);

/// The same for other work: "best response  [########            ] 40 %  about 1:23 left"; seconds_left < 0: not told.
std::string work_bar(const std::string& what, double fraction, double seconds_left, int columns);

/// The bar of one piece of work that tells its fraction; on stderr where there is a terminal, and gone at the end.
class WorkBar {
 public:
  explicit WorkBar(std::string what);
  ~WorkBar();
  WorkBar(const WorkBar&) = delete;
  WorkBar& operator=(const WorkBar&) = delete;
  /// Time left goes by the time since the bar was made.
  void show(double fraction);

 private:
  std::string what_;
  bool bar_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begun_, last_drawn_;
};

/// Lines go to `lines`, warnings and the bar to stderr. The bar is one line updated in place, at most 10 times a second, and
/// cleared before anything else is written. Only the thread that trains may call.
class TerminalObserver final : public RunObserver {
 public:
  /// bar: stderr is a terminal that understands control sequences (see bar_possible).
  TerminalObserver(std::ostream& lines, bool bar);
  ~TerminalObserver() override;
  TerminalObserver(const TerminalObserver&) = delete;
  TerminalObserver& operator=(const TerminalObserver&) = delete;

  void progress(const Progress& progress) override;
  void line(const std::string& text) override;
  void warning(const std::string& text) override;
  /// Takes the bar away for good.
  void clear();

  static bool bar_possible();

 private:
  std::ostream& lines_;
  bool bar_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_drawn_{};
};

}  // namespace deepcfr
