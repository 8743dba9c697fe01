// compare: two players against each other, and against the same opponents on the same deals, with tests of the difference.
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/eval/match.h"
#include "match_arguments.h"
#include "players.h"
#include "report.h"

namespace deepcfr {
namespace {

constexpr std::int64_t kGames = 10'000;
constexpr const char* kHeadTest = "two-sided t test of mean 0 over samples, which are rounds of seats (plain: hands)";
constexpr const char* kPairedTest = "two-sided paired t test over samples on the same deals and draws";

struct Arguments {
  std::string a, b;
  std::string game;
  std::vector<std::string> opponents;
  MatchArguments match;
  bool json = false;
};

std::string interval_text(double mean, double low, double high, const std::string& unit) {
  std::array<char, 160> text;
  const int decimals = unit == "antes" ? 4 : 1;
  std::snprintf(text.data(), text.size(), "%+.*f %s, 95 %% interval %+.*f .. %+.*f", decimals, mean, unit.c_str(), decimals, low, decimals, high);
  return text.data();
}

/// What the other player of a match for two makes of it.
MatchResult seen_by_other(MatchResult result) {
  const double low = result.ci_low;
  result.mean = -result.mean;
  result.ci_low = -result.ci_high;
  result.ci_high = -low;
  for (double& mean : result.mean_by_seat) mean = -mean;
  std::swap(result.mean_by_seat.front(), result.mean_by_seat.back());
  std::swap(result.mean_by_player.front(), result.mean_by_player.back());
  return result;
}

Json head_to_head(const Arguments& arguments, const Game& game, const Player& a, const Player& b, const MatchOptions& options) {
  MatchResult match = play_match(game, *a.policy, *b.policy, options);
  match.opponent = b.name;
  append_to_ledger("compare", a, b.label, game, options, match);
  if (game.players() == 2) append_to_ledger("compare", b, a.label, game, options, seen_by_other(match));
  if (!arguments.json) {
    std::cout << "A against B" << (game.players() > 2 ? " in all other seats" : "") << "\n  "
              << interval_text(match.mean, match.ci_low, match.ci_high, match.unit) << ", " << p_text(match.p_value) << " ("
              << show_count(static_cast<std::uint64_t>(match.hands)) << " hands)\n";
    const Json json = match_json(match);
    if (json.contains("note")) std::cout << "  " << json["note"].get<std::string>() << "\n";
    const std::string until = until_text(options.until_half_width, match.ci_high - match.mean, match.until_reached, match.unit, match.hands);
    if (!until.empty()) std::cout << "  " << until << "\n";
    std::cout << std::flush;
  }
  Json json = match_json(match);
  json["p_value"] = match.p_value;
  json["test"] = kHeadTest;
  return json;
}

Json against(const Arguments& arguments, const Game& game, const Player& a, const Player& b, const Player& opponent, const MatchOptions& options) {
  const PairedResult paired = compare_against(game, *a.policy, *b.policy, *opponent.policy, options);
  append_to_ledger("compare", a, opponent.label, game, options, paired.a);
  append_to_ledger("compare", b, opponent.label, game, options, paired.b);
  const std::string& unit = paired.a.unit;
  if (!arguments.json) {
    std::cout << "against " << opponent.name << "\n  A      " << interval_text(paired.a.mean, paired.a.ci_low, paired.a.ci_high, unit) << "\n  B      "
              << interval_text(paired.b.mean, paired.b.ci_low, paired.b.ci_high, unit) << "\n  A - B  "
              << interval_text(paired.difference, paired.ci_low, paired.ci_high, unit) << ", " << p_text(paired.p_value) << " ("
              << show_count(static_cast<std::uint64_t>(paired.a.hands)) << " hands each)" << std::endl;
    const std::string until = until_text(options.until_half_width, paired.ci_high - paired.difference, paired.a.until_reached, unit, paired.a.hands);
    if (!until.empty()) std::cout << "  " << until << std::endl;
  }
  return {{"a", match_json(paired.a)},
          {"b", match_json(paired.b)},
          {"difference", paired.difference},
          {"standard_error", paired.standard_error},
          {"ci_low", paired.ci_low},
          {"ci_high", paired.ci_high},
          {"unit", unit},
          {"p_value", paired.p_value},
          {"test", kPairedTest}};
}

void compare(const Arguments& arguments) {
  std::vector<std::string> names = {arguments.a, arguments.b};
  names.insert(names.end(), arguments.opponents.begin(), arguments.opponents.end());
  const std::shared_ptr<const Game> game = game_of_players(names, arguments.game);
  const MatchOptions options = arguments.match.options(kGames, 1, VarianceReduction::control);
  const Player a = open_player(arguments.a, game), b = open_player(arguments.b, game);
  std::vector<Player> opponents;
  for (const std::string& name : arguments.opponents) opponents.push_back(open_player(name, game));
  if (!arguments.json) {
    std::cout << game->name() << ", seed " << options.seed << ", " << variance_text(options.variance) << "; results for a hand\n"
              << "A: " << a.label << "\nB: " << b.label << "\n";
  }
  Json json = {{"game", game->name()}, {"a", a.label}, {"b", b.label}, {"seed", options.seed}, {"variance", variance_name(options.variance)}};
  json["head_to_head"] = head_to_head(arguments, *game, a, b, options);
  json["opponents"] = Json::object();
  for (const Player& opponent : opponents) json["opponents"][opponent.name] = against(arguments, *game, a, b, opponent, options);
  if (arguments.json) {
    write_json(json);
    return;
  }
  std::cout << "p of A against B: " << kHeadTest << "\n";
  if (!opponents.empty()) std::cout << "p of A - B: " << kPairedTest << "\n";
}

}  // namespace

void add_compare(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("compare", "Play two agents against each other, and test the difference");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("A", arguments->a, kPlayerHelp)->required()->type_name("");
  command->add_option("B", arguments->b, "The same")->required()->type_name("");
  add_repeated(*command, "--opponent", arguments->opponents, "PLAYER", "Both also play it on the same deals; may be repeated");
  command->add_option("--game", arguments->game, "Game, if neither is a run")->type_name("GAME");
  add_match_arguments(*command, arguments->match, "Games of each match (10,000)", "Seed of deals and actions (1)",
                      "What is done against luck (control)");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=] { compare(*arguments); }; });
}

}  // namespace deepcfr
