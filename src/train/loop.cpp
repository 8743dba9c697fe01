// The loop of Deep CFR (Brown et al. 2019, algorithm 1), from top to bottom:
//   for each iteration t, for each player p: K traversals by external sampling, then a network for p fitted to p's advantage memory.
//   At evaluations and at the end: the strategy networks, fitted to the strategy memories.
#include <malloc.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "batches.h"
#include "checkpoint.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/thread_group.h"
#include "deepcfr/nn/network.h"
#include "deepcfr/train/devices.h"
#include "deepcfr/train/run.h"
#include "evaluation.h"
#include "files.h"
#include "inference_report.h"
#include "machine_memory.h"
#include "metrics.h"
#include "prefetched_batches.h"
#include "small_tables.h"
#include "state.h"
#include "traversal_phase.h"

namespace deepcfr {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Log file, flushed line by line: what a crash leaves is whole (reported fault T41).
std::shared_ptr<spdlog::logger> open_log(const RunPaths& paths) {
  auto logger = std::make_shared<spdlog::logger>("run", std::make_shared<spdlog::sinks::basic_file_sink_mt>(paths.log().string()));
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e %l %v");
  logger->flush_on(spdlog::level::trace);
  return logger;
}

class Loop {
 public:
  Loop(const TrainOptions& options, RunPaths paths, RunObserver& observer, const std::atomic<int>& stop)
      : options_(options), paths_(std::move(paths)), observer_(observer), stop_(stop), lock_(paths_.root), log_(open_log(paths_)), parts_(make_parts(options)) {}

  void start_fresh() {
    state_ = make_state(options_, parts_, paths_.root);
    for (int p = 0; p < players(); ++p) {
      state_.archive.push_back(std::make_unique<ArchiveWriter>(paths_.archive(p), parts_.fresh_network(options_, false, p, 0).parameter_count(), nullptr));
    }
    prepare();
    say("start: game " + parts_.game->name() + ", seed " + std::to_string(options_.seed));
  }

  void start_from_checkpoint() {
    std::vector<std::string> warnings;
    state_ = load_checkpoint(paths_, options_, parts_, true, warnings);
    for (const std::string& warning : warnings) warn(warning);
    prepare();
    replay_archive();
    say("resume: after iteration " + std::to_string(state_.position.completed) + (state_.position.step > 0 ? " and " + std::to_string(state_.position.step) + " steps" : ""));
  }

  /// The loop; an error that ends it is written to the log as well.
  RunOutcome run() {
    try {
      return run_iterations();
    } catch (const std::exception& error) {
      log_->error(error.what());
      throw;
    }
  }

  /// Of a run whose iterations were already done when it was resumed.
  EvaluationResult evaluate_only() {
    fit_strategy();
    return evaluate(true);
  }

 private:
  int players() const { return parts_.game->players(); }
  std::int64_t iteration() const { return state_.position.completed + 1; }

  RunOutcome run_iterations() {
    RunOutcome outcome;
    outcome.run_dir = paths_.root.string();
    started_ = Clock::now();
    first_iteration_ = state_.position.completed;
    while (state_.position.completed < options_.algorithm.iterations) {
      if (!iterate()) {
        timed("checkpoint_seconds", "checkpoint", [&] { save(); });
        outcome.end = RunEnd::interrupted;
        break;
      }
      if (stop_.load() != 0 && state_.position.completed < options_.algorithm.iterations) {
        if (!saved_) save();
        outcome.end = RunEnd::interrupted;
        break;
      }
    }
    outcome.iteration = state_.position.completed;
    outcome.last_evaluation = last_evaluation_;
    log_->info(outcome.end == RunEnd::finished ? "finished" : "interrupted; saved");
    return outcome;
  }

  void say(const std::string& text) {
    log_->info(text);
    observer_.line(text);
  }
  void warn(const std::string& text) {
    log_->warn(text);
    observer_.warning(text);
  }

