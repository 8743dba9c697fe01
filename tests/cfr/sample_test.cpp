#include "deepcfr/cfr/sample.h"

#include <gtest/gtest.h>

#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

State after(const Game& game, std::uint64_t deal, std::initializer_list<Action> actions) {
  State state = game.initial_state(game.sample_deal(CounterRandom(StreamPurpose::test, {deal})));
  for (const Action action : actions) game.apply(state, action);
  return state;
}

TEST(SampleCodec, RoundTripOfPackedInfosets) {
  const Game game = make_game("hulh");
  const SampleCodec codec(game, nullptr, ValuePrecision::half);
  const Infoset infoset = infoset_of(game, after(game, 5, {kFirstRaise, kCall, kCall, kFirstRaise}));
  const double values[] = {1.5, -0.25, 1e9};
  std::vector<std::byte> record(codec.bytes());
  codec.pack(infoset, 4'000'000'000U, values, record.data());
  const Sample sample = codec.unpack(record.data());
  EXPECT_EQ(sample.infoset, infoset);
  EXPECT_EQ(sample.infoset_number, -1);
  EXPECT_EQ(sample.iteration, 4'000'000'000U);
  EXPECT_EQ(sample.values[0], 1.5);
  EXPECT_EQ(sample.values[1], -0.25);
  EXPECT_EQ(sample.values[2], 65504.0);  // clamped, never infinite
}

TEST(SampleCodec, RoundTripOfNumberedInfosets) {
  const Game game = make_game("leduc");
  const auto small = std::make_shared<const SmallGame>(game);
  const SampleCodec codec(game, small, ValuePrecision::single);
  EXPECT_EQ(codec.bytes(), 4U + 4U + 3U * 4U);
  for (int i = 0; i < small->num_infosets(); i += 17) {
    const double values[] = {0.5, 0.25, 0.25};
    std::vector<std::byte> by_number(codec.bytes());
    std::vector<std::byte> by_infoset(codec.bytes());
    codec.pack(i, 7, values, by_number.data());
    codec.pack(small->key(i), 7, values, by_infoset.data());
    EXPECT_EQ(by_number, by_infoset);
    const Sample sample = codec.unpack(by_number.data());
    EXPECT_EQ(sample.infoset_number, i);
    EXPECT_EQ(sample.infoset, small->key(i));
  }
}

}  // namespace
}  // namespace deepcfr
