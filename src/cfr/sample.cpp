#include "deepcfr/cfr/sample.h"

#include <algorithm>
#include <cstring>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

__extension__ using Half = _Float16;
constexpr double kHalfMax = 65504.0;

std::size_t value_bytes(ValuePrecision precision) {
  switch (precision) {
    case ValuePrecision::half:
      return 2;
    case ValuePrecision::single:
      return 4;
    case ValuePrecision::double_precision:
      return 8;
  }
  return 0;
}

template <typename T>
void store_values(std::span<const double> values, std::byte* out) noexcept {
  for (const double value : values) {
    const T narrow = static_cast<T>(value);
    std::memcpy(out, &narrow, sizeof narrow);
    out += sizeof narrow;
  }
}

template <typename T>
void load_values(const std::byte* in, int count, double* out) noexcept {
  for (int i = 0; i < count; ++i, in += sizeof(T)) {
    T narrow;
    std::memcpy(&narrow, in, sizeof narrow);
    out[i] = static_cast<double>(narrow);
  }
}

}  // namespace

SampleCodec::SampleCodec(const Game& game, std::shared_ptr<const SmallGame> small_game, ValuePrecision precision)
    : layout_(game),
      small_game_(std::move(small_game)),
      precision_(precision),
      num_actions_(game.num_actions()),
      key_bytes_(small_game_ ? sizeof(std::int32_t) : layout_.bytes()),
      bytes_(sizeof(std::uint32_t) + key_bytes_ + static_cast<std::size_t>(num_actions_) * value_bytes(precision)) {}

void SampleCodec::pack_values(std::span<const double> values, std::byte* out) const noexcept {
  std::byte* at = out + sizeof(std::uint32_t) + key_bytes_;
  switch (precision_) {
    case ValuePrecision::half: {
      std::array<double, kMaxActions> clamped{};
      for (std::size_t i = 0; i < values.size(); ++i) clamped[i] = std::clamp(values[i], -kHalfMax, kHalfMax);
      store_values<Half>({clamped.data(), values.size()}, at);
      return;
    }
    case ValuePrecision::single:
      return store_values<float>(values, at);
    case ValuePrecision::double_precision:
      return store_values<double>(values, at);
  }
}

void SampleCodec::pack(const Infoset& infoset, std::uint32_t iteration, std::span<const double> values, std::byte* out) const {
  std::memcpy(out, &iteration, sizeof iteration);
  if (small_game_) {
    const std::int32_t number = small_game_->find(infoset);
    DEEPCFR_CHECK(number >= 0, "infoset is not in the game");
    std::memcpy(out + sizeof iteration, &number, sizeof number);
  } else {
    layout_.pack(infoset, out + sizeof iteration);
  }
  pack_values(values, out);
}

void SampleCodec::pack(std::int32_t infoset_number, std::uint32_t iteration, std::span<const double> values, std::byte* out) const {
  std::memcpy(out, &iteration, sizeof iteration);
  std::memcpy(out + sizeof iteration, &infoset_number, sizeof infoset_number);
  pack_values(values, out);
}

void SampleCodec::pack(const std::byte* cards, const History& history, std::uint32_t iteration, std::span<const double> values,
                       std::byte* out) const {
  if (small_game_) {
    std::array<std::byte, sizeof(Infoset)> packed;
    layout_.pack(cards, history, packed.data());
    return pack(layout_.unpack(packed.data()), iteration, values, out);
  }
  std::memcpy(out, &iteration, sizeof iteration);
  layout_.pack(cards, history, out + sizeof iteration);
  pack_values(values, out);
}

std::uint32_t SampleCodec::iteration(const std::byte* record) noexcept {
  std::uint32_t t;
  std::memcpy(&t, record, sizeof t);
  return t;
}

std::int32_t SampleCodec::infoset_number(const std::byte* record) const noexcept {
  if (!small_game_) return -1;
  std::int32_t number;
  std::memcpy(&number, record + sizeof(std::uint32_t), sizeof number);
  return number;
}

Infoset SampleCodec::infoset(const std::byte* record) const {
  if (small_game_) return small_game_->key(infoset_number(record));
  return layout_.unpack(record + sizeof(std::uint32_t));
}

void SampleCodec::values(const std::byte* record, double* out) const noexcept {
  const std::byte* at = record + sizeof(std::uint32_t) + key_bytes_;
  switch (precision_) {
    case ValuePrecision::half:
      return load_values<Half>(at, num_actions_, out);
    case ValuePrecision::single:
      return load_values<float>(at, num_actions_, out);
    case ValuePrecision::double_precision:
      return load_values<double>(at, num_actions_, out);
  }
}

Sample SampleCodec::unpack(const std::byte* record) const {
  Sample sample;
  sample.iteration = iteration(record);
  sample.infoset_number = infoset_number(record);
  sample.infoset = infoset(record);
  values(record, sample.values.data());
  return sample;
}

}  // namespace deepcfr