  void prepare() {
    log_->info(devices_.text());
    if (devices_.traversals.device == ComputeDevice::cpu) say(inference_line(options_, parts_));
    workers_ = std::make_unique<ThreadGroup>(static_cast<std::size_t>(options_.traversal.workers));
    if (options_.training.threads > 1) fit_threads_ = std::make_unique<ThreadGroup>(static_cast<std::size_t>(options_.training.threads));
    advantage_encoder_ = std::make_unique<Encoder>(*parts_.game, parts_.advantage_layout.kind);
    strategy_encoder_ = std::make_unique<Encoder>(*parts_.game, parts_.strategy_layout.kind);
    if (!parts_.fast_path) betting_ = std::make_unique<BettingTable>(*parts_.game);
    metrics_ = std::make_unique<MetricsFile>(paths_.metrics(), state_.position.completed);
    elapsed_seconds_ = metrics_->elapsed_seconds();
    if (!parts_.small_game) return;
    advantage_features_ = std::make_shared<const FeatureTable>(*parts_.small_game, parts_.advantage_layout.kind);
    strategy_features_ = parts_.strategy_layout.kind == parts_.advantage_layout.kind
                             ? advantage_features_
                             : std::make_shared<const FeatureTable>(*parts_.small_game, parts_.strategy_layout.kind);
    mixture_ = std::make_unique<MixtureTable>(parts_.small_game);
    current_.assign(static_cast<std::size_t>(parts_.small_game->num_infosets()) * static_cast<std::size_t>(parts_.game->num_actions()), 0.0);
    for (int p = 0; p < players(); ++p) update_current(p);
  }

  void update_current(int player) {
    if (parts_.small_game) {
      advantage_strategies(*parts_.small_game, *advantage_features_, player, state_.advantage[static_cast<std::size_t>(player)].get(), current_);
    }
  }

  /// The mixture's table from the archive, summed in the order in which it grew: the same bits as without a stop.
  void replay_archive() {
    if (!parts_.small_game) return;
    std::vector<double> table(current_.size());
    for (int p = 0; p < players(); ++p) {
      Network network = parts_.fresh_network(options_, false, p, 0);
      for (const ArchivedNetwork& entry : read_archive(paths_.archive(p), state_.archive[static_cast<std::size_t>(p)]->sync())) {
        if (!entry.weights.empty()) network.set_weights(entry.weights);
        advantage_strategies(*parts_.small_game, *advantage_features_, p, entry.weights.empty() ? nullptr : &network, table);
        mixture_->add(p, entry.iteration, table);
      }
    }
  }

  template <typename Work>
  void timed(const char* key, const std::string& phase, Work&& work) {
    report(phase, 0);
    const Clock::time_point start = Clock::now();
    work();
    state_.partial.add_seconds(key, seconds_since(start));
  }

  void report(const std::string& phase, double fraction) {
    Progress progress;
    progress.iteration = iteration();
    progress.iterations = options_.algorithm.iterations;
    progress.phase = phase;
    progress.phase_fraction = fraction;
    progress.seconds_left = seconds_left();
    observer_.progress(progress);
  }

  double seconds_left() const {
    const std::int64_t done = state_.position.completed - first_iteration_;
    if (done <= 0) return -1;
    return seconds_since(started_) / static_cast<double>(done) * static_cast<double>(options_.algorithm.iterations - state_.position.completed);
  }

  /// One iteration, or what is left of it. False: stopped between two steps.
  bool iterate() {
    const int steps = 2 * players();
    while (state_.position.step < steps) {
      if (stop_.load() != 0) return false;
      const int player = state_.position.step / 2;
      if (state_.position.step % 2 == 0) {
        timed("traversal_seconds", "traversal", [&] { traverse(player); });
      } else {
        timed("advantage_network_seconds", "advantage network", [&] { fit_advantage(player); });
      }
      ++state_.position.step;
      saved_ = false;
    }
    state_.position = {state_.position.completed + 1, 0};
    finish_iteration();
    return true;
  }

