// Float buffers aligned to a cache line, as the vector kernels want them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace deepcfr::nn {

class AlignedFloats {
 public:
  AlignedFloats() = default;
  /// Zeros.
  explicit AlignedFloats(std::size_t count) : size_(count) {
    if (count == 0) return;
    const std::size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
    data_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
    if (!data_) throw std::bad_alloc();
    std::fill_n(data_.get(), count, 0.0F);
  }
  /// Grows to at least `count`; the content is lost when it does.
  void reserve(std::size_t count) {
    if (count > size_) *this = AlignedFloats(count);
  }
  float* data() noexcept { return data_.get(); }
  const float* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::span<float> span() noexcept { return {data_.get(), size_}; }
  std::span<const float> span() const noexcept { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(float* p) const noexcept { std::free(p); }
  };
  std::unique_ptr<float[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace deepcfr::nn
