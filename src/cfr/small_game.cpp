// A small game written out. Cards and betting are independent, so the game is the product of the deals and the betting tree:
// an infoset is a decision node with a class of cards, a terminal value a terminal node with an outcome (who beats whom).
#include "deepcfr/cfr/small_game.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <unordered_map>
#include <utility>

#include "deepcfr/core/error.h"
#include "deepcfr/game/evaluator.h"

namespace deepcfr {
namespace {

// -- size ---------------------------------------------------------------------------------------------------------------

/// Betting nodes that are counted before giving up: more cannot fit, and counting them stays far below a second.
std::uint64_t count_limit(const Game& game, const SmallGameLimits& limits) {
  const double nodes = limits.max_infosets * game.num_actions() + 1;  // each decision node holds at least one infoset
  return static_cast<std::uint64_t>(std::clamp(nodes, 1.0, 2e6));
}

bool size_fits(const GameSize& size, const SmallGameLimits& limits) {
  return size.betting.complete && size.infosets <= limits.max_infosets && size.histories <= limits.max_deal_nodes;
}

std::string size_text(double size) {
  char text[32];
  std::snprintf(text, sizeof text, size < 1e6 ? "%.0f" : "%.2e", size);
  std::string result = text;
  // "3.19e+14" reads better as "3.19e14".
  if (const std::size_t plus = result.find("e+"); plus != std::string::npos) result.erase(plus + 1, 1);
  return result;
}

const Game& require_fit(const Game& game, const SmallGameLimits& limits) {
  const GameSize size = game_size(game, count_limit(game, limits));
  if (size_fits(size, limits)) return game;
  const std::string at_least = size.betting.complete ? "" : "more than ";
  throw Error(
      ErrorKind::usage,
      "game '" + game.name() + "' is too large for exact methods: " + at_least + size_text(size.infosets) + " infosets and " +
          at_least + size_text(size.histories) + " deals × betting nodes; at most " + size_text(limits.max_infosets) + " and " +
          size_text(limits.max_deal_nodes) + " fit",
      {},
      "evaluate against bots instead, or take a smaller game: kuhn, kuhn3, leduc, or a .game file with fewer cards or rounds");
}

// -- deals ----------------------------------------------------------------------------------------------------------------

/// C(n, k) for n ≤ 52.
std::int64_t choose(int n, int k) {
  if (k < 0 || k > n) return 0;
  std::int64_t result = 1;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

/// The groups of cards of a deal in the order in which they are dealt: each hand, then each round's board.
std::vector<std::span<Card>> card_groups(const GameDefinition& definition, Deal& deal) {
  std::vector<std::span<Card>> groups;
  for (std::size_t p = 0; p < static_cast<std::size_t>(definition.players); ++p) {
    groups.push_back(std::span(deal.hole[p]).first(static_cast<std::size_t>(definition.hole_cards)));
  }
  std::size_t first = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(definition.rounds); ++r) {
    const std::size_t count = definition.board_cards[r];
    if (count > 0) groups.push_back(std::span(deal.board).subspan(first, count));
    first += count;
  }
  return groups;
}

/// Appends every way to fill groups[group..] from `cards` (ascending), each group ascending, in lexicographic order.
void enumerate_deals(std::vector<std::span<Card>>& groups, std::size_t group, const std::vector<Card>& cards, const Deal& deal,
                     std::vector<Deal>& out) {
  if (group == groups.size()) {
    out.push_back(deal);
    return;
  }
  const std::span<Card> target = groups[group];
  std::vector<std::size_t> chosen(target.size());
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i;
  while (true) {
    std::vector<Card> rest;
    std::size_t next = 0;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (next < chosen.size() && chosen[next] == i) {
        target[next++] = cards[i];
      } else {
        rest.push_back(cards[i]);
      }
    }
    enumerate_deals(groups, group + 1, rest, deal, out);
    // The next combination: the last place that can move up does, those after it follow close behind.
    std::size_t place = chosen.size();
    while (place > 0 && chosen[place - 1] == cards.size() - chosen.size() + place - 1) --place;
    if (place == 0) return;
    ++chosen[place - 1];
    for (std::size_t i = place; i < chosen.size(); ++i) chosen[i] = chosen[i - 1] + 1;
  }
}

/// Cards of an infoset in one word, exactly: 6 bits a card, 63 for none.
std::uint64_t pack_cards(const std::array<Card, kMaxHoleCards>& hole, const std::array<Card, kMaxBoardCards>& board) {
  static_assert(6 * (kMaxHoleCards + kMaxBoardCards) <= 64 && kDeckSize < 63);
  std::uint64_t word = 0;
  for (const Card card : hole) word = word << 6 | (card < kDeckSize ? card : 63U);
  for (const Card card : board) word = word << 6 | (card < kDeckSize ? card : 63U);
  return word;
}

}  // namespace

