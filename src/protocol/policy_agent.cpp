#include "deepcfr/protocol/policy_agent.h"

#include <algorithm>
#include <optional>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

std::uint64_t stream_key(StreamPurpose purpose, std::uint64_t seed, const TableView& view) {
  return CounterRandom(purpose, {seed, view.hand, static_cast<std::uint64_t>(view.position)}).key();
}

}  // namespace

PolicyAgent::PolicyAgent(const Game& game, Policy& policy, std::uint64_t seed)
    : game_(&game), policy_(&policy), seed_(seed), strategy_(static_cast<std::size_t>(game.num_actions())) {}

HandTranslation PolicyAgent::understand(const TableView& view) const {
  HandTranslation hand(*game_, view.position, translation_draws(seed_, view.hand, view.position));
  for (std::size_t i = 0; i < view.betting.size(); ++i) {
    const auto choice = std::find_if(choices_.begin(), choices_.end(), [&](const Choice& c) { return c.place == i; });
    const bool known = choice != choices_.end() && choice->real == view.betting[i];
    hand.observe(view.betting[i], known ? std::optional<Action>(choice->meant) : std::nullopt);
  }
  return hand;
}

Action PolicyAgent::draw(const TableView& view, const State& state) {
  State asked = state;
  asked.deal = view.state.deal;
  const State* question = &asked;
  const std::uint64_t hand_key = stream_key(StreamPurpose::match_seat, seed_, view);
  policy_->probabilities_in_hands({&question, 1}, {&hand_key, 1}, strategy_);
  const CounterRandom draws(stream_key(StreamPurpose::match_action, seed_, view));
  const Action action = sample_action(strategy_, draws.uniform(view.betting.size()));
  DEEPCFR_CHECK(((game_->legal_actions(asked) >> action) & 1) != 0, policy_->name() + " chose an illegal action");
  return action;
}

TableAction PolicyAgent::act(const TableView& view) {
  if (view.hand != hand_ || view.position != position_) {
    choices_.clear();
    hand_ = view.hand;
    position_ = view.position;
  }
  HandTranslation hand = understand(view);
  const std::optional<HandTranslation::Question> question = hand.question();
  if (!question) return {TableAction::Kind::call, 0};
  const Action chosen = draw(view, question->state);
  const TableAction real = hand.answer(*question, chosen);
  if (!question->raise_is_call) {
    std::erase_if(choices_, [&](const Choice& c) { return c.place >= view.betting.size(); });
    choices_.push_back({view.betting.size(), real, chosen});
  }
  return real;
}

}  // namespace deepcfr
