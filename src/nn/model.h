// What a network type is: its parameters, in the order of the flat weights, and passes over them.
//
// Two layouts of the weights: `flat`, as Network::weights() gives them (each layer's weight [out, in] row by row as LibTorch and
// safetensors have it, then its bias), and `packed`, the panel format that passes compute with. Padding in the packed layout is
// zero and stays zero in training: its gradient is zero.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aligned.h"
#include "deepcfr/core/random.h"
#include "deepcfr/nn/network.h"
#include "products.h"

namespace deepcfr::nn {

/// A dense layer. Its input may come in parts, each a matrix of its own (concatenation without copying).
struct DenseLayer {
  std::string name;
  std::vector<int> parts;  ///< inputs of each part
  int out = 0;
  bool relu = true;  ///< decides the initial weights only
  int in = 0;
  std::vector<std::size_t> weight;  ///< packed offset by part
  std::size_t bias = 0;             ///< packed offset
  std::size_t flat_weight = 0, flat_bias = 0;
};

/// A table of `rows` embeddings.
struct EmbeddingTable {
  std::string name;
  int rows = 0;
  int dim = 0;
  std::size_t packed = 0;  ///< each row padded(dim) floats: panels with one row, so that row r begins at packed + r · padded(dim)
  std::size_t flat = 0;
};

/// One thread's workspace over one model: rows in, outputs, gradients.
class Pass {
 public:
  virtual ~Pass() = default;
  /// Takes rows (row-major, layout().width floats each); kept until the next load.
  virtual void load(std::span<const float> rows, std::int64_t count) = 0;
  /// Outputs of the loaded rows in panel format; valid until the next call.
  virtual const float* forward(const float* packed) = 0;
  /// After forward with the same weights: d_out in panel format; writes the whole packed gradient, or adds to it if `add`.
  virtual void backward(const float* packed, const float* d_out, bool add, float* gradient) = 0;
  /// Rows that a fit had best take through forward and backward at a time, so that they stay in the processor's caches.
  virtual std::int64_t block_rows() const = 0;
};

class Model {
 public:
  virtual ~Model() = default;
  virtual std::unique_ptr<Pass> make_pass(Amp amp) const = 0;

  const FeatureLayout& layout() const noexcept { return layout_; }
  int outputs() const noexcept { return outputs_; }
  const std::vector<DenseLayer>& layers() const noexcept { return layers_; }
  const std::vector<EmbeddingTable>& tables() const noexcept { return tables_; }
  std::size_t flat_count() const noexcept { return flat_count_; }
  std::size_t packed_count() const noexcept { return packed_count_; }
  std::vector<ParameterInfo> parameters() const;

  void pack(std::span<const float> flat, std::span<float> packed) const;
  void unpack(std::span<const float> packed, std::span<float> flat) const;
  /// Fresh flat weights (formulas in model.cpp).
  std::vector<float> initial_weights(CounterRandom init) const;

 protected:
  Model(const FeatureLayout& layout, int outputs) : layout_(layout), outputs_(outputs) {}
  /// Index of the new layer or table.
  std::size_t add_layer(std::string name, std::vector<int> parts, int out, bool relu);
  std::size_t add_table(std::string name, int rows, int dim);

 private:
  FeatureLayout layout_;
  int outputs_;
  std::vector<DenseLayer> layers_;
  std::vector<EmbeddingTable> tables_;
  std::size_t flat_count_ = 0;
  std::size_t packed_count_ = 0;
};

/// block_rows() of a float32 pass that touches `floats_per_row` activations and their gradients.
std::int64_t cached_rows(std::int64_t floats_per_row) noexcept;

/// The bfloat16 pass of an mlp: activations, too, are kept in bfloat16.
std::unique_ptr<Pass> make_mlp_bfloat16_pass(const Model& mlp);

std::shared_ptr<const Model> make_mlp(const FeatureLayout& layout, int outputs, const NetworkOptions& options);
std::shared_ptr<const Model> make_card_bet(const FeatureLayout& layout, int outputs, const NetworkOptions& options);
std::shared_ptr<const Model> make_model(const FeatureLayout& layout, int outputs, const NetworkOptions& options);

}  // namespace deepcfr::nn
