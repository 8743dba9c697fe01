// Betting features and legal actions by history, so that a row of a batch need not replay its hand.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "deepcfr/game/encoder.h"

namespace deepcfr {

/// Fills itself as histories are met, up to a bound: the histories of a limit game fit, of a no-limit game the first ones met, which
/// are the frequent ones. Keyed by the exact bytes of a history, so a row is the same whether it was found or not. Any number
/// of threads at once, without locks.
class BettingTable {
 public:
  /// Bytes that a table takes at most, by default.
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;

  explicit BettingTable(const Game& game, std::size_t most_bytes = kMostBytes);  ///< the game outlives the table

  struct Row {
    std::span<const float> features;  ///< as Encoder writes them, bet_width numbers
    std::span<const float> mask;      ///< num_actions numbers, 1 legal
  };
  /// Of a history of the game; nothing if the table is full and does not hold it. Valid as long as the table.
  std::optional<Row> find(const History& history);

  std::size_t size() const noexcept;  ///< histories held
  std::size_t bytes() const noexcept { return most_ * entry_bytes_ + slots_.size() * sizeof(slots_[0]); }

 private:
  bool holds(std::uint32_t entry, const History& history) const noexcept;
  Row row(std::uint32_t entry) const noexcept;
  std::uint32_t make_entry(const History& history);  // 0: the table is full
  std::byte* at(std::uint32_t entry) const noexcept { return entries_.get() + (entry - 1) * entry_bytes_; }

  const Game* game_;
  Encoder encoder_;
  std::size_t bet_width_, actions_;
  std::size_t entry_bytes_;  // [features][mask][history size][history]
  std::size_t most_;         // entries
  std::atomic<std::uint32_t> made_{0};
  std::vector<std::atomic<std::uint32_t>> slots_;  // open addressing; number of an entry from 1 on, 0: free
  std::unique_ptr<std::byte[]> entries_;           // touched as it fills
};

}  // namespace deepcfr
