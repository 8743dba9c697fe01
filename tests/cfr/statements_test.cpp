// Statements of shared/correctness.md that no other test of this room holds, named by their numbers.
#include <gtest/gtest.h>

#include <vector>

#include "deepcfr/cfr/traversal.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

std::vector<Sample> unpacked(const SampleCodec& codec, const std::vector<std::byte>& records) {
  std::vector<Sample> samples;
  for (std::size_t at = 0; at < records.size(); at += codec.bytes()) samples.push_back(codec.unpack(records.data() + at));
  return samples;
}

// Targets are regrets ÷ scale, strategies are not divided; both carry the iteration.
TEST(Records, Statement5ScaleDividesTargetsOnly) {
  const Game game = make_game("leduc");
  const SampleCodec codec(game, nullptr, ValuePrecision::double_precision);
  UniformSource source;
  SampleBuffer plain, scaled;
  const TraversalTask task{.seed = 5, .iteration = 6, .traverser = 1, .first_id = 0, .count = 100};
  make_recursive_traversal(game, codec, 1.0, source)->run(task, plain);
  make_recursive_traversal(game, codec, 8.0, source)->run(task, scaled);
  const std::vector<Sample> a = unpacked(codec, plain.advantage), b = unpacked(codec, scaled.advantage);
  ASSERT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].iteration, 6U);
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_DOUBLE_EQ(b[i].values[k], a[i].values[k] / 8);
      largest = std::max(largest, a[i].values[k]);
    }
  }
  EXPECT_GT(largest, 1.0);  // chips
  EXPECT_EQ(scaled.strategy, plain.strategy);
}

}  // namespace
}  // namespace deepcfr
