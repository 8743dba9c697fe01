// Parameters of `card_bet`, and its way back.
#include "card_bet.h"

#include <algorithm>

#include "deepcfr/core/error.h"

namespace deepcfr::nn {

CardBet::CardBet(const FeatureLayout& layout, int outputs, const NetworkOptions& options)
    : Model(layout, outputs), dim(options.dim) {
  DEEPCFR_CHECK(dim >= 2 && options.card_branch_width >= 1 && layout.groups >= 1 && layout.bet_width >= 1);
  DEEPCFR_CHECK(layout.card_count + layout.bet_width == layout.width);
  for (int g = 0; g < layout.groups; ++g) {
    const std::string name = "group" + std::to_string(g);
    ranks.push_back(add_table(name + ".rank", kRanks, dim));
    suits.push_back(add_table(name + ".suit", kSuits, dim));
  }
  const int wide = options.card_branch_width;
  card = {add_layer("card0", std::vector<int>(static_cast<std::size_t>(layout.groups), dim), wide, true),
          add_layer("card1", {wide}, wide, true), add_layer("card2", {wide}, dim, true)};
  bet = {add_layer("bet0", {layout.bet_width}, dim, true), add_layer("bet1", {dim}, dim, true)};
  trunk = {add_layer("trunk0", {dim, dim}, dim, true), add_layer("trunk1", {dim}, dim, true),
           add_layer("trunk2", {dim}, dim, true)};
  head = add_layer("head", {dim}, outputs, false);
}

namespace {

class CardBetPass final : public Pass {
 public:
  CardBetPass(const CardBet& model, Amp amp)
      : model_(model), products_(make_products(amp)), forward_(model, *products_), d_embedded_(model.ranks.size()) {}

  void load(std::span<const float> rows, std::int64_t count) override;
  const float* forward(const float* packed) override {
    forward_.run_cards(count_, packed, cards_.data(), forward_.trunk[0].data());
    return forward_.run_rows(count_, packed);
  }
  void backward(const float* packed, const float* d_out, bool add, float* gradient) override;
  std::int64_t block_rows() const override { return cached_rows(4 * model_.layers()[model_.card[0]].out + 20 * model_.dim); }

 private:
  void dense_gradient(std::size_t layer, std::span<const float* const> inputs, const float* dy, bool add, float* gradient);
  float* input_gradient(std::size_t layer, std::size_t part, const float* packed, const float* dy, AlignedFloats& dx,
                        const ProductOptions& options);
  void embed_gradient(std::size_t group, const float* d_embedded, bool add, float* gradient);
  void normalise_gradient();

