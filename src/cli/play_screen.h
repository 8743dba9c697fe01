// What a person sees at the table.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "card_style.h"
#include "deepcfr/core/statistics.h"
#include "table_hand.h"

namespace deepcfr {

/// A person's results so far, in chips.
struct PlayResults {
  RunningStatistics hands;
  double total = 0;
  void add(double chips) {
    hands.add(chips);
    total += chips;
  }
};

/// Writes to one stream; seats are told by name: seat → "you", "agent", "agent 2".
class PlayScreen {
 public:
  PlayScreen(const Game& game, std::ostream& out, CardStyle style) : game_(game), out_(out), style_(style) {}

  /// Who sits where in the hand to come.
  void seat_players(int person, std::vector<std::string> names);

  void begin_hand(std::int64_t number, std::int64_t hands, const TableHand& hand);
  /// A new betting round: its name and the board.
  void begin_round(const TableHand& hand);
  /// Board, pot, a line for each seat, the legal moves.
  void spot(const TableHand& hand);
  /// Somebody's action, told before it is applied.
  void action(const TableHand& hand, const TableAction& action);
  /// The board as far as it was needed, hands of those who showed them with their names; with `all` everybody's. Folded hands and that of
  /// a winner whom nobody called stay hidden otherwise.
  void end_hand(const TableHand& hand, std::span<const double> net, bool all);
  /// "After 3 hands: +150 chips, +500.0 mbb/g ± 1200.3 (95 %)."
  void standing(const PlayResults& results);
  /// The same for good: the interval written out.
  void summary(const PlayResults& results);
  void line(const std::string& text);

 private:
  std::string seat_line(const TableHand& hand, int seat) const;
  std::string cards_of(const TableHand& hand, int seat) const;
  std::string board(const TableHand& hand) const;
  std::vector<std::string> showdown_names(const TableHand& hand, bool all) const;

  const Game& game_;
  std::ostream& out_;
  CardStyle style_;
  int person_ = 0;
  std::vector<std::string> names_;
};

/// "preflop", "flop", "turn", "river" where boards are 3, 1, 1; else "round 1", ….
std::string round_name(const Game& game, int round);
/// "fold 12.0 %, call 50 60.0 %": shares of 1 behind their names.
std::string percent_list(std::span<const std::pair<std::string, double>> shares);
/// "+150", "-0.5", "0".
std::string signed_chips(double chips);

}  // namespace deepcfr
