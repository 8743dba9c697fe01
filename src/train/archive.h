// The advantage networks that played, appended once an iteration: what single Deep CFR mixes. One file for each player, shared by all
// checkpoints of a run: a checkpoint's manifest holds the length and hash of the part that belongs to it, so a save costs one
// network, not all of them (reported fault A26).
// File: [magic "DCFRARC1"][u64 floats of a network] then records [u64 iteration][u64 floats: 0 for the uniform strategy][floats].
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/core/bytes.h"
#include "deepcfr/nn/network_source.h"

namespace deepcfr {

struct ArchiveMark {
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;
};

class ArchiveWriter {
 public:
  /// Starts a new file, or goes on behind `mark` of an old one: checks the hash up to it and cuts off what lies behind. Error{input}
  /// naming the file if it does not fit the mark.
  ArchiveWriter(const std::filesystem::path& path, std::uint64_t parameters, const ArchiveMark* mark);
  /// weights empty: uniform.
  void append(std::int64_t iteration, std::span<const float> weights);
  /// All so far, on disk.
  ArchiveMark sync();

 private:
  void put(const void* data, std::size_t size);
  std::filesystem::path path_;
  std::uint64_t parameters_;
  int descriptor_;
  ArchiveMark mark_;
  ContentHash hash_;

 public:
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;
};

/// The records up to the mark.
std::vector<ArchivedNetwork> read_archive(const std::filesystem::path& path, const ArchiveMark& mark);

}  // namespace deepcfr
