#include "play_screen.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <ostream>

#include "deepcfr/protocol/hand_record.h"
#include "hand_name.h"
#include "play_input.h"

namespace deepcfr {
namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

template <typename... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 256> buffer;
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

std::string hands_text(std::int64_t count) { return std::to_string(count) + (count == 1 ? " hand" : " hands"); }

int decimals(const ResultUnit& unit) { return unit.name == "antes" ? 4 : 1; }

}  // namespace

std::string round_name(const Game& game, int round) {
  static constexpr std::array<const char*, 4> kStreets = {"preflop", "flop", "turn", "river"};
  static constexpr std::array<int, 4> kBoards = {0, 3, 4, 5};
  bool streets = game.definition().hole_cards >= 2 && game.rounds() > 1;
  for (int r = 0; r < game.rounds(); ++r) streets = streets && game.definition().board_count(r) == kBoards[static_cast<std::size_t>(r)];
  return streets ? kStreets[static_cast<std::size_t>(round)] : "round " + std::to_string(round + 1);
}

std::string percent_list(std::span<const std::pair<std::string, double>> shares) {
  std::string text;
  for (const auto& [name, share] : shares) text += (text.empty() ? "" : ", ") + name + formatted(" %.1f %%", 100 * share);
  return text;
}

std::string signed_chips(double chips) { return (chips > 0 ? "+" : "") + print_chips(chips); }

void PlayScreen::seat_players(int person, std::vector<std::string> names) {
  person_ = person;
  names_ = std::move(names);
}

std::string PlayScreen::board(const TableHand& hand) const {
  const auto count = static_cast<std::size_t>(game_.definition().board_count(hand.state().round));
  return show_cards(std::span(hand.state().deal.board).first(count), style_);
}

std::string PlayScreen::cards_of(const TableHand& hand, int seat) const {
  const auto count = static_cast<std::size_t>(game_.definition().hole_cards);
  return show_cards(std::span(hand.state().deal.hole[static_cast<std::size_t>(seat)]).first(count), style_);
}

void PlayScreen::begin_hand(std::int64_t number, std::int64_t hands, const TableHand& hand) {
  std::string title = "Hand " + std::to_string(number + 1);
  if (hands > 0) title += " of " + std::to_string(hands);
  const std::string position = position_name(game_, person_);
  out_ << "\n" << paint(title, Tone::strong, style_) << "  your cards: " << cards_of(hand, person_);
  if (!position.empty()) out_ << "  (" << (position.starts_with("acts") ? "you act" + position.substr(4) : position) << ")";
  out_ << "\n";
}

void PlayScreen::begin_round(const TableHand& hand) {
  const std::string cards = board(hand);
  if (hand.state().round == 0 && cards.empty()) return;
  std::string name = round_name(game_, hand.state().round);
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  out_ << name << ": " << cards << "\n";
}

std::string PlayScreen::seat_line(const TableHand& hand, int seat) const {
  const State& state = hand.state();
  const bool acts = state.actor == seat;
  std::size_t widest = 0;
  for (const std::string& name : names_) widest = std::max(widest, name.size());
  std::string line = acts ? "> " : "  ";
  line +=
      padded(names_[static_cast<std::size_t>(seat)], widest) + "  " + padded(position_name(game_, seat), game_.players() > 2 ? 11 : 19);
  line += "  in " + padded(std::to_string(state.spent[static_cast<std::size_t>(seat)]), 6);
  const std::int32_t behind = hand.behind(seat);
  if (behind >= 0) line += "  behind " + padded(std::to_string(behind), 6);
  if (state.has_folded(seat)) return paint(line + "  folded", Tone::faint, style_);
  if (behind == 0) line += "  all-in";
  while (!line.empty() && line.back() == ' ') line.pop_back();
  const std::int32_t bet = state.spent[static_cast<std::size_t>(seat)] - hand.base(seat);
  if (bet > 0) line += "  bet " + std::to_string(bet);
  return line + (seat == person_ ? "  " + cards_of(hand, seat) : "");
}

void PlayScreen::spot(const TableHand& hand) {
  const std::string cards = board(hand);
  out_ << (cards.empty() ? "" : "board " + cards + "   ") << "pot " << hand.pot() << "\n";
  for (int seat = 0; seat < game_.players(); ++seat) out_ << seat_line(hand, seat) << "\n";
  out_ << legal_moves_text(hand) << "\n";
}