  void traverse(int traverser) {
    // who plays here, and records strategies, is the one whose average this iteration adds to (statement 15)
    const int recorded = (traverser + 1) % players();
    const Network* playing = state_.advantage[static_cast<std::size_t>(recorded)].get();
    state_.archive[static_cast<std::size_t>(recorded)]->append(iteration(), playing != nullptr ? playing->weights() : std::vector<float>{});
    if (mixture_) mixture_->add(recorded, iteration(), current_);
    const TraversalCounts counts =
        run_traversals(options_, parts_, state_, traverser, parts_.fast_path ? std::span<const double>(current_) : std::span<const double>(), {*workers_, device_engines_.get()},
                       [&](double fraction) { report("traversal", fraction); });
    state_.total_traversals += counts.traversals;
    state_.total_decisions += counts.decisions;
    auto& values = state_.partial.values;
    values["traversals"] = values.value("traversals", std::uint64_t{0}) + counts.traversals;
    values["decisions"] = values.value("decisions", std::uint64_t{0}) + counts.decisions;
  }

  BatchSetup batch_setup(bool strategy, int player, std::int64_t t) const {
    return {.game = parts_.game.get(),
            .codec = strategy ? parts_.strategy_codec.get() : parts_.advantage_codec.get(),
            .encoder = strategy ? strategy_encoder_.get() : advantage_encoder_.get(),
            .features = !parts_.fast_path ? nullptr : strategy ? strategy_features_.get() : advantage_features_.get(),
            .betting = betting_.get(),
            .iteration = t,
            .batch_size = strategy ? options_.strategy_fit.batch_size : options_.advantage_fit.batch_size,
            .stream = CounterRandom(StreamPurpose::batch, {options_.seed, strategy ? 1U : 0U, static_cast<std::uint64_t>(player), static_cast<std::uint64_t>(t)})};
  }

  FitResult fit_memory(Network& network, bool strategy, int player, std::int64_t t) {
    const auto p = static_cast<std::size_t>(player);
    const BatchSetup setup = batch_setup(strategy, player, t);
    const Reservoir& memory = strategy ? state_.strategy_memory[p] : state_.advantage_memory[p];
    const std::vector<MergedSums>& sums = strategy ? state_.strategy_sums : state_.advantage_sums;
    const std::unique_ptr<BatchSource> batches = !parts_.merge  ? make_sampled_batches(setup, memory)
                                                 : sums.empty() ? make_merged_batches(setup, merge_memory(setup, memory))
                                                                : make_merged_batches(setup, sums[p].merged(t));
    const FitOptions& options = strategy ? options_.strategy_fit : options_.advantage_fit;
    PrefetchedBatches prefetched(*batches, row_shape(network), options.steps, *workers_);
    const FitResult result = fit_where(devices_.fits, network, strategy ? FitKind::strategy : FitKind::advantage, prefetched, options, options_.training.strategy_loss);
    require_finite(network, strategy, player, t);
    return result;
  }

  FitResult fit_where(const DeviceChoice& where, Network& network, FitKind kind, BatchSource& batches, const FitOptions& options, StrategyLoss loss) const {
    if (where.device == ComputeDevice::cuda) return fit_on_device(network, kind, batches, options, loss, where.device);
    return fit(network, kind, batches, options, loss, fit_threads_.get());
  }

  static RowShape row_shape(const Network& network) {
    return {static_cast<std::size_t>(network.layout().width), static_cast<std::size_t>(network.outputs())};
  }

