// --log and --phh: the files that a match writes.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "deepcfr/protocol/hand_writers.h"

namespace deepcfr {

struct MatchFiles {
  std::string acpc_log;
  std::string phh;
};
void add_match_files(CLI::App& app, MatchFiles& target);

/// The files while the match is played. Error{usage} before anything is written if a game has no such notation.
class OpenMatchFiles {
 public:
  OpenMatchFiles(const MatchFiles& files, const Game& game, const std::vector<std::string>& names, const TableOptions& options);
  std::vector<TableObserver*> observers() const;
  void finish(const std::string& score_line);

 private:
  std::unique_ptr<AcpcLogWriter> log_;
  std::unique_ptr<PhhsWriter> phh_;
};

}  // namespace deepcfr
