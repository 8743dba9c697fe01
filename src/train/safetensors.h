// Weights as safetensors: [u64 header length][JSON header][raw little-endian data].
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/nn/network.h"

namespace deepcfr {

/// One float32 tensor for each parameter, named as in Network::parameters(); metadata as strings.
std::vector<std::byte> write_safetensors(const Network& network, const std::map<std::string, std::string>& metadata);
/// Flat weights for `network`; Error{input} naming `source` if names, shapes or sizes do not fit.
std::vector<float> read_safetensors(std::span<const std::byte> bytes, const std::string& source, const Network& network);

}  // namespace deepcfr
