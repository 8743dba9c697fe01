// The networks written once more with LibTorch's own operators and autograd, to check ours against.
#pragma once

#include <ATen/ATen.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "deepcfr/core/random.h"
#include "deepcfr/nn/network.h"
#include "deepcfr/nn/trainer.h"

namespace deepcfr::test {

inline FeatureLayout dense_layout(int width) {
  FeatureLayout layout;
  layout.width = width;
  return layout;
}

/// Hole cards and a flop, 24 betting features: the shapes of the paper.
inline FeatureLayout flop_layout() {
  FeatureLayout layout;
  layout.kind = FeatureKind::cards;
  layout.card_count = 5;
  layout.bet_width = 24;
  layout.width = 29;
  layout.groups = 2;
  layout.group_size[0] = 2;
  layout.group_size[1] = 3;
  return layout;
}

inline NetworkOptions mlp_options(int layers, int hidden) {
  NetworkOptions options;
  options.layers = layers;
  options.hidden = hidden;
  return options;
}

inline NetworkOptions card_bet_options(int dim, int card_branch_width) {
  NetworkOptions options;
  options.type = NetworkType::card_bet;
  options.dim = dim;
  options.card_branch_width = card_branch_width;
  return options;
}

inline CounterRandom stream(std::uint64_t number) { return CounterRandom(StreamPurpose::test, {number}); }

/// Uniform numbers in [−1, 1]; card numbers in −1..51.
inline std::vector<float> random_rows(const FeatureLayout& layout, std::int64_t count, std::uint64_t seed) {
  std::vector<float> rows(static_cast<std::size_t>(count * layout.width));
  const CounterRandom random = stream(seed);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool card = static_cast<int>(i) % layout.width < layout.card_count;
    rows[i] = card ? static_cast<float>(random.below(i, 53)) - 1.0F : static_cast<float>(2.0 * random.uniform(i) - 1.0);
  }
  return rows;
}

/// A network's parameters as tensors that want gradients, and its forward in float64 or float32.
class Reference {
 public:
  Reference(const Network& network, at::ScalarType type) : layout_(network.layout()), options_(network.options()) {
    const std::vector<float> weights = network.weights();
    for (const ParameterInfo& info : network.parameters()) {
      at::Tensor t =
          at::from_blob(const_cast<float*>(weights.data()) + info.offset, info.shape, at::kFloat).to(type, false, true);
      parameters_[info.name] = t.requires_grad_(true);
      order_.push_back(info.name);
    }
  }

  at::Tensor forward(std::span<const float> rows) const {
    const std::int64_t width = layout_.width;
    const auto count = static_cast<std::int64_t>(rows.size()) / width;
    const at::Tensor x = at::from_blob(const_cast<float*>(rows.data()), {count, width}, at::kFloat).to(type());
    return options_.type == NetworkType::mlp ? mlp(x) : card_bet(x);
  }

  /// Flat gradient in the order of Network::weights(), after backward().
  std::vector<float> gradient() const {
    std::vector<float> flat;
    for (const std::string& name : order_) {
      const at::Tensor g = parameters_.at(name).grad().to(at::kFloat).contiguous();
      flat.insert(flat.end(), g.data_ptr<float>(), g.data_ptr<float>() + g.numel());
    }
    return flat;
  }

  at::ScalarType type() const { return parameters_.begin()->second.scalar_type(); }

 private:
  at::Tensor linear(const std::string& name, const at::Tensor& x) const {
    return at::linear(x, parameters_.at(name + ".weight"), parameters_.at(name + ".bias"));
  }
  at::Tensor mlp(at::Tensor x) const {
    for (int l = 0; l < options_.layers; ++l) x = linear("layer" + std::to_string(l), x).relu();
    return linear("head", x);
  }
  at::Tensor embed(const at::Tensor& x) const {
    std::vector<at::Tensor> groups;
    std::int64_t first = 0;
    for (int g = 0; g < layout_.groups; ++g) {
      const std::int64_t n = layout_.group_size[static_cast<std::size_t>(g)];
      const at::Tensor cards = x.narrow(1, first, n).to(at::kLong);
      const at::Tensor present = (cards >= 0).to(type()).unsqueeze(2);
      const at::Tensor number = cards.clamp_min(0);
      const std::string name = "group" + std::to_string(g);
      const at::Tensor e = at::embedding(parameters_.at(name + ".rank.weight"), at::div(number, 4, "floor").to(at::kLong)) +
                           at::embedding(parameters_.at(name + ".suit.weight"), number.remainder(4));
      groups.push_back((e * present).sum(1));
      first += n;
    }
    return at::cat(groups, 1);
  }
  at::Tensor card_bet(const at::Tensor& x) const {
    at::Tensor card = embed(x);
    for (const char* name : {"card0", "card1", "card2"}) card = linear(name, card).relu();
    at::Tensor bet = linear("bet0", x.narrow(1, layout_.card_count, layout_.bet_width)).relu();
    bet = (linear("bet1", bet) + bet).relu();
    at::Tensor trunk = linear("trunk0", at::cat({card, bet}, 1)).relu();
    for (const char* name : {"trunk1", "trunk2"}) trunk = (linear(name, trunk) + trunk).relu();
    const at::Tensor mean = trunk.mean(1, true);
    const at::Tensor deviation = trunk.std(1, true, true);
    return linear("head", (trunk - mean) / (deviation + 1e-3));
  }

  FeatureLayout layout_;
  NetworkOptions options_;
  std::map<std::string, at::Tensor> parameters_;
  std::vector<std::string> order_;
};

/// Batches whose targets are a fixed function of the features; every third row has an illegal action.
class FunctionBatches : public BatchSource {
 public:
  FunctionBatches(FeatureLayout layout, int actions, std::int64_t rows, bool constant)
      : layout_(layout), actions_(actions), rows_(rows), constant_(constant) {}
  std::int64_t batch_rows() const override { return rows_; }
  bool constant() const override { return constant_; }
  void fill(std::int64_t step, const BatchView& batch) override {
    fills += 1;
    const std::vector<float> rows = random_rows(layout_, rows_, 1000 + static_cast<std::uint64_t>(constant_ ? 0 : step));
    std::copy(rows.begin(), rows.end(), batch.features.begin());
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (int a = 0; a < actions_; ++a) {
        const auto k = static_cast<std::size_t>(i * actions_ + a);
        const float x = rows[static_cast<std::size_t>((i + 1) * layout_.width - 1 - a)];
        batch.targets[k] = x * x + 0.5F * x;
        batch.mask[k] = a == 2 && i % 3 == 0 ? 0.0F : 1.0F;
      }
      batch.weights[static_cast<std::size_t>(i)] = i % 2 == 0 ? 1.5F : 0.5F;
    }
  }
  std::int64_t fills = 0;

 private:
  FeatureLayout layout_;
  int actions_;
  std::int64_t rows_;
  bool constant_;
};

}  // namespace deepcfr::test
