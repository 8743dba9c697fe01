// Files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/core/bytes.h"

namespace deepcfr {

/// Writes a file piece by piece, hashing as it goes; Error{input} naming the path on any failure. fsync on close.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void write(const void* data, std::size_t size);
  void write(std::span<const std::byte> bytes) { write(bytes.data(), bytes.size()); }
  void write(std::string_view text) { write(text.data(), text.size()); }
  void close();  ///< fsync; the file is complete after it
  std::uint64_t bytes() const noexcept { return bytes_; }
  std::uint64_t hash() const noexcept { return hash_.digest(); }  ///< of all that was written

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t bytes_ = 0;
  ContentHash hash_;
};

/// Reads a file piece by piece; Error{input} naming the path when it cannot be read or ends too early.
class FileReader {
 public:
  explicit FileReader(const std::filesystem::path& path);
  ~FileReader();
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  void read(void* data, std::size_t size);
  void expect_end();  ///< Error{input} if there is more

 private:
  std::filesystem::path path_;
  int descriptor_;
};

std::vector<std::byte> read_file(const std::filesystem::path& path);
/// Hash of the first `bytes` bytes (all by default) by streaming; Error{input} if the file is shorter.
std::uint64_t hash_file(const std::filesystem::path& path, std::uint64_t bytes = ~std::uint64_t{0});
void sync_directory(const std::filesystem::path& directory);
/// Writes path by way of a temporary file and one rename.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

/// An exclusive lock on a run directory, held for the life of the object; Error{input} if another process holds it.
class DirectoryLock {
 public:
  explicit DirectoryLock(const std::filesystem::path& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace deepcfr
