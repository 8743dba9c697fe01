#include "device_loss.h"

#include <ATen/ATen.h>

#include <limits>

namespace deepcfr::nn {
namespace {

/// Σ w_i · loss_i ÷ rows. A row of weight 0 has loss 0, whatever stands in it.
at::Tensor weighted_mean(const at::Tensor& losses, const at::Tensor& weights) {
  return (losses * weights).sum() / static_cast<double>(weights.size(0));
}

at::Tensor advantage_loss(const at::Tensor& outputs, const DeviceLossRows& rows) {
  const at::Tensor counts = at::logical_and(rows.mask > 0, (rows.weights != 0).unsqueeze(1));
  const at::Tensor difference = at::where(counts, outputs - rows.targets, at::zeros_like(outputs));
  return weighted_mean((difference * difference).sum(1), rows.weights);
}

at::Tensor strategy_loss(StrategyLoss kind, const at::Tensor& outputs, const DeviceLossRows& rows) {
  const at::Tensor legal = rows.mask > 0;
  const at::Tensor counts = at::logical_and(legal.any(1), rows.weights != 0).unsqueeze(1);  // rows
  const at::Tensor zero = at::zeros_like(outputs);
  // a row that does not count gets outputs that no arithmetic can spoil
  const at::Tensor logits = at::where(counts, at::where(legal, outputs, at::full_like(outputs, -std::numeric_limits<float>::infinity())), zero);
  const at::Tensor of_row = at::logical_and(legal, counts);
  const at::Tensor log_p = at::where(of_row, at::log_softmax(logits, 1), zero);
  if (kind == StrategyLoss::cross_entropy) return weighted_mean(-at::where(of_row, rows.targets * log_p, zero).sum(1), rows.weights);
  const at::Tensor difference = at::where(of_row, log_p.exp() - rows.targets, zero);
  return weighted_mean((difference * difference).sum(1), rows.weights);
}

}  // namespace

at::Tensor device_loss(FitKind kind, StrategyLoss strategy, const at::Tensor& outputs, const DeviceLossRows& rows) {
  return kind == FitKind::advantage ? advantage_loss(outputs, rows) : strategy_loss(strategy, outputs, rows);
}

}  // namespace deepcfr::nn
