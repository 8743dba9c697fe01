// A hand that was played, whatever it was written in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "deepcfr/game/game.h"
#include "deepcfr/protocol/betting.h"

namespace deepcfr {

struct HandRecord {
  std::shared_ptr<const Game> game;
  std::string label;  ///< the hand's number, as it stands in the file
  Deal deal;          ///< unknown cards and cards that were never dealt: kNoCard
  Betting betting;
  std::vector<std::string> names;  ///< by position; empty: not known
  std::vector<double> values;      ///< net chips by position; what the rules say
  std::uint16_t mucked = 0;        ///< bit p: p gave up its cards at the showdown
  int line = 0;                    ///< where it begins in its file; 0: it is in none
};

/// Net chips by position, by the game's rules; who mucked wins nothing. Error{usage} if the hand is not over or cards that decide it are
/// unknown.
std::vector<double> hand_values(const HandRecord& hand);
/// "by 3 chips" and the like are text: chips without needless zeros, at most six digits behind the point ("-12.5").
std::string print_chips(double chips);

}  // namespace deepcfr
