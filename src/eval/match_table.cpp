#include "match_table.h"

#include <algorithm>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {

MatchTable::MatchTable(const Game& game, std::span<Policy* const> players, std::uint64_t seed, VarianceReduction variance)
    : game_(game),
      players_(players.begin(), players.end()),
      seed_(seed),
      hands_per_deal_(variance == VarianceReduction::plain ? 1 : players.size()) {
  if (players.size() != static_cast<std::size_t>(game.players())) {
    throw Error(ErrorKind::usage, "a match of " + std::to_string(players.size()) + " players", "game " + game.name(),
                "it takes " + std::to_string(game.players()));
  }
  for (Policy* player : players_) {
    if (std::find(policies_.begin(), policies_.end(), player) == policies_.end()) policies_.push_back(player);
  }
  if (variance == VarianceReduction::control) values_ = make_pot_value(game);
  if (variance == VarianceReduction::all_in || variance == VarianceReduction::control)
    controls_ = std::make_unique<HandControls>(game, seed, hands_per_deal_, values_.get());
  if (controls_) prior_ = controls_->prior();
}

std::span<const MatchTable::Hand> MatchTable::play(std::uint64_t first, std::size_t count) {
  hands_.resize(count);
  if (controls_) controls_->begin(first, count);
  for (std::size_t i = 0; i < count; ++i) {
    hands_[i].number = first + i;
    const CounterRandom stream(StreamPurpose::match_deal, {seed_, hands_[i].number / hands_per_deal_});
    hands_[i].state = game_.initial_state(game_.sample_deal(stream));
    if (controls_) controls_->start(i, hands_[i].state, static_cast<int>(hands_[i].number % players_.size()));
  }
  bool playing = true;
  while (playing) {
    playing = false;
    for (Policy* policy : policies_) playing = advance(*policy) || playing;
  }
  return hands_;
}

void MatchTable::values(std::size_t i, std::span<double> out) {
  if (controls_) {
    controls_->result(i, hands_[i].state, out);
  } else {
    game_.values(hands_[i].state, out);
  }
}

std::span<const double> MatchTable::controls(std::size_t i) const {
  return controls_ ? controls_->controls(i) : std::span<const double>();
}

std::uint64_t MatchTable::stream_key(StreamPurpose purpose, const Hand& hand) const {
  return CounterRandom(purpose, {seed_, hand.number, hand.state.actor}).key();
}

/// One decision in each hand where `policy` is to act. False if there was none.
bool MatchTable::advance(Policy& policy) {
  pending_.clear();
  states_.clear();
  keys_.clear();
  for (std::size_t i = 0; i < hands_.size(); ++i) {
    const Hand& hand = hands_[i];
    if (hand.state.finished || players_[player_in(hand.number, hand.state.actor)] != &policy) continue;
    pending_.push_back(i);
    states_.push_back(&hand.state);
    keys_.push_back(stream_key(StreamPurpose::match_seat, hand));
  }
  if (pending_.empty()) return false;
  const auto actions = static_cast<std::size_t>(game_.num_actions());
  strategies_.resize(pending_.size() * actions);
  policy.probabilities_in_hands(states_, keys_, strategies_);
  State before;
  for (std::size_t k = 0; k < pending_.size(); ++k) {
    Hand& hand = hands_[pending_[k]];
    const std::span<const double> strategy = std::span<const double>(strategies_).subspan(k * actions, actions);
    const CounterRandom draws(stream_key(StreamPurpose::match_action, hand));
    const Action action = sample_action(strategy, draws.uniform(hand.state.history.size));
    DEEPCFR_CHECK(((game_.legal_actions(hand.state) >> action) & 1) != 0, policy.name() + " chose an illegal action");
    if (controls_) before = hand.state;
    game_.apply(hand.state, action);
    if (controls_) controls_->acted(pending_[k], before, strategy, action, hand.state);
  }
  return true;
}

}  // namespace deepcfr