/// Class of the canonical cards, by round.
struct SmallGame::Index {
  std::vector<std::unordered_map<std::uint64_t, std::int32_t>> class_of_cards;
  std::vector<std::vector<std::pair<std::array<Card, kMaxHoleCards>, std::array<Card, kMaxBoardCards>>>> cards_of_class;
};

bool SmallGame::fits(const Game& game, const SmallGameLimits& limits) {
  return size_fits(game_size(game, count_limit(game, limits)), limits);
}

SmallGame::SmallGame(const Game& game, const SmallGameLimits& limits)
    : game_(&require_fit(game, limits)), tree_(game, static_cast<std::size_t>(count_limit(game, limits))) {
  const GameDefinition& definition = game.definition();
  Deal deal;
  std::vector<std::span<Card>> groups = card_groups(definition, deal);
  enumerate_deals(groups, 0, make_deck(definition.ranks, definition.suits), deal, deals_);
  deals_alike_.assign(static_cast<std::size_t>(definition.rounds), 1);
  for (int r = definition.rounds - 1; r > 0; --r) {
    const int unseen = definition.deck_size() - definition.players * definition.hole_cards - definition.board_count(r - 1);
    const auto ways = static_cast<int>(choose(unseen, definition.board_cards[static_cast<std::size_t>(r)]));
    deals_alike_[static_cast<std::size_t>(r - 1)] = deals_alike_[static_cast<std::size_t>(r)] * ways;
  }
  classify_cards();
  number_infosets();
  classify_outcomes();
  link_parents();
}

void SmallGame::classify_cards() {
  const auto players = static_cast<std::size_t>(game_->players());
  const auto rounds = static_cast<std::size_t>(game_->rounds());
  auto index = std::make_shared<Index>();
  index->class_of_cards.resize(rounds);
  index->cards_of_class.resize(rounds);
  class_.resize(players * rounds * deals_.size());
  num_classes_.assign(rounds, 0);
  State state = tree_.node(0).state;
  state.finished = false;
  for (std::size_t r = 0; r < rounds; ++r) {
    std::unordered_map<std::uint64_t, std::int32_t> class_of_dealt;  // saves finding the canonical form again
    const auto visible = static_cast<std::size_t>(game_->definition().board_count(static_cast<int>(r)));
    state.round = static_cast<std::uint8_t>(r);
    for (std::size_t p = 0; p < players; ++p) {
      state.actor = static_cast<std::uint8_t>(p);
      for (std::size_t d = 0; d < deals_.size(); ++d) {
        state.deal = deals_[d];
        std::fill(state.deal.board.begin() + static_cast<std::ptrdiff_t>(visible), state.deal.board.end(), kNoCard);
        const auto [dealt, is_new] = class_of_dealt.try_emplace(pack_cards(state.deal.hole[p], state.deal.board), 0);
        if (is_new) {
          const Infoset infoset = infoset_of(*game_, state);
          const auto next = static_cast<std::int32_t>(index->cards_of_class[r].size());
          const auto [entry, added] = index->class_of_cards[r].try_emplace(pack_cards(infoset.hole, infoset.board), next);
          if (added) index->cards_of_class[r].emplace_back(infoset.hole, infoset.board);
          dealt->second = entry->second;
        }
        class_[(p * rounds + r) * deals_.size() + d] = dealt->second;
      }
    }
    num_classes_[r] = static_cast<int>(index->cards_of_class[r].size());
  }
  index_ = std::move(index);
}

void SmallGame::number_infosets() {
  const std::size_t count = tree_.nodes().size();
  std::vector<std::int32_t> node_of_decision(static_cast<std::size_t>(tree_.decisions()));
  infoset_offset_.assign(count, -1);
  actor_.assign(count, 0);
  round_.assign(count, 0);
  for (std::size_t n = 0; n < count; ++n) {
    const BettingNode& node = tree_.nodes()[n];
    actor_[n] = node.state.actor;
    round_[n] = node.state.round;
    if (node.decision >= 0) node_of_decision[static_cast<std::size_t>(node.decision)] = static_cast<std::int32_t>(n);
  }
  for (const std::int32_t node : node_of_decision) {
    const auto n = static_cast<std::size_t>(node);
    infoset_offset_[n] = num_infosets_;
    num_infosets_ += num_classes(round_[n]);
    for (const auto& [hole, board] : index_->cards_of_class[round_[n]]) {
      State state = tree_.node(node).state;
      state.deal = Deal();
      state.deal.hole[actor_[n]] = hole;
      state.deal.board = board;
      node_of_.push_back(node);
      keys_.push_back(Infoset{hole, board, state.history});
      states_.push_back(state);
    }
  }
}

