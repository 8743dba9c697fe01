// A flat array of bytes for records, in RAM or in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

namespace deepcfr {

/// Reserved at once; RAM is taken as it is touched. In a file, the bytes are blocks of the disk that the system keeps in RAM as far as it has
/// room, reserved when the file is made, so that a full disk cannot end a run later. The file loses its name at once: it goes with the
/// process however that ends, and nothing is to be cleaned up.
class RecordStorage {
 public:
  RecordStorage() = default;
  static RecordStorage in_ram(std::uint64_t bytes);  ///< Error{usage} where so much cannot be reserved
  /// In a folder that exists; Error{input} naming it, what is needed and what is free.
  static RecordStorage in_file(const std::filesystem::path& directory, std::uint64_t bytes);
  ~RecordStorage();
  RecordStorage(RecordStorage&& other) noexcept { swap(other); }
  RecordStorage& operator=(RecordStorage&& other) noexcept {
    swap(other);
    return *this;
  }

  std::byte* data() const noexcept { return data_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  void swap(RecordStorage& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(heap_, other.heap_);
  }
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<std::byte[]> heap_;  // else data_ is mapped
};

/// Bytes that this user may still write in the file system of a folder; 0 if it cannot be asked.
std::uint64_t free_disk_bytes(const std::filesystem::path& directory);

}  // namespace deepcfr
