#include "match_arguments.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "arguments.h"
#include "deepcfr/config/numbers.h"
#include "deepcfr/core/bytes.h"
#include "deepcfr/core/error.h"
#include "open_run.h"

namespace deepcfr {
namespace {

constexpr const char* kLedger = "evaluations.jsonl";

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text;
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

std::string config_hash(const std::filesystem::path& run_dir) {
  std::ifstream file(run_dir / "config.yaml", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return hash_text(content_hash(std::as_bytes(std::span(text))));
}

/// One write with O_APPEND: lines of processes that write at once do not mix.
bool append_line(const std::filesystem::path& path, const std::string& line) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return false;
  const ssize_t written = ::write(descriptor, line.data(), line.size());
  const bool whole = written == static_cast<ssize_t>(line.size());
  return (::close(descriptor) == 0) && whole;
}

}  // namespace

MatchOptions MatchArguments::options(std::int64_t standard_games, std::uint64_t standard_seed, VarianceReduction standard_variance) const {
  MatchOptions options;
  options.games = games > 0 ? games : until_ci > 0 ? kMostGames : standard_games;
  options.seed = seed.value_or(standard_seed);
  options.variance = standard_variance;
  options.until_half_width = until_ci;
  for (std::size_t i = 0; i < kVarianceReductionNames.size(); ++i) {
    if (variance == kVarianceReductionNames[i]) options.variance = static_cast<VarianceReduction>(i);
  }
  return options;
}

void add_match_arguments(CLI::App& app, MatchArguments& target, const std::string& games_help, const std::string& seed_help,
                         const std::string& variance_help) {
  add_whole(app, "--games", target.games, 1, 1'000'000'000, games_help);
  CLI::Option* seed = add_seed(app, target.seed_value_, seed_help);
  app.parse_complete_callback([&target, seed] {
    if (seed->count() > 0) target.seed = target.seed_value_;
  });
  add_word(app, "--variance", target.variance, {kVarianceReductionNames.begin(), kVarianceReductionNames.end()}, variance_help);
  app.add_option_function<std::string>(
         "--until-ci",
         [&target](const std::string& text) {
           try {
             target.until_ci = parse_number(text, {0, 1e12, true});
           } catch (const Error& error) {
             throw Error(error.kind(), error.message(), "--until-ci", "a half-width in the game's unit, for example 20");
           }
         },
         "Play until the 95 % interval's half-width is not above X, --games at most (10,000,000)")
      ->type_name("X");
}

const char* variance_name(VarianceReduction variance) { return kVarianceReductionNames[static_cast<std::size_t>(variance)]; }

std::string variance_text(VarianceReduction variance) {
  switch (variance) {
    case VarianceReduction::plain:
      return "every hand dealt anew";
    case VarianceReduction::duplicate:
      return "duplicate deals";
    case VarianceReduction::all_in:
      return "duplicate deals, all-in equity";
    default:
      return "duplicate deals, all-in equity, control variates";
  }
}

std::string until_text(double until, double half_width, bool reached, const std::string& unit, std::int64_t hands) {
  if (!(until > 0)) return "";
  std::array<char, 200> text;
  std::snprintf(text.data(), text.size(), "half-width %.4g %s, %s %.4g, after %s hands", half_width, unit.c_str(),
                reached ? "not above" : "not down to", until, show_count(static_cast<std::uint64_t>(hands)).c_str());
  return text.data();
}

std::string p_text(double p) {
  std::array<char, 32> text;
  if (p < 1e-4) return "p < 0.0001";
  std::snprintf(text.data(), text.size(), p < 0.01 ? "p = %.4f" : "p = %.3f", p);
  return text.data();
}

void append_to_ledger(const std::string& command, const Player& player, const std::string& opponent, const Game& game,
                      const MatchOptions& options, const MatchResult& result) {
  if (player.run_dir.empty()) return;
  const std::filesystem::path run_dir(player.run_dir);
  Json row = {{"version", 1},
              {"time", time_now()},
              {"command", command},
              {"game", game.name()},
              {"config_hash", config_hash(run_dir)},
              {"iteration", player.iteration},
              {"policy", player.policy_name},
              {"opponent", opponent},
              {"seed", options.seed}};
  row.update(match_json(result));
  row["p_value"] = result.p_value;
  if (options.until_half_width > 0) row["until_ci"] = options.until_half_width;
  if (!append_line(run_dir / kLedger, row.dump() + "\n")) {
    show_warning((run_dir / kLedger).string() + ": not written: " + std::strerror(errno));
  }
}

}  // namespace deepcfr
