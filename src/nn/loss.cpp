#include "loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "deepcfr/core/error.h"
#include "deepcfr/game/state.h"

namespace deepcfr::nn {
namespace {

using Row = std::array<float, 16>;
static_assert(kMaxActions <= 16);

std::size_t row_count(const LossRows& rows, std::span<float> gradient) {
  const auto actions = static_cast<std::size_t>(rows.actions);
  const std::size_t count = rows.weights.size();
  DEEPCFR_CHECK(actions >= 1 && actions <= Row{}.size());
  DEEPCFR_CHECK(rows.outputs.size() == count * actions && rows.targets.size() == count * actions &&
                rows.mask.size() == count * actions && gradient.size() == count * actions);
  return count;
}

double divisor_of(const LossRows& rows) {
  return static_cast<double>(rows.divisor > 0 ? rows.divisor
                                              : std::max<std::int64_t>(1, static_cast<std::int64_t>(rows.weights.size())));
}

/// log Σ exp over legal outputs and the outputs less it, in float32.
void log_softmax(std::span<const float> outputs, std::span<const float> mask, Row& log_p) {
  float largest = -std::numeric_limits<float>::infinity();
  for (std::size_t a = 0; a < outputs.size(); ++a)
    if (mask[a] > 0.0F) largest = std::max(largest, outputs[a]);
  float sum = 0;
  for (std::size_t a = 0; a < outputs.size(); ++a)
    if (mask[a] > 0.0F) sum += std::exp(outputs[a] - largest);
  const float log_sum = std::log(sum);
  for (std::size_t a = 0; a < outputs.size(); ++a) log_p[a] = mask[a] > 0.0F ? outputs[a] - largest - log_sum : 0.0F;
}

bool any_legal(std::span<const float> mask) {
  return std::any_of(mask.begin(), mask.end(), [](float m) { return m > 0.0F; });
}

}  // namespace

double advantage_loss(const LossRows& rows, std::span<float> gradient) {
  const std::size_t count = row_count(rows, gradient);
  const auto actions = static_cast<std::size_t>(rows.actions);
  const float scale = 2.0F / static_cast<float>(divisor_of(rows));
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float weight = rows.weights[i];
    float squares = 0;
    for (std::size_t k = i * actions; k < (i + 1) * actions; ++k) {
      const bool counts = rows.mask[k] > 0.0F && weight != 0.0F;
      const float difference = counts ? rows.outputs[k] - rows.targets[k] : 0.0F;
      squares += difference * difference;
      gradient[k] = counts ? scale * weight * difference : 0.0F;
    }
    if (weight != 0.0F) total += static_cast<double>(weight) * static_cast<double>(squares);
  }
  return total / divisor_of(rows);
}

double strategy_loss(const LossRows& rows, StrategyLoss kind, std::span<float> gradient) {
  const std::size_t count = row_count(rows, gradient);
  const auto actions = static_cast<std::size_t>(rows.actions);
  double total = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto outputs = rows.outputs.subspan(i * actions, actions);
    const auto targets = rows.targets.subspan(i * actions, actions);
    const auto mask = rows.mask.subspan(i * actions, actions);
    const auto g = gradient.subspan(i * actions, actions);
    const float weight = rows.weights[i];
    std::fill(g.begin(), g.end(), 0.0F);
    if (weight == 0.0F || !any_legal(mask)) continue;
    Row log_p{};
    log_softmax(outputs, mask, log_p);
    const float scale = weight / static_cast<float>(divisor_of(rows));
    float loss = 0, target_sum = 0, projection = 0;
    Row p{}, d{};
    for (std::size_t a = 0; a < actions; ++a) {
      if (!(mask[a] > 0.0F)) continue;
      p[a] = std::exp(log_p[a]);
      d[a] = p[a] - targets[a];
      loss += kind == StrategyLoss::cross_entropy ? -targets[a] * log_p[a] : d[a] * d[a];
      target_sum += targets[a];
      projection += p[a] * 2.0F * d[a];
    }
    for (std::size_t a = 0; a < actions; ++a) {
      if (!(mask[a] > 0.0F)) continue;
      g[a] = scale * (kind == StrategyLoss::cross_entropy ? p[a] * target_sum - targets[a] : p[a] * (2.0F * d[a] - projection));
    }
    total += static_cast<double>(weight) * static_cast<double>(loss);
  }
  return total / divisor_of(rows);
}

void masked_softmax(std::span<const float> outputs, std::span<const float> mask, std::span<float> p) {
  Row log_p{};
  log_softmax(outputs, mask, log_p);
  for (std::size_t a = 0; a < p.size(); ++a) p[a] = mask[a] > 0.0F ? std::exp(log_p[a]) : 0.0F;
}

}  // namespace deepcfr::nn
