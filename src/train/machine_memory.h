// RAM that this process may still take.
#pragma once

#include <cstdint>
#include <filesystem>

namespace deepcfr {

/// The smallest of what the machine has free and what the limits of this process's control groups (versions 1 and 2, all levels) leave, not
/// counting what the system can drop (file cache). 0 if nothing can be found out. `root` is for tests.
std::uint64_t available_ram(const std::filesystem::path& root = "/");
std::uint64_t resident_bytes();  ///< of this process

}  // namespace deepcfr
