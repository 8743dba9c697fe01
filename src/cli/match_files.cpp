#include "match_files.h"

namespace deepcfr {

void add_match_files(CLI::App& app, MatchFiles& target) {
  app.add_option("--acpc-log,--log", target.acpc_log, "Write an ACPC log: a STATE line for each hand, then SCORE")->type_name("FILE");
  app.add_option("--phh", target.phh, "Write the hands as PHH (limit and no-limit Texas hold'em)")->type_name("FILE.phhs");
}

OpenMatchFiles::OpenMatchFiles(const MatchFiles& files, const Game& game, const std::vector<std::string>& names,
                               const TableOptions& options) {
  if (!files.phh.empty()) phh_ = std::make_unique<PhhsWriter>(files.phh, game);
  std::string players;
  for (const std::string& name : names) players += " " + name;
  if (!files.acpc_log.empty()) {
    log_ = std::make_unique<AcpcLogWriter>(files.acpc_log, "game/hands/seed " + game.name() + " " + std::to_string(options.hands) + " " +
                                                               std::to_string(options.seed) + "\nplayers" + players);
  }
}

std::vector<TableObserver*> OpenMatchFiles::observers() const {
  std::vector<TableObserver*> observers;
  if (log_) observers.push_back(log_.get());
  if (phh_) observers.push_back(phh_.get());
  return observers;
}

void OpenMatchFiles::finish(const std::string& score_line) {
  if (log_) log_->finish(score_line);
}

}  // namespace deepcfr
