// What a run says about its forwards: which kernels answer, how fast, whether rows depend on their batch, and how far bfloat16 is from
// float32 on the run's own infosets.
#pragma once

#include <string>

#include "state.h"

namespace deepcfr {

/// One line for the log, from a short measurement (some milliseconds) on fresh weights of the CPU's engine. Nothing depends on it.
std::string inference_line(const TrainOptions& options, const RunParts& parts);

/// Distance of bfloat16 answers to float32 answers of the current advantage networks on records drawn evenly from the memories, by
/// player: {"advantage": {mean, p99, largest}, "strategy": {…}, "mean_advantage", "rows"}. Empty where there is nothing to compare.
nlohmann::ordered_json bfloat16_distance(const RunParts& parts, const RunState& state);

}  // namespace deepcfr
