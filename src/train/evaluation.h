// Evaluation of a run's agent: exact exploitability where the game is small, matches against bots, disagreement of the two
// averages.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "checkpoint.h"
#include "deepcfr/train/run.h"
#include "small_tables.h"

namespace deepcfr {

/// The strategies of a small game's run as tables [infoset][action].
struct StrategyTables {
  std::vector<double> network;  ///< empty if the strategy networks are not fitted
  std::vector<double> mixture;
  std::vector<double> current;
};

/// Whether an evaluation plays or measures the strategy networks; those at the end always do.
bool needs_strategy_network(const TrainOptions& options, const RunParts& parts);

/// Small games.
EvaluationResult evaluate_tables(const TrainOptions& options, const RunParts& parts, const StrategyTables& tables);
/// Other games. `strategy` is empty if the strategy networks are not fitted; the mixture then plays. The archive holds the mixture's networks. `memory` are the strategy memories from which infosets for the disagreement
/// are drawn (none: not measured).
EvaluationResult evaluate_networks(const TrainOptions& options, const RunParts& parts, const std::vector<std::shared_ptr<const Network>>& strategy,
                                   std::vector<std::vector<ArchivedNetwork>> archive, const std::vector<Reservoir>* memory, std::int64_t iteration);

nlohmann::ordered_json to_json(const EvaluationResult& result);
/// "NashConv 0.0312 (mixture 0.0298) antes | tight +123 ± 45 mbb/g", for the iteration line.
std::string short_text(const EvaluationResult& result);

}  // namespace deepcfr
