// Lines from a person or a script, on standard input.
#pragma once

#include <optional>
#include <string>

namespace deepcfr {

/// Reads standard input line by line. As long as the object lives, the first Ctrl-C or SIGTERM ends the input as its end would, so that
/// whoever reads can say goodbye and leave the terminal as it was; a second one ends the program at once. One object at a time; one
/// thread.
class LineReader {
 public:
  LineReader();
  ~LineReader();
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its end (LF or CRLF); a last line may lack it. nullopt at the end of input or after a signal.
  std::optional<std::string> next();
  /// A signal has come.
  bool interrupted() const noexcept;
  /// Standard input is a terminal: what is typed is seen without being printed.
  bool echoes() const noexcept { return terminal_; }

 private:
  bool wait_for_input() const;

  std::string buffer_;
  bool ended_ = false;
  bool terminal_ = false;
};

}  // namespace deepcfr
