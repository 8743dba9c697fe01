#include "deepcfr/cfr/inference_server.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

/// A minibatch at the server.
struct Job {
  Minibatch* batch = nullptr;
  bool done = false;
  std::exception_ptr error;
};

}  // namespace

struct InferenceServer::Impl {
  Impl(std::vector<std::unique_ptr<ForwardEngine>> given, const ServerOptions& server_options) : options(server_options), engines(std::move(given)) {
    for (const auto& engine : engines) idle.push_back(engine.get());
  }

  const ServerOptions options;
  std::vector<std::unique_ptr<ForwardEngine>> engines;

  mutable std::mutex mutex;
  std::condition_variable work;      // for the server's threads
  std::condition_variable answered;  // for clients that wait for an answer, or for an engine to compute it with
  std::condition_variable room;      // for clients that wait for room in the queue
  std::deque<Job*> queue;
  std::vector<ForwardEngine*> idle;    // engines that nobody computes with
  std::vector<const CardSlots*> busy;  // card slots that a forward is writing
  int live = 0;
  int waiting = 0;  // live clients that are blocked
  bool stopping = false;
  Statistics statistics;
  std::vector<std::thread> threads;

  // -- clients, all under the mutex ----------------------------------------------------------------------------

  /// wake: a thread of the server is to compute what is due; otherwise the client will, as soon as it waits.
  void put(Job& job, bool wake, std::unique_lock<std::mutex>& lock) {
    const auto has_room = [&] { return queue.size() < static_cast<std::size_t>(options.queue_length); };
    if (!has_room()) {
      ++waiting;
      if (waiting >= live) work.notify_all();
      room.wait(lock, has_room);
      --waiting;
    }
    queue.push_back(&job);
    if (wake && due() >= 0) work.notify_one();
  }

  /// A client that would only wait computes what is due itself, its own minibatch or another's: no hand-over between threads.
  void await(Job& job, std::unique_lock<std::mutex>& lock) {
    ++waiting;
    while (!job.done) {
      if (can_serve()) {
        const int player = due();
        --waiting;  // it is not blocked while it computes
        serve_one(player, lock);
        ++waiting;
      } else {
        if (waiting >= live) work.notify_all();
        answered.wait(lock, [&] { return job.done || can_serve(); });
      }
    }
    --waiting;
  }

  void enter() {
    const std::lock_guard lock(mutex);
    ++live;
  }

  void leave() {
    const std::lock_guard lock(mutex);
    --live;
    if (waiting >= live) wake_all();
  }

  // -- server ----------------------------------------------------------------------------------------------------

  /// Minibatches of one client share their card slots, which only one forward at a time may fill.
  bool eligible(const Job& job) const {
    return !job.batch->format.shared_cards || std::find(busy.begin(), busy.end(), job.batch->cards) == busy.end();
  }

  /// The player whose rows are to be computed now, −1: none.
  int due() const {
    std::array<std::int64_t, kMaxPlayers> rows{};
    int first = -1;
    for (const Job* job : queue) {
      if (!eligible(*job)) continue;
      const int player = job->batch->player;
      if (first < 0) first = player;
      rows[static_cast<std::size_t>(player)] += job->batch->rows;
      if (rows[static_cast<std::size_t>(player)] > options.max_batch - options.minibatch) return player;
    }
    return waiting >= live ? first : -1;
  }

  void take(int player, std::vector<Job*>& jobs) {
    std::int64_t rows = 0;
    std::erase_if(queue, [&](Job* job) {
      const std::int64_t more = job->batch->rows;
      if (job->batch->player != player || !eligible(*job) || (!jobs.empty() && rows + more > options.max_batch)) return false;
      rows += more;
      jobs.push_back(job);
      return true;
    });
    for (const Job* job : jobs) {
      if (job->batch->format.shared_cards && eligible(*job)) busy.push_back(job->batch->cards);
    }
    ++statistics.forwards;
    statistics.minibatches += jobs.size();
    statistics.rows += static_cast<std::uint64_t>(rows);
  }

  bool can_serve() const { return !idle.empty() && due() >= 0; }

  void wake_all() {
    work.notify_all();
    answered.notify_all();
  }

  /// One forward of what is due, the mutex released meanwhile.
  void serve_one(int player, std::unique_lock<std::mutex>& lock) {
    std::vector<Job*> jobs;
    take(player, jobs);
    ForwardEngine* const engine = idle.back();
    idle.pop_back();
    room.notify_all();
    lock.unlock();
    std::exception_ptr error;
    try {
      std::vector<Minibatch*> batches;
      for (const Job* job : jobs) batches.push_back(job->batch);
      engine->forward(batches);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    idle.push_back(engine);
    for (Job* job : jobs) {
      std::erase(busy, job->batch->cards);
      job->error = error;
      job->done = true;
    }
    if (waiting > 0) answered.notify_all();
    if (!queue.empty()) work.notify_all();
  }

  /// A thread of the server.
  void serve() {
    std::unique_lock lock(mutex);
    while (true) {
      work.wait(lock, [&] { return stopping || can_serve(); });
      if (!can_serve()) return;
      serve_one(due(), lock);
    }
  }
};

namespace {

/// Jobs of a client by minibatch; a handful at most.
template <typename ServerImpl>
class Client final : public InferenceBackend {
 public:
  Client(ServerImpl& server, int depth) : server_(server), depth_(depth) {}
  ~Client() override {
    // whoever destroys a client with minibatches under way has failed; the server must be done with them
    for (auto& job : jobs_) {
      std::unique_lock lock(server_.mutex);
      server_.await(*job, lock);
    }
  }

