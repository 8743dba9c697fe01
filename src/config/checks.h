// Settings that are right each for itself and do not go together.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "deepcfr/train/options.h"

namespace deepcfr {

/// Where a key was set: "configs/leduc.yaml:14", "--set a.b=c"; the file's name for a key that keeps its default.
using PlaceOf = std::function<std::string(const std::string& path)>;

/// Error{usage} at the key's place for settings that cannot work; returns warnings for those that can and are probably not meant.
std::vector<std::string> check_options(const TrainOptions& options, const PlaceOf& place_of);

}  // namespace deepcfr
