#include "device_model.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "deepcfr/core/error.h"

namespace deepcfr::nn {
namespace {

constexpr std::int64_t kRanks = 13;
constexpr std::int64_t kSuits = 4;
constexpr std::int64_t kCardNumbers = 1 + kRanks * kSuits;  // −1: no card
constexpr double kNormalisationEpsilon = 1e-3;              // as in card_bet.cpp
constexpr std::size_t kTrunk = 5;                           // layers of card_bet: card 0–2, bet 3–4, trunk 5–7, head 8

/// A dense layer with ReLU; on CUDA bias and ReLU are part of the product, except where autograd has to follow.
at::Tensor activated(const DeviceModel::Dense& layer, const at::Tensor& x) {
  if (at::GradMode::is_enabled()) return at::linear(x, layer.weight, layer.bias).relu_();
  return at::_addmm_activation(layer.bias, x, layer.weight.t());
}

/// The output layer: sums and results in float32, so that two actions do not tie by rounding.
at::Tensor head(const DeviceModel::Dense& layer, const at::Tensor& x) {
  if (at::GradMode::is_enabled()) return at::linear(x, layer.weight, layer.bias).to(at::kFloat);
  if (x.scalar_type() == at::kFloat) return at::linear(x, layer.weight, layer.bias);
  const at::Tensor bias = layer.bias.to(at::kFloat);
  if (x.is_cuda()) return at::mm(x, layer.weight.t(), at::kFloat).add_(bias);
  return at::linear(x.to(at::kFloat), layer.weight.to(at::kFloat), bias);
}

}  // namespace

DeviceModel::DeviceModel(const Network& network, at::Device device) : options_(network.options()), layout_(network.layout()) {
  if (!has_cards()) return;
  const std::int64_t none = layout_.groups * (kRanks + kSuits);  // the column of cards that are not there: its weights are zero
  counted_ = (none + 1 + 7) / 8 * 8;                             // rows of 16 bytes in bfloat16
  std::vector<std::int64_t> columns, offsets;
  for (std::int64_t g = 0, card = 0; g < layout_.groups; ++g) {
    const std::int64_t first = g * (kRanks + kSuits);
    for (int i = 0; i < layout_.group_size[static_cast<std::size_t>(g)]; ++i, ++card) {
      offsets.push_back(card * kCardNumbers + 1);
      for (std::int64_t number = -1; number < kRanks * kSuits; ++number) {
        columns.push_back(number < 0 ? none : first + number / kSuits);
        columns.push_back(number < 0 ? none : first + kRanks + number % kSuits);
      }
    }
  }
  const auto cards = static_cast<std::int64_t>(offsets.size());
  DEEPCFR_CHECK(cards == layout_.card_count);
  card_offsets_ = at::tensor(offsets, at::kFloat).to(device);
  card_columns_ = at::tensor(columns, at::kLong).view({cards * kCardNumbers, 2}).to(device);
}

DeviceModel::Prepared DeviceModel::prepare(const std::vector<at::Tensor>& parameters) const {
  Prepared prepared;
  std::size_t at = 0;
  if (has_cards()) {
    const auto groups = static_cast<std::size_t>(layout_.groups);
    at = 2 * groups;  // rank and suit tables by group, then the layers
    const at::Tensor tables = at::cat(at::TensorList(parameters).slice(0, at), 0).view({layout_.groups, kRanks + kSuits, options_.dim});
    const at::Tensor weight = parameters[at].view({options_.card_branch_width, layout_.groups, options_.dim}).permute({1, 2, 0});
    const at::Tensor table = at::bmm(tables, weight).reshape({-1, options_.card_branch_width});
    prepared.card_table = at::constant_pad_nd(table, {0, 0, 0, counted_ - table.size(0)});
  }
  for (; at + 1 < parameters.size(); at += 2) prepared.layers.push_back({parameters[at], parameters[at + 1]});
  return prepared;
}

at::Tensor DeviceModel::card_counts(const at::Tensor& cards, at::ScalarType type) const {
  const std::int64_t rows = cards.size(0);
  const at::Tensor place = (cards.to(at::kFloat) + card_offsets_).to(at::kLong);
  const at::Tensor columns = card_columns_.index_select(0, place.view(-1)).view({rows, 2 * layout_.card_count});
  // float32: the additions are exact in any order
  at::Tensor counts = at::zeros({rows, counted_}, columns.options().dtype(at::kFloat));
  counts.scatter_add_(1, columns, at::ones_like(columns, at::kFloat));
  return counts.to(type);
}

at::Tensor DeviceModel::card_bet(const Prepared& p, const DeviceRows& rows) const {
  const auto with_skip = [&](std::size_t layer, const at::Tensor& x) {
    return (at::linear(x, p.layers[layer].weight, p.layers[layer].bias) + x).relu_();
  };
  at::Tensor card = activated({p.card_table.t(), p.layers[0].bias}, card_counts(rows.cards, p.card_table.scalar_type()));
  card = activated(p.layers[2], activated(p.layers[1], card));
  const at::Tensor bet = with_skip(4, activated(p.layers[3], rows.features));
  at::Tensor trunk = activated(p.layers[kTrunk], at::cat({card, bet}, 1));
  trunk = with_skip(kTrunk + 2, with_skip(kTrunk + 1, trunk));
  const at::Tensor last = trunk.to(at::kFloat);
  const at::Tensor centred = last - last.mean(1, true);
  const double n = static_cast<double>(options_.dim);
  // √ has no slope at 0: a constant row has no gradient here (as in card_bet.cpp), instead of NaN
  const at::Tensor variance = (centred * centred).sum(1, true) / (n - 1);
  const at::Tensor deviation = at::where(variance > 0, variance, at::ones_like(variance)).sqrt();
  const at::Tensor scale = at::where(variance > 0, deviation, at::zeros_like(variance)) + kNormalisationEpsilon;
  return head(p.layers.back(), (centred / scale).to(trunk.scalar_type()));
}

at::Tensor DeviceModel::forward(const Prepared& p, const DeviceRows& rows) const {
  if (has_cards()) return card_bet(p, rows);
  at::Tensor x = rows.features;
  for (std::size_t l = 0; l + 1 < p.layers.size(); ++l) x = activated(p.layers[l], x);
  return head(p.layers.back(), x);
}

}  // namespace deepcfr::nn
