// Forwards of traversals on a device.
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "deepcfr/core/bfloat16.h"
#include "device_model.h"
#include "device_queue.h"

namespace deepcfr {
namespace {

using namespace nn;

constexpr std::int64_t kSmallestBucket = 256;
constexpr std::int64_t kAlign = 8;  // elements; rows then begin at multiples of 16 bytes, as tensor cores want them

std::int64_t aligned(std::int64_t elements) { return (elements + kAlign - 1) / kAlign * kAlign; }

std::int64_t bucket_of(std::int64_t rows) {
  std::int64_t bucket = kSmallestBucket;
  while (bucket < rows) bucket *= 2;
  return bucket;
}

at::ScalarType scalar_type(RowType type) { return type == RowType::float32 ? at::kFloat : at::kBFloat16; }

/// One player's network on the device; its tensors stay where they are as long as it lives.
class DeviceNetwork {
 public:
  DeviceNetwork(const Network& network, at::Device device, RowType type)
      : model(network, device), options_(network.options()), outputs_(network.outputs()), device_(device), type_(scalar_type(type)) {
    const at::NoGradGuard no_gradient;
    const DeviceModel::Prepared on_host = prepare(network);
    if (on_host.card_table.defined()) weights.card_table = on_host.card_table.to(device);
    for (const DeviceModel::Dense& layer : on_host.layers) weights.layers.push_back({layer.weight.to(device), layer.bias.to(device)});
  }

  void update(const Network& network) {
    const at::NoGradGuard no_gradient;
    DEEPCFR_CHECK(network.options() == options_ && network.layout().width == model.layout().width && network.outputs() == outputs_,
                  "a network of another form");
    const DeviceModel::Prepared on_host = prepare(network);
    if (on_host.card_table.defined()) weights.card_table.copy_(on_host.card_table);
    for (std::size_t l = 0; l < weights.layers.size(); ++l) {
      weights.layers[l].weight.copy_(on_host.layers[l].weight);
      weights.layers[l].bias.copy_(on_host.layers[l].bias);
    }
  }

  int outputs() const noexcept { return outputs_; }

  DeviceModel model;
  DeviceModel::Prepared weights;

 private:
  /// On the host, in the type of the device; zero columns for the padding of feature rows.
  DeviceModel::Prepared prepare(const Network& network) const {
    const DeviceModel host(network, at::kCPU);
    const std::vector<float> flat = network.weights();
    std::vector<at::Tensor> parameters;
    for (const ParameterInfo& info : network.parameters())
      parameters.push_back(at::from_blob(const_cast<float*>(flat.data()) + info.offset, info.shape, at::kFloat));
    DeviceModel::Prepared prepared = host.prepare(parameters);
    at::Tensor& first = prepared.layers[host.feature_layer()].weight;
    first = at::constant_pad_nd(first, {0, aligned(first.size(1)) - first.size(1)});
    const auto typed = [&](const at::Tensor& t) { return t.to(type_, false, true); };  // a copy: `flat` does not outlive this
    if (prepared.card_table.defined()) prepared.card_table = typed(prepared.card_table);
    for (DeviceModel::Dense& layer : prepared.layers) layer = {typed(layer.weight), typed(layer.bias)};
    return prepared;
  }

  NetworkOptions options_;
  int outputs_;
  at::Device device_;
  at::ScalarType type_;
};

/// What an engine and its clones have in common.
struct Shared {
  const Game& game;  // outlives the engines
  ForwardOptions options;
  DeviceEngineOptions engine;
  at::Device device;
  std::vector<std::unique_ptr<DeviceNetwork>> networks;  // by player, null: never fitted
  std::vector<bool> uniform;

