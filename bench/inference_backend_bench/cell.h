// One cell: a way to traverse with one model, and timed runs of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "arena.h"

namespace deepcfr::bench {

enum class Mode { recursive, interleaved, server, async };
std::string mode_name(Mode mode);

struct CellSpec {
  ModelSpec model;
  RowType dtype = RowType::float32;
  Mode mode = Mode::interleaved;
  int workers = 1;
  std::uint64_t in_flight = 64;
  std::int64_t batch = 256;
  std::int64_t max_batch = 256;
  bool share_cards = true;
};

/// One timed run. Rows are counted in a window: from when the traversals that were begun first are done (interleaved: until then, none
/// are put together) until no more are begun; the end, when batches decay, is a matter of how long a phase is, not of the mode.
struct CellRun {
  double seconds = 0;       ///< of the window, own_seconds()
  double wall = 0;          ///< of the window
  std::uint64_t rows = 0;   ///< in the window; one for each decision
  std::uint64_t calls = 0;  ///< minibatches of workers in the window
  std::uint64_t forwards = 0;
  double p50 = 0;           ///< µs of a call
  double p99 = 0;
  double decisions_per_traversal = 0;
  std::uint64_t checksum = 0;  ///< of the records of traversals 0 .. common − 1, in order
  double rate() const noexcept { return seconds > 0 ? static_cast<double>(rows) / seconds : 0; }
};

class Cell {
 public:
  Cell(Arena& arena, const CellSpec& spec);
  ~Cell();
  const CellSpec& spec() const noexcept { return spec_; }
  /// Traversals 0 .. common − 1, and more of them until the window is at least `seconds` long.
  CellRun run(std::uint64_t common, double seconds);

 private:
  struct Impl;
  CellSpec spec_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace deepcfr::bench