  const CardBet& model_;
  std::unique_ptr<Products> products_;
  CardBetForward forward_;
  std::int64_t count_ = 0;
  std::vector<std::int8_t> cards_;  // [row][card], −1 none
  std::vector<AlignedFloats> d_embedded_;
  std::array<AlignedFloats, 3> d_card_, d_trunk_;
  std::array<AlignedFloats, 2> d_bet_;
  AlignedFloats d_normal_;
};

void CardBetPass::load(std::span<const float> rows, std::int64_t count) {
  const FeatureLayout& layout = model_.layout();
  const auto width = static_cast<std::size_t>(layout.width);
  DEEPCFR_CHECK(rows.size() == static_cast<std::size_t>(count) * width);
  count_ = count;
  cards_.resize(static_cast<std::size_t>(count * layout.card_count));
  std::vector<float> bets(static_cast<std::size_t>(count * layout.bet_width));
  for (std::int64_t r = 0; r < count; ++r) {
    const float* row = rows.data() + static_cast<std::size_t>(r) * width;
    for (int i = 0; i < layout.card_count; ++i)
      cards_[static_cast<std::size_t>(r * layout.card_count + i)] = CardBetForward::checked_card(row[i]);
    std::copy_n(row + layout.card_count, layout.bet_width, bets.data() + r * layout.bet_width);
  }
  forward_.reserve(count);
  to_panels(count, layout.bet_width, bets.data(), forward_.features.data());
}

void CardBetPass::dense_gradient(std::size_t layer, std::span<const float* const> inputs, const float* dy, bool add,
                                 float* gradient) {
  const DenseLayer& l = model_.layers()[layer];
  for (std::size_t part = 0; part < inputs.size(); ++part)
    products_->backward_weight(count_, l.parts[part], l.out, inputs[part], dy, add, gradient + l.weight[part]);
  column_sums(count_, l.out, dy, add, gradient + l.bias);
}

float* CardBetPass::input_gradient(std::size_t layer, std::size_t part, const float* packed, const float* dy, AlignedFloats& dx,
                                   const ProductOptions& options) {
  const DenseLayer& l = model_.layers()[layer];
  dx.reserve(panel_floats(count_, l.parts[part]));
  products_->backward_input(count_, l.parts[part], l.out, dy, packed + l.weight[part], dx.data(), options);
  return dx.data();
}

void CardBetPass::embed_gradient(std::size_t group, const float* d_embedded, bool add, float* gradient) {
  const EmbeddingTable& rank_table = model_.tables()[model_.ranks[group]];
  const EmbeddingTable& suit_table = model_.tables()[model_.suits[group]];
  float* ranks = gradient + rank_table.packed;
  float* suits = gradient + suit_table.packed;
  const int width = padded(model_.dim);
  if (!add) {
    std::fill_n(ranks, CardBet::kRanks * width, 0.0F);
    std::fill_n(suits, CardBet::kSuits * width, 0.0F);
  }
  for_each_card(model_.layout(), group, count_, cards_.data(), [&](std::int64_t r, int rank, int suit) {
    for (int d = 0; d < width; d += simd::kWidth) {
      const simd::Vec g = simd::load(d_embedded + panel_index(count_, r, d));
      for (float* to : {ranks + rank * width + d, suits + suit * width + d}) simd::store(to, simd::add(simd::load(to), g));
    }
  });
}

/// dx = (dz − mean dz) / (s + ε) − z · Σ dz z / ((dim − 1) s), 0 for the last term when s = 0; then the ReLU of the features.
void CardBetPass::normalise_gradient() {
  const int width = padded(model_.dim);
  const float n = static_cast<float>(model_.dim);
  d_trunk_[2].reserve(panel_floats(count_, model_.dim));
  for (std::int64_t r = 0; r < count_; ++r) {
    simd::Vec sum = simd::zero();
    simd::Vec product = simd::zero();
    for (int d = 0; d < width; d += simd::kWidth) {
      const std::size_t at = panel_index(count_, r, d);
      const simd::Vec dz = simd::load(d_normal_.data() + at);
      sum = simd::add(sum, dz);
      product = simd::fmadd(dz, simd::load(forward_.normal.data() + at), product);
    }
    const float s = forward_.deviation[static_cast<std::size_t>(r)];
    const simd::Vec mean = simd::set1(lane_sum(sum) / n);
    const simd::Vec scale = simd::set1(1.0F / (s + CardBet::kNormalisationEpsilon));
    const simd::Vec pull = simd::set1(s > 0.0F ? -lane_sum(product) / ((n - 1.0F) * s) : 0.0F);
    for (int d = 0; d < width; d += simd::kWidth) {
      const std::size_t at = panel_index(count_, r, d);
      const simd::Vec direct = simd::mul(simd::sub(simd::load(d_normal_.data() + at), mean), scale);
      const simd::Vec dx = simd::fmadd(simd::load(forward_.normal.data() + at), pull, direct);
      simd::store(d_trunk_[2].data() + at, simd::where_positive(dx, simd::load(forward_.trunk[2].data() + at)));
    }
  }
}

void CardBetPass::backward(const float* packed, const float* d_out, bool add, float* gradient) {
  const auto layer_gradient = [&](std::size_t layer, const float* x, const float* dy) {
    dense_gradient(layer, {&x, 1}, dy, add, gradient);
  };
  layer_gradient(model_.head, forward_.normal.data(), d_out);
  input_gradient(model_.head, 0, packed, d_out, d_normal_, {});
  normalise_gradient();
  for (std::size_t i = 2; i > 0; --i) {
    const float* dy = d_trunk_[i].data();
    layer_gradient(model_.trunk[i], forward_.trunk[i - 1].data(), dy);
    input_gradient(model_.trunk[i], 0, packed, dy, d_trunk_[i - 1], {.add = dy, .mask = forward_.trunk[i - 1].data()});
  }
  const float* dy = d_trunk_[0].data();
  const std::array<const float*, 2> branches = {forward_.card[2].data(), forward_.bet[1].data()};
  dense_gradient(model_.trunk[0], branches, dy, add, gradient);
  input_gradient(model_.trunk[0], 0, packed, dy, d_card_[2], {.mask = forward_.card[2].data()});
  const float* d_bet = input_gradient(model_.trunk[0], 1, packed, dy, d_bet_[1], {.mask = forward_.bet[1].data()});

  layer_gradient(model_.bet[1], forward_.bet[0].data(), d_bet);
  input_gradient(model_.bet[1], 0, packed, d_bet, d_bet_[0], {.add = d_bet, .mask = forward_.bet[0].data()});
  layer_gradient(model_.bet[0], forward_.features.data(), d_bet_[0].data());

  for (std::size_t i = 2; i > 0; --i) {
    layer_gradient(model_.card[i], forward_.card[i - 1].data(), d_card_[i].data());
    input_gradient(model_.card[i], 0, packed, d_card_[i].data(), d_card_[i - 1], {.mask = forward_.card[i - 1].data()});
  }
  std::vector<const float*> groups;
  for (const AlignedFloats& e : forward_.embedded) groups.push_back(e.data());
  dense_gradient(model_.card[0], groups, d_card_[0].data(), add, gradient);
  for (std::size_t g = 0; g < groups.size(); ++g)
    embed_gradient(g, input_gradient(model_.card[0], g, packed, d_card_[0].data(), d_embedded_[g], {}), add, gradient);
}

}  // namespace

std::unique_ptr<Pass> CardBet::make_pass(Amp amp) const { return std::make_unique<CardBetPass>(*this, amp); }

std::shared_ptr<const Model> make_card_bet(const FeatureLayout& layout, int outputs, const NetworkOptions& options) {
  return std::make_shared<CardBet>(layout, outputs, options);
}

}  // namespace deepcfr::nn
