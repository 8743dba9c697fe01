#include <algorithm>
#include <cmath>

#include "card_bet.h"
#include "deepcfr/core/error.h"

namespace deepcfr::nn {

float lane_sum(simd::Vec v) {
  alignas(64) std::array<float, simd::kWidth> lanes;
  simd::store(lanes.data(), v);
  float sum = 0;
  for (const float x : lanes) sum += x;
  return sum;
}

CardBetForward::CardBetForward(const CardBet& model, Products& products)
    : embedded(model.ranks.size()), model_(model), products_(products), real_(static_cast<std::size_t>(padded(model.dim))) {
  std::fill_n(real_.data(), model.dim, 1.0F);
}

void CardBetForward::reserve(std::int64_t count) {
  features.reserve(panel_floats(count, model_.layout().bet_width));
  for (AlignedFloats* b : {&bet[0], &bet[1], &trunk[0], &trunk[1], &trunk[2], &normal})
    b->reserve(panel_floats(count, model_.dim));
  out.reserve(panel_floats(count, model_.outputs()));
  deviation.resize(static_cast<std::size_t>(count));
}

std::int8_t CardBetForward::checked_card(float number) {
  DEEPCFR_CHECK(number >= -1.0F && number < CardBet::kRanks * CardBet::kSuits, "card number out of range");
  return static_cast<std::int8_t>(number);
}

/// y = inputs · weights + bias + skip, each input with its own part of the weights; then the ReLU, if the layer has all its
/// parts.
void CardBetForward::dense(std::int64_t count, std::size_t layer, const float* packed, std::span<const float* const> inputs,
                           float* y, const float* skip) {
  const DenseLayer& l = model_.layers()[layer];
  for (std::size_t part = 0; part < inputs.size(); ++part) {
    const ProductOptions options{
        .bias = part == 0 ? packed + l.bias : nullptr, .add = part == 0 ? skip : y, .relu = l.relu && part + 1 == l.parts.size()};
    products_.forward(count, l.parts[part], l.out, inputs[part], packed + l.weight[part], y, options);
  }
}

void CardBetForward::embed(std::int64_t count, std::size_t group, const float* packed, const std::int8_t* cards) {
  float* sums = embedded[group].data();
  std::fill_n(sums, panel_floats(count, model_.dim), 0.0F);
  const float* ranks = packed + model_.tables()[model_.ranks[group]].packed;
  const float* suits = packed + model_.tables()[model_.suits[group]].packed;
  const int width = padded(model_.dim);
  for_each_card(model_.layout(), group, count, cards, [&](std::int64_t r, int rank, int suit) {
    for (int d = 0; d < width; d += simd::kWidth) {
      float* to = sums + panel_index(count, r, d);
      const simd::Vec e = simd::add(simd::load(ranks + rank * width + d), simd::load(suits + suit * width + d));
      simd::store(to, simd::add(simd::load(to), e));
    }
  });
}

/// normal = (x − mean) / (s + ε), s² = Σ (x − mean)² / (dim − 1), x the last features.
void CardBetForward::normalise(std::int64_t count) {
  const int width = padded(model_.dim);
  const float n = static_cast<float>(model_.dim);
  for (std::int64_t r = 0; r < count; ++r) {
    const float* x = trunk[2].data();
    float* z = normal.data();
    simd::Vec sum = simd::zero();
    for (int d = 0; d < width; d += simd::kWidth) sum = simd::add(sum, simd::load(x + panel_index(count, r, d)));
    const simd::Vec mean = simd::set1(lane_sum(sum) / n);
    simd::Vec squares = simd::zero();
    for (int d = 0; d < width; d += simd::kWidth) {
      const std::size_t at = panel_index(count, r, d);
      const simd::Vec centred = simd::mul(simd::sub(simd::load(x + at), mean), simd::load(real_.data() + d));
      squares = simd::fmadd(centred, centred, squares);
      simd::store(z + at, centred);
    }
    const float s = std::sqrt(lane_sum(squares) / (n - 1.0F));
    deviation[static_cast<std::size_t>(r)] = s;
    const simd::Vec scale = simd::set1(1.0F / (s + CardBet::kNormalisationEpsilon));
    for (int d = 0; d < width; d += simd::kWidth) {
      float* at = z + panel_index(count, r, d);
      simd::store(at, simd::mul(simd::load(at), scale));
    }
  }
}

void CardBetForward::run_cards(std::int64_t count, const float* packed, const std::int8_t* cards, float* start) {
  const std::size_t wide = panel_floats(count, model_.layers()[model_.card[0]].out);
  card[0].reserve(wide);
  card[1].reserve(wide);
  card[2].reserve(panel_floats(count, model_.dim));
  std::vector<const float*> groups;
  for (std::size_t g = 0; g < embedded.size(); ++g) {
    embedded[g].reserve(panel_floats(count, model_.dim));
    embed(count, g, packed, cards);
    groups.push_back(embedded[g].data());
  }
  dense(count, model_.card[0], packed, groups, card[0].data());
  for (std::size_t i = 1; i < 3; ++i) {
    const float* x = card[i - 1].data();
    dense(count, model_.card[i], packed, {&x, 1}, card[i].data());
  }
  const float* last = card[2].data();
  dense(count, model_.trunk[0], packed, {&last, 1}, start);  // the first of two parts
}

const float* CardBetForward::run_rows(std::int64_t count, const float* packed) {
  const auto single = [&](std::size_t layer, const float* x, float* y, const float* skip = nullptr) {
    dense(count, layer, packed, {&x, 1}, y, skip);
  };
  single(model_.bet[0], features.data(), bet[0].data());
  single(model_.bet[1], bet[0].data(), bet[1].data(), bet[0].data());
  const DenseLayer& join = model_.layers()[model_.trunk[0]];
  products_.forward(count, join.parts[1], join.out, bet[1].data(), packed + join.weight[1], trunk[0].data(),
                    {.add = trunk[0].data(), .relu = true});
  single(model_.trunk[1], trunk[0].data(), trunk[1].data(), trunk[0].data());
  single(model_.trunk[2], trunk[1].data(), trunk[2].data(), trunk[1].data());
  normalise(count);
  single(model_.head, normal.data(), out.data());
  return out.data();
}

}  // namespace deepcfr::nn
