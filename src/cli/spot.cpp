#include "spot.h"

#include <algorithm>
#include <optional>

#include "deepcfr/core/error.h"
#include "deepcfr/game/acpc_string.h"
#include "deepcfr/protocol/client.h"

namespace deepcfr {
namespace {

ParsedState parse(const Game& game, const std::string& text, const std::string& of) {
  try {
    return parse_acpc_state(game, text);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    const std::string hint = of + " plays " + game_in_words(game);
    throw Error(error.kind(), error.message(), error.where(), error.hint().empty() ? hint : error.hint() + "; " + hint);
  }
}

/// Net chips and names, as logs have them, may follow behind another colon.
void require_end(const std::string& text, std::size_t at) {
  const std::string rest = text.substr(at);
  if (rest.empty() || rest[0] == ':') return;
  throw Error(ErrorKind::usage, "'" + rest.substr(0, 40) + "' stands behind the state",
              "'" + text.substr(0, 200) + "', character " + std::to_string(at + 1),
              "a state ends with the cards of the rounds that were reached");
}

/// The field behind `fields` colons.
std::string betting_field(const std::string& text, int fields) {
  std::size_t at = 0;
  for (int i = 0; i < fields; ++i) at = text.find(':', at) + 1;
  std::string betting = text.substr(at, text.find(':', at) - at);
  std::replace(betting.begin(), betting.end(), 'b', 'r');  // parse_acpc_state takes either
  return betting;
}

void require_decision(const ParsedState& parsed, const std::string& text) {
  const std::string where = "'" + text.substr(0, 200) + "'";
  if (parsed.state.finished)
    throw Error(ErrorKind::usage, "the hand is over: nobody is to act", where, "take an action off the end of the betting");
  if (parsed.position >= 0 && parsed.position != parsed.state.actor) {
    throw Error(ErrorKind::usage,
                "player " + std::to_string(parsed.state.actor) + " is to act, and these are the cards of player " +
                    std::to_string(parsed.position),
                where, "MATCHSTATE:" + std::to_string(parsed.state.actor) + ":... with that player's cards asks for that decision");
  }
}

}  // namespace

Spot read_spot(const Game& game, const std::string& text, const std::string& of, std::uint64_t seed) {
  std::string trimmed = text;
  while (!trimmed.empty() && static_cast<unsigned char>(trimmed.back()) <= ' ') trimmed.pop_back();
  const ParsedState parsed = parse(game, trimmed, of);
  require_end(trimmed, parsed.consumed);
  require_decision(parsed, trimmed);
  const int player = parsed.state.actor;
  TableHand record(game, parsed.state.deal);
  HandTranslation view(game, player, translation_draws(seed, parsed.hand_id, player));
  for (const TableAction& action : parse_acpc_betting(game, betting_field(trimmed, parsed.position >= 0 ? 3 : 2))) {
    view.observe(action);
    record.apply(action);
  }
  std::optional<HandTranslation::Question> question = view.question();
  if (!question) {
    throw Error(ErrorKind::usage,
                "with its bet sizes the agent understands this hand as one in which it has no decision left: it checks or calls",
                "'" + trimmed.substr(0, 200) + "'");
  }
  question->state.deal = parsed.state.deal;
  Spot spot{std::move(record), *question, {}, "", "", parsed.hand_id, false};
  for (int action = 0; action < game.num_actions(); ++action) {
    const bool legal = ((game.legal_actions(question->state) >> action) & 1) != 0;
    spot.answers.push_back(legal ? view.answer(*question, static_cast<Action>(action)) : TableAction{});
  }
  spot.betting = print_acpc_betting(game, spot.record.betting());
  spot.understood = print_acpc_betting(game, question->state);
  spot.cards_known = parsed.state.deal.hole[static_cast<std::size_t>(player)][0] != kNoCard;
  return spot;
}

}  // namespace deepcfr
