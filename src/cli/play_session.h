// A person at a table with agents: the hands, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "card_style.h"
#include "deepcfr/protocol/translation.h"
#include "hand_record.h"
#include "line_reader.h"
#include "play_screen.h"
#include "players.h"

namespace deepcfr {

struct PlayOptions {
  std::int64_t hands = 0;  ///< 0: until the person stops
  std::uint64_t seed = 1;  ///< deals, the agents' choices and how they understand bets are a function of (seed, hand, seat)
  bool hint = false;       ///< before each decision of the person: what the first agent would do
  bool show_all = false;   ///< all cards at the end of every hand
};

/// A hand that has ended, for whoever keeps a log: number, record, net chips by seat, names by seat.
using HandSink = std::function<void(std::int64_t, const HandRecord&, const std::vector<double>&, const std::vector<std::string>&)>;

/// The person sits in seat (hand mod players); agents keep their places around the person. One agent plays all other seats, or there are as
/// many as other seats.
class PlaySession {
 public:
  PlaySession(std::shared_ptr<const Game> game, std::vector<Player>& agents, const PlayOptions& options, LineReader& input, std::ostream& out,
              CardStyle style, HandSink sink);
  /// Until the hands are played or the person stops; a hand that was not finished does not count. Ends with the summary.
  void run();

 private:
  /// False if the person stopped in it.
  bool play_hand(std::int64_t number);
  void sit_down(std::int64_t number);
  /// nullopt: the person stops.
  std::optional<TableAction> ask_person(const HandRecord& hand);
  TableAction ask_agent(const HandRecord& hand, std::optional<Action>& meant);
  std::string hint(const HandRecord& hand);
  Player& agent_of(int seat);
  void finish(const HandRecord& hand);

  std::shared_ptr<const Game> game_;
  std::vector<Player>& agents_;
  PlayOptions options_;
  LineReader& input_;
  std::ostream& out_;
  PlayScreen screen_;
  HandSink sink_;
  PlayResults results_;

  std::int64_t number_ = 0;  // of the hand under way
  int person_ = 0;
  bool asked_ = false;  // the person had a decision in this hand
  std::vector<std::string> names_;
  std::vector<HandTranslation> views_;  // by seat: the hand as its policy understands it
};

}  // namespace deepcfr
