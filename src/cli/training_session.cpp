#include "training_session.h"

#include <algorithm>
#include <iostream>
#include <ostream>
#include <thread>
#include <utility>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/nn/network.h"
#include "deepcfr/train/devices.h"
#include "open_run.h"
#include "report.h"
#include "signals.h"
#include "terminal.h"

namespace deepcfr {
namespace {

Json evaluation_json(const EvaluationResult& evaluation, const ResultUnit& unit) {
  Json json;
  json["unit"] = evaluation.unit;
  const auto exact = [&](const char* name, const std::optional<EvaluationResult::Exact>& result) {
    if (result) json[name] = exploitability_json(result->report, unit);
  };
  exact("network", evaluation.network);
  exact("mixture", evaluation.mixture);
  exact("current", evaluation.current);
  if (evaluation.disagreement) json["disagreement"] = *evaluation.disagreement;
  json["opponents"] = Json::object();
  for (const MatchResult& match : evaluation.matches) json["opponents"][match.opponent] = match_json(match);
  return json;
}

void exact_line(std::ostream& out, const char* name, const std::optional<EvaluationResult::Exact>& result,
                const std::string& unit) {
  if (!result) return;
  out << "  " << name << "NashConv " << show_value(result->nash_conv) << ", exploitability " << show_value(result->exploitability)
      << " " << unit << "\n";
}

void evaluation_text(std::ostream& out, const EvaluationResult& evaluation) {
  if (evaluation.network || evaluation.mixture) {
    out << "average policy\n";
    exact_line(out, "strategy network:  ", evaluation.network, evaluation.unit);
    exact_line(out, "mixture:           ", evaluation.mixture, evaluation.unit);
  }
  if (!evaluation.matches.empty()) {
    out << "result for a hand against\n";
    for (const MatchResult& match : evaluation.matches) out << "  " << match_text(match) << "\n";
  }
}

void next_commands(std::ostream& out, const std::string& program, const std::string& run, bool small) {
  std::vector<std::pair<std::string, std::string>> commands = {{" eval " + run, "longer matches against bots"}};
  if (small) commands.emplace_back(" exploit " + run, "exact exploitability, player by player");
  commands.emplace_back(" samples " + run + " --limit 5", "what it was learned from");
  std::size_t width = 0;
  for (const auto& [command, purpose] : commands) width = std::max(width, command.size());
  out << "next\n";
  for (const auto& [command, purpose] : commands) {
    out << "  " << program << command << std::string(width - command.size() + 2, ' ') << "# " << purpose << "\n";
  }
}

}  // namespace

TrainingSession::TrainingSession(const Invocation& invocation, const LoadedConfig& config, bool json)
    : program_(shell_word(invocation.program)), config_(config), json_(json) {
  const TrainOptions& options = config_.options;
  std::ostream& out = json_ ? std::cerr : std::cout;
  for (const std::string& warning : config_.warnings) show_warning(warning);
  const unsigned threads = std::thread::hardware_concurrency();
  if (threads > 0 && static_cast<unsigned>(options.traversal.workers) > threads) {
    show_warning("traversal.workers: " + std::to_string(options.traversal.workers) + " are more than this machine's " +
                 std::to_string(threads) + " hardware threads");
  }
  out << configure_libtorch(1) << std::endl;
  const DeviceReport report = report_devices();
  const RunDevices devices = choose_devices(options, report);
  out << devices.text() << std::endl;
  if (devices.fits.device == ComputeDevice::cpu && (options.advantage_fit.amp == Amp::bf16 || options.strategy_fit.amp == Amp::bf16) &&
      !report.bfloat16_fast) {
    show_warning("training.amp: bf16 is emulated on this CPU (no avx512_bf16): the fits do run in bfloat16, but slower than with off");
  }
  const MemoryEstimate memory = estimate_memory(options);
  out << "memory: up to " << show_bytes(memory.total()) << " (";
  if (!memory.memories_on_disk) out << "advantage " << show_bytes(memory.advantage_bytes) << ", strategy " << show_bytes(memory.strategy_bytes) << ", ";
  out << "networks " << show_bytes(memory.network_bytes) << ", archive " << show_bytes(memory.archive_bytes) << ", traversal "
      << show_bytes(memory.traversal_bytes) << ", batches " << show_bytes(memory.batch_bytes) << ", merged " << show_bytes(memory.merged_bytes)
      << ", program " << show_bytes(memory.program_bytes) << "), " << show_bytes(memory.available) << " free" << std::endl;
  if (memory.memories_on_disk) {
    out << "disk: advantage " << show_bytes(memory.advantage_bytes) << ", strategy " << show_bytes(memory.strategy_bytes) << std::endl;
  }
}

void TrainingSession::run(const StartRun& start) const {
  RunOutcome outcome;
  {
    const StopSignals signals;
    TerminalObserver observer(json_ ? std::cerr : std::cout, TerminalObserver::bar_possible());
    outcome = start(observer, signals.stop());
  }
  if (outcome.end == RunEnd::interrupted) {
    report_interrupted(outcome);
  } else {
    report_finished(outcome);
  }
}

void TrainingSession::report_interrupted(const RunOutcome& outcome) const {
  const std::string command = program_ + " resume " + shell_word(outcome.run_dir);
  if (json_) {
    write_json({{"end", "interrupted"}, {"run", outcome.run_dir}, {"iteration", outcome.iteration}, {"resume", command}});
    return;
  }
  std::cout << "interrupted in iteration " << outcome.iteration << "; saved. This goes on:\n  " << command << std::endl;
}

void TrainingSession::report_finished(const RunOutcome& outcome) const {
  if (json_) {
    const Game game = make_game(config_.options.game);
    Json json = {{"end", "finished"}, {"run", outcome.run_dir}, {"iteration", outcome.iteration}, {"seed", config_.options.seed}};
    json["evaluation"] = outcome.last_evaluation ? evaluation_json(*outcome.last_evaluation, result_unit(game)) : Json();
    write_json(json);
    return;
  }
  std::cout << "\nfinished iteration " << outcome.iteration << " of " << config_.options.game.name << "; the run is in "
            << outcome.run_dir << "\n";
  bool small = false;
  if (outcome.last_evaluation) {
    evaluation_text(std::cout, *outcome.last_evaluation);
    small = outcome.last_evaluation->network.has_value() || outcome.last_evaluation->mixture.has_value();
  }
  next_commands(std::cout, program_, shell_word(outcome.run_dir), small);
}

}  // namespace deepcfr
