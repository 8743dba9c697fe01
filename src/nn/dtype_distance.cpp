// How far bfloat16 lies from float32, for logs and benchmarks.
#include <algorithm>
#include <cmath>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/nn/forward_engine.h"
#include "player_forward.h"

namespace deepcfr {
namespace {

/// Outputs of a network for rows as the encoder writes them.
std::vector<float> answers(const Network& network, std::span<const float> rows, std::int64_t count, RowType type) {
  constexpr std::int64_t kBlock = 256;
  const nn::Bfloat16Unit unit = nn::best_bfloat16_unit();
  std::unique_ptr<nn::PlayerForward> forward;
  if (network.options().type == NetworkType::card_bet)
    forward = nn::make_card_bet_forward(network, type, false, unit);
  else
    forward = type == RowType::float32 ? nn::make_mlp_forward(network) : nn::make_mlp_bfloat16_forward(network, unit);
  Minibatch batch;
  batch.prepare(0, forward->format(), std::max<std::int64_t>(1, count), network.outputs(), nullptr);
  batch.rows = count;
  const std::int64_t width = network.layout().width;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::span<const float> row = rows.subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width));
    if (type == RowType::float32)
      std::copy(row.begin(), row.end(), reinterpret_cast<float*>(batch.row(i)));
    else
      std::transform(row.begin(), row.end(), reinterpret_cast<nn::Bfloat16Bits*>(batch.row(i)), to_bfloat16);
  }
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const std::int64_t n = std::min(kBlock, count - first);
    forward->forward({{{&batch, first, n}}, n});
  }
  return std::move(batch.advantages);
}

DtypeDistance::Figures figures(std::vector<double>& distances) {
  if (distances.empty()) return {};
  std::sort(distances.begin(), distances.end());
  double sum = 0;
  for (const double d : distances) sum += d;
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(distances.size())));
  return {sum / static_cast<double>(distances.size()), distances[rank - 1], distances.back()};
}

}  // namespace

DtypeDistance measure_distance(const Network& network, std::span<const float> rows, std::span<const ActionMask> legal) {
  const auto count = static_cast<std::int64_t>(legal.size());
  DEEPCFR_CHECK(rows.size() == legal.size() * static_cast<std::size_t>(network.layout().width));
  const std::vector<float> exact = answers(network, rows, count, RowType::float32);
  const std::vector<float> rounded = answers(network, rows, count, RowType::bfloat16);
  const auto actions = static_cast<std::size_t>(network.outputs());
  std::vector<double> advantages, strategies, strategy(actions), other(actions);
  double magnitude = 0;
  std::int64_t values = 0;
  for (std::size_t i = 0; i < legal.size(); ++i) {
    const auto a = std::span(exact).subspan(i * actions, actions), b = std::span(rounded).subspan(i * actions, actions);
    regret_matching(a, legal[i], strategy);
    regret_matching(b, legal[i], other);
    double advantage = 0, probability = 0;
    for (std::size_t k = 0; k < actions; ++k) {
      if ((legal[i] >> k & 1) == 0) continue;
      advantage = std::max(advantage, std::abs(static_cast<double>(a[k]) - static_cast<double>(b[k])));
      probability = std::max(probability, std::abs(strategy[k] - other[k]));
      magnitude += std::abs(static_cast<double>(a[k]));
      ++values;
    }
    advantages.push_back(advantage);
    strategies.push_back(probability);
  }
  return {count, values == 0 ? 0.0 : magnitude / static_cast<double>(values), figures(advantages), figures(strategies)};
}

}  // namespace deepcfr
