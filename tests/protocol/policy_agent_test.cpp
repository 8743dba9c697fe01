#include "deepcfr/protocol/policy_agent.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "deepcfr/cfr/regret_matching.h"
#include "deepcfr/core/random.h"
#include "deepcfr/game/acpc_string.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/protocol/acpc_lines.h"

namespace deepcfr {
namespace {

/// Uniform; keeps the bettings and hand keys that it was asked about.
class Recorder final : public Policy {
 public:
  explicit Recorder(const Game& game) : game_(&game) {}
  void probabilities(std::span<const State* const> states, std::span<double> out) override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto actions = static_cast<std::size_t>(game_->num_actions());
      uniform_strategy(game_->legal_actions(*states[i]), out.subspan(i * actions, actions));
      asked.push_back(print_acpc_state(*game_, *states[i], 0));
    }
  }
  void probabilities_in_hands(std::span<const State* const> states, std::span<const std::uint64_t> hand_keys,
                              std::span<double> out) override {
    for (const std::uint64_t key : hand_keys) keys.push_back(key);
    probabilities(states, out);
  }
  std::string name() const override { return "recorder"; }
  std::unique_ptr<Policy> clone() const override { return std::make_unique<Recorder>(*this); }
  std::vector<std::string> asked;
  std::vector<std::uint64_t> keys;

 private:
  const Game* game_;
};

TEST(PolicyAgent, TheSameMessageGetsTheSameAnswer) {
  const Game game = make_game("hunl");
  Recorder policy(game);
  for (int hand = 0; hand < 50; ++hand) {
    const std::string line = "MATCHSTATE:0:" + std::to_string(hand) + ":r270:AsKd|";
    PolicyAgent once(game, policy, 7), twice(game, policy, 7);
    const TableAction answer = once.act(parse_matchstate(game, line));
    EXPECT_EQ(twice.act(parse_matchstate(game, line)), answer);
    EXPECT_EQ(twice.act(parse_matchstate(game, line)), answer) << "read a second time";
  }
}

TEST(PolicyAgent, ThePolicyIsAskedAboutItsOwnGameWithTheCardsOfTheView) {
  const Game game = make_game("hunl");
  Recorder policy(game);
  PolicyAgent agent(game, policy, 1);
  agent.act(parse_matchstate(game, "MATCHSTATE:0:3:r300c/:AsKd|/2c3c4h"));
  EXPECT_EQ(policy.asked.back(), "STATE:0:r300c/:AsKd|/2c3c4h");
  // 777 lies between pot and two pots after r300: never off the tree.
  agent.act(parse_matchstate(game, "MATCHSTATE:1:3:r300r777:|AsKd"));
  EXPECT_TRUE(policy.asked.back() == "STATE:0:r300r600:|AsKd" || policy.asked.back() == "STATE:0:r300r900:|AsKd") << policy.asked.back();
}

// The match engine's draws (eval/match.cpp): match_action by (seed, hand, seat) at the number of actions made, match_seat for the hand key.
TEST(PolicyAgent, DrawsAreThoseOfTheMatchEngine) {
  const Game game = make_game("leduc");
  Recorder policy(game);
  PolicyAgent agent(game, policy, 9);
  for (std::uint32_t hand = 0; hand < 100; ++hand) {
    const TableView view = parse_matchstate(game, "MATCHSTATE:1:" + std::to_string(hand) + ":c:|Ks");
    std::vector<double> strategy(3);
    uniform_strategy(game.legal_actions(view.state), strategy);
    const CounterRandom draws(CounterRandom(StreamPurpose::match_action, {9, hand, 1}).key());
    const Action expected = sample_action(strategy, draws.uniform(1));
    EXPECT_EQ(agent.act(view).kind, expected == kCall ? TableAction::Kind::call : TableAction::Kind::raise);
    EXPECT_EQ(policy.keys.back(), CounterRandom(StreamPurpose::match_seat, {9, hand, 1}).key());
  }
}

TEST(PolicyAgent, OwnRaisesAreUnderstoodAsTheyWereMeant) {
  const Game game = make_game("hunl");
  Recorder policy(game);
  std::map<std::string, int> seen;
  for (int hand = 0; hand < 300; ++hand) {
    PolicyAgent agent(game, policy, 3);
    const std::string number = std::to_string(hand);
    // A raise to 350 is 1.25 pots; the answer's size is a fraction of the real pot, 700 after a call, and so off the tree of the abstract
    // one.
    const TableAction answer = agent.act(parse_matchstate(game, "MATCHSTATE:0:" + number + ":r350:AsKd|"));
    if (answer.kind != TableAction::Kind::raise || answer.total == 20000) continue;
    const std::string before = policy.asked.back();
    const std::string line = "MATCHSTATE:0:" + number + ":r350r" + std::to_string(answer.total) + "c/:AsKd|/2c3c4h";
    agent.act(parse_matchstate(game, line));
    const std::string after = policy.asked.back();
    // Half a pot, a pot, two pots on top of what the abstract raise was (300: a pot, 500: two).
    const int fraction = answer.total == 700 ? 0 : answer.total == 1050 ? 1 : 2;
    const bool small = before.find("r300:") != std::string::npos;
    const int totals[2][3] = {{1000, 1500, 2500}, {600, 900, 1500}};
    EXPECT_NE(after.find("r" + std::to_string(totals[small][fraction]) + "c/"), std::string::npos)
        << before << " " << answer.total << " " << after;
    ++seen[std::to_string(fraction) + (small ? "s" : "l")];
  }
  EXPECT_EQ(seen.size(), 6u);
}

TEST(PolicyAgent, AnAnswerThatWasNotCarriedOutIsForgotten) {
  const Game game = make_game("hunl");
  Recorder policy(game);
  PolicyAgent agent(game, policy, 3);
  agent.act(parse_matchstate(game, "MATCHSTATE:1:0::|AsKd"));
  // Whatever it was, the dealer has made a raise to 20000 or a call of it.
  agent.act(parse_matchstate(game, "MATCHSTATE:1:0:cr300:|AsKd"));
  EXPECT_EQ(policy.asked.back(), "STATE:0:cr300:|AsKd");
}

}  // namespace
}  // namespace deepcfr
