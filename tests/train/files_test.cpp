#include "files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "archive.h"
#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "metrics.h"
#include "run_fixture.h"
#include "safetensors.h"

namespace deepcfr {
namespace {

TEST(Files, AtomicWriteReplacesAndLeavesNothingBehind) {
  const TemporaryDirectory dir;
  write_file_atomically(dir / "a", "one");
  write_file_atomically(dir / "a", "two");
  EXPECT_EQ(read_text(dir / "a"), "two");
  EXPECT_FALSE(std::filesystem::exists(dir / "a.tmp"));
  EXPECT_THROW(write_file_atomically(dir / "missing/a", "x"), Error);
}

TEST(Files, HashOfAFileIsThatOfItsBytes) {
  const TemporaryDirectory dir;
  FileWriter writer(dir / "a");
  writer.write(std::string_view("some "));
  writer.write(std::string_view("bytes"));
  writer.close();
  EXPECT_EQ(hash_file(dir / "a"), writer.hash());
  EXPECT_EQ(hash_file(dir / "a", 4), content_hash(std::as_bytes(std::span("some", 4))));
  EXPECT_THROW(hash_file(dir / "a", 11), Error);
}

TEST(Files, AReaderTakesPiecesAndNamesTheFileThatIsCutOff) {
  const TemporaryDirectory dir;
  write_file_atomically(dir / "a", "0123456789");
  FileReader reader(dir / "a");
  char piece[4] = {};
  reader.read(piece, 4);
  EXPECT_EQ(std::string(piece, 4), "0123");
  EXPECT_THROW(reader.expect_end(), Error);
  FileReader again(dir / "a");
  char all[10];
  again.read(all, 10);
  EXPECT_NO_THROW(again.expect_end());
  try {
    FileReader cut(dir / "a");
    char more[11];
    cut.read(more, 11);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), (dir / "a").string());
    EXPECT_NE(error.message().find("cut off"), std::string::npos);
  }
  EXPECT_THROW(FileReader(dir / "missing"), Error);
}

TEST(Metrics, AResumeDropsWhatIsRepeatedAndWhatIsCutOff) {
  const TemporaryDirectory dir;
  {
    MetricsFile file(dir / "m", 0);
    for (int i = 1; i <= 3; ++i) file.append({{"iteration", i}, {"elapsed_seconds", i * 1.5}});
  }
  std::ofstream(dir / "m", std::ios::app) << "{\"iteration\": 4, \"elap";
  MetricsFile file(dir / "m", 2);
  EXPECT_EQ(file.elapsed_seconds(), 3.0);
  file.append({{"iteration", 3}, {"checkpoint_seconds", 0}});
  file.replace_last({{"iteration", 3}, {"checkpoint_seconds", 1}});
  EXPECT_EQ(read_text(dir / "m"), "{\"iteration\":1,\"elapsed_seconds\":1.5}\n{\"iteration\":2,\"elapsed_seconds\":3.0}\n{\"iteration\":3,\"checkpoint_seconds\":1}\n");
}

TEST(Archive, GoesOnBehindItsMark) {
  const TemporaryDirectory dir;
  const std::vector<float> first = {1, 2, 3};
  const std::vector<float> second = {4, 5, 6};
  ArchiveMark mark;
  {
    ArchiveWriter writer(dir / "a", 3, nullptr);
    writer.append(1, {});
    writer.append(2, first);
    mark = writer.sync();
    writer.append(3, first);  // after the checkpoint: lost on resume
    writer.sync();
  }
  ArchiveWriter writer(dir / "a", 3, &mark);
  writer.append(3, second);
  const std::vector<ArchivedNetwork> networks = read_archive(dir / "a", writer.sync());
  ASSERT_EQ(networks.size(), 3U);
  EXPECT_TRUE(networks[0].weights.empty());
  EXPECT_EQ(networks[1].weights, first);
  EXPECT_EQ(networks[2].iteration, 3);
  EXPECT_EQ(networks[2].weights, second);
  const ArchiveMark wrong{mark.bytes, mark.hash + 1};
  EXPECT_THROW(read_archive(dir / "a", wrong), Error);
  EXPECT_THROW(ArchiveWriter(dir / "a", 3, &wrong), Error);
}

TEST(Safetensors, RoundTripAndRefusals) {
  const Game game = make_game("kuhn");
  const FeatureLayout layout = Encoder(game, FeatureKind::dense).layout();
  const Network network(layout, 3, {.layers = 2, .hidden = 8}, CounterRandom(StreamPurpose::test, {1}));
  std::vector<std::byte> bytes = write_safetensors(network, {{"iteration", "5"}});
  EXPECT_EQ(read_safetensors(bytes, "x", network), network.weights());
  const Network other(layout, 3, {.layers = 2, .hidden = 9}, CounterRandom(StreamPurpose::test, {1}));
  EXPECT_THROW(read_safetensors(bytes, "x", other), Error);
  bytes.pop_back();
  EXPECT_THROW(read_safetensors(bytes, "x", network), Error);
}

}  // namespace
}  // namespace deepcfr
