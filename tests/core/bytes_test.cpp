#include "deepcfr/core/bytes.h"

#include <gtest/gtest.h>

#include <set>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

TEST(Bytes, RoundTrip) {
  ByteWriter writer;
  writer.put<std::uint16_t>(513);
  writer.put(1.5);
  writer.put_string("leduc");
  const std::vector<float> values = {1, 2, 3};
  writer.put_span(std::span<const float>(values));
  ByteReader reader(writer.bytes(), "memory");
  EXPECT_EQ(reader.get<std::uint16_t>(), 513);
  EXPECT_EQ(reader.get<double>(), 1.5);
  EXPECT_EQ(reader.get_string(), "leduc");
  EXPECT_EQ(reader.get_vector<float>(), values);
  reader.expect_end();
  EXPECT_EQ(std::to_integer<int>(writer.bytes()[0]), 1);  // little-endian
}

TEST(Bytes, CutOffInputIsRefusedWithItsName) {
  ByteWriter writer;
  writer.put<std::uint64_t>(1'000'000'000'000ULL);  // a count that the bytes behind it cannot hold
  ByteReader reader(writer.bytes(), "some.bin");
  try {
    reader.get_vector<float>();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.where(), "some.bin");
  }
}

TEST(Bytes, LeftOversAreRefused) {
  ByteWriter writer;
  writer.put<int>(1);
  ByteReader reader(writer.bytes(), "x");
  EXPECT_THROW(reader.expect_end(), Error);
}

TEST(ContentHash, DoesNotDependOnPieces) {
  std::vector<std::byte> bytes(1000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
  const std::uint64_t whole = content_hash(bytes);
  for (const std::size_t piece : {1U, 3U, 8U, 13U, 999U}) {
    ContentHash hash;
    for (std::size_t at = 0; at < bytes.size(); at += piece) hash.update(bytes.data() + at, std::min(piece, bytes.size() - at));
    EXPECT_EQ(hash.digest(), whole) << piece;
  }
}

TEST(ContentHash, EveryByteAndTheLengthCount) {
  std::set<std::uint64_t> seen;
  std::vector<std::byte> bytes(64);
  for (std::size_t length = 0; length <= bytes.size(); ++length) seen.insert(content_hash({bytes.data(), length}));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = std::byte{1};
    seen.insert(content_hash(bytes));
    bytes[i] = std::byte{0};
  }
  EXPECT_EQ(seen.size(), 65U + 64U);
  EXPECT_EQ(hash_text(0xab), "00000000000000ab");
}

}  // namespace
}  // namespace deepcfr