  /// No checkpoint and no archive holds a NaN (statement 19).
  static void require_finite(const Network& network, bool strategy, int player, std::int64_t t) {
    for (const float weight : network.weights()) {
      if (std::isfinite(weight)) continue;
      throw Error(ErrorKind::input,
                  std::string(strategy ? "the strategy" : "the advantage") + " network of player " + std::to_string(player) +
                      " has a weight that is not finite after iteration " + std::to_string(t),
                  {}, "lower training.learning_rate; the last checkpoint is whole and `resume` goes on from it");
    }
  }

  void fit_advantage(int player) {
    const auto p = static_cast<std::size_t>(player);
    Network network = options_.training.warm_start && state_.advantage[p] ? state_.advantage[p]->clone()
                                                                          : parts_.fresh_network(options_, false, player, iteration());
    const FitResult result = fit_memory(network, false, player, iteration());
    state_.advantage[p] = std::make_shared<const Network>(std::move(network));
    update_current(player);
    auto& values = state_.partial.values;
    values["advantage_loss"].push_back(result.final_loss);
    values["advantage_loss_first"].push_back(result.first_loss);
    values["advantage_steps"].push_back(result.steps);
    values["skipped_steps"] = values.value("skipped_steps", std::int64_t{0}) + result.skipped_steps;
  }

  /// Fitted to the whole iterations done so far.
  void fit_strategy() {
    const std::int64_t t = state_.position.completed;
    if (state_.strategy_iteration == t && state_.strategy[0]) return;
    nlohmann::ordered_json losses = nlohmann::ordered_json::array();
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (int player = 0; player < players(); ++player) {
      const auto p = static_cast<std::size_t>(player);
      report("strategy network", static_cast<double>(player) / players());
      Network network = parts_.fresh_network(options_, true, player, t);
      const FitResult result = fit_memory(network, true, player, t);
      state_.strategy[p] = std::make_shared<const Network>(std::move(network));
      losses.push_back(result.final_loss);
      steps.push_back(result.steps);
    }
    state_.strategy_iteration = t;
    state_.partial.values["strategy_loss"] = losses;
    state_.partial.values["strategy_steps"] = steps;
  }

  /// fitted: the strategy networks are those of now.
  EvaluationResult evaluate(bool fitted) {
    if (!parts_.small_game) {
      std::vector<std::vector<ArchivedNetwork>> archive;
      for (int p = 0; p < players(); ++p) archive.push_back(read_archive(paths_.archive(p), state_.archive[static_cast<std::size_t>(p)]->sync()));
      return evaluate_networks(options_, parts_, fitted ? state_.strategy : std::vector<std::shared_ptr<const Network>>{}, std::move(archive),
                               &state_.strategy_memory, state_.position.completed);
    }
    StrategyTables tables;
    tables.current = current_;
    tables.mixture = mixture_->average();
    if (fitted) tables.network.resize(current_.size());
    for (int p = 0; fitted && p < players(); ++p) {
      network_strategies(*parts_.small_game, *strategy_features_, p, *state_.strategy[static_cast<std::size_t>(p)], tables.network);
    }
    return evaluate_tables(options_, parts_, tables);
  }

  bool due(std::int64_t every) const {
    return (every > 0 && state_.position.completed % every == 0) || state_.position.completed >= options_.algorithm.iterations;
  }

  /// The strategy networks are fitted only for somebody who reads them: an evaluation, a checkpoint that asks for them, the end.
  bool strategy_due(bool evaluated) const {
    return state_.position.completed >= options_.algorithm.iterations || (evaluated && needs_strategy_network(options_, parts_)) ||
           (options_.checkpoint.strategy_network && due(options_.checkpoint.every));
  }

