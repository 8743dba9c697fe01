#include "range_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "deepcfr/core/error.h"

namespace deepcfr {
namespace {

using Hole = std::array<Card, kMaxHoleCards>;

char rank_letter(int rank) { return card_name(make_card(rank, 0))[0]; }

/// All hands that the deck holds beside the visible board.
std::vector<Hole> possible_hands(const Game& game, const State& state) {
  const GameDefinition& d = game.definition();
  if (d.hole_cards > 2) {
    throw Error(ErrorKind::usage, "ranges are shown for one or two hole cards, this game has " + std::to_string(d.hole_cards), "--range");
  }
  std::vector<Card> deck = make_deck(d.ranks, d.suits);
  const auto visible = state.deal.board.begin() + d.board_count(state.round);
  std::erase_if(deck, [&](Card card) { return std::find(state.deal.board.begin(), visible, card) != visible; });
  std::vector<Hole> hands;
  for (std::size_t a = deck.size(); a-- > 0;) {
    Hole hole;
    hole.fill(kNoCard);
    hole[0] = deck[a];
    if (d.hole_cards == 1) hands.push_back(hole);
    for (std::size_t b = a; d.hole_cards == 2 && b-- > 0;) {
      hole[1] = deck[b];
      hands.push_back(hole);
    }
  }
  return hands;
}

/// The policy's answers at `state` for every hand of its actor: [hand][action].
std::vector<double> ask(const Game& game, const State& state, std::span<const Hole> hands, Policy& policy) {
  std::vector<State> states(hands.size(), state);
  std::vector<const State*> pointers;
  for (std::size_t h = 0; h < hands.size(); ++h) {
    states[h].deal.hole[state.actor] = hands[h];
    pointers.push_back(&states[h]);
  }
  std::vector<double> answers(hands.size() * static_cast<std::size_t>(game.num_actions()));
  policy.probabilities(pointers, answers);
  return answers;
}

/// Product of the player's own probabilities on the way to `state`, by hand.
std::vector<double> reaches(const Game& game, const State& state, std::span<const Hole> hands, Policy& policy) {
  std::vector<double> reach(hands.size(), 1.0);
  const auto actions = static_cast<std::size_t>(game.num_actions());
  State now = game.initial_state(state.deal);
  for (int i = 0; i < state.history.size; ++i) {
    const Action action = state.history[i];
    if (now.actor == state.actor) {
      const std::vector<double> answers = ask(game, now, hands, policy);
      for (std::size_t h = 0; h < hands.size(); ++h) reach[h] *= answers[h * actions + action];
    }
    game.apply(now, action);
  }
  return reach;
}

/// The classes of the game, without numbers yet.
std::vector<HandClass> hand_classes(const GameDefinition& d, std::size_t actions) {
  std::vector<HandClass> classes;
  const int columns = d.hole_cards == 1 ? 1 : d.ranks;
  for (int row = 0; row < d.ranks; ++row) {
    for (int column = 0; column < columns; ++column) {
      HandClass hand;
      hand.row = row;
      hand.column = column;
      hand.frequency.assign(actions, 0.0);
      hand.name = rank_letter(kRankCount - 1 - std::min(row, d.hole_cards == 1 ? row : column));
      if (d.hole_cards == 2) {
        hand.name += rank_letter(kRankCount - 1 - std::max(row, column));
        hand.name += row == column ? "" : row < column ? "s" : "o";
      }
      classes.push_back(hand);
    }
  }
  return classes;
}

std::size_t class_of(const GameDefinition& d, const Hole& hole) {
  const int first = kRankCount - 1 - card_rank(hole[0]);
  if (d.hole_cards == 1) return static_cast<std::size_t>(first);
  const int second = kRankCount - 1 - card_rank(hole[1]);
  const bool suited = card_suit(hole[0]) == card_suit(hole[1]);
  const int row = suited ? std::min(first, second) : std::max(first, second);
  const int column = suited ? std::max(first, second) : std::min(first, second);
  return static_cast<std::size_t>(row * d.ranks + column);
}

std::string percent_cell(double share, int combos) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "%4.0f", 100 * share);
  return combos == 0 ? "   ." : text.data();
}

}  // namespace

Range range_of(const Game& game, const State& state, Policy& policy) {
  const std::vector<Hole> hands = possible_hands(game, state);
  const std::vector<double> answers = ask(game, state, hands, policy);
  const std::vector<double> reach = reaches(game, state, hands, policy);
  const auto actions = static_cast<std::size_t>(game.num_actions());
  Range range;
  range.side = game.definition().ranks;
  range.classes = hand_classes(game.definition(), actions);
  range.frequency.assign(actions, 0.0);
  range.reached.assign(actions, 0.0);
  double reach_sum = 0;
  for (std::size_t h = 0; h < hands.size(); ++h) {
    HandClass& hand = range.classes[class_of(game.definition(), hands[h])];
    ++hand.combos;
    hand.reach += reach[h];
    reach_sum += reach[h];
    for (std::size_t a = 0; a < actions; ++a) {
      const double share = answers[h * actions + a];
      hand.frequency[a] += share;
      range.frequency[a] += share;
      range.reached[a] += reach[h] * share;
    }
  }
  range.combos = static_cast<double>(hands.size());
  for (HandClass& hand : range.classes) {
    if (hand.combos == 0) continue;
    hand.reach /= hand.combos;
    for (double& share : hand.frequency) share /= hand.combos;
  }
  for (double& share : range.frequency) share /= range.combos;
  for (double& share : range.reached) share /= reach_sum;
  if (!(reach_sum > 0)) range.reached.clear();
  return range;
}

std::string range_grid(const Range& range, int action, const CardStyle& style) {
  std::string text = " ";
  for (int column = 0; column < range.side; ++column) text += std::string("   ") + rank_letter(kRankCount - 1 - column);
  text += "\n";
  for (const HandClass& hand : range.classes) {
    if (hand.column == 0) text += rank_letter(kRankCount - 1 - hand.row);
    const double share = action < 0 ? hand.reach : hand.frequency[static_cast<std::size_t>(action)];
    text += shade(percent_cell(share, hand.combos), share, style);
    if (hand.column == range.side - 1) text += "\n";
  }
  return text;
}

std::string range_table(const Range& range, std::span<const int> actions, std::span<const std::string> names) {
  std::string text = "card  combos  reach";
  for (const std::string& name : names) text += "  " + std::string(name.size() < 7 ? 7 - name.size() : 0, ' ') + name;
  text += "\n";
  for (const HandClass& hand : range.classes) {
    if (hand.combos == 0) continue;
    std::array<char, 64> head;
    std::snprintf(head.data(), head.size(), "%-4s  %6d  %5.3f", hand.name.c_str(), hand.combos, hand.reach);
    text += head.data();
    for (std::size_t i = 0; i < actions.size(); ++i) {
      std::array<char, 32> cell;
      const int width = std::max<int>(7, static_cast<int>(names[i].size())) - 2;
      std::snprintf(cell.data(), cell.size(), "  %*.1f %%", width, 100 * hand.frequency[static_cast<std::size_t>(actions[i])]);
      text += cell.data();
    }
    text += "\n";
  }
  return text;
}

}  // namespace deepcfr
