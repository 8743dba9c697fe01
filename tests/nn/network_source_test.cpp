#include "deepcfr/nn/network_source.h"

#include <gtest/gtest.h>

#include "deepcfr/cfr/traversal.h"
#include "deepcfr/nn/forward_engine.h"
#include "games.h"
#include "minibatches.h"

namespace deepcfr {
namespace {

using namespace deepcfr::test;

TEST(NetworkSource, AnswersWithThePlayersOwnNetworkWhateverTheBatch) {
  const SmallSetup leduc("leduc");
  for (const NetworkOptions& options : {mlp_options(2, 32), card_bet_options(16, 24)}) {
    std::vector<std::shared_ptr<const Network>> networks;
    for (std::uint64_t p = 0; p < 2; ++p) networks.push_back(std::make_shared<const Network>(leduc.network(options, p)));
    const std::vector<const State*> states = leduc.states();
    for (int player = 0; player < 2; ++player) {
      const std::vector<float> expected = leduc.outputs(*networks[static_cast<std::size_t>(player)]);
      for (const std::int64_t max_batch : {1, 7, 1024}) {
        NetworkSource source(*leduc.game, networks, max_batch);
        std::vector<float> out(expected.size());
        source.advantages(player, states, out);
        EXPECT_EQ(out, expected) << max_batch;
      }
    }
  }
}

TEST(NetworkSource, Bfloat16IsTheEnginesToTheBit) {
  const SmallSetup leduc("leduc");
  for (const NetworkOptions& options : {mlp_options(2, 32), card_bet_options(16, 24)}) {
    const auto network = std::make_shared<const Network>(leduc.network(options, 1));
    const auto engine = make_forward_engine(*leduc.game, {network, network}, {.type = RowType::bfloat16});
    const std::vector<float> expected = answers(*engine, *network, leduc.rows(network->layout().kind));
    EXPECT_NE(expected, leduc.outputs(*network));
    for (const std::int64_t max_batch : {1, 7, 1024}) {
      NetworkSource source(*leduc.game, {network, network}, max_batch, RowType::bfloat16);
      std::vector<float> out(expected.size());
      source.advantages(1, leduc.states(), out);
      EXPECT_EQ(out, expected) << max_batch;
    }
    auto row_by_row = make_forward_engine(*leduc.game, {network, network}, {RowType::bfloat16, false});
    NetworkSource clone(*leduc.game, row_by_row->clone());
    std::vector<float> out(expected.size());
    clone.advantages(0, leduc.states(), out);
    EXPECT_EQ(out, expected);
  }
}

TEST(NetworkSource, NoNetworkMeansUniform) {
  const SmallSetup kuhn("kuhn");
  NetworkSource source(*kuhn.game, {nullptr, nullptr});
  const std::vector<const State*> states = kuhn.states();
  std::vector<float> out(states.size() * kuhn.actions());
  source.advantages(1, states, out);
  for (const float x : out) EXPECT_EQ(x, 1.0F);
  source.advantages(0, {}, {});
}

// Statement 3: with two networks of opposite constant outputs, every strategy record of an opponent is its own network's.
TEST(NetworkSource, S03OpponentsActFromTheirOwnNetwork) {
  const SmallSetup leduc("leduc");
  // Player 0 always raises where it can, player 1 always calls.
  const std::vector<std::shared_ptr<const Network>> networks = {constant_network(leduc, {-5, -3, 4}),
                                                                constant_network(leduc, {-4, 4, -4})};
  const SampleCodec codec(*leduc.game, leduc.small, ValuePrecision::double_precision);
  for (int traverser = 0; traverser < 2; ++traverser) {
    for (const bool batched : {false, true}) {
      NetworkSource source(*leduc.game, networks);
      const auto traversal = batched ? make_interleaved_traversal(*leduc.game, codec, 1.0, source, {.in_flight = 16, .batch = 16})
                                     : make_recursive_traversal(*leduc.game, codec, 1.0, source);
      SampleBuffer buffer;
      traversal->run({.seed = 3, .iteration = 2, .traverser = traverser, .first_id = 0, .count = 50}, buffer);
      const std::size_t records = buffer.strategy.size() / codec.bytes();
      ASSERT_GT(records, 50U);
      int raises = 0, calls = 0;
      for (std::size_t r = 0; r < records; ++r) {
        const Sample sample = codec.unpack(buffer.strategy.data() + r * codec.bytes());
        ASSERT_EQ(leduc.small->player_of(sample.infoset_number), 1 - traverser);
        const bool can_raise = (leduc.small->legal(sample.infoset_number) >> kFirstRaise & 1) != 0;
        const Action expected = traverser == 1 && can_raise ? kFirstRaise : kCall;
        EXPECT_EQ(sample.values[expected], 1.0);
        (expected == kFirstRaise ? raises : calls) += 1;
      }
      EXPECT_EQ(raises > 0, traverser == 1);
      EXPECT_GT(calls, 0);
    }
  }
}

}  // namespace
}  // namespace deepcfr
