// Matches. The hands of one round of seats share a deal (duplicate): the hero plays the same cards from every seat, which takes
// most of the luck of the cards out of the mean. Such hands are not independent, so the interval is over rounds of seats.
#include "deepcfr/eval/match.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

struct Hand {
  State state;
  std::uint64_t number = 0;
  int hero = 0;
};

/// Hands in play, advanced together one decision at a time.
class Table {
 public:
  Table(const Game& game, Policy& hero, Policy& opponent, std::uint64_t seed)
      : game_(game), hero_(hero), opponent_(opponent), seed_(seed), players_(static_cast<std::uint64_t>(game.players())) {}

  /// The deal of hand `number`.
  Deal deal(std::uint64_t number) const {
    return game_.sample_deal(CounterRandom(StreamPurpose::match_deal, {seed_, number / players_}));
  }

  /// Plays hands first … first + count − 1; result[i] is the hero's net chips in hand first + i.
  void play(std::uint64_t first, std::size_t count, std::vector<double>& results) {
    std::vector<Hand> hands(count);
    for (std::size_t i = 0; i < count; ++i) {
      hands[i].number = first + i;
      hands[i].hero = static_cast<int>(hands[i].number % players_);
      hands[i].state = game_.initial_state(deal(hands[i].number));
    }
    bool playing = true;
    while (playing) {
      const bool hero_acted = advance(hands, true);
      playing = advance(hands, false) || hero_acted;
    }
    results.resize(count);
    for (std::size_t i = 0; i < count; ++i) results[i] = game_.value(hands[i].state, hands[i].hero);
  }

 private:
  std::uint64_t stream_key(StreamPurpose purpose, const Hand& hand) const {
    return CounterRandom(purpose, {seed_, hand.number, hand.state.actor}).key();
  }

  /// One decision in each hand where the hero (or an opponent) is to act. False if there was none.
  bool advance(std::vector<Hand>& hands, bool hero_acts) {
    pending_.clear();
    states_.clear();
    keys_.clear();
    for (Hand& hand : hands) {
      if (hand.state.finished || (hand.state.actor == hand.hero) != hero_acts) continue;
      pending_.push_back(&hand);
      states_.push_back(&hand.state);
      keys_.push_back(stream_key(StreamPurpose::match_seat, hand));
    }
    if (pending_.empty()) return false;
    const auto actions = static_cast<std::size_t>(game_.num_actions());
    strategies_.resize(pending_.size() * actions);
    (hero_acts ? hero_ : opponent_).probabilities_in_hands(states_, keys_, strategies_);
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      State& state = pending_[i]->state;
      const CounterRandom draws(stream_key(StreamPurpose::match_action, *pending_[i]));
      const Action action =
          sample_action(std::span<const double>(strategies_).subspan(i * actions, actions), draws.uniform(state.history.size));
      DEEPCFR_CHECK(((game_.legal_actions(state) >> action) & 1) != 0,
                    (hero_acts ? hero_ : opponent_).name() + " chose an illegal action");
      game_.apply(state, action);
    }
    return true;
  }

  const Game& game_;
  Policy& hero_;
  Policy& opponent_;
  std::uint64_t seed_;
  std::uint64_t players_;
  std::vector<Hand*> pending_;
  std::vector<const State*> states_;
  std::vector<std::uint64_t> keys_;
  std::vector<double> strategies_;
};

std::int64_t count_distinct(std::vector<Deal>& deals) {
  const auto less = [](const Deal& a, const Deal& b) { return a.hole != b.hole ? a.hole < b.hole : a.board < b.board; };
  std::sort(deals.begin(), deals.end(), less);
  return std::unique(deals.begin(), deals.end()) - deals.begin();
}

}  // namespace

MatchResult play_match(const Game& game, Policy& hero, Policy& opponent, const MatchOptions& options) {
  if (options.games < 1 || options.batch < 1) {
    throw Error(ErrorKind::usage, "a match of " + std::to_string(options.games) + " games in batches of " +
                                      std::to_string(options.batch) + ": both must be at least 1");
  }
  const auto players = static_cast<std::int64_t>(game.players());
  const std::int64_t rounds = (options.games + players - 1) / players;
  const std::int64_t rounds_at_once = std::max<std::int64_t>(1, options.batch / players);
  const ResultUnit unit = result_unit(game);
  Table table(game, hero, opponent, options.seed);
  RunningStatistics by_hand, by_round;
  std::vector<RunningStatistics> by_seat(static_cast<std::size_t>(players));
  std::vector<Deal> deals;
  std::vector<double> results;
  for (std::int64_t first = 0; first < rounds; first += rounds_at_once) {
    const std::int64_t count = std::min(rounds_at_once, rounds - first);
    table.play(static_cast<std::uint64_t>(first * players), static_cast<std::size_t>(count * players), results);
    for (std::int64_t r = 0; r < count; ++r) {
      double sum = 0;
      for (std::int64_t seat = 0; seat < players; ++seat) {
        const double result = results[static_cast<std::size_t>(r * players + seat)] * unit.scale;
        sum += result;
        by_hand.add(result);
        by_seat[static_cast<std::size_t>(seat)].add(result);
      }
      by_round.add(sum / static_cast<double>(players));
      deals.push_back(table.deal(static_cast<std::uint64_t>((first + r) * players)));
    }
  }
  MatchResult result;
  result.opponent = opponent.name();
  result.hands = by_hand.count();
  result.distinct_deals = count_distinct(deals);
  result.mean = by_round.mean();
  result.standard_deviation = by_hand.standard_deviation();
  result.ci_low = result.mean - by_round.half_width_95();
  result.ci_high = result.mean + by_round.half_width_95();
  result.unit = unit.name;
  for (const RunningStatistics& seat : by_seat) result.mean_by_seat.push_back(seat.mean());
  return result;
}

}  // namespace deepcfr
