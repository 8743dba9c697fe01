#include "betting_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

constexpr std::size_t kMostEntries = 1 << 16;

std::size_t used_bytes(const History& history) noexcept { return (static_cast<std::size_t>(history.size) + 1) / 2; }

/// Only says where to begin to look.
std::uint64_t place_of(const History& history) noexcept {
  std::uint64_t place = history.size;
  for (std::size_t i = 0; i < used_bytes(history); i += sizeof place) {
    std::uint64_t word;
    std::memcpy(&word, history.packed.data() + i, sizeof word);  // packed is a whole number of words
    place = mix64(place ^ word);
  }
  return place;
}

}  // namespace

BettingTable::BettingTable(const Game& game, std::size_t most_bytes)
    : game_(&game),
      encoder_(game, FeatureKind::cards),
      bet_width_(static_cast<std::size_t>(encoder_.layout().bet_width)),
      actions_(static_cast<std::size_t>(game.num_actions())),
      entry_bytes_(((bet_width_ + actions_) * sizeof(float) + 1 + static_cast<std::size_t>(game.max_actions_in_hand() + 1) / 2 + 7) / 8 * 8),
      most_(std::min(kMostEntries, most_bytes / entry_bytes_)),
      slots_(std::bit_ceil(2 * most_ + 2)),
      entries_(std::make_unique_for_overwrite<std::byte[]>(most_ * entry_bytes_)) {}

std::size_t BettingTable::size() const noexcept { return std::min<std::size_t>(made_.load(), most_); }

std::optional<BettingTable::Row> BettingTable::find(const History& history) {
  std::uint32_t fresh = 0;
  for (std::size_t slot = place_of(history) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
    std::uint32_t entry = slots_[slot].load(std::memory_order_acquire);
    if (entry == 0) {  // there is always a free slot
      if (fresh == 0) fresh = make_entry(history);
      if (fresh == 0) return std::nullopt;
      if (slots_[slot].compare_exchange_strong(entry, fresh, std::memory_order_acq_rel)) return row(fresh);
      // another thread took the slot, perhaps for the same history: the entry just made is then lost, which costs nothing but itself
    }
    if (holds(entry, history)) return row(entry);
  }
}

bool BettingTable::holds(std::uint32_t entry, const History& history) const noexcept {
  const std::byte* key = at(entry) + (bet_width_ + actions_) * sizeof(float);
  return static_cast<std::uint8_t>(*key) == history.size && std::memcmp(key + 1, history.packed.data(), used_bytes(history)) == 0;
}

BettingTable::Row BettingTable::row(std::uint32_t entry) const noexcept {
  const auto* numbers = reinterpret_cast<const float*>(at(entry));
  return {{numbers, bet_width_}, {numbers + bet_width_, actions_}};
}

std::uint32_t BettingTable::make_entry(const History& history) {
  if (made_.load(std::memory_order_relaxed) >= most_) return 0;
  const std::uint32_t entry = made_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (entry > most_) return 0;
  Infoset infoset;
  infoset.hole.fill(kNoCard);
  infoset.board.fill(kNoCard);
  infoset.history = history;
  std::vector<float> whole(static_cast<std::size_t>(encoder_.width()));
  encoder_.encode(infoset, whole.data());
  auto* numbers = reinterpret_cast<float*>(at(entry));
  std::copy_n(whole.end() - static_cast<std::ptrdiff_t>(bet_width_), bet_width_, numbers);
  const ActionMask legal = game_->legal_actions(state_of(*game_, infoset));
  for (std::size_t a = 0; a < actions_; ++a) numbers[bet_width_ + a] = static_cast<float>((legal >> a) & 1);
  std::byte* key = at(entry) + (bet_width_ + actions_) * sizeof(float);
  *key = static_cast<std::byte>(history.size);
  std::memcpy(key + 1, history.packed.data(), used_bytes(history));
  return entry;
}

}  // namespace deepcfr
