// Reading, strictness, overlays. Tests named T.. answer the reported faults of that number.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "deepcfr/config/config.h"
#include "deepcfr/core/error.h"
#include "deepcfr/core/random.h"

namespace deepcfr {
namespace {

namespace fs = std::filesystem;

LoadedConfig parse(const std::string& text, const Overlay& overlay = {}) { return parse_config(text, "f.yaml", overlay); }

std::string refusal(const std::string& text, const Overlay& overlay = {}) {
  try {
    parse(text, overlay);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    return error.what();
  }
  return "accepted";
}

void expect_refusals(const std::vector<std::pair<std::string, std::string>>& cases) {
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text), message) << text;
}

constexpr const char* kSmall = "game:\n  name: kuhn\n";

TEST(Load, the_exact_form_of_an_error) {
  EXPECT_EQ(refusal("seed: 1\ntraversal:\n  workers: 0\n"), "f.yaml:3: traversal.workers: 0 is not in 1..512");
}

TEST(Load, T33_unknown_and_misplaced_keys_name_key_section_and_the_nearest) {
  expect_refusals({
      {"itertions: 5\n", "f.yaml:1: itertions: unknown key at the top level (did you mean algorithm.iterations?)"},
      {"learning_rate: 0.1\n",
       "f.yaml:1: learning_rate: unknown key at the top level (misplaced: learning_rate belongs under training)"},
      {"algorithm:\n  itertions: 5\n",
       "f.yaml:2: algorithm.itertions: unknown key in section algorithm (did you mean algorithm.iterations?)"},
      {"algorithm:\n  learning_rate: 0.1\n",
       "f.yaml:2: algorithm.learning_rate: unknown key in section algorithm (misplaced: learning_rate belongs under training)"},
      {"training:\n  batch-size: 5\n",
       "f.yaml:2: training.batch-size: unknown key in section training (did you mean training.batch_size?)"},
      {"training:\n  strategy:\n    step: 5\n",
       "f.yaml:3: training.strategy.step: unknown key in section training.strategy (did you mean training.strategy.steps?)"},
      {"game.name: leduc\n", "f.yaml:1: game.name: unknown key at the top level (dots are for --set; write nested sections)"},
      {"training: 5\n",
       "f.yaml:1: training: a value, where a section is expected (its keys: steps, batch_size, learning_rate, schedule, "
       "clip_norm, amp, "
       "warm_start, target_scale, strategy_loss, device, threads, advantage, strategy)"},
  });
  const std::string message = refusal("training:\n  num-epochs: 5\n");
  EXPECT_NE(message.find("training.num-epochs: unknown key in section training (keys there: steps,"), std::string::npos)
      << message;
}

