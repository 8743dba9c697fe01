// Option A: one inference server in the process for all workers. Option C: workers that step other traversals while it computes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "deepcfr/cfr/inference.h"

namespace deepcfr {

struct ServerOptions {
  std::int64_t max_batch = 1024;  ///< rows of one forward at most; a single minibatch may be larger
  std::int64_t minibatch = 1;     ///< rows of a client's full minibatch: nothing waits for company that would not fit
  int queue_length = 64;          ///< minibatches that may wait; submit() blocks beyond it
};

/// Takes whole minibatches of workers and computes as many of one player together as fit into max_batch. There is no timer: a forward is due
/// as soon as so many rows of a player wait that no further full minibatch would fit into max_batch, or every live client waits (blocked in
/// submit or wait); so it cannot hang with fewer rows than max_batch. A client that waits computes what is due in its own thread if an engine is free (no hand-over); the server's threads
/// compute for clients that step on meanwhile. What it computes does not depend on what is computed together (contract of ForwardEngine).
class InferenceServer {
 public:
  /// As many threads as engines (clones of one engine on a CPU, one or two on a device).
  InferenceServer(std::vector<std::unique_ptr<ForwardEngine>> engines, const ServerOptions& options);
  /// Ends the threads. No client may be left.
  ~InferenceServer();
  InferenceServer(const InferenceServer&) = delete;
  InferenceServer& operator=(const InferenceServer&) = delete;

  /// A door for one worker's thread, live between enter() and leave(). depth: minibatches that it may have under way (2: Option C).
  /// An error inside the server reaches every client whose minibatch was part of that forward; others go on.
  std::unique_ptr<InferenceBackend> client(int depth);

  struct Statistics {
    std::uint64_t forwards = 0;
    std::uint64_t minibatches = 0;
    std::uint64_t rows = 0;
  };
  Statistics statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Asks both and throws Error{bug} naming player, row and the two values unless all advantages are the same bits. Answers with `first`'s.
std::unique_ptr<InferenceBackend> make_check_backend(std::unique_ptr<InferenceBackend> first, std::unique_ptr<InferenceBackend> second,
                                                     int num_actions);

}  // namespace deepcfr
