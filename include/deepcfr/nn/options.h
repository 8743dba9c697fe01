// Choices of networks and fits. Plain values; the config room fills them.
#pragma once

#include <cstdint>
#include <string>

namespace deepcfr {

enum class NetworkType {
  mlp,       ///< layers × hidden, ReLU, linear head
  card_bet,  ///< Deep CFR paper, appendix C
};

struct NetworkOptions {
  NetworkType type = NetworkType::mlp;
  int layers = 3;    ///< mlp: hidden layers
  int hidden = 64;   ///< mlp: width
  int dim = 64;                 ///< card_bet: width of embeddings, bet branch and trunk
  int card_branch_width = 192;  ///< card_bet: width of the card branch
  bool operator==(const NetworkOptions&) const = default;
};

enum class LearningRateSchedule { constant, linear, cosine };  ///< linear and cosine fall to 1 % of the start over the fit
enum class Amp { off, bf16 };
/// What a config asks for; what it means on a machine: resolve_device.
enum class Device { automatic, cpu, cuda };
enum class StrategyLoss { cross_entropy, mean_squared };  ///< both are minimised by the weighted mean strategy

/// One fit of one network.
struct FitOptions {
  int steps = 300;
  int batch_size = 512;      ///< rows of a sampled batch; merged fits take all rows at once when they fit
  double learning_rate = 3e-3;
  LearningRateSchedule schedule = LearningRateSchedule::linear;
  double clip_norm = 1.0;    ///< gradient norm, 0 = off
  Amp amp = Amp::off;
};

}  // namespace deepcfr