  void finish_iteration() {
    std::optional<EvaluationResult> evaluation;
    const bool evaluated = due(options_.evaluation.eval_every);
    const bool fitted = strategy_due(evaluated);
    if (fitted) timed("policy_network_seconds", "strategy network", [&] { fit_strategy(); });
    if (evaluated) {
      timed("evaluation_seconds", "evaluation", [&] { evaluation = evaluate(fitted); });
      if (!parts_.small_game) ::malloc_trim(0);  // what the archive took goes back to the system instead of lying in pieces between other blocks
      last_evaluation_ = evaluation;
      if (options_.inference.dtype == RowType::bfloat16 && !parts_.fast_path) state_.partial.values["bfloat16_distance"] = bfloat16_distance(parts_, state_);
    }
    nlohmann::ordered_json row = metrics_row(evaluation);
    metrics_->append(row);
    if (due(options_.checkpoint.every)) {
      timed("checkpoint_seconds", "checkpoint", [&] { save(); });
      row = metrics_row(evaluation);
      metrics_->replace_last(row);
    }
    elapsed_seconds_ = row["elapsed_seconds"];
    say(iteration_line(row, evaluation));
    state_.partial = {};
  }

  void save() {
    save_checkpoint(paths_, options_, parts_, state_, options_.checkpoint.keep);
    saved_ = true;
  }

  nlohmann::ordered_json metrics_row(const std::optional<EvaluationResult>& evaluation) const {
    nlohmann::ordered_json row;
    row["iteration"] = state_.position.completed;
    for (const auto& [key, value] : state_.partial.values.items()) row[key] = value;
    row["total_traversals"] = state_.total_traversals;
    row["total_decisions"] = state_.total_decisions;
    for (std::size_t p = 0; p < state_.advantage.size(); ++p) {
      row["advantage_memory"].push_back({{"size", state_.advantage_memory[p].size()}, {"seen", state_.advantage_memory[p].seen()}});
      row["strategy_memory"].push_back({{"size", state_.strategy_memory[p].size()}, {"seen", state_.strategy_memory[p].seen()}});
      row["weights_hash"].push_back(hash_text(state_.advantage[p]->hash()));
    }
    row["samples_hash"] = hash_text(state_.samples_hash);
    if (evaluation) row["evaluation"] = to_json(*evaluation);
    double total = 0;
    for (const char* key : {"traversal_seconds", "advantage_network_seconds", "policy_network_seconds", "evaluation_seconds", "checkpoint_seconds"}) {
      const double taken = state_.partial.seconds.value(key, 0.0);
      row[key] = taken;
      total += taken;
    }
    const double traversing = std::max(1e-9, state_.partial.seconds.value("traversal_seconds", 0.0));
    row["traversals_per_second"] = row.value("traversals", 0.0) / traversing;
    row["decisions_per_second"] = row.value("decisions", 0.0) / traversing;
    row["iteration_seconds"] = total;
    row["elapsed_seconds"] = elapsed_seconds_ + total;
    row["resident_bytes"] = resident_bytes();
    return row;
  }

  std::string iteration_line(const nlohmann::ordered_json& row, const std::optional<EvaluationResult>& evaluation) const {
    const auto human = [](double value) {
      char text[32];
      if (value >= 1e6) {
        std::snprintf(text, sizeof text, "%.1fM", value / 1e6);
      } else if (value >= 1e3) {
        std::snprintf(text, sizeof text, "%.1fk", value / 1e3);
      } else {
        std::snprintf(text, sizeof text, "%.0f", value);
      }
      return std::string(text);
    };
    double fill = 0;
    for (const Reservoir& memory : state_.advantage_memory) fill = std::max(fill, 100.0 * static_cast<double>(memory.size()) / static_cast<double>(memory.capacity()));
    std::string losses;
    for (const auto& loss : row["advantage_loss"]) {
      char text[24];
      std::snprintf(text, sizeof text, " %.3g", loss.get<double>());
      losses += text;
    }
    char head[240];
    const double left = seconds_left();
    std::snprintf(head, sizeof head, "iteration %lld/%lld | %.2f s, %s left | %s traversals/s, %s decisions/s | loss%s | memory %.0f %%",
                  static_cast<long long>(state_.position.completed), static_cast<long long>(options_.algorithm.iterations),
                  row["iteration_seconds"].get<double>(), left_text(left).c_str(), human(row["traversals_per_second"]).c_str(),
                  human(row["decisions_per_second"]).c_str(), losses.c_str(), fill);
    std::string text = head;
    if (evaluation) {
      const std::string result = short_text(*evaluation);
      if (!result.empty()) text += " | " + result;
    }
    return text;
  }

