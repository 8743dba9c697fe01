// Reports: JSON and numbers as people read them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "deepcfr/eval/best_response.h"
#include "deepcfr/eval/match.h"
#include "deepcfr/game/game.h"

namespace deepcfr {

using Json = nlohmann::ordered_json;

/// One JSON value on standard output; `lines`: on one line, otherwise indented.
void write_json(const Json& value, bool line = false);

/// A value in a unit with the digits that matter: "0.916667", "0.000257152", "1163.48".
std::string show_value(double value);
/// "1,712,304".
std::string show_count(std::uint64_t value);
/// A count that may be beyond 64 bits: "936", "3.194e14".
std::string show_large(double value);
/// "3.2 GB".
std::string show_bytes(std::uint64_t bytes);
/// "1:02:03", "4:05".
std::string show_duration(double seconds);
/// As a shell takes it: quoted if need be.
std::string shell_word(const std::string& word);

/// A double that is whole as an integer, so that chips look like chips.
Json json_number(double value);

/// {nash_conv, exploitability, by_player: gain of each player's best response, value: of the first player, values,
/// best_responses, unit}
Json exploitability_json(const ExploitabilityReport& report, const ResultUnit& unit);
/// Two or three lines of text with the same, labelled.
std::string exploitability_text(const ExploitabilityReport& report, const ResultUnit& unit);

/// {hands, mean, sd, ci_low, ci_high, unit, by_seat, variance, samples, standard_error, distinct_deals} and "note" where there is no variance.
Json match_json(const MatchResult& match);
/// One line: "random        +512.3 mbb/g, 95 % interval 480.1 .. 544.5 (2,000 hands, standard deviation 734.0)".
std::string match_text(const MatchResult& match);

}  // namespace deepcfr
