// Tables for people and JSON for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arena.h"
#include "measure.h"

namespace deepcfr::bench {

using Json = nlohmann::ordered_json;

/// One bar of docs/performance.md with what was measured; `value` 0 with a remark if it could not be.
struct Bar {
  std::string number;  ///< "1", "7 (bfloat16)"
  std::string what;
  Spread value;
  double bar = 0;
  std::string remark;
  bool met() const noexcept { return value.median >= bar; }
};

/// Processor, its cores, what LibTorch uses of it, commit if known.
std::string machine_name();

Json rows_json(const Results& results);
Json bares_json(Arena& arena, const Results& results);
Json bars_json(const std::vector<Bar>& bars);

void print_rows(const Results& results);
void print_bares(Arena& arena, const Results& results);
void print_bars(const std::vector<Bar>& bars);

}  // namespace deepcfr::bench
