// The lines that the ACPC's dealer and its players exchange and write into logs (protocol 2.0.0). What is printed here is byte for byte
// what the reference dealer prints. Pure functions; any thread may call them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "deepcfr/protocol/hand_record.h"
#include "deepcfr/protocol/policy_agent.h"

namespace deepcfr {

inline constexpr std::string_view kAcpcVersionLine = "VERSION:2.0.0\r\n";

/// Whether a line carries nothing for the game: empty, or a comment ('#' or ';' in front).
bool is_acpc_comment(std::string_view line) noexcept;

/// "MATCHSTATE:<position>:<hand>:<betting>:<cards>" with the cards that the view knows.
std::string print_matchstate(const Game& game, const TableView& view);
/// Error{usage} for whatever is no state of the game, or has anything behind it; also if the position's own cards are missing.
TableView parse_matchstate(const Game& game, std::string_view line);

/// "AsAd|KsKd/2c3c4h": hole cards by position and the board of the rounds reached, nothing for unknown cards.
std::string print_acpc_cards(const Game& game, const State& state);

/// An answer: the received line, ':', the action. Error{usage} if it is no action of the game's kind ("f", "c", "r" or "r300").
TableAction parse_acpc_action(const Game& game, const State& state, std::string_view text);

/// "STATE:<hand>:<betting>:<cards>:<values>:<names>", all hole cards, names and values by position.
std::string print_acpc_log_line(const HandRecord& hand);
/// The same read back. Error{usage} naming what is wrong; also where the values are not what the rules say.
HandRecord parse_acpc_log_line(const std::shared_ptr<const Game>& game, std::string_view line);
/// "SCORE:<totals>:<names>", by player.
std::string print_score_line(std::span<const double> totals, std::span<const std::string> names);

/// A name as it may stand in a log: ':', '|' and blanks become '_'.
std::string acpc_name(std::string_view name);

}  // namespace deepcfr