  static std::string left_text(double seconds) {
    if (seconds < 0) return "?";
    const auto whole = static_cast<long long>(seconds + 0.5);
    char text[32];
    if (whole >= 3600) {
      std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
    } else {
      std::snprintf(text, sizeof text, "%lld:%02lld", whole / 60, whole % 60);
    }
    return text;
  }

  TrainOptions options_;
  RunPaths paths_;
  RunObserver& observer_;
  const std::atomic<int>& stop_;
  DirectoryLock lock_;
  std::shared_ptr<spdlog::logger> log_;
  RunParts parts_;
  const RunDevices devices_ = choose_devices(options_, report_devices());
  const std::unique_ptr<DeviceEngines> device_engines_ =
      devices_.traversals.device == ComputeDevice::cpu
          ? nullptr
          : std::make_unique<DeviceEngines>(devices_.traversals.device, ForwardOptions{.type = options_.inference.dtype, .share_cards = options_.inference.share_cards});
  RunState state_;
  std::unique_ptr<ThreadGroup> workers_;
  std::unique_ptr<ThreadGroup> fit_threads_;  // beside the workers, who make batches meanwhile; null: one thread
  std::unique_ptr<Encoder> advantage_encoder_, strategy_encoder_;
  std::unique_ptr<BettingTable> betting_;                                       // null on the fast path
  std::shared_ptr<const FeatureTable> advantage_features_, strategy_features_;  // small games
  std::unique_ptr<MixtureTable> mixture_;                                       // small games
  std::vector<double> current_;                                                 // small games: strategies of the advantage networks
  std::unique_ptr<MetricsFile> metrics_;
  std::optional<EvaluationResult> last_evaluation_;
  Clock::time_point started_;
  std::int64_t first_iteration_ = 0;
  double elapsed_seconds_ = 0;  ///< of training, all parts of the run
  bool saved_ = false;
};

}  // namespace

RunOutcome start_run(const TrainOptions& options, const std::string& resolved_yaml, const std::string& run_dir, RunObserver& observer,
                     const std::atomic<int>& stop) {
  RunPaths paths{run_dir};
  if (fs::exists(paths.root) && !fs::is_empty(paths.root)) {
    throw Error(ErrorKind::input, "the run directory is not empty", run_dir, "go on with `resume " + run_dir + "` or name another with --run-dir");
  }
  require_memory(options, run_dir);
  fs::create_directories(paths.checkpoints());
  fs::create_directories(paths.root / "archive");
  write_file_atomically(paths.config(), resolved_yaml);
  Loop loop(options, paths, observer, stop);
  loop.start_fresh();
  return loop.run();
}

RunOutcome resume_run(const TrainOptions& options, const std::string& resolved_yaml, const std::string& run_dir, RunObserver& observer,
                      const std::atomic<int>& stop) {
  RunPaths paths{run_dir};
  if (!fs::exists(paths.config())) throw Error(ErrorKind::input, "is not a run directory: it has no config.yaml", run_dir, "start a run with `train CONFIG`");
  require_memory(options, run_dir);
  Loop loop(options, paths, observer, stop);
  remove_leftovers(paths);
  loop.start_from_checkpoint();
  write_file_atomically(paths.config(), resolved_yaml);  // only now: the options have been accepted
  RunOutcome outcome = loop.run();
  if (outcome.end == RunEnd::finished && !outcome.last_evaluation) outcome.last_evaluation = loop.evaluate_only();
  return outcome;
}

}  // namespace deepcfr
