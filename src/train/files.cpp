#include "files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "deepcfr/core/bytes.h"
#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 30;  // the system takes no more than 2 GiB

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
  throw Error(ErrorKind::input, what + ": " + std::strerror(errno), path.string(), "check the disk's free space and the permissions");
}

}  // namespace

FileWriter::FileWriter(const std::filesystem::path& path) : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail(path_, "cannot be written");
}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileWriter::write(const void* data, std::size_t size) {
  hash_.update(data, size);
  bytes_ += size;
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(path_, "writing failed");
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

void FileWriter::close() {
  if (::fsync(descriptor_) != 0) fail(path_, "fsync failed");
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, "closing failed");
}

FileReader::FileReader(const std::filesystem::path& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw Error(ErrorKind::input, "cannot be read", path.string(), "check that the file exists");
}

FileReader::~FileReader() { ::close(descriptor_); }

void FileReader::read(void* data, std::size_t size) {
  auto* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(descriptor_, bytes, std::min(size, kReadAtOnce));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(ErrorKind::input, std::string("reading failed: ") + std::strerror(errno), path_.string());
    if (got == 0) throw Error(ErrorKind::input, "is cut off", path_.string());
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
}

void FileReader::expect_end() {
  char more = 0;
  if (::read(descriptor_, &more, 1) != 0) throw Error(ErrorKind::input, "is longer than it should be", path_.string());
}

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw Error(ErrorKind::input, "cannot be read", path.string(), "check that the file exists");
  std::vector<std::byte> bytes(static_cast<std::size_t>(in.tellg()));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw Error(ErrorKind::input, "reading failed", path.string());
  return bytes;
}

std::uint64_t hash_file(const std::filesystem::path& path, std::uint64_t bytes) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(ErrorKind::input, "cannot be read", path.string(), "check that the file exists");
  ContentHash hash;
  std::vector<char> block(1 << 20);
  std::uint64_t left = bytes;
  while (left > 0) {
    in.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(left, block.size())));
    const auto got = static_cast<std::uint64_t>(in.gcount());
    if (got == 0) break;
    hash.update(block.data(), got);
    left -= got;
  }
  if (bytes != ~std::uint64_t{0} && left > 0) throw Error(ErrorKind::input, "is shorter than its manifest says", path.string());
  return hash.digest();
}

void sync_directory(const std::filesystem::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) fail(directory, "cannot be opened");
  const int result = ::fsync(descriptor);
  ::close(descriptor);
  if (result != 0) fail(directory, "fsync failed");
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path temporary = path.string() + ".tmp";
  FileWriter writer(temporary);
  writer.write(text);
  writer.close();
  std::filesystem::rename(temporary, path);
  sync_directory(path.parent_path().empty() ? std::filesystem::path(".") : path.parent_path());
}

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : descriptor_(::open((directory / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail(directory / "lock", "cannot be opened");
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw Error(ErrorKind::input, "another process is training in this run directory", directory.string(), "wait for it or stop it");
  }
}

DirectoryLock::~DirectoryLock() { ::close(descriptor_); }

}  // namespace deepcfr