  void update(const std::vector<std::shared_ptr<const Network>>& given) {
    DEEPCFR_CHECK(given.size() == static_cast<std::size_t>(game.players()));
    networks.resize(given.size());
    uniform.assign(given.size(), true);
    for (std::size_t p = 0; p < given.size(); ++p) {
      if (!given[p]) continue;
      uniform[p] = false;
      if (networks[p]) {
        networks[p]->update(*given[p]);
      } else {
        networks[p] = std::make_unique<DeviceNetwork>(*given[p], device, options.type);
      }
    }
    wait_for_device(device);  // clones compute on streams of their own
  }
};

/// Rows under way: in host memory, on the device, and their answers. A row is [features, aligned][card numbers, aligned].
class Staging {
 public:
  Staging(const DeviceQueue& queue, const DeviceNetwork& network, RowType type, std::int64_t max_rows)
      : element_bytes_(type == RowType::float32 ? 4 : 2) {
    const FeatureLayout& layout = network.model.layout();
    cards_ = network.model.has_cards() ? layout.card_count : 0;
    features_ = layout.width - cards_;
    row_ = aligned(features_) + aligned(cards_);
    queue.run([&] {
      rows_ = queue.host_buffer({max_rows, row_}, scalar_type(type));
      answers_ = queue.host_buffer({max_rows, network.outputs()}, at::kFloat);
      device_rows_ = at::zeros({max_rows, row_}, at::TensorOptions(scalar_type(type)).device(queue.device()));
      device_answers_ = at::zeros({max_rows, network.outputs()}, at::TensorOptions(at::kFloat).device(queue.device()));
    });
  }

  /// Rows first … first + count − 1 of a minibatch become rows `at` and on.
  void put(const Minibatch& batch, std::int64_t first, std::int64_t count, std::int64_t at) {
    if (cards_ == 0 && batch.format.stride == row_) {  // as they are
      const std::size_t bytes = batch.format.row_bytes();
      std::memcpy(static_cast<std::byte*>(rows_.data_ptr()) + at * row_bytes(), batch.features.data() + static_cast<std::size_t>(first) * bytes,
                  static_cast<std::size_t>(count) * bytes);
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) put_row(batch, first + i, static_cast<std::byte*>(rows_.data_ptr()) + (at + i) * row_bytes());
  }
  void get(Minibatch& batch, std::int64_t first, std::int64_t count, std::int64_t at) const {
    const std::int64_t actions = answers_.size(1);
    std::copy_n(answers_.const_data_ptr<float>() + at * actions, count * actions, batch.advantages.data() + first * actions);
  }

  void to_device(std::int64_t count) { device_rows_.narrow(0, 0, count).copy_(rows_.narrow(0, 0, count), true); }
  void from_device(std::int64_t count) { answers_.narrow(0, 0, count).copy_(device_answers_.narrow(0, 0, count), true); }
  /// Rows of a bucket beyond the last that was copied are those of an earlier forward or zeros: computed, and looked at by nobody.
  void compute(const DeviceNetwork& network, std::int64_t bucket) {
    const at::Tensor rows = device_rows_.narrow(0, 0, bucket);
    const at::Tensor cards = cards_ > 0 ? rows.narrow(1, aligned(features_), cards_) : at::Tensor();
    const at::Tensor features = cards_ > 0 ? rows.narrow(1, 0, aligned(features_)) : rows;
    device_answers_.narrow(0, 0, bucket).copy_(network.model.forward(network.weights, {features, cards}));
  }
  bool fits(const DeviceNetwork& network) const noexcept {
    return network.outputs() == answers_.size(1) && network.model.layout().width == features_ + cards_ &&
           network.model.has_cards() == (cards_ > 0);
  }

 private:
  std::int64_t row_bytes() const noexcept { return row_ * element_bytes_; }

  void put_row(const Minibatch& batch, std::int64_t i, std::byte* to) const {
    const std::byte* from = batch.features.data() + static_cast<std::size_t>(i) * batch.format.row_bytes();
    const auto bytes = [&](std::int64_t elements) { return static_cast<std::size_t>(elements * element_bytes_); };
    if (!batch.format.shared_cards) {
      std::memcpy(to, from + bytes(cards_), bytes(features_));
      std::memcpy(to + bytes(aligned(features_)), from, bytes(cards_));
      return;
    }
    std::memcpy(to, from, bytes(features_));
    to += bytes(aligned(features_));
    for (const std::int8_t number : batch.cards->cards_of(batch.card_slot[static_cast<std::size_t>(i)])) {
      const auto card = static_cast<float>(number);
      if (element_bytes_ == 4) {
        std::memcpy(to, &card, 4);
      } else {
        const std::uint16_t narrow = to_bfloat16(card);
        std::memcpy(to, &narrow, 2);
      }
      to += element_bytes_;
    }
  }

  std::int64_t element_bytes_, features_ = 0, cards_ = 0, row_ = 0;
  at::Tensor rows_, answers_, device_rows_, device_answers_;
};

class Engine final : public DeviceEngine {
 public:
  explicit Engine(std::shared_ptr<Shared> shared) : shared_(std::move(shared)), queue_(shared_->device) {
    if (shared_->engine.graphs) recorder_ = make_graph_recorder(queue_);
  }
  ~Engine() override { queue_.synchronize(); }

