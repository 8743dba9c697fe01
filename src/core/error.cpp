#include "deepcfr/core/error.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace deepcfr {
namespace {

std::string full_text(const std::string& what, const std::string& where, const std::string& hint) {
  std::string text;
  if (!where.empty()) text += where + ": ";
  text += what;
  if (!hint.empty()) text += " (" + hint + ")";
  return text;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

Error::Error(ErrorKind kind, std::string what, std::string where, std::string hint)
    : std::runtime_error(full_text(what, where, hint)),
      kind_(kind),
      message_(std::move(what)),
      where_(std::move(where)),
      hint_(std::move(hint)) {}

int Error::exit_code() const noexcept {
  switch (kind_) {
    case ErrorKind::bug:
      return 1;
    case ErrorKind::usage:
      return 2;
    case ErrorKind::input:
      return 3;
    case ErrorKind::device:
      return 4;
  }
  return 1;
}

void throw_bug(const char* condition, const char* file, int line, const std::string& detail) {
  std::string text = std::string("internal check failed: ") + condition;
  if (!detail.empty()) text += ": " + detail;
  throw Error(ErrorKind::bug, text, std::string(file) + ":" + std::to_string(line),
              "this is a bug in deepcfr; please report it with the command line");
}

std::string nearest_word(const std::string& word, const std::string* begin, const std::string* end) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string* it = begin; it != end; ++it) {
    const std::size_t d = edit_distance(word, *it);
    if (d < best_distance) {
      best_distance = d;
      best = *it;
    }
  }
  return best;
}

}  // namespace deepcfr
