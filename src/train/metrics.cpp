#include "metrics.h"

#include <fstream>
#include <string>

#include "deepcfr/core/error.h"
#include "files.h"

namespace deepcfr {

MetricsFile::MetricsFile(std::filesystem::path path, std::int64_t completed) : path_(std::move(path)) {
  std::string kept;
  std::ifstream in(path_);
  std::string line;
  while (std::getline(in, line)) {
    const nlohmann::json row = nlohmann::json::parse(line, nullptr, false);
    if (!row.is_object() || row.value("iteration", std::int64_t{0}) > completed) continue;  // cut off by a kill, or to be repeated
    kept += line + "\n";
    elapsed_seconds_ = row.value("elapsed_seconds", elapsed_seconds_);
  }
  in.close();
  write_file_atomically(path_, kept);
}

void MetricsFile::replace_last(const nlohmann::ordered_json& row) {
  std::filesystem::resize_file(path_, last_row_);
  append(row);
}

void MetricsFile::append(const nlohmann::ordered_json& row) {
  last_row_ = std::filesystem::file_size(path_);
  std::ofstream out(path_, std::ios::app);
  out << row.dump() << '\n' << std::flush;
  if (!out) throw Error(ErrorKind::input, "writing failed", path_.string(), "check the disk's free space");
}

}  // namespace deepcfr
