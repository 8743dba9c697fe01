// The one error type of the program (design: errors). Thrown from any room, printed once, by cli.
#pragma once

#include <stdexcept>
#include <string>

namespace deepcfr {

/// Who is to blame, and with it the exit code of the program.
enum class ErrorKind {
  bug,     ///< the program itself: exit code 1
  usage,   ///< command line or config: exit code 2
  input,   ///< files, input, output, checkpoints: exit code 3
  device,  ///< a device that was asked for is missing or failed: exit code 4
};

/// `what` says what is wrong with value and range, `where` the place (`configs/leduc.yaml:14`), `hint` the remedy.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, std::string what, std::string where = {}, std::string hint = {});

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& hint() const noexcept { return hint_; }
  int exit_code() const noexcept;

 private:
  ErrorKind kind_;
  std::string message_;
  std::string where_;
  std::string hint_;
};

/// Throws Error{bug}: an invariant of the program does not hold.
[[noreturn]] void throw_bug(const char* condition, const char* file, int line, const std::string& detail = {});

/// The candidate closest to `word` by edit distance, or "" if none is near enough to be meant by a typing error.
/// `Range` holds strings.
std::string nearest_word(const std::string& word, const std::string* begin, const std::string* end);

}  // namespace deepcfr

/// An invariant that holds unless the program is wrong. Always on.
#define DEEPCFR_CHECK(condition, ...)                                                                \
  do {                                                                                               \
    if (!(condition)) ::deepcfr::throw_bug(#condition, __FILE__, __LINE__ __VA_OPT__(, ) __VA_ARGS__); \
  } while (false)