  void enter() override { server_.enter(); }
  void leave() noexcept override { server_.leave(); }

  RowFormat format(int player) const override { return server_.engines.front()->format(player); }
  int depth() const noexcept override { return depth_; }

  void submit(Minibatch& batch) override {
    jobs_.push_back(std::make_unique<Job>());
    jobs_.back()->batch = &batch;
    std::unique_lock lock(server_.mutex);
    server_.put(*jobs_.back(), depth_ > 1, lock);
  }

  void wait(Minibatch& batch) override {
    const auto found = std::find_if(jobs_.begin(), jobs_.end(), [&](const auto& job) { return job->batch == &batch; });
    DEEPCFR_CHECK(found != jobs_.end(), "waiting for a minibatch that was not submitted");
    {
      std::unique_lock lock(server_.mutex);
      server_.await(**found, lock);
    }
    const std::exception_ptr error = (*found)->error;
    jobs_.erase(found);
    if (error) std::rethrow_exception(error);
  }

 private:
  ServerImpl& server_;
  int depth_;
  std::vector<std::unique_ptr<Job>> jobs_;
};

class CheckBackend final : public InferenceBackend {
 public:
  CheckBackend(std::unique_ptr<InferenceBackend> first, std::unique_ptr<InferenceBackend> second, int num_actions)
      : first_(std::move(first)), second_(std::move(second)), num_actions_(static_cast<std::size_t>(num_actions)) {}

  RowFormat format(int player) const override {
    const RowFormat format = first_->format(player);
    DEEPCFR_CHECK(format == second_->format(player), "the two backends read rows of different forms");
    return format;
  }

  void enter() override {
    first_->enter();
    second_->enter();
  }
  void leave() noexcept override {
    second_->leave();
    first_->leave();
  }

  void submit(Minibatch& batch) override {
    first_->submit(batch);
    first_->wait(batch);
    answers_ = batch.advantages;
    if (batch.format.shared_cards) {
      for (std::int64_t i = 0; i < batch.rows; ++i) batch.cards->ready[batch.card_slot[static_cast<std::size_t>(i)]] = 0;
    }
    second_->submit(batch);
    second_->wait(batch);
    compare(batch);
    batch.advantages = answers_;
  }
  void wait(Minibatch&) override {}

 private:
  void compare(const Minibatch& batch) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch.rows) * num_actions_; ++i) {
      if (std::bit_cast<std::uint32_t>(answers_[i]) == std::bit_cast<std::uint32_t>(batch.advantages[i])) continue;
      throw Error(ErrorKind::bug, "two inference backends answer differently: " + std::to_string(answers_[i]) + " and " + std::to_string(batch.advantages[i]),
                  "player " + std::to_string(batch.player) + ", row " + std::to_string(i / num_actions_) + " of " + std::to_string(batch.rows) + ", action " +
                      std::to_string(i % num_actions_),
                  "please report this with the config and the output of `deepcfr doctor`; inference.backend: local goes on without the comparison");
    }
  }

  std::unique_ptr<InferenceBackend> first_, second_;
  std::size_t num_actions_;
  std::vector<float> answers_;
};

}  // namespace

InferenceServer::InferenceServer(std::vector<std::unique_ptr<ForwardEngine>> engines, const ServerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(engines), options)) {
  DEEPCFR_CHECK(!impl_->engines.empty() && options.max_batch >= 1 && options.minibatch >= 1 && options.queue_length >= 1);
  for (std::size_t i = 0; i < impl_->engines.size(); ++i) impl_->threads.emplace_back([this] { impl_->serve(); });
}

InferenceServer::~InferenceServer() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
  }
  impl_->work.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

std::unique_ptr<InferenceBackend> InferenceServer::client(int depth) {
  DEEPCFR_CHECK(depth >= 1);
  return std::make_unique<Client<Impl>>(*impl_, depth);
}

InferenceServer::Statistics InferenceServer::statistics() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->statistics;
}

std::unique_ptr<InferenceBackend> make_check_backend(std::unique_ptr<InferenceBackend> first, std::unique_ptr<InferenceBackend> second, int num_actions) {
  return std::make_unique<CheckBackend>(std::move(first), std::move(second), num_actions);
}

}  // namespace deepcfr
