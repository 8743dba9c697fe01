#include "deepcfr/cfr/record_storage.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr std::uintptr_t kHugePage = std::uintptr_t{2} << 20;

/// Records are drawn and replaced all over a memory: with pages of 4 KiB nearly every access misses the translation buffer as well.
void ask_for_huge_pages(std::byte* data, std::uint64_t bytes) {
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(data) + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / kHugePage * kHugePage;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // a wish
}

[[noreturn]] void fail(const std::filesystem::path& directory, std::uint64_t bytes, int error) {
  throw Error(ErrorKind::input,
              "no file of " + std::to_string(bytes) + " bytes could be made for records: " + std::strerror(error) + " (" +
                  std::to_string(free_disk_bytes(directory)) + " bytes are free)",
              directory.string(), "free disk space, let memory.directory name another disk, or lower memory.advantage_capacity or memory.strategy_capacity");
}

/// An open file that has no name any more.
class UnnamedFile {
 public:
  UnnamedFile(const std::filesystem::path& directory, std::uint64_t bytes) {
    std::string name = (directory / "records-XXXXXX").string();
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail(directory, bytes, errno);
    ::unlink(name.c_str());
    const int error = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
    if (error == 0) return;
    ::close(descriptor_);
    fail(directory, bytes, error);
  }
  ~UnnamedFile() { ::close(descriptor_); }
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;
  int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

RecordStorage RecordStorage::in_ram(std::uint64_t bytes) {
  RecordStorage storage;
  storage.heap_.reset(new (std::nothrow) std::byte[bytes]);
  if (!storage.heap_) {
    throw Error(ErrorKind::usage, std::to_string(bytes) + " bytes for records cannot be reserved", {},
                "lower memory.advantage_capacity or memory.strategy_capacity, or set memory.storage: file");
  }
  storage.data_ = storage.heap_.get();
  storage.bytes_ = bytes;
  ask_for_huge_pages(storage.data_, bytes);
  return storage;
}

RecordStorage RecordStorage::in_file(const std::filesystem::path& directory, std::uint64_t bytes) {
  const UnnamedFile file(directory, bytes);
  void* mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
  if (mapped == MAP_FAILED) fail(directory, bytes, errno);
  RecordStorage storage;
  storage.data_ = static_cast<std::byte*>(mapped);
  storage.bytes_ = bytes;
  return storage;
}

RecordStorage::~RecordStorage() {
  if (data_ != nullptr && !heap_) ::munmap(data_, bytes_);
}

std::uint64_t free_disk_bytes(const std::filesystem::path& directory) {
  struct statvfs disk {};
  if (::statvfs(directory.c_str(), &disk) != 0) return 0;
  return static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
}

}  // namespace deepcfr
