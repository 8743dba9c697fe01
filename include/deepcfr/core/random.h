// Counter-based random streams. A draw is a pure function of (key, place): no thread, time or order enters, so results do
// not depend on the number of workers (contract of results).
// Mixing: the 64-bit finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
// OOPSLA 2014), applied twice over key and place.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace deepcfr {

constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Folds words into one key; the order of the words counts.
constexpr std::uint64_t mix_key(std::initializer_list<std::uint64_t> words) noexcept {
  std::uint64_t key = 0x6a09e667f3bcc909ULL;
  for (const std::uint64_t word : words) key = mix64(key ^ mix64(word));
  return key;
}

/// What a stream is for; keeps streams with equal numbers apart.
enum class StreamPurpose : std::uint64_t {
  deal = 1,
  action,
  reservoir,
  network_weights,
  batch,
  match_deal,
  match_action,
  match_seat,
  mixture_network,
  test,
  match_runouts,
  match_translation,  ///< how off-tree bets are understood (protocol/translation.h)
};

/// A stream of draws addressed by place. Value type, thread-safe by having no state.
class CounterRandom {
 public:
  constexpr explicit CounterRandom(std::uint64_t key) noexcept : key_(key) {}
  constexpr CounterRandom(StreamPurpose purpose, std::initializer_list<std::uint64_t> words) noexcept
      : key_(mix_key({static_cast<std::uint64_t>(purpose), mix_key(words)})) {}

  constexpr std::uint64_t key() const noexcept { return key_; }
  constexpr std::uint64_t bits(std::uint64_t place) const noexcept { return mix64(key_ ^ mix64(place)); }
  /// Uniform in [0, 1) with 53 bits.
  constexpr double uniform(std::uint64_t place) const noexcept {
    return static_cast<double>(bits(place) >> 11) * 0x1.0p-53;
  }
  /// Uniform in [0, bound), bound > 0; bias below bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t place, std::uint64_t bound) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(bits(place)) * bound) >> 64);
  }

 private:
  std::uint64_t key_;
};

/// The same draws taken in sequence; satisfies UniformRandomBitGenerator. Its whole state is (key, counter).
class SequentialRandom {
 public:
  using result_type = std::uint64_t;
  constexpr explicit SequentialRandom(CounterRandom stream, std::uint64_t counter = 0) noexcept
      : stream_(stream), counter_(counter) {}
  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return ~result_type{0}; }
  constexpr result_type operator()() noexcept { return stream_.bits(counter_++); }
  constexpr double uniform() noexcept { return stream_.uniform(counter_++); }
  constexpr std::uint64_t below(std::uint64_t bound) noexcept { return stream_.below(counter_++, bound); }
  constexpr std::uint64_t counter() const noexcept { return counter_; }

 private:
  CounterRandom stream_;
  std::uint64_t counter_;
};

}  // namespace deepcfr