TEST(Load, T35_numbers) {
  const TrainOptions options =
      parse("memory:\n  advantage_capacity: 1e6\n  strategy_capacity: 3000000000\nalgorithm:\n  traversals: 1500.0\n").options;
  EXPECT_EQ(options.memory.advantage_capacity, 1'000'000);
  EXPECT_EQ(options.memory.strategy_capacity, 3'000'000'000);
  EXPECT_EQ(options.algorithm.traversals, 1500);
  expect_refusals({
      {"memory:\n  advantage_capacity: 1_000\n", "f.yaml:2: memory.advantage_capacity: 1_000 is not a whole number (write 1000)"},
      {"memory:\n  advantage_capacity: 010\n",
       "f.yaml:2: memory.advantage_capacity: 010 begins with 0 and looks octal (write 10)"},
      {"training:\n  learning_rate: .nan\n", "f.yaml:2: training.learning_rate: .nan is not a finite number"},
      {"training:\n  learning_rate: .inf\n", "f.yaml:2: training.learning_rate: .inf is not a finite number"},
      {"training:\n  steps: \"300\"\n",
       "f.yaml:2: training.steps: \"300\" is a string, where a whole number is expected (write it without quotes)"},
      {"training:\n  steps: yes\n", "f.yaml:2: training.steps: yes is not a whole number"},
      {"training:\n  steps: [1]\n", "f.yaml:2: training.steps: a list, where a whole number is expected"},
      {"training:\n  steps: {a: 1}\n", "f.yaml:2: training.steps: a section, where a whole number is expected"},
      {"training:\n  steps:\n",
       "f.yaml:2: training.steps: no value, where a whole number is expected (write a value or remove the key)"},
      {"training:\n  steps: ~\n",
       "f.yaml:2: training.steps: no value, where a whole number is expected (write a value or remove the key)"},
      {"training:\n",
       "f.yaml:1: training: no value, where a section is expected (its keys: steps, batch_size, learning_rate, schedule, "
       "clip_norm, amp, warm_start, target_scale, strategy_loss, device, threads, advantage, strategy)"},
  });
}

TEST(Load, T38_one_set_of_words_for_booleans) {
  for (const char* word : {"true", "yes", "on"}) {
    EXPECT_TRUE(parse(std::string("training:\n  warm_start: ") + word + "\n").options.training.warm_start) << word;
  }
  for (const char* word : {"false", "no", "off"}) {
    EXPECT_FALSE(parse(std::string("game:\n  canonical_suits: ") + word + "\n").options.game.canonical_suits) << word;
    EXPECT_EQ(parse(std::string("training:\n  amp: ") + word + "\n").options.advantage_fit.amp, Amp::off) << word;
    EXPECT_EQ(parse(std::string("algorithm:\n  merge: ") + word + "\n").options.algorithm.merge, Switch::off) << word;
  }
  for (const std::string word : {"1", "0", "tRuE", "True", "NO", "y", "n", "\"no\"", "'true'"}) {
    EXPECT_NE(refusal("training:\n  warm_start: " + word + "\n"), "accepted") << word;
    EXPECT_NE(refusal("training:\n  amp: " + word + "\n"), "accepted") << word;
  }
  expect_refusals({
      {"training:\n  amp: yes\n", "f.yaml:2: training.amp: yes does not say which type (write bf16 or off)"},
      {"training:\n  amp: \"no\"\n", "f.yaml:2: training.amp: \"no\" is not off or bf16"},
      {"training:\n  warm_start: \"no\"\n",
       "f.yaml:2: training.warm_start: \"no\" is a string, where a boolean is expected (write it without quotes)"},
      {"training:\n  warm_start: 1\n",
       "f.yaml:2: training.warm_start: 1 is not a boolean (write true, yes, on, false, no or off, in lower "
       "case and without quotes)"},
  });
  // A text stays a text: the game called "no" is looked for.
  EXPECT_NE(refusal("game:\n  name: no\n").find("game.name: "), std::string::npos);
  EXPECT_NE(refusal("game:\n  name: no\n").find("no"), std::string::npos);
}

TEST(Load, words_and_lists) {
  const TrainOptions options = parse(
                                   "game: {name: hunl, pot_fractions: [0.5, 1], all_in: off, max_raises: 3, rules: cardroom}\n"
                                   "evaluation:\n  opponents:\n  - tight\n  - 'loose'\n  exploitability: off\n  policy: mixture\n"
                                   "training: {schedule: cosine, amp: bf16, device: cpu, strategy_loss: mean_squared}\n")
                                   .options;
  EXPECT_EQ(options.game.pot_fractions, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(options.game.all_in, false);
  EXPECT_EQ(options.game.max_raises, 3);
  EXPECT_EQ(options.game.rules, RuleSet::cardroom);
  EXPECT_EQ(options.evaluation.opponents, (std::vector<std::string>{"tight", "loose"}));
  EXPECT_EQ(options.evaluation.exploitability, Switch::off);
  EXPECT_EQ(options.evaluation.policy, AveragePolicy::mixture);
  EXPECT_EQ(options.strategy_fit.schedule, LearningRateSchedule::cosine);
  EXPECT_EQ(options.advantage_fit.amp, Amp::bf16);
  EXPECT_EQ(options.training.device, Device::cpu);
  EXPECT_TRUE(parse("evaluation: {opponents: []}\n").options.evaluation.opponents.empty());
  expect_refusals({
      {"evaluation:\n  opponents: random\n",
       "f.yaml:2: evaluation.opponents: random is a single value, where a list of bots is expected (write [random])"},
      {"evaluation:\n  opponents: [tigth]\n",
       "f.yaml:2: evaluation.opponents: tigth is not random, always_call, always_raise, always_fold, tight or loose (did you "
       "mean tight?)"},
      {"evaluation:\n  opponents: [tight, tight]\n", "f.yaml:2: evaluation.opponents: tight stands twice"},
      {"game:\n  name: hunl\n  pot_fractions: [1, 0.5]\n",
       "f.yaml:3: game.pot_fractions: 0.5 stands after 1 (sizes must ascend)"},
      {"game:\n  name: hunl\n  pot_fractions: []\n",
       "f.yaml:3: game.pot_fractions: an empty list (write default for the game's own sizes)"},
      {"game:\n  name: hunl\n  pot_fractions: [0]\n", "f.yaml:3: game.pot_fractions: 0 is not in 0..1000, 0 excluded"},
      {"inference:\n  backend: servers\n", "f.yaml:2: inference.backend: servers is not local, server or check (did you mean server?)"},
      {"memory:\n  storage: disk\n", "f.yaml:2: memory.storage: disk is not ram or file"},
      {"memory:\n  directory: \"\"\n", "f.yaml:2: memory.directory: \"\" is not a folder (write memory or the path of a folder)"},
      {"network:\n  type: card-bet\n", "f.yaml:2: network.type: card-bet is not mlp or card_bet (did you mean card_bet?)"},
  });
}

TEST(Load, shared_keys_serve_both_networks_and_specific_ones_win) {
  const TrainOptions options = parse(
                                   "network:\n  strategy:\n    hidden: 32\n  hidden: 128\n  layers: 2\n"
                                   "training:\n  steps: 500\n  advantage:\n    learning_rate: 0.01\n  learning_rate: 0.1\n")
                                   .options;
  EXPECT_EQ(options.advantage_network.hidden, 128);
  EXPECT_EQ(options.strategy_network.hidden, 32);
  EXPECT_EQ(options.advantage_network.layers, 2);
  EXPECT_EQ(options.strategy_network.layers, 2);
  EXPECT_EQ(options.advantage_fit.learning_rate, 0.01);
  EXPECT_EQ(options.strategy_fit.learning_rate, 0.1);
  EXPECT_EQ(options.strategy_fit.steps, 500);
}

TEST(Load, T40_sets_lay_over_the_file_and_name_themselves_in_errors) {
  const TrainOptions options =
      parse(kSmall,
            {"", {"traversal.workers=4", "network.hidden=8", "evaluation.opponents=[tight, random]", "traversal.workers=5"}})
          .options;
  EXPECT_EQ(options.traversal.workers, 5);
  EXPECT_EQ(options.strategy_network.hidden, 8);
  EXPECT_EQ(options.evaluation.opponents, (std::vector<std::string>{"tight", "random"}));
  // The later source wins, even with the less specific key.
  EXPECT_EQ(parse("network: {strategy: {hidden: 32}}\n", {"", {"network.hidden=8"}}).options.strategy_network.hidden, 8);
  const auto set = [](const std::string& text) { return refusal(kSmall, {"", {text}}); };
  EXPECT_EQ(set("traversal.workers=0"), "--set traversal.workers=0: 0 is not in 1..512");
  EXPECT_EQ(set("training.learning_rate=-0.5"), "--set training.learning_rate=-0.5: -0.5 is not in 0..1, 0 excluded");
  EXPECT_EQ(set("training.learning_rate=nan"), "--set training.learning_rate=nan: nan is not a finite number");
  EXPECT_EQ(set("traversal.workers"), "--set traversal.workers: no KEY=VALUE (for example --set traversal.workers=2)");
  EXPECT_EQ(set("=2"), "--set =2: no KEY=VALUE (for example --set traversal.workers=2)");
  EXPECT_EQ(set("traversal.workers="),
            "--set traversal.workers=: no value, where a whole number is expected (write a value or remove the key)");
  EXPECT_EQ(set("traversal.worker=2"),
            "--set traversal.worker=2: unknown key traversal.worker (did you mean traversal.workers?)");
  EXPECT_EQ(set("workers=2"), "--set workers=2: unknown key workers (misplaced: workers belongs under traversal)");
  EXPECT_EQ(set("traversal={workers: 2}"),
            "--set traversal={workers: 2}: traversal is a section (its keys: workers, mode, in_flight)");
  EXPECT_EQ(set("evaluation.opponents=[tight"),
            "--set evaluation.opponents=[tight: a key that is not a single word (is a bracket or brace before it left open?)");
}

constexpr const char* kProfiled =
    "game: {name: kuhn}\ntraversal: {workers: 3}\nprofiles:\n  home:\n    traversal:\n      workers: 2\n  remote:\n    "
    "traversal: {workers: 16}\n"
    "    seed: 9\n";

TEST(Load, profiles_are_overlays) {
  EXPECT_EQ(parse(kProfiled).options.traversal.workers, 3);
  EXPECT_EQ(parse(kProfiled, {"home", {}}).options.traversal.workers, 2);
  const TrainOptions remote = parse(kProfiled, {"remote", {"traversal.workers=4"}}).options;
  EXPECT_EQ(remote.traversal.workers, 4);
  EXPECT_EQ(remote.seed, 9U);
  EXPECT_EQ(refusal(kProfiled, {"hom", {}}), "--profile hom: f.yaml has the profiles home and remote (did you mean home?)");
  EXPECT_EQ(refusal(kSmall, {"home", {}}), "--profile home: f.yaml has no profiles");
}

TEST(Load, profiles_are_checked_even_when_not_chosen) {
  const std::string head = "profiles:\n  home:\n";
  EXPECT_EQ(refusal(head + "    traversal:\n      workers: 0\n"),
            "f.yaml:4: profiles.home.traversal.workers: 0 is not in 1..512");
  EXPECT_EQ(refusal(head + "    workers: 2\n"),
            "f.yaml:3: profiles.home.workers: unknown key at the top level (misplaced: workers belongs under traversal)");
  EXPECT_EQ(refusal(head), "f.yaml:2: profiles.home: a map of settings is expected");
  EXPECT_EQ(refusal("profiles: 3\n"), "f.yaml:1: profiles: a map from names to settings is expected");
}

TEST(Load, T45_random_seeds_differ_and_T46_are_recorded) {
  std::set<std::uint64_t> seeds;
  for (int i = 0; i < 20; ++i) {
    const LoadedConfig config = parse("seed: random\n");
    seeds.insert(config.options.seed);
    EXPECT_LT(config.options.seed, std::uint64_t{1} << 53);
    const LoadedConfig again = parse_config(config.resolved_yaml, "config.yaml");
    EXPECT_EQ(again.options.seed, config.options.seed);
    EXPECT_EQ(again.resolved_yaml, config.resolved_yaml);
  }
  EXPECT_EQ(seeds.size(), 20U);
  EXPECT_EQ(parse("seed: random\n", {"", {"seed=5"}}).options.seed, 5U);
  EXPECT_NE(parse("seed: 5\n", {"", {"seed=random"}}).options.seed, parse("seed: 5\n", {"", {"seed=random"}}).options.seed);
  EXPECT_EQ(refusal("seed: -1\n"), "f.yaml:1: seed: -1 is not in 0..18446744073709551615");
  EXPECT_EQ(refusal("seed: randm\n"), "f.yaml:1: seed: randm is not a whole number");
}

TEST(Load, A02_too_few_steps_for_fresh_weights_are_warned_about) {
  const auto warnings = [](const std::string& text) { return parse(text).warnings; };
  ASSERT_EQ(warnings("training: {steps: 1}\n").size(), 1U);
  EXPECT_NE(warnings("training: {steps: 1}\n")[0].find("training.steps"), std::string::npos);
  ASSERT_EQ(warnings("training: {strategy: {steps: 49}}\n").size(), 1U);
  EXPECT_NE(warnings("training: {strategy: {steps: 49}}\n")[0].find("training.strategy.steps"), std::string::npos);
  EXPECT_TRUE(warnings("training: {steps: 50}\n").empty());
  EXPECT_TRUE(warnings("training: {warm_start: yes, advantage: {steps: 1}}\n").empty());
}

TEST(Load, settings_that_do_not_go_together) {
  EXPECT_EQ(refusal("game: {name: leduc,\n  all_in: yes}\n"),
            "f.yaml:2: game.all_in: leduc is a limit game, whose raise sizes are fixed (remove the key or write default)");
  EXPECT_EQ(refusal("game: {name: hulh}\nevaluation:\n  exploitability: on\n"),
            "f.yaml:3: evaluation.exploitability: on, but hulh is too large for it (write auto or off)");
  EXPECT_EQ(refusal(kSmall, {"", {"game.name=hulh", "algorithm.small_game=on"}}),
            "--set algorithm.small_game=on: on, but hulh is too large for it (write auto or off)");
  const std::string message = refusal("game:\n  name: leduk\n");
  EXPECT_EQ(message.substr(0, 20), "f.yaml:2: game.name:") << message;
  EXPECT_NE(message.find("leduc"), std::string::npos) << message;
  const LoadedConfig unused = parse("network: {dim: 32}\n");
  ASSERT_EQ(unused.warnings.size(), 1U);
  EXPECT_EQ(unused.warnings[0], "network.dim: has no effect with network.type: mlp");
}

TEST(Load, empty_files_and_files_that_are_no_maps) {
  EXPECT_EQ(refusal(""), "f.yaml: the file is empty (see configs/ for examples)");
  EXPECT_EQ(refusal("# only this\n"), "f.yaml: the file is empty (see configs/ for examples)");
  EXPECT_EQ(refusal("- a\n").substr(0, 25), "f.yaml:1: not a map of ke");
  EXPECT_EQ(refusal("leduc\n").substr(0, 25), "f.yaml:1: not a map of ke");
}

TEST(Load, damaged_files_are_refused_or_read_and_never_more_than_that) {
  std::ifstream file(std::string(DEEPCFR_SOURCE_DIR) + "/configs/hunl_small.yaml");
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  SequentialRandom random(CounterRandom(StreamPurpose::test, {1}));
  const std::string spices = ":#-[]{}\"'&*!|>%@,?~\n \t\r0e._\xff\xc3";
  int refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = whole;
    for (std::uint64_t change = 0; change <= random.below(3); ++change) {
      const std::size_t at = random.below(text.size());
      const std::uint64_t kind = random.below(3);
      if (kind == 0) text.erase(at, 1 + random.below(20));
      if (kind == 1) text.insert(at, 1, spices[random.below(spices.size())]);
      if (kind == 2) text[at] = spices[random.below(spices.size())];
    }
    try {
      const LoadedConfig config = parse(text);
      EXPECT_EQ(parse(config.resolved_yaml).resolved_yaml, config.resolved_yaml);
    } catch (const Error& error) {
      ++refused;
      EXPECT_TRUE(error.kind() == ErrorKind::usage || error.kind() == ErrorKind::input) << error.what() << "\n" << text;
      EXPECT_TRUE(error.where().starts_with("f.yaml")) << error.what();
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 2900);
}

class LoadFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("deepcfr_load_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(LoadFile, paths_of_games_are_relative_to_the_file) {
  write(
      "tiny.game",
      "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 1\nblind = 1 1\nraiseSize = 1\nfirstPlayer = 1\nmaxRaises = 1\nnumSuits = 1\n"
      "numRanks = 3\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n");
  const LoadedConfig config = load_config(write("a.yaml", "game:\n  name: tiny.game\n"));
  EXPECT_EQ(config.options.game.name, (folder_ / "tiny.game").string());
  EXPECT_EQ(parse_config(config.resolved_yaml, "elsewhere/config.yaml").options.game.name, (folder_ / "tiny.game").string());
  EXPECT_EQ(load_config(write("b.yaml", kSmall), {"", {"game.name=" + (folder_ / "tiny.game").string()}}).options.game.name,
            (folder_ / "tiny.game").string());
}

TEST_F(LoadFile, a_file_that_cannot_be_read_is_an_input_error) {
  const auto kind_of = [](const std::string& path) {
    try {
      load_config(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), path);
      return error.kind();
    }
    return ErrorKind::bug;
  };
  EXPECT_EQ(kind_of((folder_ / "none.yaml").string()), ErrorKind::input);
  EXPECT_EQ(kind_of(folder_.string()), ErrorKind::input);
  EXPECT_EQ(kind_of(write("empty.yaml", "")), ErrorKind::usage);
}

TEST(Shipped, every_config_loads_with_every_profile_without_a_warning) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(DEEPCFR_SOURCE_DIR) / "configs")) {
    ASSERT_EQ(entry.path().extension(), ".yaml") << entry.path();
    ++files;
    for (const char* profile : {"", "home", "remote"}) {
      SCOPED_TRACE(entry.path().string() + " " + profile);
      const LoadedConfig config = load_config(entry.path().string(), {profile, {}});
      EXPECT_TRUE(config.warnings.empty()) << config.warnings.front();
      EXPECT_EQ(parse_config(config.resolved_yaml, "config.yaml").resolved_yaml, config.resolved_yaml);
    }
    EXPECT_EQ(load_config(entry.path().string(), {"home", {}}).options.traversal.workers, 2);
    EXPECT_EQ(load_config(entry.path().string(), {"remote", {}}).options.traversal.workers, 16);
  }
  EXPECT_EQ(files, 8);
}

TEST(Shipped, fhp_paper_has_the_papers_settings) {
  const TrainOptions options = load_config(std::string(DEEPCFR_SOURCE_DIR) + "/configs/fhp_paper.yaml").options;
  EXPECT_EQ(options.algorithm.traversals, 10'000);
  EXPECT_EQ(options.advantage_fit.steps, 4'000);
  EXPECT_EQ(options.strategy_fit.batch_size, 10'000);
  EXPECT_EQ(options.advantage_fit.learning_rate, 0.001);
  EXPECT_EQ(options.advantage_fit.clip_norm, 1);
  EXPECT_EQ(options.memory.advantage_capacity, 40'000'000);
  EXPECT_EQ(options.advantage_network.type, NetworkType::card_bet);
  EXPECT_FALSE(options.training.warm_start);
}

}  // namespace
}  // namespace deepcfr
