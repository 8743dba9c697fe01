#include "evaluation.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/bots.h"

namespace deepcfr {
namespace {

constexpr std::uint64_t kDisagreementRecords = 64;  // for each player

EvaluationResult::Exact exact(const RunParts& parts, std::span<const double> table) {
  EvaluationResult::Exact result;
  result.report = exploitability(*parts.small_game, table);
  const double scale = result_unit(*parts.game).scale;
  result.nash_conv = result.report.nash_conv * scale;
  result.exploitability = result.report.exploitability * scale;
  return result;
}

void play_bots(const TrainOptions& options, const Game& game, Policy& hero, EvaluationResult& result) {
  if (options.evaluation.games <= 0) return;
  MatchOptions match;
  match.games = options.evaluation.games;
  match.seed = options.evaluation.seed;
  match.variance = options.evaluation.variance;
  for (const std::string& name : options.evaluation.opponents) {
    const std::unique_ptr<Policy> bot = make_bot(game, name);
    result.matches.push_back(play_match(game, hero, *bot, match));
    result.matches.back().opponent = name;
  }
}

/// Half the L1 distance of two rows.
double total_variation(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

double table_disagreement(const RunParts& parts, const StrategyTables& tables) {
  const auto actions = static_cast<std::size_t>(parts.game->num_actions());
  const auto infosets = static_cast<std::size_t>(parts.small_game->num_infosets());
  double sum = 0;
  for (std::size_t i = 0; i < infosets; ++i) {
    sum += total_variation(std::span(tables.network).subspan(i * actions, actions), std::span(tables.mixture).subspan(i * actions, actions));
  }
  return sum / static_cast<double>(infosets);
}

double sampled_disagreement(const RunParts& parts, Policy& network, Policy& mixture, const std::vector<Reservoir>& memories,
                            std::int64_t iteration, std::uint64_t seed) {
  std::vector<State> states;
  for (std::size_t p = 0; p < memories.size(); ++p) {
    const CounterRandom stream(StreamPurpose::batch, {seed, 77, p, static_cast<std::uint64_t>(iteration)});
    for (std::uint64_t i = 0; i < kDisagreementRecords && memories[p].size() > 0; ++i) {
      states.push_back(state_of(*parts.game, parts.strategy_codec->infoset(memories[p].record(stream.below(i, memories[p].size())))));
    }
  }
  if (states.empty()) return 0;
  std::vector<const State*> pointers;
  for (const State& state : states) pointers.push_back(&state);
  const auto actions = static_cast<std::size_t>(parts.game->num_actions());
  std::vector<double> a(states.size() * actions);
  std::vector<double> b(a.size());
  network.probabilities(pointers, a);
  mixture.probabilities(pointers, b);
  double sum = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    sum += total_variation(std::span(a).subspan(i * actions, actions), std::span(b).subspan(i * actions, actions));
  }
  return sum / static_cast<double>(states.size());
}

nlohmann::ordered_json exact_json(const EvaluationResult::Exact& e) {
  return {{"nash_conv", e.nash_conv}, {"exploitability", e.exploitability}};
}

}  // namespace

bool needs_strategy_network(const TrainOptions& options, const RunParts& parts) {
  return options.evaluation.policy == AveragePolicy::network || (parts.small_game && options.evaluation.exploitability != Switch::off);
}

EvaluationResult evaluate_tables(const TrainOptions& options, const RunParts& parts, const StrategyTables& tables) {
  EvaluationResult result;
  result.unit = result_unit(*parts.game).name;
  if (options.evaluation.exploitability != Switch::off) {
    if (!tables.network.empty()) result.network = exact(parts, tables.network);
    result.mixture = exact(parts, tables.mixture);
    result.current = exact(parts, tables.current);
  }
  if (!tables.network.empty()) result.disagreement = table_disagreement(parts, tables);
  const bool play_network = options.evaluation.policy == AveragePolicy::network && !tables.network.empty();
  TabularPolicy hero(parts.small_game, play_network ? tables.network : tables.mixture, play_network ? "network" : "mixture");
  play_bots(options, *parts.game, hero, result);
  return result;
}

EvaluationResult evaluate_networks(const TrainOptions& options, const RunParts& parts, const std::vector<std::shared_ptr<const Network>>& strategy,
                                   std::vector<std::vector<ArchivedNetwork>> archive, const std::vector<Reservoir>* memory, std::int64_t iteration) {
  EvaluationResult result;
  result.unit = result_unit(*parts.game).name;
  const std::unique_ptr<Policy> mixture = make_mixture_policy(parts.game, options.advantage_network, std::move(archive));
  const std::unique_ptr<Policy> network = strategy.empty() ? nullptr : make_strategy_network_policy(parts.game, strategy);
  if (network && memory != nullptr) result.disagreement = sampled_disagreement(parts, *network, *mixture, *memory, iteration, options.seed);
  play_bots(options, *parts.game, network && options.evaluation.policy == AveragePolicy::network ? *network : *mixture, result);
  return result;
}

nlohmann::ordered_json to_json(const EvaluationResult& result) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  json["unit"] = result.unit;
  if (result.network) json["network"] = exact_json(*result.network);
  if (result.mixture) json["mixture"] = exact_json(*result.mixture);
  if (result.current) json["current"] = exact_json(*result.current);
  if (result.disagreement) json["disagreement"] = *result.disagreement;
  json["matches"] = nlohmann::ordered_json::array();
  for (const MatchResult& match : result.matches) {
    json["matches"].push_back({{"opponent", match.opponent},
                               {"hands", match.hands},
                               {"mean", match.mean},
                               {"sd", match.standard_deviation},
                               {"variance", kVarianceReductionNames[static_cast<std::size_t>(match.variance)]},
                               {"ci_low", match.ci_low},
                               {"ci_high", match.ci_high},
                               {"unit", match.unit}});
  }
  return json;
}

std::string short_text(const EvaluationResult& result) {
  std::string text;
  std::array<char, 160> part;
  const auto add = [&](int length) { text += (text.empty() ? "" : " | ") + std::string(part.data(), static_cast<std::size_t>(length)); };
  if (result.network && result.mixture) {
    add(std::snprintf(part.data(), part.size(), "NashConv %.4f (mixture %.4f) %s", result.network->nash_conv, result.mixture->nash_conv, result.unit.c_str()));
  } else if (result.mixture) {
    add(std::snprintf(part.data(), part.size(), "NashConv of the mixture %.4f %s", result.mixture->nash_conv, result.unit.c_str()));
  }
  for (const MatchResult& match : result.matches) {
    add(std::snprintf(part.data(), part.size(), "v %s %+.3g ± %.2g %s", match.opponent.c_str(), match.mean, (match.ci_high - match.ci_low) / 2, match.unit.c_str()));
  }
  return text;
}

}  // namespace deepcfr
