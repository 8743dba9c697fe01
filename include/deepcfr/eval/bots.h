// Native bots: reference opponents for training runs. Decide from the state alone, in nanoseconds to microseconds.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "deepcfr/cfr/policy.h"

namespace deepcfr {

/// random (uniform), always_call, always_raise, always_fold, tight, loose. tight and loose go by e, the equity of the own hand
/// against one random hand over the game's deck, exact in toy games and on the last board card, else from a fixed number of
/// samples keyed by the cards: tight raises (about the pot) above 0.65 and calls a bet above 0.5, loose 0.55 and 0.3; a call must
/// also pay, e^opponents > cost ÷ (pot + cost). Otherwise check, or fold to a bet. Answers are pure functions of the state;
/// equities are cached, so keep a bot for the next match. Error{usage} with the nearest name for others. The game must outlive
/// the bot.
std::unique_ptr<Policy> make_bot(const Game& game, const std::string& name);
std::span<const std::string> bot_names();

}  // namespace deepcfr
