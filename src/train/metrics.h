// metrics.jsonl: one JSON object for each iteration, flushed as it is written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace deepcfr {

class MetricsFile {
 public:
  /// Keeps the lines of iterations ≤ `completed` (a resume repeats what came after its checkpoint) and goes on behind them.
  MetricsFile(std::filesystem::path path, std::int64_t completed);
  void append(const nlohmann::ordered_json& row);
  /// Writes the last appended row anew. A row is first written before its checkpoint is saved, so that a kill in between loses no
  /// row, then with the seconds that the save took.
  void replace_last(const nlohmann::ordered_json& row);
  /// Seconds of training that the kept lines tell.
  double elapsed_seconds() const noexcept { return elapsed_seconds_; }

 private:
  std::filesystem::path path_;
  std::uintmax_t last_row_ = 0;  ///< offset in the file
  double elapsed_seconds_ = 0;
};

}  // namespace deepcfr
