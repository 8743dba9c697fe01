#include "deepcfr/cfr/advantage_source.h"

#include <algorithm>

namespace deepcfr {

void UniformSource::advantages(int /*player*/, std::span<const State* const> /*states*/, std::span<float> out) {
  std::fill(out.begin(), out.end(), 1.0F);
}

}  // namespace deepcfr
