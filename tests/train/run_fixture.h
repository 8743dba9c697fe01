// A tiny run for tests: Kuhn, seconds at most.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "deepcfr/train/run.h"

namespace deepcfr {

/// A directory that is removed at the end.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "deepcfr-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::string run(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct QuietObserver : RunObserver {
  void progress(const Progress& progress) override {
    if (on_progress) on_progress(progress);
  }
  void line(const std::string& text) override { lines.push_back(text); }
  void warning(const std::string& text) override { warnings.push_back(text); }
  std::function<void(const Progress&)> on_progress;
  std::vector<std::string> lines, warnings;
};

inline TrainOptions tiny_options(const std::string& game = "kuhn") {
  TrainOptions options;
  options.seed = 7;
  options.game.name = game;
  options.algorithm.iterations = 4;
  options.algorithm.traversals = 60;
  options.advantage_network.layers = options.strategy_network.layers = 2;
  options.advantage_network.hidden = options.strategy_network.hidden = 16;
  options.advantage_fit.steps = options.strategy_fit.steps = 25;
  options.advantage_fit.batch_size = options.strategy_fit.batch_size = 32;
  options.memory.advantage_capacity = options.memory.strategy_capacity = 500;
  options.evaluation.eval_every = 2;
  options.evaluation.games = 20;
  options.evaluation.opponents = {"random"};
  options.checkpoint.every = 1;
  options.checkpoint.keep = 100;
  return options;
}

inline const std::atomic<int> kNeverStop{0};

/// A new run from first to last iteration.
inline RunOutcome start(const TrainOptions& options, const std::string& dir) {
  QuietObserver observer;
  return start_run(options, "seed: 7\n", dir, observer, kNeverStop);
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Rows of metrics.jsonl without what depends on the clock and the machine.
inline std::vector<nlohmann::json> timeless_metrics(const std::string& run_dir) {
  std::vector<nlohmann::json> rows;
  std::ifstream in(std::filesystem::path(run_dir) / "metrics.jsonl");
  std::string line;
  while (std::getline(in, line)) {
    nlohmann::json row = nlohmann::json::parse(line);
    for (auto it = row.begin(); it != row.end();) {
      const std::string& key = it.key();
      it = key.ends_with("_seconds") || key.ends_with("_per_second") || key == "resident_bytes" ? row.erase(it) : std::next(it);
    }
    rows.push_back(row);
  }
  return rows;
}

/// name → content of all files of a checkpoint.
inline std::map<std::string, std::string> checkpoint_files(const std::string& run_dir, const std::string& name) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(run_dir) / "checkpoints" / name)) {
    files[entry.path().filename().string()] = read_text(entry.path());
  }
  return files;
}

}  // namespace deepcfr
