// Networks as tensor operations, for any device of LibTorch: forwards of traversals, and fits by autograd.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "deepcfr/nn/network.h"

namespace deepcfr::nn {

/// Rows in two parts, each [rows, …]. For an mlp, features are the whole row.
struct DeviceRows {
  at::Tensor features;  ///< card_bet: the betting features
  at::Tensor cards;     ///< card_bet: card numbers as floats, −1 none
};

class DeviceModel {
 public:
  DeviceModel(const Network& network, at::Device device);

  struct Dense {
    at::Tensor weight;  ///< [out, in]
    at::Tensor bias;
  };
  /// Parameters in the form that forward() reads; made of the flat ones by operations that autograd follows.
  struct Prepared {
    /// card_bet: contribution of a rank or suit to the first layer of the card branch, [counted columns, width]: the product of its embedding
    /// and the layer's weights. (Σ of embeddings) · W = counts · (embeddings · W), so the embeddings are multiplied once, not row by row.
    at::Tensor card_table;
    std::vector<Dense> layers;  ///< in the order of ParameterInfo; the head last. The first of a card branch has a bias only
  };
  /// parameters: one tensor for each ParameterInfo, in its order and shape.
  Prepared prepare(const std::vector<at::Tensor>& parameters) const;
  /// Outputs [rows, outputs] in float32, whatever the type of parameters and rows.
  at::Tensor forward(const Prepared& parameters, const DeviceRows& rows) const;

  bool has_cards() const noexcept { return options_.type == NetworkType::card_bet; }
  const FeatureLayout& layout() const noexcept { return layout_; }
  /// Index in Prepared::layers of the layer that reads rows.features.
  std::size_t feature_layer() const noexcept { return has_cards() ? 3 : 0; }

 private:
  at::Tensor card_counts(const at::Tensor& cards, at::ScalarType type) const;
  at::Tensor card_bet(const Prepared& parameters, const DeviceRows& rows) const;

  NetworkOptions options_;
  FeatureLayout layout_;
  at::Tensor card_offsets_;  ///< [cards]: place of a card's row in card_columns_
  at::Tensor card_columns_;  ///< [cards × 53, 2]: columns of a card's rank and suit among the counts
  std::int64_t counted_ = 0; ///< columns of counts, rounded up
};

}  // namespace deepcfr::nn
