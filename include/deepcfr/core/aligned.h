// Vectors that begin at a cache line, as vector instructions and matrix kernels want them.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace deepcfr {

inline constexpr std::size_t kCacheLine = 64;

template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() noexcept = default;
  template <typename U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>&) noexcept {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{kCacheLine})); }
  void deallocate(T* pointer, std::size_t) noexcept { ::operator delete(pointer, std::align_val_t{kCacheLine}); }
  template <typename U>
  bool operator==(const CacheLineAllocator<U>&) const noexcept {
    return true;
  }
};

template <typename T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace deepcfr
