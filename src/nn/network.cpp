#include "deepcfr/nn/network.h"

#include <algorithm>
#include <bit>

#include "deepcfr/core/bytes.h"
#include "deepcfr/core/error.h"
#include "network_impl.h"

namespace deepcfr {

using nn::from_panels;

namespace {

// Rows of one block of a forward: activations of wide layers then stay in the second cache. Results do not depend on it.
constexpr std::int64_t kForwardBlock = 256;

}  // namespace

FeatureKind feature_kind(NetworkType type) noexcept {
  return type == NetworkType::card_bet ? FeatureKind::cards : FeatureKind::dense;
}

Network::Network(const FeatureLayout& layout, int outputs, const NetworkOptions& options, CounterRandom init)
    : impl_(std::make_unique<Impl>()) {
  impl_->options = options;
  impl_->model = nn::make_model(layout, outputs, options);
  impl_->packed = nn::AlignedFloats(impl_->model->packed_count());
  impl_->model->pack(impl_->model->initial_weights(init), impl_->packed.span());
}

Network::Network(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Network::~Network() = default;
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;

Network Network::clone() const {
  auto copy = std::make_unique<Impl>();
  copy->options = impl_->options;
  copy->model = impl_->model;
  copy->packed = nn::AlignedFloats(impl_->packed.size());
  std::copy_n(impl_->packed.data(), impl_->packed.size(), copy->packed.data());
  return Network(std::move(copy));
}

const NetworkOptions& Network::options() const noexcept { return impl_->options; }
const FeatureLayout& Network::layout() const noexcept { return impl_->model->layout(); }
int Network::outputs() const noexcept { return impl_->model->outputs(); }
std::size_t Network::parameter_count() const noexcept { return impl_->model->flat_count(); }
std::vector<ParameterInfo> Network::parameters() const { return impl_->model->parameters(); }

std::vector<float> Network::weights() const {
  std::vector<float> flat(impl_->model->flat_count());
  impl_->model->unpack(impl_->packed.span(), flat);
  return flat;
}

void Network::set_weights(std::span<const float> weights) { impl_->model->pack(weights, impl_->packed.span()); }

std::uint64_t Network::hash() const {
  const std::vector<float> flat = weights();
  return content_hash(std::as_bytes(std::span(flat)));
}

void Network::forward(std::span<const float> rows, std::span<float> out) const {
  const auto width = static_cast<std::size_t>(layout().width);
  const auto width_out = static_cast<std::size_t>(outputs());
  const std::size_t count = rows.size() / width;
  DEEPCFR_CHECK(rows.size() == count * width && out.size() == count * width_out);
  if (!impl_->pass) impl_->pass = impl_->model->make_pass(Amp::off);
  for (std::size_t first = 0; first < count; first += kForwardBlock) {
    const std::size_t n = std::min<std::size_t>(kForwardBlock, count - first);
    impl_->pass->load(rows.subspan(first * width, n * width), static_cast<std::int64_t>(n));
    const float* panels = impl_->pass->forward(impl_->packed.data());
    from_panels(static_cast<std::int64_t>(n), outputs(), panels, out.data() + first * width_out);
  }
}

bool probe_batch_invariance(const Network& network) {
  constexpr std::size_t kRows = 1024;
  const FeatureLayout& layout = network.layout();
  const auto width = static_cast<std::size_t>(layout.width);
  const auto outputs = static_cast<std::size_t>(network.outputs());
  const CounterRandom random(StreamPurpose::test, {1});
  std::vector<float> rows(kRows * width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool card = static_cast<int>(i % width) < layout.card_count;
    rows[i] = card ? static_cast<float>(layout.first_card) : static_cast<float>(2.0 * random.uniform(i) - 1.0);
  }
  std::vector<float> whole(kRows * outputs);
  network.forward(rows, whole);
  std::vector<float> part(kRows * outputs);
  for (std::size_t size = 1; size < kRows; size = size < 40 ? size + 1 : size * 3 / 2) {
    const std::size_t first = kRows - size;
    network.forward(std::span(rows).subspan(first * width), std::span(part).first(size * outputs));
    for (std::size_t i = 0; i < size * outputs; ++i)
      if (std::bit_cast<std::uint32_t>(part[i]) != std::bit_cast<std::uint32_t>(whole[first * outputs + i])) return false;
  }
  return true;
}

}  // namespace deepcfr
