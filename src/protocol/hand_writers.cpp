#include "deepcfr/protocol/hand_writers.h"

#include <sstream>

#include "deepcfr/core/error.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "deepcfr/protocol/hand_files.h"
#include "deepcfr/protocol/phh.h"

namespace deepcfr {

AcpcLogWriter::AcpcLogWriter(const std::string& path, const std::string& header) : path_(path), file_(path, std::ios::binary) {
  if (!file_) throw Error(ErrorKind::input, "cannot be written", path);
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) write("# " + line);
}

void AcpcLogWriter::write(const std::string& line) {
  file_ << line << '\n' << std::flush;
  if (!file_) throw Error(ErrorKind::input, "cannot be written on", path_, "is the disk full?");
}

void AcpcLogWriter::hand_over(const HandRecord& hand) { write(print_acpc_log_line(hand)); }

void AcpcLogWriter::finish(const std::string& score_line) { write(score_line); }

PhhsWriter::PhhsWriter(const std::string& path, const Game& game) : path_(path) {
  require_phh_game(game);
  file_.open(path, std::ios::binary);
  if (!file_) throw Error(ErrorKind::input, "cannot be written", path);
}

void PhhsWriter::hand_over(const HandRecord& hand) {
  file_ << print_hand(hand, HandFormat::phh, ++hands_) << std::flush;
  if (!file_) throw Error(ErrorKind::input, "cannot be written on", path_, "is the disk full?");
}

}  // namespace deepcfr
