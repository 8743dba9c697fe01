// A person at a table with agents: the hands, one after the other.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "card_style.h"
#include "deepcfr/protocol/policy_agent.h"
#include "deepcfr/protocol/table.h"
#include "line_reader.h"
#include "play_screen.h"
#include "players.h"
#include "table_hand.h"

namespace deepcfr {

struct PlayOptions {
  std::int64_t hands = 0;  ///< 0: until the person stops
  std::uint64_t seed = 1;  ///< deals, the agents' choices and how they understand bets are a function of (seed, hand, seat)
  bool hint = false;       ///< before each decision of the person: what the first agent would do
  bool show_all = false;   ///< all cards at the end of every hand
};

/// Seats rotate as at a dealer's table (protocol/table.h): in the first hand the person has position 0; agents keep their places around
/// the person. One agent plays all other seats, or there are as many as other seats. One thread.
class PlaySession {
 public:
  PlaySession(std::shared_ptr<const Game> game, std::vector<Player>& agents, const PlayOptions& options, LineReader& input,
              std::ostream& out, CardStyle style, std::vector<TableObserver*> observers);
  /// Until the hands are played or the person stops; a hand that was not finished does not count. Ends with the summary.
  void run();
  /// Names and net chips by place: the person, then the seats behind.
  std::vector<std::string> player_names() const;
  const std::vector<double>& totals() const noexcept { return totals_; }

 private:
  /// False if the person stopped in it.
  bool play_hand(std::int64_t number);
  void sit_down(std::int64_t number);
  /// nullopt: the person stops.
  std::optional<TableAction> ask_person(const TableHand& hand);
  std::optional<TableAction> leave();
  /// Where a seat sits seen from the person: 0 is the person, 1 the seat behind, and so on round the table.
  int place_of(int seat) const noexcept { return (seat - person_ + game_->players()) % game_->players(); }
  /// What a seat may know of the hand.
  TableView view(const TableHand& hand, int seat) const;
  std::string hint(const TableHand& hand);
  std::string name_at(int place) const;
  void finish(const TableHand& hand);

  std::shared_ptr<const Game> game_;
  Policy& adviser_;  // whom hints come from
  PlayOptions options_;
  LineReader& input_;
  std::ostream& out_;
  PlayScreen screen_;
  std::vector<TableObserver*> observers_;
  PlayResults results_;
  std::vector<double> totals_;  // by place

  std::int64_t number_ = 0;  // of the hand under way
  int person_ = 0;
  bool asked_ = false;  // the person had a decision in this hand
  std::vector<std::string> names_;
  std::vector<PolicyAgent> seated_;  // by place: the players of the other seats, from place 1 on
};

}  // namespace deepcfr
