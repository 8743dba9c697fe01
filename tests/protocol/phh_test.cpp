#include "deepcfr/protocol/phh.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "deepcfr/core/error.h"
#include "deepcfr/game/catalogue.h"
#include "deepcfr/protocol/acpc_lines.h"

namespace deepcfr {
namespace {

std::shared_ptr<const Game> game(const char* name) { return std::make_shared<const Game>(make_game(name)); }

HandRecord read_log(const char* name, const std::string& line) { return parse_acpc_log_line(game(name), line); }

std::vector<std::string> actions_of(const std::string& phh) {
  std::vector<std::string> actions;
  const std::size_t begin = phh.find("actions = ");
  const std::string row = phh.substr(begin, phh.find('\n', begin) - begin);
  for (std::size_t at = row.find('\''); at != std::string::npos; at = row.find('\'', at + 1)) {
    const std::size_t end = row.find('\'', at + 1);
    actions.push_back(row.substr(at + 1, end - at - 1));
    at = end;
  }
  return actions;
}

std::string message_of(const std::string& text, int line = 1) {
  try {
    parse_phh(text, line, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The standards' hand in three notations: ACPC r300r900c/r1900f = Slumbot b300b900c/b1000f (betting_test.cpp) = this.
TEST(Phh, OneHandInThreeNotations) {
  const HandRecord hand = read_log("hunl", "STATE:0:r300r900c/r1900f:AsAd|KsKd/2c3c4h:900|-900:a|b");
  const std::string phh = print_phh(hand);
  EXPECT_EQ(actions_of(phh), (std::vector<std::string>{"d dh p1 AsAd", "d dh p2 KsKd", "p2 cbr 300", "p1 cbr 900", "p2 cc", "d db 2c3c4h",
                                                       "p1 cbr 1000", "p2 f"}));
  EXPECT_EQ(phh,
            "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = [20000, 20000]\n"
            "actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 cbr 300', 'p1 cbr 900', 'p2 cc', 'd db 2c3c4h', 'p1 cbr 1000', 'p2 f']\n"
            "hand = 0\nplayers = ['a', 'b']\nfinishing_stacks = [20900, 19100]\n_rules = 'acpc'\n");
  const HandRecord back = parse_phh(phh, 1, {});
  EXPECT_EQ(back.betting, hand.betting);
  EXPECT_EQ(back.deal, hand.deal);
  EXPECT_EQ(back.values, hand.values);
  EXPECT_EQ(back.names, hand.names);
  EXPECT_EQ(back.label, "0");
}

// Reported fault E13: totals of the hand there, of the street here; PokerKit's stacks at the end are 19100 and 20900.
TEST(Phh, E13_TotalsOfTheHandBecomeTotalsOfTheStreet) {
  const HandRecord hand = read_log("hunl", "STATE:3:r300c/r900c/cc/cc:2c7d|AsAd/KsKd9h/8h/3s");
  const std::string phh = print_phh(hand);
  EXPECT_EQ(actions_of(phh),
            (std::vector<std::string>{"d dh p1 2c7d", "d dh p2 AsAd", "p2 cbr 300", "p1 cc", "d db KsKd9h", "p1 cbr 600", "p2 cc",
                                      "d db 8h", "p1 cc", "p2 cc", "d db 3s", "p1 cc", "p2 cc", "p1 sm 2c7d", "p2 sm AsAd"}));
  EXPECT_NE(phh.find("finishing_stacks = [19100, 20900]"), std::string::npos);
  EXPECT_EQ(print_acpc_log_line(parse_phh(phh, 1, {})), "STATE:3:r300c/r900c/cc/cc:2c7d|AsAd/KsKd9h/8h/3s:-900|900");
}

// Reported fault R34: who bet on the river shows first, else who sits left of the button.
TEST(Phh, R34_TheOrderOfTheShowdown) {
  const std::string cards = "2c7d|AsAd/KsKd9h/8h/3s";
  const auto last_two = [&](const std::string& betting) {
    std::vector<std::string> actions = actions_of(print_phh(read_log("hunl", "STATE:0:" + betting + ":" + cards)));
    return std::vector<std::string>(actions.end() - 2, actions.end());
  };
  EXPECT_EQ(last_two("cc/cc/cc/cr200c"), (std::vector<std::string>{"p2 sm AsAd", "p1 sm 2c7d"})) << "the button bet the river";
  EXPECT_EQ(last_two("cc/cc/cc/r200c"), (std::vector<std::string>{"p1 sm 2c7d", "p2 sm AsAd"}));
  EXPECT_EQ(last_two("cc/cc/cr200c/cc"), (std::vector<std::string>{"p1 sm 2c7d", "p2 sm AsAd"})) << "a bet on the turn does not count";
}

// PokerKit 0.7.7 opens the cards of an all-in before it deals the rest of the board.
TEST(Phh, AfterAnAllInTheCardsAreShownBeforeTheBoard) {
  const HandRecord hand = read_log("hunl", "STATE:1:cc/r20000c//:6sKs|5dJd/2sTh2h/Qh/8h");
  const std::vector<std::string> actions = actions_of(print_phh(hand));
  EXPECT_EQ(std::vector<std::string>(actions.end() - 6, actions.end()),
            (std::vector<std::string>{"p1 cbr 19900", "p2 cc", "p1 sm 6sKs", "p2 sm 5dJd", "d db Qh", "d db 8h"}));
  EXPECT_EQ(parse_phh(print_phh(hand), 1, {}).values, hand.values);
}

TEST(Phh, LimitGamesAndThreePlayers) {
  const std::string three = std::string(DEEPCFR_TEST_DATA) + "/games/limit_3p.game";
  const HandRecord hand = read_log(three.c_str(), "STATE:4:rcrcc/crfc/cc/cc:2c7d|AsAd|QsQd/KsKd9h/8h/3s");
  const std::string phh = print_phh(hand);
  EXPECT_NE(phh.find("variant = 'FT'\nantes = [0, 0, 0]\nblinds_or_straddles = [5, 10, 0]\nsmall_bet = 10\nbig_bet = 20\n"
                     "starting_stacks = [500, 500, 500]\n"),
            std::string::npos)
      << phh;
  const std::vector<std::string> actions = actions_of(phh);
  EXPECT_EQ(std::vector<std::string>(actions.begin() + 3, actions.begin() + 7),
            (std::vector<std::string>{"p3 cbr 20", "p1 cc", "p2 cbr 30", "p3 cc"}));
  const HandRecord back = parse_phh(phh, 1, {});
  EXPECT_EQ(back.values, hand.values);
  EXPECT_EQ(print_acpc_betting(*back.game, back.betting), "rcrcc/crfc/cc/cc");
}

TEST(Phh, GamesWithoutACodeAreRefused) {
  for (const char* name : {"kuhn", "leduc", "fhp", "kuhn3"}) EXPECT_THROW(require_phh_game(make_game(name)), Error) << name;
  for (const char* name : {"hulh", "hunl", "nlhe6"}) EXPECT_NO_THROW(require_phh_game(make_game(name))) << name;
}

constexpr const char* kHand =
    "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [50, 100]\nmin_bet = 100\nstarting_stacks = [20000, 20000]\n"
    "actions = [\n  'd dh p1 AsAd',\n  'd dh p2 ????"
    "', # not known\n  'p2 cbr 300',\n  'p1 f',\n]\n";

TEST(Phh, UnknownCardsThatDecideNothing) {
  const HandRecord hand = parse_phh(kHand, 1, {});
  EXPECT_EQ(hand.values, (std::vector<double>{-100, 100}));
  EXPECT_EQ(hand.game->rules(), RuleSet::cardroom) << "the format's authors play by those";
  EXPECT_EQ(parse_phh(std::string(kHand) + "_rules = 'acpc'\n", 1, {}).game->rules(), RuleSet::acpc);
}

/// kHand with a part replaced.
std::string with(const std::string& from, const std::string& to) {
  std::string text = kHand;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Phh, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(message_of(with("p2 cbr 300", "p2 cbr 150")),
            "line 9: 'p2 cbr 150': raise to 150 (over the whole hand): 150 is not in 200..20000");
  EXPECT_EQ(message_of(with("p2 cbr 300", "p1 cbr 300"), 100), "line 108: 'p1 cbr 300': it is the turn of p2");
  EXPECT_EQ(message_of(with("p1 f", "p1 cc")), "line 6: the hand is not over: p1 has to act");
  EXPECT_EQ(message_of(with("p1 f", "p1 xx")), "line 10: 'p1 xx': this is no action of hold'em");
  EXPECT_EQ(message_of(with("p1 f", "p3 f")), "line 10: 'p3 f': 'p3' is none of p1..p2");
  EXPECT_EQ(message_of(with("????", "AsKd")), "line 8: 'd dh p2 AsKd': As is dealt a second time");
  EXPECT_EQ(message_of(with("????", "AxKd")), "line 8: 'd dh p2 AxKd': 'Ax' is no card");
  EXPECT_EQ(message_of(with("p1 f", "d db 2c3c4h")), "line 10: 'd db 2c3c4h': no board cards are due here");
  EXPECT_EQ(message_of(with("'NT'", "'PO'")), "line 1: variant 'PO' is not read here (FT and NT, limit and no-limit hold'em, are)");
  EXPECT_EQ(message_of(with("min_bet = 100", "")), "line 1: 'min_bet' is missing");
  EXPECT_EQ(message_of(with("min_bet = 100", "min_bet = 200")), "line 4: min_bet is not the big blind of 100");
  EXPECT_NE(message_of(with("[50, 100]", "[0.5, 1]")).find("line 3: blinds_or_straddles: 0.5 is no whole number of chips"),
            std::string::npos);
  EXPECT_NE(message_of(with("antes = [0, 0]", "antes = [5, 5]")).find("line 2: antes"), std::string::npos);
  EXPECT_NE(message_of(with("'p1 f',", "'p1 f'")).find(""), std::string::npos);
  EXPECT_NE(message_of(with("variant =", "variant")).find("line 1: this is not TOML"), std::string::npos);
  EXPECT_NE(message_of(std::string(kHand) + "finishing_stacks = [20000, 20000]\n")
                .find("line 12: p1 ends with 0 net here, by the rules with -100"),
            std::string::npos);
}

TEST(Phh, CardsShownAtTheEndAreKnown) {
  const std::string text =
      with("'p1 f',",
           "'p1 cc', 'd db 2c3c4h', 'p1 cc', 'p2 cc', 'd db 9s', 'p1 cc', 'p2 cc', 'd db 9h', 'p1 cc', 'p2 cc', 'p1 sm -', 'p2 sm KsKd',");
  EXPECT_EQ(parse_phh(text, 1, {}).values, (std::vector<double>{300, -300}));
  std::string mucked = text;
  mucked.replace(mucked.find("p2 sm KsKd"), 10, "p2 sm");
  EXPECT_EQ(parse_phh(mucked, 1, {}).values, (std::vector<double>{300, -300})) << "who mucks has lost";
  mucked.replace(mucked.find("'p2 sm',"), 8, "");
  EXPECT_NE(message_of(mucked), "") << "the cards that decide are unknown";
  EXPECT_EQ(parse_phh(mucked + "finishing_stacks = [19700, 20300]\n", 1, {}).values, (std::vector<double>{-300, 300}));
}

TEST(SplitPhhs, AtItsHeaders) {
  const std::string text = "# a file\n[1]\na = 1\n\n  [ 2 ] # second\nactions = [\n'd dh p1 AsAd']\n[third]\n";
  const auto pieces = split_phhs(text);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].line, 2);
  EXPECT_EQ(pieces[0].text, "[1]\na = 1\n\n");
  EXPECT_EQ(pieces[1].line, 5);
  EXPECT_EQ(pieces[2].label, "third");
  EXPECT_EQ(split_phhs(kHand).size(), 1u);
}

}  // namespace
}  // namespace deepcfr
