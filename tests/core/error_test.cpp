#include "deepcfr/core/error.h"

#include <gtest/gtest.h>

#include <string>

namespace deepcfr {
namespace {

TEST(Error, TellsWhereWhatAndHint) {
  const Error error(ErrorKind::usage, "traversal.workers: 0 is not in 1..512", "configs/leduc.yaml:14", "use 1");
  EXPECT_STREQ(error.what(), "configs/leduc.yaml:14: traversal.workers: 0 is not in 1..512 (use 1)");
}

TEST(Error, ExitCodes) {
  EXPECT_EQ(Error(ErrorKind::bug, "x").exit_code(), 1);
  EXPECT_EQ(Error(ErrorKind::usage, "x").exit_code(), 2);
  EXPECT_EQ(Error(ErrorKind::input, "x").exit_code(), 3);
  EXPECT_EQ(Error(ErrorKind::device, "x").exit_code(), 4);
}

TEST(Error, CheckThrowsABug) {
  try {
    DEEPCFR_CHECK(1 + 1 == 3, "arithmetic");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bug);
    EXPECT_NE(std::string(error.what()).find("1 + 1 == 3"), std::string::npos);
  }
}

TEST(NearestWord, FindsTypingErrorsOnly) {
  const std::string words[] = {"iterations", "traversals", "learning_rate"};
  EXPECT_EQ(nearest_word("itertions", words, words + 3), "iterations");
  EXPECT_EQ(nearest_word("num-epochs", words, words + 3), "");
}

}  // namespace
}  // namespace deepcfr
