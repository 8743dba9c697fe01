#include "arena.h"

#include <cstdio>

#include "deepcfr/core/error.h"
#include "deepcfr/nn/forward_engine.h"

namespace deepcfr::bench {

ModelSpec parse_model(const std::string& text) {
  ModelSpec model{.text = text, .options = {}};
  NetworkOptions& options = model.options;
  int end = -1;
  if (std::sscanf(text.c_str(), "mlp:%dx%d%n", &options.layers, &options.hidden, &end) == 2 && static_cast<std::size_t>(end) == text.size() &&
      options.layers >= 1 && options.layers <= 64 && options.hidden >= 1 && options.hidden <= 16384) {
    options.type = NetworkType::mlp;
    return model;
  }
  options = {};
  options.type = NetworkType::card_bet;
  end = -1;
  int fields = std::sscanf(text.c_str(), "card_bet:%d%n", &options.dim, &end);
  options.card_branch_width = 3 * options.dim;
  if (fields == 1 && static_cast<std::size_t>(end) != text.size()) {
    end = -1;
    fields = std::sscanf(text.c_str(), "card_bet:%dx%d%n", &options.dim, &options.card_branch_width, &end) - 1;
  }
  if (fields != 1 || end < 0 || static_cast<std::size_t>(end) != text.size() || options.dim < 1 || options.dim > 8192 ||
      options.card_branch_width < 1 || options.card_branch_width > 3 * 8192) {
    throw Error(ErrorKind::usage, text + " is no model", "--models", "write mlp:LAYERSxWIDTH, card_bet:DIM or card_bet:DIMxCARD_BRANCH_WIDTH");
  }
  return model;
}

std::string dtype_name(RowType type) { return type == RowType::float32 ? "float32" : "bfloat16"; }

Arena::Arena(const std::string& game_name, ComputeDevice device)
    : device_(device),
      game_(make_game(game_name)),
      codec_(game_, nullptr, ValuePrecision::half),
      scale_(game_.definition().big_blind()) {}

const Networks& Arena::networks(const ModelSpec& model) {
  Networks& networks = networks_[model.text];
  if (networks.empty()) {
    const Encoder encoder(game_, feature_kind(model.options.type));
    for (int player = 0; player < game_.players(); ++player) {
      const CounterRandom init(StreamPurpose::network_weights, {7, static_cast<std::uint64_t>(player)});
      networks.push_back(std::make_shared<const Network>(encoder.layout(), game_.num_actions(), model.options, init));
    }
  }
  return networks;
}

double Arena::flops(const ModelSpec& model) {
  double sum = 0;
  for (const ParameterInfo& p : networks(model).front()->parameters()) {
    if (p.shape.size() == 2) sum += 2.0 * static_cast<double>(p.count);
  }
  return sum;
}

std::unique_ptr<ForwardEngine> Arena::engine(const ModelSpec& model, RowType type, bool share_cards) {
  const ForwardOptions options{.type = type, .share_cards = share_cards};
  if (device_ != ComputeDevice::cpu) return make_device_engine(game_, networks(model), options, device_);
  return make_forward_engine(game_, networks(model), options);
}

}  // namespace deepcfr::bench
