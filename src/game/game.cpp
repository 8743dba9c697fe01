#include "deepcfr/game/game.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "deepcfr/core/error.h"

namespace deepcfr {

namespace {

constexpr int kMaxSizes = 12;
constexpr double kMaxPotFraction = 1000;

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

Game::Game(GameDefinition definition, RuleSet rules, BetAbstraction abstraction, bool canonical_suits)
    : definition_(std::move(definition)),
      rules_(rules),
      abstraction_(std::move(abstraction)),
      canonical_suits_(canonical_suits),
      big_blind_(definition_.big_blind()),
      everyone_(static_cast<std::uint16_t>((1u << definition_.players) - 1)) {
  if (definition_.limit) {
    num_actions_ = 3;
  } else {
    check_abstraction();
    std::size_t sizes = 0;
    for (int r = 0; r < rounds(); ++r) sizes = std::max(sizes, abstraction_.pot_fractions[static_cast<std::size_t>(r)].size());
    has_all_in_ = abstraction_.all_in;
    num_actions_ = 2 + static_cast<int>(sizes) + (has_all_in_ ? 1 : 0);
  }
  check_sizes();
  const std::vector<Card> deck = make_deck(definition_.ranks, definition_.suits);
  std::copy(deck.begin(), deck.end(), deck_.begin());
}

void Game::check_abstraction() const {
  const std::string where = "game " + definition_.name;
  for (int r = 0; r < rounds(); ++r) {
    const auto& fractions = abstraction_.pot_fractions[static_cast<std::size_t>(r)];
    const std::string what = "raise sizes of round " + std::to_string(r + 1) + ": ";
    if (fractions.size() > kMaxSizes) {
      throw Error(ErrorKind::usage, what + std::to_string(fractions.size()) + " are given", where,
                  "at most " + std::to_string(kMaxSizes) + " are possible");
    }
    for (std::size_t k = 0; k < fractions.size(); ++k) {
      if (!(fractions[k] > 0) || fractions[k] > kMaxPotFraction) {
        throw Error(ErrorKind::usage, what + number_text(fractions[k]) + " is not in (0, " + number_text(kMaxPotFraction) + "]",
                    where, "a size is a fraction of the pot, such as 0.5");
      }
      if (k > 0 && fractions[k] <= fractions[k - 1]) {
        throw Error(ErrorKind::usage, what + number_text(fractions[k]) + " follows " + number_text(fractions[k - 1]), where,
                    "list them in ascending order, each once");
      }
    }
  }
  if (abstraction_.max_raises < 0 || abstraction_.max_raises > 255) {
    throw Error(ErrorKind::usage, "raises in a round: " + std::to_string(abstraction_.max_raises) + " is not in 0..255", where);
  }
}

/// In a round with at most r raises, everybody acts once and after each raise everybody else once more.
void Game::check_sizes() {
  int tightest = 255;
  for (int r = 0; r < rounds(); ++r) {
    int cap = definition_.max_raises[static_cast<std::size_t>(r)];
    if (!definition_.limit) cap = std::min(cap, abstraction_.max_raises);
    raise_cap_[static_cast<std::size_t>(r)] = cap;
    tightest = std::min(tightest, cap);
    const int actions = players() + cap * (players() - 1);
    max_actions_in_round_ = std::max(max_actions_in_round_, actions);
    max_actions_in_hand_ += actions;
  }
  if (max_actions_in_hand_ <= History::kCapacity) return;
  const int fits = (History::kCapacity / rounds() - players()) / (players() - 1);
  throw Error(ErrorKind::usage,
              "a hand of " + std::to_string(players()) + " players and " + std::to_string(rounds()) + " rounds can take " +
                  std::to_string(max_actions_in_hand_) + " actions, the history holds " + std::to_string(History::kCapacity),
              "game " + definition_.name,
              std::string("allow at most ") + std::to_string(fits) + " raises in each round (" +
                  (definition_.limit ? "maxRaises" : "maxRaises, or the abstraction's cap") + ")");
}

std::string Game::action_name(Action action) const {
  DEEPCFR_CHECK(action < num_actions_);
  if (action == kFold) return "fold";
  if (action == kCall) return "call";
  if (definition_.limit) return "raise";
  if (is_all_in(action)) return "all-in";
  const std::size_t k = action - kFirstRaise;
  std::optional<double> fraction;
  for (int r = 0; r < rounds(); ++r) {
    const auto& fractions = abstraction_.pot_fractions[static_cast<std::size_t>(r)];
    if (k >= fractions.size() || (fraction && *fraction != fractions[k])) return "raise size " + std::to_string(k + 1);
    fraction = fractions[k];
  }
  return "raise " + number_text(*fraction) + " pot";
}

Deal Game::sample_deal(CounterRandom stream) const {
  std::array<Card, 52> deck = deck_;
  const auto size = static_cast<std::uint64_t>(definition_.deck_size());
  std::uint64_t drawn = 0;
  const auto draw = [&] {
    std::swap(deck[drawn], deck[drawn + stream.below(drawn, size - drawn)]);
    return deck[drawn++];
  };
  Deal deal;
  for (int p = 0; p < players(); ++p) {
    for (int c = 0; c < definition_.hole_cards; ++c) deal.hole[static_cast<std::size_t>(p)][static_cast<std::size_t>(c)] = draw();
  }
  const int board = definition_.board_count(rounds() - 1);
  for (int c = 0; c < board; ++c) deal.board[static_cast<std::size_t>(c)] = draw();
  return deal;
}

std::string Game::describe(const State& state, Action action) const {
  if (action == kFold) return "fold";
  if (action == kCall) {
    const std::int32_t cost = call_cost(state);
    return cost == 0 ? "check" : "call " + std::to_string(cost);
  }
  const std::int32_t total = raise_to(state, action);
  const bool all_in = total == definition_.stack[state.actor];
  return "raise to " + std::to_string(total) + (all_in ? " (all-in)" : "");
}

ResultUnit result_unit(const Game& game) {
  const double big_blind = game.definition().big_blind();
  if (game.definition().hole_cards >= 2) return {"mbb/g", 1000 / big_blind};
  return {"antes", 1 / big_blind};
}

}  // namespace deepcfr
