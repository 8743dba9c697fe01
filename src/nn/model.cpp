// Initial weights, drawn at the place of their flat index, so a pure function of the stream:
//   dense layer followed by ReLU   uniform in ±√(6 / in)   (He et al. 2015), standard deviation √(2 / in)
//   head                           uniform in ±√(3 / in)   (LeCun 1998), standard deviation √(1 / in)
//   biases                         0
//   embeddings                     normal, mean 0, standard deviation kEmbeddingDeviation
#include "model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "deepcfr/core/error.h"

namespace deepcfr::nn {
namespace {

constexpr double kEmbeddingDeviation = 0.1;  // of 0.05 to 2 the one that fitted Leduc best

double normal(CounterRandom stream, std::uint64_t place) {
  // Box–Muller; 1 − u lies in (0, 1].
  const double radius = std::sqrt(-2.0 * std::log(1.0 - stream.uniform(2 * place)));
  return radius * std::cos(2.0 * std::numbers::pi * stream.uniform(2 * place + 1));
}

std::size_t size(int n) { return static_cast<std::size_t>(n); }

/// Calls visit(flat offset, packed offset) for every weight of a layer.
template <typename Visit>
void for_each_weight(const DenseLayer& layer, const Visit& visit) {
  int first = 0;
  for (std::size_t part = 0; part < layer.parts.size(); ++part) {
    const int in = layer.parts[part];
    for (int o = 0; o < layer.out; ++o)
      for (int i = 0; i < in; ++i)
        visit(layer.flat_weight + size(o) * size(layer.in) + size(first + i), layer.weight[part] + panel_index(in, i, o));
    first += in;
  }
}

template <typename Visit>
void for_each_parameter(const Model& model, const Visit& visit) {
  for (const EmbeddingTable& table : model.tables())
    for (int r = 0; r < table.rows; ++r)
      for (int d = 0; d < table.dim; ++d)
        visit(table.flat + size(r) * size(table.dim) + size(d), table.packed + size(r) * size(padded(table.dim)) + size(d));
  for (const DenseLayer& layer : model.layers()) {
    for_each_weight(layer, visit);
    for (int o = 0; o < layer.out; ++o) visit(layer.flat_bias + size(o), layer.bias + size(o));
  }
}

}  // namespace

std::size_t Model::add_layer(std::string name, std::vector<int> parts, int out, bool relu) {
  DenseLayer layer;
  layer.name = std::move(name);
  layer.parts = std::move(parts);
  layer.out = out;
  layer.relu = relu;
  for (const int in : layer.parts) {
    layer.in += in;
    layer.weight.push_back(packed_count_);
    packed_count_ += panel_floats(in, out);
  }
  layer.bias = packed_count_;
  packed_count_ += size(padded(out));
  layer.flat_weight = flat_count_;
  layer.flat_bias = flat_count_ + size(out) * size(layer.in);
  flat_count_ = layer.flat_bias + size(out);
  layers_.push_back(std::move(layer));
  return layers_.size() - 1;
}

std::size_t Model::add_table(std::string name, int rows, int dim) {
  tables_.push_back({std::move(name), rows, dim, packed_count_, flat_count_});
  packed_count_ += size(rows) * size(padded(dim));
  flat_count_ += size(rows) * size(dim);
  return tables_.size() - 1;
}

std::vector<ParameterInfo> Model::parameters() const {
  std::vector<ParameterInfo> infos;
  for (const EmbeddingTable& t : tables_)
    infos.push_back({t.name + ".weight", {t.rows, t.dim}, t.flat, size(t.rows) * size(t.dim)});
  for (const DenseLayer& l : layers_) {
    infos.push_back({l.name + ".weight", {l.out, l.in}, l.flat_weight, size(l.out) * size(l.in)});
    infos.push_back({l.name + ".bias", {l.out}, l.flat_bias, size(l.out)});
  }
  std::sort(infos.begin(), infos.end(), [](const ParameterInfo& a, const ParameterInfo& b) { return a.offset < b.offset; });
  return infos;
}

void Model::pack(std::span<const float> flat, std::span<float> packed) const {
  DEEPCFR_CHECK(flat.size() == flat_count_ && packed.size() == packed_count_);
  for (const EmbeddingTable& t : tables_)
    for (int r = 0; r < t.rows; ++r)
      nn::to_panels(1, t.dim, flat.data() + t.flat + size(r) * size(t.dim),
                    packed.data() + t.packed + size(r) * size(padded(t.dim)));
  for (const DenseLayer& l : layers_) {
    const float* from = flat.data() + l.flat_weight;
    for (std::size_t part = 0; part < l.parts.size(); from += l.parts[part], ++part)
      transpose_to_panels(l.parts[part], l.out, from, l.in, packed.data() + l.weight[part]);
    nn::to_panels(1, l.out, flat.data() + l.flat_bias, packed.data() + l.bias);
  }
}

void Model::unpack(std::span<const float> packed, std::span<float> flat) const {
  DEEPCFR_CHECK(flat.size() == flat_count_ && packed.size() == packed_count_);
  for_each_parameter(*this, [&](std::size_t f, std::size_t p) { flat[f] = packed[p]; });
}

std::vector<float> Model::initial_weights(CounterRandom init) const {
  std::vector<float> flat(flat_count_, 0.0F);
  for (const EmbeddingTable& t : tables_)
    for (std::size_t i = t.flat; i < t.flat + size(t.rows) * size(t.dim); ++i)
      flat[i] = static_cast<float>(kEmbeddingDeviation * normal(init, i));
  for (const DenseLayer& l : layers_) {
    const double bound = std::sqrt((l.relu ? 6.0 : 3.0) / l.in);
    for (std::size_t i = l.flat_weight; i < l.flat_bias; ++i)
      flat[i] = static_cast<float>(bound * (2.0 * init.uniform(2 * i) - 1.0));
  }
  return flat;
}

std::int64_t cached_rows(std::int64_t floats_per_row) noexcept {
  constexpr std::int64_t kCacheFloats = 400'000;  // 1.6 MB
  constexpr std::int64_t kFewest = 256;           // fewer, and the weights' gradients are carried to and fro too often
  return std::max(kFewest, kCacheFloats / std::max<std::int64_t>(1, floats_per_row));
}

std::shared_ptr<const Model> make_model(const FeatureLayout& layout, int outputs, const NetworkOptions& options) {
  if (layout.kind != feature_kind(options.type))
    throw Error(ErrorKind::bug, "network type and feature kind do not fit", "Network");
  if (layout.width < 1 || outputs < 1) throw Error(ErrorKind::bug, "a network needs inputs and outputs", "Network");
  return options.type == NetworkType::mlp ? make_mlp(layout, outputs, options) : make_card_bet(layout, outputs, options);
}

}  // namespace deepcfr::nn
