// A training step and a forward of this program against LibTorch: autograd with torch::optim::Adam, at::linear with ReLU. Both
// sides in one run, alternating, the best of several rounds each; CPU time of this thread, so that neighbours disturb little.
//
//   training_step_bench [rounds]
//
// Bars: float32 steps at 3 x 64, batch 512, and 3 x 512, batch 2,048: at least 1.5 times as fast; bf16 at 3 x 512, batch
// 2,048: 3.5.
#include <ATen/ATen.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <vector>

#include "cpu_time.h"
#include "deepcfr/nn/trainer.h"

namespace {

using namespace deepcfr;

double cpu_microseconds() { return 1e6 * bench::thread_seconds(); }

template <typename Work>
double microseconds(int repetitions, const Work& work) {
  const double start = cpu_microseconds();
  work(repetitions);
  return (cpu_microseconds() - start) / repetitions;
}

struct Shape {
  int inputs, hidden, outputs;
  std::int64_t batch;
};

/// Random rows, the same in every step: the step alone is measured, not the making of batches.
class FixedBatch : public BatchSource {
 public:
  explicit FixedBatch(const Shape& s)
      : rows(s.batch),
        x(at::rand({s.batch, s.inputs})),
        target(at::rand({s.batch, s.outputs})),
        mask(at::ones({s.batch, s.outputs})),
        weight(at::rand({s.batch})) {}
  std::int64_t batch_rows() const override { return rows; }
  bool constant() const override { return true; }
  void fill(std::int64_t, const BatchView& batch) override {
    const auto copy = [](const at::Tensor& from, std::span<float> to) {
      std::copy_n(from.data_ptr<float>(), to.size(), to.begin());
    };
    copy(x, batch.features);
    copy(target, batch.targets);
    copy(mask, batch.mask);
    copy(weight, batch.weights);
  }
  std::int64_t rows;
  at::Tensor x, target, mask, weight;
};

/// The same network and loss with autograd and torch::optim::Adam.
class LibTorchPeer {
 public:
  LibTorchPeer(const Network& network, const FixedBatch& batch) : batch_(batch) {
    const std::vector<float> flat = network.weights();
    for (const ParameterInfo& p : network.parameters())
      parameters_.push_back(
          at::from_blob(const_cast<float*>(flat.data()) + p.offset, p.shape, at::kFloat).clone().requires_grad_(true));
    optimizer_ = std::make_unique<torch::optim::Adam>(parameters_, torch::optim::AdamOptions(3e-3));
  }
  at::Tensor forward(at::Tensor x) const {
    for (std::size_t i = 0; i + 2 < parameters_.size(); i += 2) x = at::linear(x, parameters_[i], parameters_[i + 1]).relu_();
    return at::linear(x, parameters_[parameters_.size() - 2], parameters_.back());
  }
  void step() {
    optimizer_->zero_grad();
    const at::Tensor difference = forward(batch_.x) - batch_.target;
    const at::Tensor loss = ((difference * difference * batch_.mask).sum(1) * batch_.weight).mean();
    loss.backward();
    torch::nn::utils::clip_grad_norm_(parameters_, 1.0);
    optimizer_->step();
  }

 private:
  const FixedBatch& batch_;
  std::vector<at::Tensor> parameters_;
  std::unique_ptr<torch::optim::Adam> optimizer_;
};

Network make_network(const Shape& s) {
  FeatureLayout layout;
  layout.width = s.inputs;
  NetworkOptions options;
  options.hidden = s.hidden;
  return Network(layout, s.outputs, options, CounterRandom(1));
}

void compare_steps(const Shape& s, int rounds) {
  Network ours = make_network(s), rounded = make_network(s);
  FixedBatch batch(s);
  LibTorchPeer peer(ours, batch);
  FitOptions options;
  const double flops =
      6.0 * static_cast<double>(s.batch) *
      (static_cast<double>(s.inputs) * s.hidden + 2.0 * s.hidden * s.hidden + static_cast<double>(s.hidden) * s.outputs);
  const int steps = std::max(12, static_cast<int>(4e9 / flops));  // a fit has hundreds: its start must not count
  double best[3] = {1e30, 1e30, 1e30};
  const auto run = [&](Network& network, Amp amp) {
    return microseconds(steps, [&](int n) {
      options.steps = n;
      options.amp = amp;
      fit(network, FitKind::advantage, batch, options);
    });
  };
  for (int round = 0; round < rounds; ++round) {
    best[0] = std::min(best[0], microseconds(steps, [&](int n) {
                         for (int i = 0; i < n; ++i) peer.step();
                       }));
    best[1] = std::min(best[1], run(ours, Amp::off));
    best[2] = std::min(best[2], run(rounded, Amp::bf16));
  }
  std::printf(
      "step  %3d-3x%-3d-%d batch %-5ld LibTorch %9.1f us | float32 %9.1f us, ratio %5.2f, %4.0f GFLOP/s | bf16 %9.1f us, ratio "
      "%5.2f\n",
      s.inputs, s.hidden, s.outputs, static_cast<long>(s.batch), best[0], best[1], best[0] / best[1], 1e-3 * flops / best[1],
      best[2], best[0] / best[2]);
}

void compare_forwards(const Shape& s, int rounds) {
  const Network ours = make_network(s);
  const FixedBatch batch(s);
  const LibTorchPeer peer(ours, batch);
  std::vector<float> out(static_cast<std::size_t>(s.batch * s.outputs));
  const std::span<const float> rows(batch.x.data_ptr<float>(), static_cast<std::size_t>(batch.x.numel()));
  const int repetitions = std::max(3, static_cast<int>((s.hidden < 256 ? 20000 : 1000) / s.batch));
  double best[2] = {1e30, 1e30};
  const at::NoGradGuard no_gradient;
  for (int round = 0; round < rounds; ++round) {
    best[0] = std::min(best[0], microseconds(repetitions, [&](int n) {
                         for (int i = 0; i < n; ++i) peer.forward(batch.x);
                       }));
    best[1] = std::min(best[1], microseconds(repetitions, [&](int n) {
                         for (int i = 0; i < n; ++i) ours.forward(rows, out);
                       }));
  }
  const auto per_row = [&](double us) { return us / static_cast<double>(s.batch); };
  std::printf("rows  %3d-3x%-3d-%d batch %-5ld LibTorch %8.3f us a row | float32 %8.3f us a row, ratio %5.2f\n", s.inputs,
              s.hidden, s.outputs, static_cast<long>(s.batch), per_row(best[0]), per_row(best[1]), best[0] / best[1]);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 7;
  std::printf("%s\n", configure_libtorch(1).c_str());
  for (const Shape& s : {Shape{60, 64, 3, 144}, Shape{60, 64, 3, 256}, Shape{60, 64, 3, 512}, Shape{60, 64, 3, 2048},
                         Shape{256, 512, 6, 256}, Shape{256, 512, 6, 2048}})
    compare_steps(s, rounds);
  for (const std::int64_t batch : {1, 8, 64, 256, 1024}) {
    compare_forwards({60, 64, 3, batch}, rounds);
    compare_forwards({256, 512, 6, batch}, rounds);
  }
}
