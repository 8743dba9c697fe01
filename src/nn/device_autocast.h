// Autocast for a scope. LibTorch keeps it for each thread, with a cache of weights that were cast; nothing of either may be left behind.
#pragma once

#include <ATen/autocast_mode.h>

namespace deepcfr::nn {

/// bfloat16 autocast of the calling thread from here to the end of the scope, however that is left; then state, type and nesting are what
/// they were, and no cast weight is kept (a weight is updated in place between two steps: reported fault T15).
class AutocastGuard {
 public:
  AutocastGuard(at::DeviceType device, bool enabled)
      : device_(device), was_enabled_(at::autocast::is_autocast_enabled(device)), was_type_(at::autocast::get_autocast_dtype(device)) {
    at::autocast::increment_nesting();
    at::autocast::set_autocast_dtype(device, at::kBFloat16);
    at::autocast::set_autocast_enabled(device, enabled);
  }
  ~AutocastGuard() {
    at::autocast::clear_cache();
    at::autocast::decrement_nesting();
    at::autocast::set_autocast_enabled(device_, was_enabled_);
    at::autocast::set_autocast_dtype(device_, was_type_);
  }
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;

 private:
  at::DeviceType device_;
  bool was_enabled_;
  at::ScalarType was_type_;
};

}  // namespace deepcfr::nn
