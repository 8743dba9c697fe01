// Byte writer and reader (little-endian), 64-bit content hash. The bytes written here are what checkpoints are made of.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace deepcfr {

static_assert(std::endian::native == std::endian::little, "file formats are little-endian; a big-endian port must swap");

template <typename T>
concept PlainNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends to a growing buffer.
class ByteWriter {
 public:
  template <PlainNumber T>
  void put(T value) {
    put_raw(&value, sizeof value);
  }
  void put_string(std::string_view text);  ///< u32 length, bytes
  void put_raw(const void* data, std::size_t size);
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void put_span(std::span<const T> values) {  ///< u64 count, elements
    put<std::uint64_t>(values.size());
    put_raw(values.data(), values.size_bytes());
  }
  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }
  std::vector<std::byte> take() noexcept { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote; throws Error{input} naming `source` and the offset when bytes are missing or left over.
class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string source) : bytes_(bytes), source_(std::move(source)) {}
  template <PlainNumber T>
  T get() {
    T value;
    get_raw(&value, sizeof value);
    return value;
  }
  std::string get_string();
  void get_raw(void* data, std::size_t size);
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  std::vector<T> get_vector() {
    const std::uint64_t count = get<std::uint64_t>();
    require(count <= remaining() / sizeof(T));
    std::vector<T> values(count);
    get_raw(values.data(), count * sizeof(T));
    return values;
  }
  std::size_t remaining() const noexcept { return bytes_.size() - offset_; }
  std::size_t offset() const noexcept { return offset_; }
  void expect_end() const;

 private:
  void require(bool ok) const;
  std::span<const std::byte> bytes_;
  std::size_t offset_ = 0;
  std::string source_;
};

/// 64-bit content hash for change detection, not for security: eight-byte words folded by mix64, length included.
/// Independent of how the bytes are cut into pieces.
class ContentHash {
 public:
  void update(const void* data, std::size_t size) noexcept;
  std::uint64_t digest() const noexcept;

 private:
  std::uint64_t state_ = 0x243f6a8885a308d3ULL;
  std::uint64_t length_ = 0;
  std::uint64_t tail_ = 0;
  std::size_t tail_size_ = 0;
};

std::uint64_t content_hash(std::span<const std::byte> bytes) noexcept;
std::string hash_text(std::uint64_t hash);  ///< 16 lower-case hex digits

}  // namespace deepcfr