void SmallGame::classify_outcomes() {
  const auto players = static_cast<std::size_t>(game_->players());
  const GameDefinition& definition = game_->definition();
  const auto holes = static_cast<std::size_t>(definition.hole_cards);
  const auto boards = static_cast<std::size_t>(definition.board_count(definition.rounds - 1));
  // An outcome is the number of hands that each hand beats; equal vectors mean equal order with equal ties.
  std::unordered_map<std::uint64_t, std::int32_t> number;
  std::vector<std::size_t> example;
  outcome_.resize(deals_.size());
  std::vector<HandRank> ranks(players);
  for (std::size_t d = 0; d < deals_.size(); ++d) {
    HandAccumulator board;
    for (std::size_t i = 0; i < boards; ++i) board += deals_[d].board[i];
    for (std::size_t p = 0; p < players; ++p) {
      HandAccumulator hand = board;
      for (std::size_t i = 0; i < holes; ++i) hand += deals_[d].hole[p][i];
      ranks[p] = evaluate(hand);
    }
    std::uint64_t key = 0;
    for (const HandRank rank : ranks) {
      const auto beaten = std::count_if(ranks.begin(), ranks.end(), [rank](HandRank other) { return other < rank; });
      key = key << 4 | static_cast<std::uint64_t>(beaten);
    }
    const auto [entry, is_new] = number.try_emplace(key, static_cast<std::int32_t>(example.size()));
    if (is_new) example.push_back(d);
    outcome_[d] = entry->second;
  }
  num_outcomes_ = example.size();
  terminal_of_.assign(tree_.nodes().size(), -1);
  std::int32_t terminals = 0;
  std::vector<double> chips(players);
  for (std::size_t n = 0; n < tree_.nodes().size(); ++n) {
    if (tree_.nodes()[n].decision >= 0) continue;
    terminal_of_[n] = terminals++;
    const std::size_t row = values_.size();
    values_.resize(row + players * num_outcomes_);
    State state = tree_.nodes()[n].state;
    for (std::size_t o = 0; o < num_outcomes_; ++o) {
      state.deal = deals_[example[o]];
      game_->values(state, chips);
      for (std::size_t p = 0; p < players; ++p) values_[row + p * num_outcomes_ + o] = chips[p];
    }
  }
}

/// The class in round `earlier` that each class of `round` comes from. Throws Error{bug} if it is not unique: then players would
/// forget cards (imperfect recall).
std::vector<std::int32_t> SmallGame::coarser_classes(int round, int earlier) const {
  std::vector<std::int32_t> coarser(static_cast<std::size_t>(num_classes(round)), -1);
  for (int p = 0; p < game_->players(); ++p) {
    const std::span<const std::int32_t> fine = card_classes(p, round);
    const std::span<const std::int32_t> coarse = card_classes(p, earlier);
    for (std::size_t d = 0; d < fine.size(); ++d) {
      std::int32_t& entry = coarser[static_cast<std::size_t>(fine[d])];
      DEEPCFR_CHECK(entry < 0 || entry == coarse[d], "equal cards in a later round were different ones before");
      entry = coarse[d];
    }
  }
  return coarser;
}

void SmallGame::link_parents() {
  const auto rounds = static_cast<std::size_t>(game_->rounds());
  std::vector<std::vector<std::int32_t>> coarser(rounds * rounds);
  for (std::size_t r = 0; r < rounds; ++r) {
    for (std::size_t earlier = 0; earlier <= r; ++earlier) {
      coarser[r * rounds + earlier] = coarser_classes(static_cast<int>(r), static_cast<int>(earlier));
    }
  }
  parent_infoset_.assign(static_cast<std::size_t>(num_infosets_), -1);
  parent_action_.assign(static_cast<std::size_t>(num_infosets_), kFold);
  for (std::size_t n = 0; n < tree_.nodes().size(); ++n) {
    if (infoset_offset_[n] < 0) continue;
    auto child = static_cast<std::int32_t>(n);
    std::int32_t parent = tree_.node(child).parent;
    while (parent >= 0 && actor_[static_cast<std::size_t>(parent)] != actor_[n]) {
      child = parent;
      parent = tree_.node(parent).parent;
    }
    if (parent < 0) continue;
    const std::vector<std::int32_t>& before = coarser[round_[n] * rounds + round_[static_cast<std::size_t>(parent)]];
    for (std::size_t c = 0; c < before.size(); ++c) {
      const std::size_t infoset = static_cast<std::size_t>(infoset_offset_[n]) + c;
      parent_infoset_[infoset] = infoset_offset(parent) + before[c];
      parent_action_[infoset] = tree_.node(child).action;
    }
  }
}

