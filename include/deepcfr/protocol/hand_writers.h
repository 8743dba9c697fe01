// Files of played hands, written while they are played. Each hand is on disk's side of the program as soon as it is over.
#pragma once

#include <fstream>
#include <string>

#include "deepcfr/protocol/table.h"

namespace deepcfr {

/// An ACPC log: a line for each hand; finish() adds the SCORE line.
class AcpcLogWriter final : public TableObserver {
 public:
  /// Error{input} if the file cannot be made. `header`: lines of comment, without '#'.
  AcpcLogWriter(const std::string& path, const std::string& header);
  void hand_over(const HandRecord& hand) override;
  void finish(const std::string& score_line);

 private:
  void write(const std::string& line);
  std::string path_;
  std::ofstream file_;
};

/// A .phhs file: a table for each hand.
class PhhsWriter final : public TableObserver {
 public:
  /// Error{usage} if PHH has no code for the game, before the file is made; Error{input} if it cannot be made.
  PhhsWriter(const std::string& path, const Game& game);
  void hand_over(const HandRecord& hand) override;

 private:
  std::string path_;
  std::ofstream file_;
  int hands_ = 0;
};

}  // namespace deepcfr
