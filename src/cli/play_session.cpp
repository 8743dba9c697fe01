#include "play_session.h"

#include <ostream>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"
#include "play_input.h"

namespace deepcfr {
namespace {

constexpr int kIdleHands = 100;  // for each seat; so many in a row without a question to the person: no game to play

std::uint64_t word(std::int64_t number) { return static_cast<std::uint64_t>(number); }

}  // namespace

PlaySession::PlaySession(std::shared_ptr<const Game> game, std::vector<Player>& agents, const PlayOptions& options, LineReader& input,
                         std::ostream& out, CardStyle style, HandSink sink)
    : game_(std::move(game)), agents_(agents), options_(options), input_(input), out_(out), screen_(*game_, out, style), sink_(std::move(sink)) {
  const auto others = static_cast<std::size_t>(game_->players() - 1);
  DEEPCFR_CHECK(agents_.size() == 1 || agents_.size() == others);
}

/// 0 for the seat behind the person's, and so on round the table.
Player& PlaySession::agent_of(int seat) {
  const int place = (seat - person_ + game_->players()) % game_->players() - 1;
  return agents_[agents_.size() == 1 ? 0 : static_cast<std::size_t>(place)];
}

void PlaySession::sit_down(std::int64_t number) {
  const int players = game_->players();
  number_ = number;
  person_ = static_cast<int>(number % players);
  names_.clear();
  views_.clear();
  for (int seat = 0; seat < players; ++seat) {
    const int place = (seat - person_ + players) % players;
    names_.push_back(place == 0 ? "you" : players == 2 ? "agent" : "agent " + std::to_string(place));
    views_.emplace_back(*game_, seat, translation_draws(options_.seed, static_cast<std::uint32_t>(number), seat));
  }
  screen_.seat_players(person_, names_);
  asked_ = false;
}

void PlaySession::run() {
  std::int64_t idle = 0;
  for (std::int64_t number = 0; options_.hands == 0 || number < options_.hands; ++number) {
    if (input_.interrupted() || !play_hand(number)) break;
    idle = asked_ ? 0 : idle + 1;
    if (idle < kIdleHands * game_->players()) continue;
    screen_.line("You have had no decision in " + std::to_string(idle) + " hands: that is all this game has to offer.");
    break;
  }
  out_ << "\n";
  screen_.summary(results_);
}

bool PlaySession::play_hand(std::int64_t number) {
  sit_down(number);
  HandRecord hand(*game_, game_->sample_deal(CounterRandom(StreamPurpose::match_deal, {options_.seed, word(number)})));
  screen_.begin_hand(number, options_.hands, hand);
  int round = -1;
  while (!hand.state().finished) {
    if (hand.state().round != round) screen_.begin_round(hand);
    round = hand.state().round;
    std::optional<Action> meant;
    TableAction action;
    const int actor = hand.state().actor;
    if (actor == person_) {
      const std::optional<TableAction> chosen = ask_person(hand);
      if (!chosen) return false;
      action = *chosen;
    } else {
      action = ask_agent(hand, meant);
      screen_.action(hand, action);
    }
    for (std::size_t seat = 0; seat < views_.size(); ++seat)
      views_[seat].observe(action, static_cast<int>(seat) == actor ? meant : std::nullopt);
    hand.apply(action);
  }
  finish(hand);
  return true;
}

void PlaySession::finish(const HandRecord& hand) {
  std::vector<double> net(static_cast<std::size_t>(game_->players()));
  game_->values(hand.state(), net);
  screen_.end_hand(hand, net, options_.show_all);
  results_.add(net[static_cast<std::size_t>(person_)]);
  screen_.standing(results_);
  if (sink_) sink_(number_, hand, net, names_);
}

std::optional<TableAction> PlaySession::ask_person(const HandRecord& hand) {
  asked_ = true;
  screen_.spot(hand);
  if (options_.hint) screen_.line(hint(hand));
  for (;;) {
    out_ << "your move: " << std::flush;
    const std::optional<std::string> typed = input_.next();
    if (!typed) {
      out_ << "\n";
      return std::nullopt;
    }
    if (!input_.echoes()) out_ << *typed << "\n";
    const PlayInput read = parse_play_input(hand, *typed);
    switch (read.kind) {
      case PlayInput::Kind::move: screen_.action(hand, read.move); return read.move;
      case PlayInput::Kind::quit: return std::nullopt;
      case PlayInput::Kind::hint: screen_.line(hint(hand)); break;
      case PlayInput::Kind::state: screen_.line(hand.acpc(person_, static_cast<std::uint32_t>(number_))); break;
      case PlayInput::Kind::help: out_ << play_help(*game_); break;
      case PlayInput::Kind::problem: screen_.line(read.problem); break;
    }
  }
}

TableAction PlaySession::ask_agent(const HandRecord& hand, std::optional<Action>& meant) {
  const int seat = hand.state().actor;
  HandTranslation& view = views_[static_cast<std::size_t>(seat)];
  std::optional<HandTranslation::Question> question = view.question();
  if (!question) return {TableAction::Kind::call, 0};
  question->state.deal = hand.state().deal;
  const State* const states[] = {&question->state};
  const std::uint64_t keys[] = {CounterRandom(StreamPurpose::match_seat, {options_.seed, word(number_), word(seat)}).key()};
  std::vector<double> strategy(static_cast<std::size_t>(game_->num_actions()));
  agent_of(seat).policy->probabilities_in_hands(states, keys, strategy);
  const CounterRandom draws(StreamPurpose::match_action, {options_.seed, word(number_), word(seat)});
  const Action chosen = sample_action(strategy, draws.uniform(hand.betting().size()));
  const TableAction action = view.answer(*question, chosen);
  const bool as_chosen = (chosen == kFold && action.kind == TableAction::Kind::fold) ||
                         (chosen == kCall && action.kind == TableAction::Kind::call) ||
                         (chosen >= kFirstRaise && action.kind == TableAction::Kind::raise);
  if (as_chosen && !question->raise_is_call) meant = chosen;
  return action;
}

/// "hint: fold 12 %, call 50 60 %, raise to 200 28 %", by the policy of the first agent.
std::string PlaySession::hint(const HandRecord& hand) {
  HandTranslation& view = views_[static_cast<std::size_t>(person_)];
  std::optional<HandTranslation::Question> question = view.question();
  if (!question) return "hint: " + hand.words({TableAction::Kind::call, 0}) + " 100 %";
  question->state.deal = hand.state().deal;
  const State* const states[] = {&question->state};
  std::vector<double> strategy(static_cast<std::size_t>(game_->num_actions()));
  agents_[0].policy->probabilities(states, strategy);
  std::vector<std::pair<std::string, double>> parts;  // two sizes of the abstraction may be one at the table
  for (std::size_t a = 0; a < strategy.size(); ++a) {
    if (((game_->legal_actions(question->state) >> a) & 1) == 0) continue;
    const std::string words = hand.words(view.answer(*question, static_cast<Action>(a)));
    if (!parts.empty() && parts.back().first == words) {
      parts.back().second += strategy[a];
    } else {
      parts.emplace_back(words, strategy[a]);
    }
  }
  return "hint: " + percent_list(parts);
}

}  // namespace deepcfr
