// equity: how often each hand wins over all boards that can still come.
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/game/equity.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::vector<std::string> hands;
  std::string board;
  bool json = false;
};

void show_equity(const Arguments& arguments) {
  std::vector<std::vector<Card>> hands;
  for (const std::string& text : arguments.hands) hands.push_back(parse_cards(text));
  const std::vector<Card> board = parse_cards(arguments.board);
  const std::vector<EquityCounts> counts = equity(hands, board);
  if (arguments.json) {
    Json list = Json::array();
    for (std::size_t i = 0; i < hands.size(); ++i) {
      list.push_back({{"hand", card_names(hands[i])},
                      {"win", counts[i].win},
                      {"lose", counts[i].lose},
                      {"tie", counts[i].tie},
                      {"equity", counts[i].pot_share}});
    }
    write_json(list);
    return;
  }
  std::cout << "all " << show_count(counts[0].boards()) << " boards\n";
  for (std::size_t i = 0; i < hands.size(); ++i) {
    std::cout << card_names(hands[i]) << "  equity " << std::fixed << std::setprecision(4) << 100 * counts[i].pot_share
              << " %  win " << show_count(counts[i].win) << "  lose " << show_count(counts[i].lose) << "  tie "
              << show_count(counts[i].tie) << "\n";
  }
}

}  // namespace

void add_equity(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("equity", "Exact all-in equity of hold'em hands against each other");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("HANDS", arguments->hands, "Two or more hands, each like AsKd")->required()->type_name("");
  command->add_option("--board", arguments->board, "Board cards known so far, as one word: 2c3c4h")->type_name("CARDS");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { show_equity(*arguments); }; });
}

}  // namespace deepcfr
