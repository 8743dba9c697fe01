#include "deepcfr/core/bytes.h"

#include <algorithm>
#include <cstdio>

#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {

void ByteWriter::put_string(std::string_view text) {
  put<std::uint32_t>(static_cast<std::uint32_t>(text.size()));
  put_raw(text.data(), text.size());
}

void ByteWriter::put_raw(const void* data, std::size_t size) {
  const std::size_t old = bytes_.size();
  bytes_.resize(old + size);
  if (size > 0) std::memcpy(bytes_.data() + old, data, size);
}

std::string ByteReader::get_string() {
  const auto size = get<std::uint32_t>();
  require(size <= remaining());
  std::string text(size, '\0');
  get_raw(text.data(), size);
  return text;
}

void ByteReader::get_raw(void* data, std::size_t size) {
  require(size <= remaining());
  if (size > 0) std::memcpy(data, bytes_.data() + offset_, size);
  offset_ += size;
}

void ByteReader::require(bool ok) const {
  if (!ok) throw Error(ErrorKind::input, "ends early at byte " + std::to_string(offset_), source_, "the file is cut off or damaged");
}

void ByteReader::expect_end() const {
  if (remaining() != 0) {
    throw Error(ErrorKind::input, std::to_string(remaining()) + " bytes too many after byte " + std::to_string(offset_), source_,
                "the file is damaged or of another version");
  }
}

void ContentHash::update(const void* data, std::size_t size) noexcept {
  const auto* bytes = static_cast<const unsigned char*>(data);
  length_ += size;
  while (size > 0) {
    if (tail_size_ == 0 && size >= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes, 8);
      state_ = mix64(state_ ^ word);
      bytes += 8;
      size -= 8;
      continue;
    }
    tail_ |= static_cast<std::uint64_t>(*bytes) << (8 * tail_size_);
    ++bytes;
    --size;
    if (++tail_size_ == 8) {
      state_ = mix64(state_ ^ tail_);
      tail_ = 0;
      tail_size_ = 0;
    }
  }
}

std::uint64_t ContentHash::digest() const noexcept { return mix64(mix64(state_ ^ tail_) ^ length_); }

std::uint64_t content_hash(std::span<const std::byte> bytes) noexcept {
  ContentHash hash;
  hash.update(bytes.data(), bytes.size());
  return hash.digest();
}

std::string hash_text(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace deepcfr
