// `card_bet`: the network of Brown et al. 2019, appendix C. Per card group (hole, each round's board) rank and suit embeddings
// summed over its cards; groups concatenated into the card branch; bet branch and trunk with skip connections; the last features
// normalised row by row; linear head. Departures: no embedding of the single card beside rank and suit, and ε in the
// normalisation (the paper's code divides by the bare standard deviation, which is 0 for a constant row).
#include <algorithm>
#include <array>
#include <cmath>

#include "deepcfr/core/error.h"
#include "model.h"

namespace deepcfr::nn {
namespace {

constexpr int kRanks = 13;
constexpr int kSuits = 4;
constexpr float kNormalisationEpsilon = 1e-3F;  // beside a standard deviation of order 1; a constant row gives zeros

class CardBet final : public Model {
 public:
  CardBet(const FeatureLayout& layout, int outputs, const NetworkOptions& options) : Model(layout, outputs), dim(options.dim) {
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
  std::unique_ptr<Pass> make_pass(Amp amp) const override;

  int dim;
  std::vector<std::size_t> ranks, suits;  // tables by group
  std::array<std::size_t, 3> card, trunk;
  std::array<std::size_t, 2> bet;
  std::size_t head;
};

float lane_sum(simd::Vec v) {
  alignas(64) std::array<float, simd::kWidth> lanes;
  simd::store(lanes.data(), v);
  float sum = 0;
  for (const float x : lanes) sum += x;
  return sum;
}

class CardBetPass final : public Pass {
 public:
  CardBetPass(const CardBet& model, Amp amp)
      : model_(model),
        products_(make_products(amp)),
        embedded_(model.ranks.size()),
        d_embedded_(model.ranks.size()),
        real_(static_cast<std::size_t>(padded(model.dim))) {
    std::fill_n(real_.data(), model.dim, 1.0F);
  }

  void load(std::span<const float> rows, std::int64_t count) override;
  const float* forward(const float* packed) override;
  void backward(const float* packed, const float* d_out, bool add, float* gradient) override;
  std::int64_t block_rows() const override { return cached_rows(4 * model_.layers()[model_.card[0]].out + 20 * model_.dim); }

 private:
  void dense(std::size_t layer, const float* packed, std::span<const float* const> inputs, float* y, bool relu,
             const float* skip);
  void dense_gradient(std::size_t layer, std::span<const float* const> inputs, const float* dy, bool add, float* gradient);
  float* input_gradient(std::size_t layer, std::size_t part, const float* packed, const float* dy, AlignedFloats& dx,
                        const ProductOptions& options);
  void embed(std::size_t group, const float* packed);
  void embed_gradient(std::size_t group, const float* d_embedded, bool add, float* gradient);
  void normalise();
  void normalise_gradient();
  int card_at(std::int64_t row, int i) const { return cards_[static_cast<std::size_t>(row * model_.layout().card_count + i)]; }