void PlayScreen::action(const TableHand& hand, const TableAction& action) {
  const bool you = hand.state().actor == person_;
  out_ << (you ? "you" : names_[hand.state().actor]) << " " << hand.told(action, you) << "\n";
}

/// Made hands by seat, "" for hands that are not shown. Kickers only where two hands would have one name without tying.
std::vector<std::string> PlayScreen::showdown_names(const TableHand& hand, bool all) const {
  const State& state = hand.state();
  std::vector<std::string> names(static_cast<std::size_t>(game_.players())), full = names;
  for (int seat = 0; seat < game_.players(); ++seat) {
    if (state.has_folded(seat) && !all) continue;
    const auto s = static_cast<std::size_t>(seat);
    std::vector<Card> cards(state.deal.hole[s].begin(), state.deal.hole[s].begin() + game_.definition().hole_cards);
    cards.insert(cards.end(), state.deal.board.begin(), state.deal.board.begin() + game_.definition().board_count(state.round));
    names[s] = hand_name(cards);
    full[s] = full_hand_name(cards);
  }
  std::vector<std::string> shown = names;
  for (std::size_t a = 0; a < names.size(); ++a) {
    for (std::size_t b = 0; b < names.size(); ++b)
      if (names[a] == names[b] && full[a] != full[b]) shown[a] = full[a];
  }
  return shown;
}

void PlayScreen::end_hand(const TableHand& hand, std::span<const double> net, bool all) {
  const State& state = hand.state();
  int left = 0;
  for (int seat = 0; seat < game_.players(); ++seat) left += state.has_folded(seat) ? 0 : 1;
  const bool showdown = left > 1;
  std::size_t widest = 0;
  for (const std::string& name : names_) widest = std::max(widest, name.size());
  if (showdown || all) {
    const std::string cards = board(hand);
    out_ << (showdown ? "Showdown" : "Cards") << (cards.empty() ? "" : ", board " + cards) << "\n";
    const std::vector<std::string> made = showdown_names(hand, all);
    for (int seat = 0; seat < game_.players(); ++seat) {
      const auto s = static_cast<std::size_t>(seat);
      if (state.has_folded(seat) && !all) continue;
      out_ << "  " << padded(names_[s], widest) << "  " << cards_of(hand, seat) << "  " << made[s]
           << (state.has_folded(seat) ? " (folded)" : "") << "\n";
    }
  }
  const double mine = net[static_cast<std::size_t>(person_)];
  const std::string result = mine > 0   ? paint("You win " + print_chips(mine), Tone::good, style_)
                             : mine < 0 ? paint("You lose " + print_chips(-mine), Tone::bad, style_)
                                        : "You come out even";
  out_ << result;
  std::string others;
  for (std::size_t seat = 0; seat < net.size(); ++seat) {
    if (static_cast<int>(seat) == person_ || net[seat] == 0) continue;
    others += (others.empty() ? "" : ", ") + names_[seat] + " " + signed_chips(net[seat]);
  }
  out_ << (others.empty() ? "" : " (" + others + ")") << ".\n";
}

void PlayScreen::standing(const PlayResults& results) {
  const ResultUnit unit = result_unit(game_);
  out_ << paint("After " + hands_text(results.hands.count()) + ": " + signed_chips(results.total) + " chips", Tone::strong, style_);
  if (results.hands.count() > 1) {
    out_ << formatted(", %+.*f \u00b1 %.*f %s a hand (95 %%)", decimals(unit), results.hands.mean() * unit.scale, decimals(unit),
                      results.hands.half_width_95() * unit.scale, unit.name.c_str());
  }
  out_ << "\n";
}

void PlayScreen::summary(const PlayResults& results) {
  if (results.hands.count() == 0) {
    out_ << "No hand was finished.\n";
    return;
  }
  const ResultUnit unit = result_unit(game_);
  const int digits = decimals(unit);
  const double mean = results.hands.mean() * unit.scale;
  const double half = results.hands.half_width_95() * unit.scale;
  out_ << paint("Result: " + hands_text(results.hands.count()) + ", " + signed_chips(results.total) + " chips", Tone::strong, style_)
       << formatted(", %+.*f %s a hand", digits, mean, unit.name.c_str());
  if (results.hands.count() > 1) {
    out_ << formatted(", 95 %% interval %+.*f .. %+.*f", digits, mean - half, digits, mean + half);
  }
  out_ << "\n";
}

void PlayScreen::line(const std::string& text) { out_ << text << "\n"; }

}  // namespace deepcfr
