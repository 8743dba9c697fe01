#include "archive.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "deepcfr/core/error.h"
#include "files.h"

namespace deepcfr {
namespace {

constexpr char kMagic[8] = {'D', 'C', 'F', 'R', 'A', 'R', 'C', '1'};

[[noreturn]] void damaged(const std::filesystem::path& path) {
  throw Error(ErrorKind::input, "does not match the checkpoint's manifest", path.string(), "the archive of networks is damaged");
}

}  // namespace

ArchiveWriter::ArchiveWriter(const std::filesystem::path& path, std::uint64_t parameters, const ArchiveMark* mark)
    : path_(path), parameters_(parameters), descriptor_(-1) {
  if (mark != nullptr) {
    const std::vector<std::byte> old = read_file(path);
    if (old.size() < mark->bytes) damaged(path);
    hash_.update(old.data(), mark->bytes);
    if (hash_.digest() != mark->hash) damaged(path);
    mark_ = *mark;
    std::filesystem::resize_file(path, mark->bytes);
  }
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (mark == nullptr ? O_TRUNC : 0), 0644);
  if (descriptor_ < 0) throw Error(ErrorKind::input, std::string("cannot be written: ") + std::strerror(errno), path.string());
  if (mark == nullptr) {
    put(kMagic, sizeof kMagic);
    put(&parameters_, sizeof parameters_);
  }
}

ArchiveWriter::~ArchiveWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void ArchiveWriter::put(const void* data, std::size_t size) {
  hash_.update(data, size);
  mark_.bytes += size;
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw Error(ErrorKind::input, std::string("writing failed: ") + std::strerror(errno), path_.string(), "check the disk's free space");
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

void ArchiveWriter::append(std::int64_t iteration, std::span<const float> weights) {
  DEEPCFR_CHECK(weights.empty() || weights.size() == parameters_);
  const std::array<std::uint64_t, 2> head = {static_cast<std::uint64_t>(iteration), weights.size()};
  put(head.data(), sizeof head);
  put(weights.data(), weights.size_bytes());
}

ArchiveMark ArchiveWriter::sync() {
  if (::fsync(descriptor_) != 0) throw Error(ErrorKind::input, "fsync failed", path_.string(), "check the disk's free space");
  mark_.hash = hash_.digest();
  return mark_;
}

std::vector<ArchivedNetwork> read_archive(const std::filesystem::path& path, const ArchiveMark& mark) {
  const std::vector<std::byte> bytes = read_file(path);
  if (bytes.size() < mark.bytes || content_hash({bytes.data(), mark.bytes}) != mark.hash) damaged(path);
  ByteReader reader({bytes.data(), mark.bytes}, path.string());
  char magic[sizeof kMagic];
  reader.get_raw(magic, sizeof magic);
  if (std::memcmp(magic, kMagic, sizeof magic) != 0) damaged(path);
  reader.get<std::uint64_t>();
  std::vector<ArchivedNetwork> networks;
  while (reader.remaining() > 0) {
    ArchivedNetwork network;
    network.iteration = static_cast<std::int64_t>(reader.get<std::uint64_t>());
    network.weights = reader.get_vector<float>();
    networks.push_back(std::move(network));
  }
  return networks;
}

}  // namespace deepcfr
