#include "deepcfr/protocol/hand_record.h"

#include <array>
#include <bit>
#include <cstdio>

#include "deepcfr/core/error.h"

namespace deepcfr {

std::vector<double> hand_values(const HandRecord& hand) {
  const Game& game = *hand.game;
  State state = replay_betting(game, hand.deal, hand.betting);
  if (!state.finished) {
    throw Error(ErrorKind::usage, "the hand is not over: player " + std::to_string(state.actor + 1) + " has to act");
  }
  const auto everyone = static_cast<std::uint16_t>((1u << game.players()) - 1);
  const auto left = static_cast<std::uint16_t>(state.folded | hand.mucked);
  if (left != everyone) state.folded = left;
  std::vector<double> values(static_cast<std::size_t>(game.players()));
  game.values(state, values);
  return values;
}

std::string print_chips(double chips) {
  std::array<char, 400> buffer;
  const int length = std::snprintf(buffer.data(), buffer.size(), "%.6f", chips);
  std::string text(buffer.data(), static_cast<std::size_t>(length));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace deepcfr
