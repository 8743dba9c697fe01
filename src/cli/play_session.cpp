#include "play_session.h"

#include <ostream>
#include <span>
#include <utility>

#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "deepcfr/protocol/translation.h"
#include "play_input.h"

namespace deepcfr {
namespace {

constexpr int kIdleHands = 100;  // for each seat; so many in a row without a question to the person: no game to play

std::uint64_t word(std::int64_t number) { return static_cast<std::uint64_t>(number); }

}  // namespace

PlaySession::PlaySession(std::shared_ptr<const Game> game, std::vector<Player>& agents, const PlayOptions& options, LineReader& input,
                         std::ostream& out, CardStyle style, std::vector<TableObserver*> observers)
    : game_(std::move(game)),
      adviser_(*agents.at(0).policy),
      options_(options),
      input_(input),
      out_(out),
      screen_(*game_, out, style),
      observers_(std::move(observers)),
      totals_(static_cast<std::size_t>(game_->players())) {
  const auto others = static_cast<std::size_t>(game_->players() - 1);
  DEEPCFR_CHECK(agents.size() == 1 || agents.size() == others);
  for (std::size_t i = 0; i < others; ++i) seated_.emplace_back(*game_, *agents[agents.size() == 1 ? 0 : i].policy, options_.seed);
}

std::string PlaySession::name_at(int place) const {
  if (place == 0) return "you";
  return game_->players() == 2 ? "agent" : "agent " + std::to_string(place);
}

std::vector<std::string> PlaySession::player_names() const {
  std::vector<std::string> names;
  for (int place = 0; place < game_->players(); ++place) names.push_back(name_at(place));
  return names;
}

void PlaySession::sit_down(std::int64_t number) {
  const int players = game_->players();
  number_ = number;
  person_ = static_cast<int>((players - number % players) % players);
  names_.clear();
  for (int seat = 0; seat < players; ++seat) names_.push_back(name_at(place_of(seat)));
  screen_.seat_players(person_, names_);
  asked_ = false;
}

TableView PlaySession::view(const TableHand& hand, int seat) const {
  return view_of(*game_, static_cast<std::uint32_t>(number_), seat, hand.state(), hand.betting());
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
  TableHand hand(*game_, game_->sample_deal(CounterRandom(StreamPurpose::match_deal, {options_.seed, word(number)})));
  screen_.begin_hand(number, options_.hands, hand);
  int round = -1;
  while (!hand.state().finished) {
    if (hand.state().round != round) screen_.begin_round(hand);
    round = hand.state().round;
    const int actor = hand.state().actor;
    TableAction action;
    if (actor == person_) {
      const std::optional<TableAction> chosen = ask_person(hand);
      if (!chosen) return false;
      action = *chosen;
    } else {
      action = seated_[static_cast<std::size_t>(place_of(actor) - 1)].act(view(hand, actor));
    }
    screen_.action(hand, action);
    hand.apply(action);
  }
  finish(hand);
  return true;
}

void PlaySession::finish(const TableHand& hand) {
  HandRecord record;
  record.game = game_;
  record.label = std::to_string(number_);
  record.deal = hand.state().deal;
  record.betting = hand.betting();
  record.names = names_;
  record.values.resize(static_cast<std::size_t>(game_->players()));
  game_->values(hand.state(), record.values);
  screen_.end_hand(hand, record.values, options_.show_all);
  results_.add(record.values[static_cast<std::size_t>(person_)]);
  for (int seat = 0; seat < game_->players(); ++seat) {
    totals_[static_cast<std::size_t>(place_of(seat))] += record.values[static_cast<std::size_t>(seat)];
  }
  screen_.standing(results_);
  for (TableObserver* observer : observers_) observer->hand_over(record);
}

std::optional<TableAction> PlaySession::leave() {
  screen_.line("Hand " + std::to_string(number_ + 1) + " was not finished and does not count.");
  return std::nullopt;
}

std::optional<TableAction> PlaySession::ask_person(const TableHand& hand) {
  asked_ = true;
  screen_.spot(hand);
  if (options_.hint) screen_.line(hint(hand));
  for (;;) {
    out_ << "your move: " << std::flush;
    const std::optional<std::string> typed = input_.next();
    if (!typed) {
      out_ << "\n";
      return leave();
    }
    if (!input_.echoes()) out_ << *typed << "\n";
    const PlayInput read = parse_play_input(hand, *typed);
    switch (read.kind) {
      case PlayInput::Kind::move:
        return read.move;
      case PlayInput::Kind::quit:
        return leave();
      case PlayInput::Kind::hint:
        screen_.line(hint(hand));
        break;
      case PlayInput::Kind::state:
        screen_.line(print_matchstate(*game_, view(hand, person_)));
        break;
      case PlayInput::Kind::help:
        out_ << play_help(*game_);
        break;
      case PlayInput::Kind::problem:
        screen_.line(read.problem);
        break;
    }
  }
}

/// "hint: fold 12.0 %, call 50 60.0 %, raise to 200 28.0 %", by the policy of the first agent.
std::string PlaySession::hint(const TableHand& hand) {
  HandTranslation understood(*game_, person_, translation_draws(options_.seed, static_cast<std::uint32_t>(number_), person_));
  for (const TableAction& action : hand.betting()) understood.observe(action);
  std::optional<HandTranslation::Question> question = understood.question();
  if (!question) return "hint: " + hand.words({TableAction::Kind::call, 0}) + " 100.0 %";
  question->state.deal = view(hand, person_).state.deal;
  const State* const states[] = {&question->state};
  std::vector<double> strategy(static_cast<std::size_t>(game_->num_actions()));
  adviser_.probabilities(states, strategy);
  std::vector<std::pair<std::string, double>> parts;  // two sizes of the abstraction may be one at the table
  for (std::size_t a = 0; a < strategy.size(); ++a) {
    if (((game_->legal_actions(question->state) >> a) & 1) == 0) continue;
    const std::string words = hand.words(understood.answer(*question, static_cast<Action>(a)));
    if (!parts.empty() && parts.back().first == words) {
      parts.back().second += strategy[a];
    } else {
      parts.emplace_back(words, strategy[a]);
    }
  }
  return "hint: " + percent_list(parts);
}

}  // namespace deepcfr
