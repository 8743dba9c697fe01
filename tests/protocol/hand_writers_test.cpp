#include "deepcfr/protocol/hand_writers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "deepcfr/protocol/hand_files.h"

namespace deepcfr {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(HandWriters, EachHandIsInTheFilesWhenItIsOver) {
  const auto game = std::make_shared<const Game>(make_game("hunl"));
  const std::string log = ::testing::TempDir() + "writers_test.log", phh = ::testing::TempDir() + "writers_test.phhs";
  const std::string line = "STATE:0:r300f:6sKs|5dJd:-100|100:a|b";
  AcpcLogWriter acpc(log, "first\nsecond");
  PhhsWriter phhs(phh, *game);
  for (TableObserver* observer : std::initializer_list<TableObserver*>{&acpc, &phhs}) observer->hand_over(parse_acpc_log_line(game, line));
  EXPECT_EQ(text_of(log), "# first\n# second\n" + line + "\n");
  EXPECT_EQ(text_of(phh), print_hand(parse_acpc_log_line(game, line), HandFormat::phh, 1));
  phhs.hand_over(parse_acpc_log_line(game, line));
  EXPECT_NE(text_of(phh).find("\n[2]\n"), std::string::npos);
  acpc.finish("SCORE:-100|100:a|b");
  EXPECT_EQ(text_of(log), "# first\n# second\n" + line + "\nSCORE:-100|100:a|b\n");
  std::filesystem::remove(log);
  std::filesystem::remove(phh);
}

TEST(HandWriters, NothingIsMadeThatCannotBeWritten) {
  const std::string phh = ::testing::TempDir() + "no_such_folder/x.phhs", fine = ::testing::TempDir() + "writers_test_leduc.phhs";
  EXPECT_THROW(PhhsWriter(phh, make_game("hunl")), Error);
  EXPECT_THROW(AcpcLogWriter(phh, ""), Error);
  EXPECT_THROW(PhhsWriter(fine, make_game("leduc")), Error);
  EXPECT_FALSE(std::filesystem::exists(fine));
}

}  // namespace
}  // namespace deepcfr
