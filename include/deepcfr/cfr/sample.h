// Packed training records: one advantage or strategy record is a fixed number of bytes in one flat array (reported faults T11, T12).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "deepcfr/cfr/small_game.h"
#include "deepcfr/game/infoset.h"

namespace deepcfr {

enum class SampleKind { advantage, strategy };

/// Numeric type of the values in a record. half: 16 bits, |value| clamped to 65504.
enum class ValuePrecision { half, single, double_precision };

/// An unpacked record. values: sampled regrets r(a) ÷ the codec's scale, or probabilities; 0 for illegal actions.
struct Sample {
  Infoset infoset;
  std::int32_t infoset_number = -1;  ///< in a small game, else −1
  std::uint32_t iteration = 0;
  std::array<double, kMaxActions> values{};
};

/// Layout: [iteration u32][infoset][num_actions values]. The infoset is its number (u32) in a small game, else the packed bytes of
/// InfosetLayout. Immutable, thread-safe. 21 bytes for an fhp record in half precision.
class SampleCodec {
 public:
  /// small_game may be null.
  SampleCodec(const Game& game, std::shared_ptr<const SmallGame> small_game, ValuePrecision precision);

  std::size_t bytes() const noexcept { return bytes_; }
  std::size_t key_bytes() const noexcept { return key_bytes_; }
  int num_actions() const noexcept { return num_actions_; }
  const SmallGame* small_game() const noexcept { return small_game_.get(); }

  void pack(const Infoset& infoset, std::uint32_t iteration, std::span<const double> values, std::byte* out) const;
  void pack(std::int32_t infoset_number, std::uint32_t iteration, std::span<const double> values, std::byte* out) const;
  /// The infoset in two parts, its cards as InfosetLayout packs them.
  void pack(const std::byte* cards, const History& history, std::uint32_t iteration, std::span<const double> values, std::byte* out) const;
  const InfosetLayout& layout() const noexcept { return layout_; }
  Sample unpack(const std::byte* record) const;

  // parts of a record, for passes over a whole memory
  static std::uint32_t iteration(const std::byte* record) noexcept;
  std::int32_t infoset_number(const std::byte* record) const noexcept;
  std::span<const std::byte> key(const std::byte* record) const noexcept { return {record + 4, key_bytes_}; }
  Infoset infoset(const std::byte* record) const;
  void values(const std::byte* record, double* out) const noexcept;

 private:
  void pack_values(std::span<const double> values, std::byte* out) const noexcept;

  InfosetLayout layout_;
  std::shared_ptr<const SmallGame> small_game_;
  ValuePrecision precision_;
  int num_actions_;
  std::size_t key_bytes_;
  std::size_t bytes_;
};

/// Records of one traversal chunk in the order they were made.
struct SampleBuffer {
  std::vector<std::byte> advantage;
  std::vector<std::byte> strategy;
  void clear() noexcept {
    advantage.clear();
    strategy.clear();
  }
};

}  // namespace deepcfr
