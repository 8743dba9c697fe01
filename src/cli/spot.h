// A decision given as an ACPC string: the hand as it was played, and as an agent with few bet sizes understands it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "deepcfr/protocol/translation.h"
#include "table_hand.h"

namespace deepcfr {

struct Spot {
  TableHand record;  ///< as played; the acting player's cards and the board are in its state, others' if the text has them
  HandTranslation::Question question;  ///< where a policy is asked: a state of the abstraction, with the cards of record
  std::vector<TableAction> answers;    ///< by action of the abstraction: what the legal ones mean at the table
  std::string betting;                 ///< "r250c/"
  std::string understood;              ///< the betting of question.state: "r200c/"; the same unless raises had to be mapped
  std::uint32_t hand_id = 0;
  bool cards_known = false;  ///< the acting player's

  int player() const noexcept { return record.state().actor; }
  bool translated() const noexcept { return betting != understood; }
};

/// Reads STATE or MATCHSTATE. Raises that the abstraction does not have are mapped by HandTranslation with draws from `seed`, the hand's
/// number and the acting seat. Error{usage} if the text is no state of this game (the message says which game it is), if something stands
/// behind it, if the hand is over, if in a MATCHSTATE another player than the viewer is to act, or if the agent has no decision here
/// because it is all-in as it understands the hand. `of` says whose game it is in messages. The game must outlive the result.
Spot read_spot(const Game& game, const std::string& text, const std::string& of, std::uint64_t seed);

}  // namespace deepcfr
