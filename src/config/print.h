// How a value is written in YAML.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace deepcfr {

/// Lists in brackets; strings in quotes where a YAML reader would take them for something else.
std::string yaml_value(const nlohmann::ordered_json& value);

}  // namespace deepcfr
