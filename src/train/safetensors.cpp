#include "safetensors.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include "deepcfr/core/bytes.h"
#include "deepcfr/core/error.h"

namespace deepcfr {

std::vector<std::byte> write_safetensors(const Network& network, const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header;
  header["__metadata__"] = metadata;
  for (const ParameterInfo& info : network.parameters()) {
    header[info.name] = {{"dtype", "F32"},
                         {"shape", info.shape},
                         {"data_offsets", {info.offset * sizeof(float), (info.offset + info.count) * sizeof(float)}}};
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::vector<float> weights = network.weights();
  ByteWriter out;
  out.put<std::uint64_t>(text.size());
  out.put_raw(text.data(), text.size());
  out.put_raw(weights.data(), weights.size() * sizeof(float));
  return out.take();
}

std::vector<float> read_safetensors(std::span<const std::byte> bytes, const std::string& source, const Network& network) {
  ByteReader reader(bytes, source);
  const auto length = reader.get<std::uint64_t>();
  if (length > reader.remaining()) throw Error(ErrorKind::input, "the safetensors header is longer than the file", source);
  std::string text(length, '\0');
  reader.get_raw(text.data(), length);
  const nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
  if (!header.is_object()) throw Error(ErrorKind::input, "the safetensors header is not JSON", source);
  for (const ParameterInfo& info : network.parameters()) {
    if (!header.contains(info.name) || header[info.name].value("shape", std::vector<std::int64_t>{}) != info.shape) {
      throw Error(ErrorKind::input, "tensor " + info.name + " is missing or of another shape", source,
                  "the checkpoint was made with other network settings");
    }
  }
  std::vector<float> weights(network.parameter_count());
  reader.get_raw(weights.data(), weights.size() * sizeof(float));
  reader.expect_end();
  return weights;
}

}  // namespace deepcfr
