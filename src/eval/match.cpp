// Matches. The hands of one round of seats share a deal (duplicate): the hero plays the same cards from every seat, which takes
// most of the luck of the cards out of the mean. Such hands are not independent, so the interval is over rounds of seats.
#include "deepcfr/eval/match.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "controlled_mean.h"
#include "deepcfr/core/error.h"
#include "match_table.h"

namespace deepcfr {
namespace {

std::int64_t count_distinct(std::vector<Deal>& deals) {
  const auto less = [](const Deal& a, const Deal& b) { return a.hole != b.hole ? a.hole < b.hole : a.board < b.board; };
  std::sort(deals.begin(), deals.end(), less);
  return std::unique(deals.begin(), deals.end()) - deals.begin();
}

void require_options(const MatchOptions& options) {
  if (options.games < 1 || options.batch < 1) {
    throw Error(ErrorKind::usage, "a match of " + std::to_string(options.games) + " games in batches of " +
                                      std::to_string(options.batch) + ": both must be at least 1");
  }
  if (!(options.until_half_width >= 0)) throw Error(ErrorKind::usage, "a half-width below 0 cannot be reached");
}

/// One match under way: blocks of hands are played, and told sample by sample.
class Match {
 public:
  Match(const Game& game, std::span<Policy* const> players, const MatchOptions& options)
      : game_(game),
        options_(options),
        unit_(result_unit(game)),
        table_(game, players, options.seed, options.variance),
        hands_per_sample_(table_.hands_per_deal()),
        as_dealt_(players.size()),
        by_seat_(players.size()),
        by_player_(players.size()),
        values_(players.size()),
        seated_(players.size()),
        controls_(table_.prior().size()) {}

  std::int64_t hands_per_sample() const { return hands_per_sample_; }
  const std::vector<double>& prior() const { return table_.prior(); }

  void play(std::int64_t first_sample, std::int64_t samples) {
    hands_ = table_.play(static_cast<std::uint64_t>(first_sample * hands_per_sample_), static_cast<std::size_t>(samples * hands_per_sample_));
  }

  /// The i-th sample of those just played: the hero's mean result, in the unit; controls() are then those of the sample.
  double sample(std::int64_t i) {
    double sum = 0;
    std::fill(controls_.begin(), controls_.end(), 0.0);
    const double share = unit_.scale / static_cast<double>(hands_per_sample_);
    for (auto h = static_cast<std::size_t>(i * hands_per_sample_); h < static_cast<std::size_t>((i + 1) * hands_per_sample_); ++h) {
      sum += hand(h);
      const std::span<const double> controls = table_.controls(h);
      for (std::size_t k = 0; k < controls.size(); ++k) controls_[k] += controls[k] * share;
    }
    deals_.push_back(hands_[static_cast<std::size_t>(i * hands_per_sample_)].state.deal);
    return sum / static_cast<double>(hands_per_sample_);
  }
  std::span<const double> controls() const { return controls_; }

  /// What has been told so far, but for the estimate.
  MatchResult result(const std::string& opponent) {
    MatchResult result;
    result.opponent = opponent;
    result.hands = by_hand_.count();
    result.distinct_deals = count_distinct(deals_);
    result.samples = static_cast<std::int64_t>(deals_.size());
    result.variance = options_.variance;
    result.standard_deviation = by_hand_.standard_deviation();
    result.unit = unit_.name;
    for (const RunningStatistics& seat : by_seat_) result.mean_by_seat.push_back(seat.mean());
    for (const RunningStatistics& player : by_player_) result.mean_by_player.push_back(player.mean());
    return result;
  }

 private:
  /// The hero's result of a hand, in the unit.
  double hand(std::size_t h) {
    const MatchTable::Hand& hand = hands_[h];
    game_.values(hand.state, as_dealt_);
    table_.values(h, values_);
    double hero = 0;
    for (std::size_t seat = 0; seat < seated_.size(); ++seat) {
      seated_[seat] = static_cast<int>(table_.player_in(hand.number, seat));
      const double result = values_[seat] * unit_.scale;
      by_player_[static_cast<std::size_t>(seated_[seat])].add(result);
      if (seated_[seat] != 0) continue;
      by_hand_.add(as_dealt_[seat] * unit_.scale);
      by_seat_[seat].add(result);
      hero = result;
    }
    if (options_.observer) options_.observer({static_cast<std::int64_t>(hand.number), &hand.state, seated_});
    return hero;
  }