int SmallGame::find(const State& state) const { return find(infoset_of(*game_, state)); }

int SmallGame::find(const Infoset& infoset) const {
  const std::int32_t node = tree_.find(infoset.history);
  if (node < 0 || infoset_offset(node) < 0) return -1;
  const auto& classes = index_->class_of_cards[round_[static_cast<std::size_t>(node)]];
  const auto entry = classes.find(pack_cards(infoset.hole, infoset.board));
  return entry == classes.end() ? -1 : infoset_offset(node) + entry->second;
}

int SmallGame::find_deal(const Deal& deal) const {
  const GameDefinition& definition = game_->definition();
  Deal copy = deal;
  std::vector<Card> cards = make_deck(definition.ranks, definition.suits);
  std::int64_t index = 0;
  for (const std::span<Card> group : card_groups(definition, copy)) {
    std::sort(group.begin(), group.end());
    const int n = static_cast<int>(cards.size());
    const int k = static_cast<int>(group.size());
    // Place of the group among all subsets of the cards left, in lexicographic order.
    std::int64_t place = choose(n, k) - 1;
    auto from = cards.begin();
    for (int i = 0; i < k; ++i) {
      const auto found = std::lower_bound(from, cards.end(), group[static_cast<std::size_t>(i)]);
      if (found == cards.end() || *found != group[static_cast<std::size_t>(i)]) {
        throw Error(ErrorKind::usage, "no deal of game '" + game_->name() + "': card " +
                                          card_name(group[static_cast<std::size_t>(i)]) +
                                          " is missing, dealt twice or not in the deck");
      }
      place -= choose(n - 1 - static_cast<int>(found - cards.begin()), k - i);
      from = found + 1;
    }
    std::erase_if(cards, [&](Card card) { return std::binary_search(group.begin(), group.end(), card); });
    index = index * choose(n, k) + place;
  }
  return static_cast<int>(index);
}

// -- policies as tables -----------------------------------------------------------------------------------------------------

TabularPolicy::TabularPolicy(std::shared_ptr<const SmallGame> game, std::vector<double> table, std::string name)
    : game_(std::move(game)), table_(std::move(table)), name_(std::move(name)) {
  DEEPCFR_CHECK(table_.size() ==
                static_cast<std::size_t>(game_->num_infosets()) * static_cast<std::size_t>(game_->game().num_actions()));
}

void TabularPolicy::probabilities(std::span<const State* const> states, std::span<double> out) {
  const auto actions = static_cast<std::size_t>(game_->game().num_actions());
  DEEPCFR_CHECK(out.size() == states.size() * actions);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const int infoset = game_->find(*states[i]);
    DEEPCFR_CHECK(infoset >= 0, "state is not in the game of the table");
    std::copy_n(table_.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(infoset) * actions), actions,
                out.begin() + static_cast<std::ptrdiff_t>(i * actions));
  }
}

std::unique_ptr<Policy> TabularPolicy::clone() const { return std::make_unique<TabularPolicy>(*this); }

std::vector<double> tabulate(const SmallGame& game, Policy& policy) {
  constexpr int kBatch = 1024;
  const auto actions = static_cast<std::size_t>(game.game().num_actions());
  std::vector<double> table(static_cast<std::size_t>(game.num_infosets()) * actions);
  std::vector<const State*> states;
  for (int first = 0; first < game.num_infosets(); first += kBatch) {
    states.clear();
    for (int i = first; i < std::min(first + kBatch, game.num_infosets()); ++i) states.push_back(&game.sample_state(i));
    policy.probabilities(states, std::span(table).subspan(static_cast<std::size_t>(first) * actions, states.size() * actions));
  }
  for (int i = 0; i < game.num_infosets(); ++i) {
    double sum = 0;
    for (std::size_t a = 0; a < actions; ++a) {
      const double probability = table[static_cast<std::size_t>(i) * actions + a];
      DEEPCFR_CHECK(probability >= 0 && (probability == 0 || ((game.legal(i) >> a) & 1) != 0), policy.name());
      sum += probability;
    }
    DEEPCFR_CHECK(std::abs(sum - 1) < 1e-6, policy.name() + ": probabilities sum to " + std::to_string(sum));
  }
  return table;
}

}  // namespace deepcfr
