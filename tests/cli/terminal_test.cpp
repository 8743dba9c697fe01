#include "terminal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace deepcfr {
namespace {

Progress half_way() {
  Progress progress;
  progress.iteration = 12;
  progress.iterations = 200;
  progress.phase = "traversal";
  progress.phase_fraction = 0.5;
  progress.seconds_left = 83;
  return progress;
}

TEST(ProgressBar, says_where_the_run_is) {
  EXPECT_EQ(progress_bar(half_way(), 100), "iteration 12/200  traversal  [###############               ] 50 %  about 1:23 left");
  Progress unknown = half_way();
  unknown.seconds_left = -1;
  EXPECT_EQ(progress_bar(unknown, 100), "iteration 12/200  traversal  [###############               ] 50 %");
}

TEST(ProgressBar, of_other_work) {
  EXPECT_EQ(work_bar("best response", 0.5, 83, 80), "best response  [###############               ] 50 %  about 1:23 left");
  EXPECT_EQ(work_bar("best response", 0, -1, 80), "best response  [                              ] 0 %");
}

TEST(ProgressBar, never_fills_the_last_column) {
  for (int columns = 0; columns < 120; ++columns) {
    EXPECT_LE(static_cast<int>(progress_bar(half_way(), columns).size()), std::max(columns - 1, 0)) << columns;
  }
}

TEST(ProgressBar, stands_odd_numbers) {
  for (const double fraction : {-1.0, 2.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Progress progress = half_way();
    progress.phase_fraction = fraction;
    EXPECT_LT(progress_bar(progress, 100).size(), 100U) << fraction;
  }
}

TEST(TerminalObserver, without_a_bar_writes_plain_lines) {
  std::ostringstream lines;
  testing::internal::CaptureStderr();
  {
    TerminalObserver observer(lines, false);
    observer.progress(half_way());
    observer.line("one");
    observer.warning("two");
  }
  EXPECT_EQ(lines.str(), "one\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning: two\n");
}

TEST(TerminalObserver, the_bar_is_cleared_before_a_line) {
  std::ostringstream lines;
  testing::internal::CaptureStderr();
  {
    TerminalObserver observer(lines, true);
    observer.progress(half_way());
    observer.progress(half_way());  // within a tenth of a second: not drawn
    observer.line("one");
  }
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_EQ(written, "\r" + progress_bar(half_way(), 80) + "\033[K\r\033[K");
}

}  // namespace
}  // namespace deepcfr
