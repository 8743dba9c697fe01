// Small games and networks over them, shared by the tests of policies and sources.
#pragma once

#include <memory>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/cfr/small_game.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/nn/network.h"
#include "reference.h"

namespace deepcfr::test {

struct SmallSetup {
  std::shared_ptr<const Game> game;
  std::shared_ptr<const SmallGame> small;

  explicit SmallSetup(const std::string& name)
      : game(std::make_shared<const Game>(make_game(name))), small(std::make_shared<const SmallGame>(*game)) {}

  Network network(const NetworkOptions& options, std::uint64_t seed) const {
    return Network(Encoder(*game, feature_kind(options.type)).layout(), game->num_actions(), options, stream(seed));
  }
  std::size_t actions() const { return static_cast<std::size_t>(game->num_actions()); }
  std::size_t infosets() const { return static_cast<std::size_t>(small->num_infosets()); }
  std::vector<const State*> states() const {
    std::vector<const State*> list;
    for (int i = 0; i < small->num_infosets(); ++i) list.push_back(&small->sample_state(i));
    return list;
  }
  /// Encoded rows of all infosets.
  std::vector<float> rows(FeatureKind kind) const {
    const Encoder encoder(*game, kind);
    const auto width = static_cast<std::size_t>(encoder.width());
    std::vector<float> rows(infosets() * width);
    for (std::size_t i = 0; i < infosets(); ++i) encoder.encode(small->key(static_cast<int>(i)), rows.data() + i * width);
    return rows;
  }
  /// Outputs of a network for all infosets.
  std::vector<float> outputs(const Network& network) const {
    std::vector<float> out(infosets() * actions());
    network.forward(rows(network.layout().kind), out);
    return out;
  }
  /// Regret matching on the outputs: [infoset][action].
  std::vector<double> strategy(const Network& network) const {
    const std::vector<float> out = outputs(network);
    std::vector<double> table(out.size());
    for (std::size_t i = 0; i < infosets(); ++i)
      regret_matching(std::span(out).subspan(i * actions(), actions()), small->legal(static_cast<int>(i)),
                      std::span(table).subspan(i * actions(), actions()));
    return table;
  }
  std::vector<double> uniform() const {
    std::vector<double> table(infosets() * actions());
    for (std::size_t i = 0; i < infosets(); ++i)
      uniform_strategy(small->legal(static_cast<int>(i)), std::span(table).subspan(i * actions(), actions()));
    return table;
  }
  /// Product of the player's own probabilities on the way to each infoset.
  std::vector<double> own_reach(const std::vector<double>& table) const {
    std::vector<double> reach(infosets());
    for (std::size_t i = 0; i < infosets(); ++i) {
      reach[i] = 1;
      for (int at = static_cast<int>(i); small->parent_infoset(at) >= 0; at = small->parent_infoset(at))
        reach[i] *= table[static_cast<std::size_t>(small->parent_infoset(at)) * actions() + small->parent_action(at)];
    }
    return reach;
  }
};

/// A network that answers the same for every infoset.
inline std::shared_ptr<const Network> constant_network(const SmallSetup& setup, std::vector<float> answers) {
  const NetworkOptions options = mlp_options(0, 1);
  Network network = setup.network(options, 0);
  std::vector<float> weights(network.parameter_count(), 0.0F);
  std::copy(answers.begin(), answers.end(), weights.end() - static_cast<std::ptrdiff_t>(answers.size()));
  network.set_weights(weights);
  return std::make_shared<const Network>(std::move(network));
}

}  // namespace deepcfr::test
