#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "clock.h"
#include "deepcfr/core/error.h"

namespace deepcfr::bench {
namespace {

const std::map<std::string, Mode> kModes = {
    {"recursive", Mode::recursive}, {"interleaved", Mode::interleaved}, {"server", Mode::server}, {"async", Mode::async}};
const std::map<std::string, RowType> kTypes = {{"float32", RowType::float32}, {"bfloat16", RowType::bfloat16}};

constexpr const char* kAbout =
    "Ways to run the forwards of traversals, side by side: recursive (a forward for each row), interleaved (full minibatches in the worker),\n"
    "server and async (one server for all workers, clients with one and two minibatches under way). All do the same traversals; their records\n"
    "must agree, else the exit status is 1. Rates are told for cores of one's own: time that other programs took is left out.";

/// What is typed, before it is understood.
struct Typed {
  bool raw = false, bars = false, tune = false;
  std::string profile, share_cards = "on", device = "cpu";
  std::vector<std::string> models, dtypes, modes;
};

/// Sizes that a profile tries where none are given.
struct Profile {
  int workers;
  std::vector<std::uint64_t> in_flight;
  std::vector<std::int64_t> batch;
};
const std::map<std::string, Profile> kProfiles = {
    {"home", {2, {16, 32, 64, 128, 256}, {64, 128, 256, 512}}},
    {"remote", {16, {64, 256, 1024}, {256, 512, 1024, 2048}}},
};

template <typename Value>
std::vector<Value> look_up(const std::vector<std::string>& words, const std::map<std::string, Value>& table) {
  std::vector<Value> values;
  for (const std::string& word : words) values.push_back(table.at(word));
  return values;
}

template <typename Value>
std::set<std::string> keys(const std::map<std::string, Value>& table) {
  std::set<std::string> words;
  for (const auto& entry : table) words.insert(entry.first);
  return words;
}

void add_tasks(CLI::App& app, Typed& typed, BenchOptions& options) {
  auto* const raw = app.add_flag("--raw", typed.raw, "Forwards by themselves: batch sizes, types, LibTorch beside ours");
  auto* const bars = app.add_flag("--bars", typed.bars, "Measure what the bars of docs/performance.md need, and compare");
  auto* const tune = app.add_flag("--tune", typed.tune, "Find the smallest in_flight and batch that are within two deviations of the best; YAML");
  raw->excludes(bars)->excludes(tune);
  bars->excludes(tune);
  app.add_flag("--json", options.json, "JSON on stdout");
  app.add_option("--output", options.output, "File for the YAML of --tune")->type_name("FILE")->needs(tune);
  app.add_option("--profile", typed.profile, "home: 2 workers; remote: 16 workers, larger batches")->check(CLI::IsMember(keys(kProfiles)));
}

void add_what(CLI::App& app, Typed& typed, BenchOptions& options) {
  const CLI::Range positive(1, 1000000);
  app.add_option("--game", options.game, "Catalogue name or .game file")->capture_default_str();
  app.add_option("--models", typed.models, "mlp:LAYERSxWIDTH, card_bet:DIM[xCARD_BRANCH_WIDTH], ...")->delimiter(',')->type_name("LIST");
  app.add_option("--dtypes", typed.dtypes, "float32, bfloat16")->delimiter(',')->check(CLI::IsMember(keys(kTypes)))->type_name("LIST");
  app.add_option("--modes", typed.modes, "recursive, interleaved, server, async")->delimiter(',')->check(CLI::IsMember(keys(kModes)))->type_name("LIST");
  app.add_option("--workers", options.workers, "Threads that traverse; as many cores are used")->delimiter(',')->check(CLI::Range(1, 512))->type_name("LIST");
  app.add_option("--in-flight", options.in_flight, "Traversals under way in one worker")->delimiter(',')->check(positive)->type_name("LIST");
  app.add_option("--batch", options.batch, "Rows of a worker's minibatch")->delimiter(',')->check(CLI::Range(1, 65536))->type_name("LIST");
  app.add_option("--max-batch", options.max_batch, "Rows of a server's forward")->delimiter(',')->check(positive)->type_name("LIST");
  app.add_option("--share-cards", typed.share_cards, "card_bet: the card branch once for each traversal, player and round")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  app.add_option("--device", typed.device, "Where our forwards run; with cuda, records are not compared")
      ->check(CLI::IsMember({"cpu", "cuda"}))
      ->capture_default_str();
}

void add_how_long(CLI::App& app, BenchOptions& options) {
  app.add_option("--traversals", options.measure.common, "Traversals whose records must agree")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--repeats", options.measure.repeats, "Timed runs of each cell, in turn")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--seconds", options.measure.seconds, "Least length of a timed run")->check(CLI::Range(0.001, 3600.0))->capture_default_str();
  app.add_option("--openspiel", options.openspiel, "Forwards/s of OpenSpiel's Deep CFR on Leduc, for bar 5 (scripts/bench_peers.sh measures both)")
      ->check(CLI::PositiveNumber)
      ->type_name("RATE");
}

template <typename Value>
void default_to(std::vector<Value>& values, std::vector<Value> otherwise) {
  if (values.empty()) values = std::move(otherwise);
}

void understand(const Typed& typed, BenchOptions& options) {
  options.task = typed.raw ? Task::raw : typed.bars ? Task::bars : typed.tune ? Task::tune : Task::traverse;
  const bool tune = options.task == Task::tune;
  std::vector<std::string> models = typed.models;
  default_to(models, tune ? std::vector<std::string>{"card_bet:64"} : std::vector<std::string>{"mlp:3x64", "mlp:3x512", "card_bet:64"});
  for (const std::string& model : models) options.models.push_back(parse_model(model));
  options.dtypes = look_up(typed.dtypes, kTypes);
  default_to(options.dtypes, {RowType::float32, RowType::bfloat16});
  options.modes = look_up(typed.modes, kModes);
  default_to(options.modes, tune ? std::vector<Mode>{Mode::interleaved} : std::vector<Mode>{Mode::recursive, Mode::interleaved, Mode::server, Mode::async});
  options.share_cards = typed.share_cards == "on";
  if (typed.device == "cuda") options.device = resolve_device(Device::cuda, "--device", report_devices()).device;
  const auto profile = kProfiles.find(typed.profile.empty() && tune ? "home" : typed.profile);
  if (profile != kProfiles.end()) {
    default_to(options.workers, {profile->second.workers});
    default_to(options.in_flight, tune ? profile->second.in_flight : std::vector<std::uint64_t>{profile->second.in_flight[2]});
    default_to(options.batch, tune ? profile->second.batch : std::vector<std::int64_t>{profile->second.batch[2]});
  }
  default_to(options.workers, {std::min(2, static_cast<int>(usable_cores().size()))});
  default_to(options.in_flight, {64});
  default_to(options.batch, {256});
  if (tune && options.models.size() > 1) throw Error(ErrorKind::usage, "--tune is for one model", "--models");
  if (tune && std::find(options.modes.begin(), options.modes.end(), Mode::recursive) != options.modes.end()) {
    throw Error(ErrorKind::usage, "recursive has nothing to tune", "--modes");
  }
}

}  // namespace

std::optional<BenchOptions> parse_options(int argc, char** argv, int& status) {
  BenchOptions options;
  Typed typed;
  CLI::App app(kAbout, "bench_inference_backend");
  add_tasks(app, typed, options);
  add_what(app, typed, options);
  add_how_long(app, options);
  try {
    app.parse(argc, argv);
    understand(typed, options);
    status = 0;
    return options;
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    status = 0;
  } catch (const CLI::ParseError& error) {
    std::cerr << "error: " << error.what() << "\n\n" << app.help();
    status = 2;
  }
  return std::nullopt;
}

}  // namespace deepcfr::bench