  const Game& game_;
  const MatchOptions& options_;
  ResultUnit unit_;
  MatchTable table_;
  std::int64_t hands_per_sample_;
  std::span<const MatchTable::Hand> hands_;
  std::vector<double> as_dealt_;
  RunningStatistics by_hand_;
  std::vector<RunningStatistics> by_seat_, by_player_;
  std::vector<Deal> deals_;
  std::vector<double> values_;
  std::vector<int> seated_;
  std::vector<double> controls_;
};

/// Samples of a match of options.games, whole rounds of seats.
std::int64_t wanted_samples(const Game& game, const Match& match, const MatchOptions& options) {
  const auto seats = static_cast<std::int64_t>(game.players());
  return (options.games + seats - 1) / seats * seats / match.hands_per_sample();
}

/// Plays block after block; tell(i) takes in the i-th sample of a block and returns the estimate so far if it is time to look.
template <typename Play, typename Tell>
bool play_samples(std::int64_t wanted, std::int64_t at_once, double until, Play&& play, Tell&& tell, const ControlledMean& estimate) {
  for (std::int64_t first = 0; first < wanted; first += at_once) {
    const std::int64_t count = std::min(at_once, wanted - first);
    play(first, count);
    for (std::int64_t i = 0; i < count; ++i) {
      tell(i);
      if (until > 0 && estimate.count() % kLookEvery == 0 && estimate.estimate().half_width_95() <= until) return true;
    }
  }
  return false;
}

double p_value(const MeanEstimate& estimate, std::int64_t samples) {
  if (estimate.standard_error > 0) return student_two_sided(estimate.mean / estimate.standard_error, static_cast<double>(samples - 1));
  return estimate.mean == 0 || samples < 2 ? 1 : 0;
}

void fill_in(MatchResult& result, const MeanEstimate& estimate) {
  result.mean = estimate.mean;
  result.standard_error = estimate.standard_error;
  result.ci_low = estimate.mean - estimate.half_width_95();
  result.ci_high = estimate.mean + estimate.half_width_95();
  result.p_value = p_value(estimate, result.samples);
}

std::vector<Policy*> seats_against(const Game& game, Policy& hero, Policy& opponent) {
  std::vector<Policy*> players(static_cast<std::size_t>(game.players()), &opponent);
  players[0] = &hero;
  return players;
}

}  // namespace

MatchResult play_match(const Game& game, std::span<Policy* const> players, const MatchOptions& options) {
  require_options(options);
  Match match(game, players, options);
  ControlledMean mean(match.prior());
  const bool reached = play_samples(
      wanted_samples(game, match, options), std::max<std::int64_t>(1, options.batch / match.hands_per_sample()), options.until_half_width,
      [&](std::int64_t first, std::int64_t count) { match.play(first, count); },
      [&](std::int64_t i) {
        const double result = match.sample(i);
        mean.add(result, match.controls());
      },
      mean);
  MatchResult result = match.result(players.back()->name());
  fill_in(result, mean.estimate());
  result.until_reached = reached;
  return result;
}

MatchResult play_match(const Game& game, Policy& hero, Policy& opponent, const MatchOptions& options) {
  return play_match(game, seats_against(game, hero, opponent), options);
}

PairedResult compare_against(const Game& game, Policy& a, Policy& b, Policy& opponent, const MatchOptions& options) {
  require_options(options);
  MatchOptions unseen = options;
  unseen.observer = {};
  Match match_a(game, seats_against(game, a, opponent), unseen), match_b(game, seats_against(game, b, opponent), unseen);
  // The controls of the difference are differences, which vanish exactly where A and B do alike, and means, for coefficients that differ.
  const std::size_t terms = match_a.prior().size();
  std::vector<double> prior = match_a.prior(), controls(2 * terms);
  prior.resize(2 * terms, 0.0);
  ControlledMean mean_a(match_a.prior()), mean_b(match_b.prior()), difference(prior);
  const bool reached = play_samples(
      wanted_samples(game, match_a, options), std::max<std::int64_t>(1, options.batch / match_a.hands_per_sample()), options.until_half_width,
      [&](std::int64_t first, std::int64_t count) {
        match_a.play(first, count);
        match_b.play(first, count);
      },
      [&](std::int64_t i) {
        const double result_a = match_a.sample(i), result_b = match_b.sample(i);
        mean_a.add(result_a, match_a.controls());
        mean_b.add(result_b, match_b.controls());
        for (std::size_t k = 0; k < terms; ++k) {
          controls[k] = match_a.controls()[k] - match_b.controls()[k];
          controls[terms + k] = (match_a.controls()[k] + match_b.controls()[k]) / 2;
        }
        difference.add(result_a - result_b, controls);
      },
      difference);
  PairedResult result;
  result.a = match_a.result(opponent.name());
  result.b = match_b.result(opponent.name());
  fill_in(result.a, mean_a.estimate());
  fill_in(result.b, mean_b.estimate());
  result.a.until_reached = result.b.until_reached = reached;
  const MeanEstimate estimate = difference.estimate();
  result.difference = estimate.mean;
  result.standard_error = estimate.standard_error;
  result.ci_low = estimate.mean - estimate.half_width_95();
  result.ci_high = estimate.mean + estimate.half_width_95();
  result.p_value = p_value(estimate, result.a.samples);
  return result;
}

}  // namespace deepcfr