  RowFormat format(int player) const override {
    const auto p = static_cast<std::size_t>(player);
    RowFormat format;
    if (shared_->uniform[p]) {
      format.uniform = true;
      return format;
    }
    const DeviceModel& model = shared_->networks[p]->model;
    format.type = shared_->options.type;
    format.kind = model.layout().kind;
    format.shared_cards = model.has_cards() && shared_->options.share_cards;
    format.width = format.shared_cards ? model.layout().bet_width : model.layout().width;
    format.stride = static_cast<int>(aligned(format.width));
    format.card_vector = format.shared_cards ? 1 : 0;  // the numbers go over; no vectors are kept
    return format;
  }

  void forward(std::span<Minibatch* const> batches) override {
    on_device("inference.device", [&] { forward_all(batches); });
  }

  std::unique_ptr<ForwardEngine> clone() const override { return std::make_unique<Engine>(shared_); }

  std::string name() const override {
    return std::string(shared_->options.type == RowType::float32 ? "float32" : "bfloat16") + ", " +
           (queue_.cuda() ? "CUDA" : "LibTorch on the CPU") + (recorder_ ? ", graphs" : "");
  }

  void update(const std::vector<std::shared_ptr<const Network>>& networks) override {
    on_device("inference.device", [&] { shared_->update(networks); });
  }

 private:
  /// A part of a minibatch in the staging buffer.
  struct Piece {
    Minibatch* batch;
    std::int64_t first, count, at;
  };

  void forward_all(std::span<Minibatch* const> batches) {
    if (batches.empty()) return;
    const auto player = static_cast<std::size_t>(batches.front()->player);
    DEEPCFR_CHECK(!shared_->uniform[player], "a uniform strategy was asked for");
    const DeviceNetwork& network = *shared_->networks[player];
    const std::int64_t max_rows = bucket_of(shared_->engine.max_rows);
    if (!staging_) staging_ = std::make_unique<Staging>(queue_, network, shared_->options.type, max_rows);
    DEEPCFR_CHECK(staging_->fits(network), "networks of one engine read rows of one form");
    std::int64_t held = 0;
    for (Minibatch* batch : batches) {
      for (std::int64_t first = 0; first < batch->rows;) {
        const std::int64_t count = std::min(batch->rows - first, max_rows - held);
        staging_->put(*batch, first, count, held);
        pieces_.push_back({batch, first, count, held});
        first += count;
        held += count;
        if (held == max_rows) flush(player, held);
      }
    }
    if (held > 0) flush(player, held);
  }

  void flush(std::size_t player, std::int64_t& held) {
    const at::NoGradGuard no_gradient;
    queue_.run([&] {
      staging_->to_device(held);
      compute(player, bucket_of(held));
      staging_->from_device(held);
    });
    queue_.synchronize();
    for (const Piece& piece : pieces_) staging_->get(*piece.batch, piece.first, piece.count, piece.at);
    pieces_.clear();
    held = 0;
  }

  void compute(std::size_t player, std::int64_t bucket) {
    const DeviceNetwork& network = *shared_->networks[player];
    if (!recorder_) return staging_->compute(network, bucket);
    std::unique_ptr<DeviceGraph>& graph = graphs_[{player, bucket}];
    if (!graph) {
      staging_->compute(network, bucket);  // libraries set themselves up
      graph = recorder_->record(queue_, [&] { staging_->compute(network, bucket); });
    }
    graph->replay();
  }

  std::shared_ptr<Shared> shared_;
  DeviceQueue queue_;
  std::unique_ptr<GraphRecorder> recorder_;
  std::unique_ptr<Staging> staging_;
  std::map<std::pair<std::size_t, std::int64_t>, std::unique_ptr<DeviceGraph>> graphs_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::unique_ptr<DeviceEngine> make_device_engine(const Game& game, const std::vector<std::shared_ptr<const Network>>& networks,
                                                 const ForwardOptions& options, ComputeDevice device, const DeviceEngineOptions& engine) {
  return on_device("inference.device", [&] {
    configure_device_arithmetic();
    auto shared = std::make_shared<Shared>(Shared{game, options, engine, torch_device(device), {}, {}});
    shared->update(networks);
    return std::make_unique<Engine>(std::move(shared));
  });
}

}  // namespace deepcfr
