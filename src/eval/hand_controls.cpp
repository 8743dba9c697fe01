#include "hand_controls.h"

#include <algorithm>
#include <bit>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

unsigned live_players(const Game& game, const State& state) {
  return ((1U << game.players()) - 1) & ~static_cast<unsigned>(state.folded);
}

}  // namespace

HandControls::HandControls(const Game& game, std::uint64_t seed, std::uint64_t hands_per_deal, const ValueFunction* values)
    : game_(game),
      seed_(seed),
      hands_per_deal_(hands_per_deal),
      values_(values),
      value_terms_(values == nullptr ? 0 : values->prior().size()),
      terms_(values == nullptr ? 0 : value_terms_ + HoleTerms::kTerms),
      players_(static_cast<std::size_t>(game.players())),
      one_(value_terms_) {
  if (values_ != nullptr) hole_terms_.emplace(game);
}

std::vector<double> HandControls::prior() const {
  std::vector<double> prior = values_ == nullptr ? std::vector<double>() : values_->prior();
  prior.resize(terms_, 0.0);
  return prior;
}

void HandControls::begin(std::uint64_t first, std::size_t count) {
  first_ = first;
  first_deal_ = first / hands_per_deal_;
  hands_.assign(count, Hand{});
  sums_.assign(count * terms_, 0.0);
  const auto deals = static_cast<std::size_t>((first + count - 1) / hands_per_deal_ - first_deal_ + 1);
  runouts_.resize(deals * static_cast<std::size_t>(game_.rounds()));
  for (Runouts& runouts : runouts_) runouts.clear();
}

const Runouts& HandControls::runouts(std::size_t i, const Deal& deal, int round) {
  const std::uint64_t number = (first_ + i) / hands_per_deal_;
  const auto slot = static_cast<std::size_t>(number - first_deal_) * static_cast<std::size_t>(game_.rounds());
  Runouts& runouts = runouts_[slot + static_cast<std::size_t>(round)];
  if (runouts.empty())
    runouts.fill(game_, deal, round, CounterRandom(StreamPurpose::match_runouts, {seed_, number, static_cast<std::uint64_t>(round)}));
  return runouts;
}

void HandControls::start(std::size_t i, const State& initial, int hero) {
  Hand& hand = hands_[i];
  hand.hero = hero;
  if (values_ == nullptr) return;
  deal_cards(i, initial, Edges{});
  hole_terms_->add(initial.deal, hero, std::span(sums_).subspan(i * terms_ + value_terms_, HoleTerms::kTerms));
}

/// Cards have come: `state` with the edges that they make against the expected ones.
void HandControls::deal_cards(std::size_t i, const State& state, const Edges& expected) {
  Hand& hand = hands_[i];
  hand.live = live_players(game_, state);
  runouts(i, state.deal, hand.round).edges(hand.live, std::span(hand.edges).first(players_));
  add(i, 1, state, hand.edges);
  add(i, -1, state, expected);
}

void HandControls::add(std::size_t i, double weight, const State& state, const Edges& edges) {
  values_->terms(state, std::span(edges).first(players_), hands_[i].hero, one_);
  double* sums = sums_.data() + i * terms_;
  for (std::size_t k = 0; k < value_terms_; ++k) sums[k] += weight * one_[k];
}

/// The edges of those left after an action, on the board that was there when it was taken.
HandControls::Edges HandControls::edges_after(std::size_t i, const State& after) {
  const Hand& hand = hands_[i];
  const unsigned live = live_players(game_, after);
  if (live == hand.live) return hand.edges;
  Edges edges{};
  runouts(i, after.deal, hand.round).edges(live, std::span(edges).first(players_));
  return edges;
}

void HandControls::acted(std::size_t i, const State& before, std::span<const double> strategy, Action action, const State& after) {
  Hand& hand = hands_[i];
  hand.round = before.round;
  if (values_ == nullptr) return;
  // The chances that sample_action() really gives: what the others leave is the last one's.
  int last = -1;
  double others = 0;
  for (std::size_t a = 0; a < strategy.size(); ++a) {
    if (!(strategy[a] > 0)) continue;
    if (last >= 0) others += strategy[static_cast<std::size_t>(last)];
    last = static_cast<int>(a);
  }
  const bool known = static_cast<std::size_t>(last) == std::size_t{action} && others == 0;  // nothing else could have happened
  for (int a = 0; a <= last && !known; ++a) {
    const double p = a == last ? 1 - others : strategy[static_cast<std::size_t>(a)];
    if (!(p > 0)) continue;
    State state = before;
    game_.apply(state, static_cast<Action>(a));
    const double weight = a == action ? 1 - p : -p;
    add(i, weight, state, edges_after(i, state));
  }
  const Edges edges = edges_after(i, after);
  hand.live = live_players(game_, after);
  hand.edges = edges;
  if (after.finished || after.round == before.round) return;
  hand.round = after.round;
  deal_cards(i, after, edges);
}

void HandControls::result(std::size_t i, const State& finished, std::span<double> out) {
  const GameDefinition& definition = game_.definition();
  const bool several = !std::has_single_bit(live_players(game_, finished));
  if (several && definition.board_count(hands_[i].round) < definition.board_count(game_.rounds() - 1)) {
    runouts(i, finished.deal, hands_[i].round).values(game_, finished, out);
  } else {
    game_.values(finished, out);
  }
}

}  // namespace deepcfr
