// rank: the strength of hands.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/game/evaluator.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::vector<std::string> hands;
  bool json = false;
};

void rank(const Arguments& arguments) {
  std::vector<std::vector<Card>> hands;
  for (const std::string& text : arguments.hands) {
    hands.push_back(parse_cards(text));
    require_hand(hands.back());
  }
  Json list = Json::array();
  for (const std::vector<Card>& hand : hands) {
    const HandRank strength = evaluate(hand);
    list.push_back({{"cards", card_names(hand)}, {"category", category_name(category(strength))}, {"rank", strength}});
  }
  if (arguments.json) {
    write_json(list);
    return;
  }
  for (const Json& hand : list) {
    std::cout << hand["cards"].get<std::string>() << "  " << hand["category"].get<std::string>() << ", rank " << hand["rank"]
              << "\n";
  }
}

}  // namespace

void add_rank(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("rank", "Rank hands of 1 to 7 cards; higher is better");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("CARDS", arguments->hands, "Hands, each like AsKsQsJsTs2d3c")->required()->type_name("");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { rank(*arguments); }; });
}

}  // namespace deepcfr
