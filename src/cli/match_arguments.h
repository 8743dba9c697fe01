// Arguments of commands that play matches, and what they write down.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "deepcfr/eval/match.h"
#include "players.h"
#include "report.h"

namespace deepcfr {

/// --games, --seed, --variance, --until-ci. Targets must live until the command has run.
struct MatchArguments {
  std::int64_t games = 0;  ///< 0: not given
  std::optional<std::uint64_t> seed;
  std::string variance;    ///< "": not given
  double until_ci = 0;     ///< 0: not given

  /// With values of the command for what is not given; --until-ci without --games plays at most kMostGames.
  MatchOptions options(std::int64_t standard_games, std::uint64_t standard_seed, VarianceReduction standard_variance) const;
  static constexpr std::int64_t kMostGames = 10'000'000;

 private:
  friend void add_match_arguments(CLI::App& app, MatchArguments& target, const std::string& games_help, const std::string& seed_help,
                                  const std::string& variance_help);
  std::uint64_t seed_value_ = 0;
};
/// The helps say in brackets what stands if an option is not given.
void add_match_arguments(CLI::App& app, MatchArguments& target, const std::string& games_help, const std::string& seed_help,
                         const std::string& variance_help);

/// "plain", "duplicate", "all_in", "control".
const char* variance_name(VarianceReduction variance);
/// "control variates, all-in equity, duplicate deals".
std::string variance_text(VarianceReduction variance);
/// "half-width 18.2 mbb/g, not above 20, reached after 12,288 hands", or that it was not; empty without --until-ci.
std::string until_text(double until, double half_width, bool reached, const std::string& unit, std::int64_t hands);
/// "p = 0.031".
std::string p_text(double p);

/// Appends one line to RUN/evaluations.jsonl of the player's run (docs/formats.md), in one write; nothing for players without a run.
/// A folder that cannot be written to is a warning. `result` is the player's.
void append_to_ledger(const std::string& command, const Player& player, const std::string& opponent, const Game& game,
                      const MatchOptions& options, const MatchResult& result);

}  // namespace deepcfr
