#include "play_screen.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "deepcfr/game/acpc_string.h"
#include "deepcfr/game/catalogue.h"

namespace deepcfr {
namespace {

/// A hand of hunl that is played by the rules, with a screen on which the person has position 1.
class PlayScreenHunl : public testing::Test {
 protected:
  PlayScreenHunl() { screen_.seat_players(1, {"agent", "you"}); }

  TableHand hand(const char* deal, const Betting& betting) const {
    TableHand hand(game_, parse_acpc_state(game_, deal).state.deal);
    for (const TableAction& action : betting) hand.apply(action);
    return hand;
  }
  std::string ended(const TableHand& hand, bool all) {
    std::vector<double> net(2);
    game_.values(hand.state(), net);
    out_.str("");
    screen_.end_hand(hand, net, all);
    return out_.str();
  }

  Game game_ = make_game("hunl");
  std::ostringstream out_;
  PlayScreen screen_{game_, out_, CardStyle{}};
  const TableAction call_{TableAction::Kind::call, 0};
  const TableAction fold_{TableAction::Kind::fold, 0};
};

TEST_F(PlayScreenHunl, ShowsWhatEverybodyHas) {
  const char* deal = "STATE:0:cc/cc/cc/cc:AsKd|QhQd/2c3c4h/5d/9s";
  screen_.spot(hand(deal, {{TableAction::Kind::raise, 300}, call_, {TableAction::Kind::raise, 900}}));
  EXPECT_EQ(out_.str(),
            "board 2c 3c 4h   pot 1200\n"
            "  agent  big blind            in 900     behind 19100  bet 600\n"
            "> you    button, small blind  in 300     behind 19700  Qh Qd\n"
            "fold (f), call 600 (c), raise to 1200\u201319700 (r AMOUNT)\n");
}

TEST_F(PlayScreenHunl, ShowdownsNameHandsAndKickersOnlyWhereTheyDecide) {
  const Betting checks(8, call_);
  EXPECT_EQ(ended(hand("STATE:0:cc/cc/cc/cc:AsKd|QhQd/2c3c4h/5d/9s", checks), false),
            "Showdown, board 2c 3c 4h 5d 9s\n"
            "  agent  As Kd  straight, five high\n"
            "  you    Qh Qd  pair of queens\n"
            "You lose 100 (agent +100).\n");
  EXPECT_EQ(ended(hand("STATE:0:cc/cc/cc/cc:AsKd|AhQd/Ac3c4h/6d/9s", checks), false),
            "Showdown, board Ac 3c 4h 6d 9s\n"
            "  agent  As Kd  pair of aces, kickers king, nine, six\n"
            "  you    Ah Qd  pair of aces, kickers queen, nine, six\n"
            "You lose 100 (agent +100).\n");
  EXPECT_EQ(ended(hand("STATE:0:cc/cc/cc/cc:As2d|Ah2s/AcKcKh/6d/9s", checks), false),
            "Showdown, board Ac Kc Kh 6d 9s\n"
            "  agent  As 2d  two pair, aces and kings\n"
            "  you    Ah 2s  two pair, aces and kings\n"
            "You come out even.\n");
}

TEST_F(PlayScreenHunl, FoldedHandsStayHiddenUnlessAskedFor) {
  const TableHand folded = hand("STATE:0:cc/cc/cc/cc:AsKd|QhQd/2c3c4h/5d/9s", {{TableAction::Kind::raise, 300}, fold_});
  EXPECT_EQ(ended(folded, false), "You win 100 (agent -100).\n");
  EXPECT_EQ(ended(folded, true),
            "Cards\n"
            "  agent  As Kd  ace high (folded)\n"
            "  you    Qh Qd  pair of queens\n"
            "You win 100 (agent -100).\n");
}

TEST(PlayScreenKuhn3, AHandThatWasFoldedIsNotPartOfTheShowdown) {
  const Game game = make_game("kuhn3");
  TableHand hand(game, parse_acpc_state(game, "STATE:0:rfc:Js|Qs|Ks").state.deal);
  hand.apply({TableAction::Kind::raise, 2});
  hand.apply({TableAction::Kind::fold, 0});
  hand.apply({TableAction::Kind::call, 0});
  std::ostringstream out;
  PlayScreen screen(game, out, CardStyle{});
  screen.seat_players(0, {"you", "agent 1", "agent 2"});
  std::vector<double> net(3);
  game.values(hand.state(), net);
  screen.end_hand(hand, net, false);
  EXPECT_EQ(out.str(),
            "Showdown\n"
            "  you      Js  jack high\n"
            "  agent 2  Ks  king high\n"
            "You lose 2 (agent 1 -1, agent 2 +3).\n");
}

TEST_F(PlayScreenHunl, ResultsHaveAnIntervalFromTwoHandsOn) {
  PlayResults results;
  screen_.summary(results);
  results.add(100);
  screen_.standing(results);
  results.add(-0.5);
  screen_.standing(results);
  screen_.summary(results);
  // Mean 49.75 chips, standard error 50.25 chips: half-width 1.96 · 50.25 = 98.488; 10 mbb a chip.
  EXPECT_EQ(out_.str(),
            "No hand was finished.\n"
            "After 1 hand: +100 chips\n"
            "After 2 hands: +99.5 chips, +497.5 \u00b1 984.9 mbb/g a hand (95 %)\n"
            "Result: 2 hands, +99.5 chips, +497.5 mbb/g a hand, 95 % interval -487.4 .. +1482.4\n");
}

TEST(PlayScreen, RoundsAreNamedWhereTheBoardsAreThoseOfHoldEm) {
  EXPECT_EQ(round_name(make_game("hunl"), 0), "preflop");
  EXPECT_EQ(round_name(make_game("hulh"), 3), "river");
  EXPECT_EQ(round_name(make_game("fhp"), 1), "flop");
  EXPECT_EQ(round_name(make_game("leduc"), 1), "round 2");
  EXPECT_EQ(round_name(make_game("kuhn"), 0), "round 1");
}

TEST(PlayScreen, NumbersHaveTheirSign) {
  EXPECT_EQ(signed_chips(150), "+150");
  EXPECT_EQ(signed_chips(-0.5), "-0.5");
  EXPECT_EQ(signed_chips(0), "0");
  const std::vector<std::pair<std::string, double>> shares = {{"fold", 0.25}, {"call 50", 0.75}};
  EXPECT_EQ(percent_list(shares), "fold 25.0 %, call 50 75.0 %");
}

}  // namespace
}  // namespace deepcfr