  const CardBet& model_;
  std::unique_ptr<Products> products_;
  std::int64_t count_ = 0;
  std::vector<int> cards_;  // [row][card], −1 none
  AlignedFloats features_;  // betting features
  std::vector<AlignedFloats> embedded_, d_embedded_;
  std::array<AlignedFloats, 3> card_, d_card_, trunk_, d_trunk_;
  std::array<AlignedFloats, 2> bet_, d_bet_;
  AlignedFloats normal_, d_normal_, out_;
  std::vector<float> deviation_;  // by row
  AlignedFloats real_;            // 1 for columns that exist, 0 for padding
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
    for (int i = 0; i < layout.card_count; ++i) {
      const float number = row[i];
      DEEPCFR_CHECK(number >= -1.0F && number < kRanks * kSuits, "card number out of range");
      cards_[static_cast<std::size_t>(r * layout.card_count + i)] = static_cast<int>(number);
    }
    std::copy_n(row + layout.card_count, layout.bet_width, bets.data() + r * layout.bet_width);
  }
  features_.reserve(panel_floats(count, layout.bet_width));
  to_panels(count, layout.bet_width, bets.data(), features_.data());
  const std::size_t narrow = panel_floats(count, model_.dim);
  const std::size_t wide = panel_floats(count, model_.layers()[model_.card[0]].out);
  for (AlignedFloats& b : embedded_) b.reserve(narrow);
  card_[0].reserve(wide);
  card_[1].reserve(wide);
  for (AlignedFloats* b : {&card_[2], &bet_[0], &bet_[1], &trunk_[0], &trunk_[1], &trunk_[2], &normal_}) b->reserve(narrow);
  out_.reserve(panel_floats(count, model_.outputs()));
  deviation_.resize(static_cast<std::size_t>(count));
}

void CardBetPass::dense(std::size_t layer, const float* packed, std::span<const float* const> inputs, float* y, bool relu,
                        const float* skip) {
  const DenseLayer& l = model_.layers()[layer];
  for (std::size_t part = 0; part < inputs.size(); ++part) {
    const ProductOptions options{
        .bias = part == 0 ? packed + l.bias : nullptr, .add = part == 0 ? skip : y, .relu = relu && part + 1 == inputs.size()};
    products_->forward(count_, l.parts[part], l.out, inputs[part], packed + l.weight[part], y, options);
  }
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

/// Calls visit(row, rank, suit) for the present cards of a group.
template <typename CardAt, typename Visit>
void for_each_card(const FeatureLayout& layout, std::size_t group, std::int64_t count, const CardAt& card_at,
                   const Visit& visit) {
  int first = 0;
  for (std::size_t g = 0; g < group; ++g) first += layout.group_size[g];
  for (std::int64_t r = 0; r < count; ++r)
    for (int i = first; i < first + layout.group_size[group]; ++i)
      if (const int c = card_at(r, i); c >= 0) visit(r, c / kSuits, c % kSuits);
}

void CardBetPass::embed(std::size_t group, const float* packed) {
  float* out = embedded_[group].data();
  std::fill_n(out, panel_floats(count_, model_.dim), 0.0F);
  const float* ranks = packed + model_.tables()[model_.ranks[group]].packed;
  const float* suits = packed + model_.tables()[model_.suits[group]].packed;
  const int width = padded(model_.dim);
  for_each_card(
      model_.layout(), group, count_, [&](std::int64_t r, int i) { return card_at(r, i); },
      [&](std::int64_t r, int rank, int suit) {
        for (int d = 0; d < width; d += simd::kWidth) {
          float* to = out + panel_index(count_, r, d);
          const simd::Vec e = simd::add(simd::load(ranks + rank * width + d), simd::load(suits + suit * width + d));
          simd::store(to, simd::add(simd::load(to), e));
        }
      });
}

void CardBetPass::embed_gradient(std::size_t group, const float* d_embedded, bool add, float* gradient) {
  const EmbeddingTable& rank_table = model_.tables()[model_.ranks[group]];
  const EmbeddingTable& suit_table = model_.tables()[model_.suits[group]];
  float* ranks = gradient + rank_table.packed;
  float* suits = gradient + suit_table.packed;
  const int width = padded(model_.dim);
  if (!add) {
    std::fill_n(ranks, kRanks * width, 0.0F);
    std::fill_n(suits, kSuits * width, 0.0F);
  }
  for_each_card(
      model_.layout(), group, count_, [&](std::int64_t r, int i) { return card_at(r, i); },
      [&](std::int64_t r, int rank, int suit) {
        for (int d = 0; d < width; d += simd::kWidth) {
          const simd::Vec g = simd::load(d_embedded + panel_index(count_, r, d));
          for (float* to : {ranks + rank * width + d, suits + suit * width + d}) simd::store(to, simd::add(simd::load(to), g));
        }
      });
}

/// normal = (x − mean) / (s + ε), s² = Σ (x − mean)² / (dim − 1), x the last features.
void CardBetPass::normalise() {
  const int width = padded(model_.dim);
  const float n = static_cast<float>(model_.dim);
  for (std::int64_t r = 0; r < count_; ++r) {
    const float* x = trunk_[2].data();
    float* z = normal_.data();
    simd::Vec sum = simd::zero();
    for (int d = 0; d < width; d += simd::kWidth) sum = simd::add(sum, simd::load(x + panel_index(count_, r, d)));
    const simd::Vec mean = simd::set1(lane_sum(sum) / n);
    simd::Vec squares = simd::zero();
    for (int d = 0; d < width; d += simd::kWidth) {
      const std::size_t at = panel_index(count_, r, d);
      const simd::Vec centred = simd::mul(simd::sub(simd::load(x + at), mean), simd::load(real_.data() + d));
      squares = simd::fmadd(centred, centred, squares);
      simd::store(z + at, centred);
    }
    const float s = std::sqrt(lane_sum(squares) / (n - 1.0F));
    deviation_[static_cast<std::size_t>(r)] = s;
    const simd::Vec scale = simd::set1(1.0F / (s + kNormalisationEpsilon));
    for (int d = 0; d < width; d += simd::kWidth) {
      float* at = z + panel_index(count_, r, d);
      simd::store(at, simd::mul(simd::load(at), scale));
    }
  }
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
      product = simd::fmadd(dz, simd::load(normal_.data() + at), product);
    }
    const float s = deviation_[static_cast<std::size_t>(r)];
    const simd::Vec mean = simd::set1(lane_sum(sum) / n);
    const simd::Vec scale = simd::set1(1.0F / (s + kNormalisationEpsilon));
    const simd::Vec pull = simd::set1(s > 0.0F ? -lane_sum(product) / ((n - 1.0F) * s) : 0.0F);
    for (int d = 0; d < width; d += simd::kWidth) {
      const std::size_t at = panel_index(count_, r, d);
      const simd::Vec direct = simd::mul(simd::sub(simd::load(d_normal_.data() + at), mean), scale);
      const simd::Vec dx = simd::fmadd(simd::load(normal_.data() + at), pull, direct);
      simd::store(d_trunk_[2].data() + at, simd::where_positive(dx, simd::load(trunk_[2].data() + at)));
    }
  }
}

const float* CardBetPass::forward(const float* packed) {
  std::vector<const float*> groups;
  for (std::size_t g = 0; g < embedded_.size(); ++g) {
    embed(g, packed);
    groups.push_back(embedded_[g].data());
  }
  const auto single = [&](std::size_t layer, const float* x, float* y, const float* skip = nullptr) {
    dense(layer, packed, {&x, 1}, y, true, skip);
  };
  dense(model_.card[0], packed, groups, card_[0].data(), true, nullptr);
  single(model_.card[1], card_[0].data(), card_[1].data());
  single(model_.card[2], card_[1].data(), card_[2].data());
  single(model_.bet[0], features_.data(), bet_[0].data());
  single(model_.bet[1], bet_[0].data(), bet_[1].data(), bet_[0].data());
  const std::array<const float*, 2> branches = {card_[2].data(), bet_[1].data()};
  dense(model_.trunk[0], packed, branches, trunk_[0].data(), true, nullptr);
  single(model_.trunk[1], trunk_[0].data(), trunk_[1].data(), trunk_[0].data());
  single(model_.trunk[2], trunk_[1].data(), trunk_[2].data(), trunk_[1].data());
  normalise();
  const float* last = normal_.data();
  dense(model_.head, packed, {&last, 1}, out_.data(), false, nullptr);
  return out_.data();
}

void CardBetPass::backward(const float* packed, const float* d_out, bool add, float* gradient) {
  const auto layer_gradient = [&](std::size_t layer, const float* x, const float* dy) {
    dense_gradient(layer, {&x, 1}, dy, add, gradient);
  };
  layer_gradient(model_.head, normal_.data(), d_out);
  input_gradient(model_.head, 0, packed, d_out, d_normal_, {});
  normalise_gradient();
  for (std::size_t i = 2; i > 0; --i) {
    const float* dy = d_trunk_[i].data();
    layer_gradient(model_.trunk[i], trunk_[i - 1].data(), dy);
    input_gradient(model_.trunk[i], 0, packed, dy, d_trunk_[i - 1], {.add = dy, .mask = trunk_[i - 1].data()});
  }
  const float* dy = d_trunk_[0].data();
  const std::array<const float*, 2> branches = {card_[2].data(), bet_[1].data()};
  dense_gradient(model_.trunk[0], branches, dy, add, gradient);
  input_gradient(model_.trunk[0], 0, packed, dy, d_card_[2], {.mask = card_[2].data()});
  const float* d_bet = input_gradient(model_.trunk[0], 1, packed, dy, d_bet_[1], {.mask = bet_[1].data()});

  layer_gradient(model_.bet[1], bet_[0].data(), d_bet);
  input_gradient(model_.bet[1], 0, packed, d_bet, d_bet_[0], {.add = d_bet, .mask = bet_[0].data()});
  layer_gradient(model_.bet[0], features_.data(), d_bet_[0].data());

  for (std::size_t i = 2; i > 0; --i) {
    layer_gradient(model_.card[i], card_[i - 1].data(), d_card_[i].data());
    input_gradient(model_.card[i], 0, packed, d_card_[i].data(), d_card_[i - 1], {.mask = card_[i - 1].data()});
  }
  std::vector<const float*> groups;
  for (const AlignedFloats& e : embedded_) groups.push_back(e.data());
  dense_gradient(model_.card[0], groups, d_card_[0].data(), add, gradient);
  for (std::size_t g = 0; g < groups.size(); ++g)
    embed_gradient(g, input_gradient(model_.card[0], g, packed, d_card_[0].data(), d_embedded_[g], {}), add, gradient);
}

std::unique_ptr<Pass> CardBet::make_pass(Amp amp) const { return std::make_unique<CardBetPass>(*this, amp); }

}  // namespace

std::shared_ptr<const Model> make_card_bet(const FeatureLayout& layout, int outputs, const NetworkOptions& options) {
  return std::make_shared<CardBet>(layout, outputs, options);
}

}  // namespace deepcfr::nn
