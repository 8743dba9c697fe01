#include "fields.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "deepcfr/core/error.h"
#include "deepcfr/eval/bots.h"
#include "field_kinds.h"

namespace deepcfr {
namespace {

using Json = nlohmann::ordered_json;
using Top = TrainOptions;

constexpr std::int64_t kBillion = 1'000'000'000;

const Words<Switch> kSwitchWords = {{"auto", Switch::automatic}, {"on", Switch::on}, {"off", Switch::off}};
const Words<Device> kDeviceWords = {{"auto", Device::automatic}, {"cpu", Device::cpu}, {"cuda", Device::cuda}};

// -- fields with rules of their own ------------------------------------------------------------------------------------------

Part<Top> seed_part() {
  return {"seed", "0..18446744073709551615, or `random`",
          "Seed of everything drawn in training. `random` draws one for this run, which is recorded in the run's config.yaml.",
          [](const YamlNode& node, Top& options) {
            // `random` is drawn by the loader before the table is asked.
            options.seed =
                parse_unsigned_number(plain_text(node, "a whole number or random"), 0, std::numeric_limits<std::uint64_t>::max());
          },
          [](const Top& options) { return Json(options.seed); }};
}

Part<Top> name_part() {
  return {"name", "a name of `deepcfr games`, or the path of a `.game` file", "The game. Paths are relative to the config file.",
          [](const YamlNode& node, Top& options) {
            options.game.name = scalar_text(node, "a game");
            if (options.game.name.empty()) throw Error(ErrorKind::usage, "\"\" is not a game", {}, "see: deepcfr games");
          },
          [](const Top& options) { return Json(options.game.name); }};
}

Part<Top> pot_fractions_part() {
  constexpr std::size_t kMost = 12;
  constexpr NumberRange kRange{0, 1000, true};
  return {"pot_fractions", "`default`, or a list of 1..12 ascending numbers in 0..1000, 0 excluded",
          "No-limit games: raise sizes as fractions of the pot after a call, in every round. `default`: the game's own.",
          [=](const YamlNode& node, Top& options) {
            std::vector<double> fractions;
            if (!is_default_word(node)) {
              for (const YamlNode& item : list_items(node, "default or a list of numbers")) {
                fractions.push_back(parse_number(plain_text(item, "a number"), kRange));
              }
              if (fractions.empty()) throw Error(ErrorKind::usage, "an empty list", {}, "write default for the game's own sizes");
              if (fractions.size() > kMost) {
                throw Error(ErrorKind::usage, std::to_string(fractions.size()) + " sizes, more than " + std::to_string(kMost));
              }
              const auto bad = std::adjacent_find(fractions.begin(), fractions.end(), std::greater_equal<>());
              if (bad != fractions.end()) {
                throw Error(ErrorKind::usage, print_number(bad[1]) + " stands after " + print_number(bad[0]), {},
                            "sizes must ascend");
              }
            }
            options.game.pot_fractions = fractions;
          },
          [](const Top& options) {
            return options.game.pot_fractions.empty() ? Json(kDefaultWord) : Json(options.game.pot_fractions);
          }};
}

Part<Top> all_in_part() {
  return {"all_in", "`default`, `true` or `false`", "No-limit games: whether all-in is offered besides the sizes.",
          [](const YamlNode& node, Top& options) {
            options.game.all_in = is_default_word(node) ? std::nullopt : std::optional<bool>(read_boolean(node));
          },
          [](const Top& options) { return options.game.all_in ? Json(*options.game.all_in) : Json(kDefaultWord); }};
}

Part<Top> max_raises_part() {
  return {"max_raises", "`default`, or 1..64", "No-limit games: raises in a round after which only fold and call are offered.",
          [](const YamlNode& node, Top& options) {
            if (is_default_word(node)) {
              options.game.max_raises = std::nullopt;
            } else {
              options.game.max_raises =
                  static_cast<int>(parse_whole_number(plain_text(node, "default or a whole number"), 1, 64));
            }
          },
          [](const Top& options) { return options.game.max_raises ? Json(*options.game.max_raises) : Json(kDefaultWord); }};
}

Part<Top> opponents_part() {
  const std::vector<std::string> names(bot_names().begin(), bot_names().end());
  std::vector<std::string> quoted;
  quoted.reserve(names.size());
  for (const std::string& name : names) quoted.push_back('`' + name + '`');
  return {"opponents", "a list of " + join_words(quoted, ", "), "Bots that every evaluation plays against; `[]`: none.",
          [=](const YamlNode& node, Top& options) {
            std::vector<std::string> opponents;
            for (const YamlNode& item : list_items(node, "a list of bots")) {
              const std::string& name = names[read_word(item, names)];
              if (std::find(opponents.begin(), opponents.end(), name) != opponents.end()) {
                throw Error(ErrorKind::usage, name + " stands twice");
              }
              opponents.push_back(name);
            }
            options.evaluation.opponents = opponents;
          },
          [](const Top& options) { return Json(options.evaluation.opponents); }};
}

Part<FitOptions> amp_part() {
  Part<FitOptions> part = one_of<FitOptions>(
      "amp", Words<Amp>{{"off", Amp::off}, {"bf16", Amp::bf16}}, [](auto& o) -> auto& { return o.amp; },
      "Automatic mixed precision of fits: matrix products in bfloat16, everything else in float32. Results differ from `off`.");
  const auto read = part.read;
  part.read = [read](const YamlNode& node, FitOptions& options) {
    if (boolean_word(node).value_or(false))
      throw Error(ErrorKind::usage, node.text + " does not say which type", {}, "write bf16 or off");
    read(node, options);
  };
  return part;
}

// -- keys by section -----------------------------------------------------------------------------------------------------------

std::vector<Part<Top>> game_parts() {
  return {
      name_part(),
      one_of<Top>(
          "rules", Words<RuleSet>{{"acpc", RuleSet::acpc}, {"cardroom", RuleSet::cardroom}},
          [](auto& o) -> auto& { return o.game.rules; },
          "Rule set. `acpc`: a short all-in reopens the betting, ties are split by real division. `cardroom`: it does not, odd "
          "chips go whole to the first winner left of the button."),
      boolean<Top>(
          "canonical_suits", [](auto& o) -> auto& { return o.game.canonical_suits; },
          "Whether cards that are equal up to a permutation of suits look equal to the networks."),
      pot_fractions_part(),
      all_in_part(),
      max_raises_part(),
  };
}

std::vector<Part<Top>> algorithm_parts() {
  return {
      whole<Top>(
          "iterations", 1, kBillion, [](auto& o) -> auto& { return o.algorithm.iterations; }, "Iterations of Deep CFR."),
      whole<Top>(
          "traversals", 1, 1'000 * kBillion, [](auto& o) -> auto& { return o.algorithm.traversals; },
          "Traversals by external sampling, for each player and iteration."),
      one_of<Top>(
          "small_game", kSwitchWords, [](auto& o) -> auto& { return o.algorithm.small_game; },
          "The fast path of games with few infosets: the network is evaluated on all of them once an iteration. Same results. "
          "`auto`: where the game is small enough."),
      one_of<Top>(
          "merge", kSwitchWords, [](auto& o) -> auto& { return o.algorithm.merge; },
          "Equal infosets of a memory are merged before a fit (weights summed, targets averaged), which is exact. `auto`: where "
          "it shrinks the memory."),
  };
}

std::vector<Part<Top>> traversal_parts() {
  return {
      whole<Top>(
          "workers", 1, 512, [](auto& o) -> auto& { return o.traversal.workers; },
          "Threads that traverse. Results do not depend on it."),
      one_of<Top>(
          "mode", Words<TraversalMode>{{"interleaved", TraversalMode::interleaved}, {"recursive", TraversalMode::recursive}},
          [](auto& o) -> auto& { return o.traversal.mode; },
          "`interleaved`: many traversals in flight, their questions in full minibatches. `recursive`: one row for each forward, "
          "the yardstick. Results do not depend on it."),
      whole<Top>(
          "in_flight", 1, 1'000'000, [](auto& o) -> auto& { return o.traversal.in_flight; },
          "Traversals that one worker has under way at once. Results do not depend on it."),
  };
}

std::vector<Part<NetworkOptions>> network_parts() {
  return {
      one_of<NetworkOptions>(
          "type", Words<NetworkType>{{"mlp", NetworkType::mlp}, {"card_bet", NetworkType::card_bet}},
          [](auto& o) -> auto& { return o.type; },
          "`mlp`: fully connected. `card_bet`: the Deep CFR paper's, with a card branch and a betting branch."),
      whole<NetworkOptions>(
          "layers", 1, 64, [](auto& o) -> auto& { return o.layers; }, "`mlp`: hidden layers."),
      whole<NetworkOptions>(
          "hidden", 1, 16'384, [](auto& o) -> auto& { return o.hidden; }, "`mlp`: width of the hidden layers."),
      whole<NetworkOptions>(
          "dim", 1, 8'192, [](auto& o) -> auto& { return o.dim; }, "`card_bet`: width of embeddings, betting branch and trunk."),
      whole<NetworkOptions>(
          "card_branch_width", 1, 8'192, [](auto& o) -> auto& { return o.card_branch_width; },
          "`card_bet`: width of the card branch."),
  };
}

std::vector<Part<FitOptions>> fit_parts() {
  return {
      whole<FitOptions>(
          "steps", 1, kBillion, [](auto& o) -> auto& { return o.steps; }, "Gradient steps of one fit."),
      whole<FitOptions>(
          "batch_size", 1, 10'000'000, [](auto& o) -> auto& { return o.batch_size; },
          "Rows of a sampled batch. A merged memory is taken whole at every step when it fits."),
      number<FitOptions>(
          "learning_rate", {0, 1, true}, [](auto& o) -> auto& { return o.learning_rate; },
          "Adam's learning rate at the start of a fit."),
      one_of<FitOptions>(
          "schedule",
          Words<LearningRateSchedule>{{"constant", LearningRateSchedule::constant},
                                      {"linear", LearningRateSchedule::linear},
                                      {"cosine", LearningRateSchedule::cosine}},
          [](auto& o) -> auto& { return o.schedule; },
          "How the learning rate falls over a fit; `linear` and `cosine` end at 1 % of the start."),
      number<FitOptions>(
          "clip_norm", {0, 1e6}, [](auto& o) -> auto& { return o.clip_norm; }, "Gradients are clipped to this norm; 0: not."),
      amp_part(),
  };
}

std::vector<Part<Top>> training_parts() {
  return {
      boolean<Top>(
          "warm_start", [](auto& o) -> auto& { return o.training.warm_start; },
          "A fit starts from the last weights instead of fresh ones."),
      number<Top>(
          "target_scale", {0, 1e9}, [](auto& o) -> auto& { return o.training.target_scale; },
          "Advantages are divided by it before a fit, in chips; 0: the big blind."),
      one_of<Top>(
          "strategy_loss",
          Words<StrategyLoss>{{"cross_entropy", StrategyLoss::cross_entropy}, {"mean_squared", StrategyLoss::mean_squared}},
          [](auto& o) -> auto& { return o.training.strategy_loss; }, "Loss of the strategy network."),
      one_of<Top>(
          "device", kDeviceWords, [](auto& o) -> auto& { return o.training.device; },
          "Where fits run. `auto`: the first CUDA device if a training step has 1 GFLOP or more, else the CPU. On CUDA results agree with the CPU's within rounding, not in bits."),
      whole<Top>(
          "threads", 1, 512, [](auto& o) -> auto& { return o.training.threads; }, "Threads of a fit on the CPU. Results do not depend on it."),
  };
}

std::vector<Part<Top>> inference_parts() {
  return {
      one_of<Top>(
          "backend",
          Words<InferenceKind>{{"local", InferenceKind::local}, {"server", InferenceKind::server}, {"check", InferenceKind::check}},
          [](auto& o) -> auto& { return o.inference.backend; },
          "Where forwards of traversals run: `local`, in the worker that asks; `server`, in one server of the process for all workers; "
          "`check`, in both, which must agree. Results do not depend on it."),
      one_of<Top>(
          "device", kDeviceWords, [](auto& o) -> auto& { return o.inference.device; },
          "Where forwards of traversals run. `auto`: the first CUDA device if `inference.backend` is `server`, else the CPU. Evaluations run on the CPU."),
      one_of<Top>(
          "dtype", Words<RowType>{{"float32", RowType::float32}, {"bfloat16", RowType::bfloat16}},
          [](auto& o) -> auto& { return o.inference.dtype; },
          "Numeric type of forwards in traversals. `bfloat16` is several times faster where the processor has it, and changes results."),
      boolean<Top>(
          "share_cards", [](auto& o) -> auto& { return o.inference.share_cards; },
          "`card_bet`: the card branch is computed once for each player and round of a traversal. Results do not depend on it."),
      whole<Top>(
          "batch", 1, 65536, [](auto& o) -> auto& { return o.inference.batch; }, "Rows of a worker's minibatch. Results do not depend on it."),
      whole<Top>(
          "max_batch", 0, 1'000'000, [](auto& o) -> auto& { return o.inference.max_batch; },
          "`server`: rows of one forward at most; as many whole minibatches as fit are computed together. 0: one minibatch on a CPU, 16384 rows on a device."),
      whole<Top>(
          "threads", 0, 512, [](auto& o) -> auto& { return o.inference.threads; }, "`server`: its threads; 0: as many as workers."),
      boolean<Top>(
          "asynchronous", [](auto& o) -> auto& { return o.inference.asynchronous; },
          "`server`: workers step other traversals while it computes. Results do not depend on it."),
      whole<Top>(
          "queue_length", 1, 1'000'000, [](auto& o) -> auto& { return o.inference.queue_length; },
          "`server`: minibatches that may wait for it."),
  };
}

Part<Top> memory_directory_part() {
  return {"directory", "a path",
          "`storage: file`: folder of the memories' files, relative to the run directory. The files have no names while a run lives and go "
          "with it, however it ends.",
          [](const YamlNode& node, Top& options) {
            options.memory.directory = scalar_text(node, "a folder");
            if (options.memory.directory.empty()) throw Error(ErrorKind::usage, "\"\" is not a folder", {}, "write memory or the path of a folder");
          },
          [](const Top& options) { return Json(options.memory.directory); }};
}

std::vector<Part<Top>> memory_parts() {
  return {
      whole<Top>(
          "advantage_capacity", 1, 1'000 * kBillion, [](auto& o) -> auto& { return o.memory.advantage_capacity; },
          "Records of each player's advantage memory."),
      whole<Top>(
          "strategy_capacity", 1, 1'000 * kBillion, [](auto& o) -> auto& { return o.memory.strategy_capacity; },
          "Records of each player's strategy memory."),
      one_of<Top>(
          "storage", Words<MemoryStorage>{{"ram", MemoryStorage::ram}, {"file", MemoryStorage::file}},
          [](auto& o) -> auto& { return o.memory.storage; },
          "Where the memories lie. `file`: on disk, for memories larger than RAM; the system keeps in RAM what it has room for. Same results."),
      memory_directory_part(),
  };
}

std::vector<Part<Top>> evaluation_parts() {
  return {
      whole<Top>(
          "eval_every", 0, kBillion, [](auto& o) -> auto& { return o.evaluation.eval_every; },
          "Iterations between evaluations; 0: only at the end."),
      whole<Top>(
          "games", 1, kBillion, [](auto& o) -> auto& { return o.evaluation.games; },
          "Games against each opponent, rounded up to whole rounds of seats."),
      opponents_part(),
      one_of<Top>(
          "exploitability", kSwitchWords, [](auto& o) -> auto& { return o.evaluation.exploitability; },
          "Exact NashConv and exploitability at each evaluation. `auto`: where the game is small enough."),
      {"seed", "0..18446744073709551615", "Seed of the matches: the same deals at every evaluation, whatever the training seed.",
       [](const YamlNode& node, Top& options) {
         options.evaluation.seed =
             parse_unsigned_number(plain_text(node, "a whole number"), 0, std::numeric_limits<std::uint64_t>::max());
       },
       [](const Top& options) { return Json(options.evaluation.seed); }},
      one_of<Top>(
          "policy", Words<AveragePolicy>{{"network", AveragePolicy::network}, {"mixture", AveragePolicy::mixture}},
          [](auto& o) -> auto& { return o.evaluation.policy; },
          "Which average policy plays: the strategy `network`, or the `mixture` of all advantage networks (single Deep CFR)."),
      one_of<Top>(
          "variance",
          Words<VarianceReduction>{{"plain", VarianceReduction::plain},
                                   {"duplicate", VarianceReduction::duplicate},
                                   {"all_in", VarianceReduction::all_in},
                                   {"control", VarianceReduction::control}},
          [](auto& o) -> auto& { return o.evaluation.variance; },
          "What is done against luck, each with those before it: nothing (`plain`), `duplicate` deals for every seat, equity instead of the "
          "dealt board once all are all-in (`all_in`), control variates (`control`). None changes what is measured."),
  };
}

std::vector<Part<Top>> checkpoint_parts() {
  return {
      whole<Top>(
          "every", 0, kBillion, [](auto& o) -> auto& { return o.checkpoint.every; },
          "Iterations between checkpoints; 0: only at the end and on interruption."),
      whole<Top>(
          "keep", 1, 1'000, [](auto& o) -> auto& { return o.checkpoint.keep; }, "Checkpoints that stay; older ones are removed."),
      boolean<Top>(
          "strategy_network", [](auto& o) -> auto& { return o.checkpoint.strategy_network; },
          "Fit the strategy networks for every checkpoint, not only for evaluations that need them and at the end. Changes nothing else."),
  };
}

// -- the table
// -------------------------------------------------------------------------------------------------------------------

class TableBuilder {
 public:
  void section(const std::string& name, const std::vector<Part<Top>>& parts) {
    const std::string prefix = name.empty() ? "" : name + ".";
    for (const Part<Top>& part : parts) {
      fields_.push_back({prefix + part.name, Field::Scope::single, part.range, part.help, part.read, part.get});
    }
  }

  template <typename Options>
  using Select = Options& (*)(Top&);

  template <typename Options>
  void shared(const std::string& section, const std::vector<Part<Options>>& parts, Select<Options> advantage,
              Select<Options> strategy) {
    for (const Part<Options>& part : parts) {
      fields_.push_back({section + "." + part.name, Field::Scope::shared, part.range, part.help,
                         [=](const YamlNode& node, Top& options) {
                           part.read(node, advantage(options));
                           part.read(node, strategy(options));
                         },
                         getter(part, advantage)});
    }
  }

  template <typename Options>
  void specific(const std::string& section, Field::Scope scope, const std::vector<Part<Options>>& parts, Select<Options> select) {
    const std::string prefix = section + (scope == Field::Scope::advantage ? ".advantage." : ".strategy.");
    for (const Part<Options>& part : parts) {
      fields_.push_back({prefix + part.name, scope, part.range, part.help,
                         [=](const YamlNode& node, Top& options) { part.read(node, select(options)); }, getter(part, select)});
    }
  }

  std::vector<Field> take() { return std::move(fields_); }

 private:
  template <typename Options>
  static std::function<Json(const Top&)> getter(const Part<Options>& part, Select<Options> select) {
    return [=](const Top& options) {
      Top copy = options;
      return part.get(select(copy));
    };
  }

  std::vector<Field> fields_;
};

std::vector<Field> build_table() {
  using Scope = Field::Scope;
  const TableBuilder::Select<NetworkOptions> advantage_network = [](Top& o) -> NetworkOptions& { return o.advantage_network; };
  const TableBuilder::Select<NetworkOptions> strategy_network = [](Top& o) -> NetworkOptions& { return o.strategy_network; };
  const TableBuilder::Select<FitOptions> advantage_fit = [](Top& o) -> FitOptions& { return o.advantage_fit; };
  const TableBuilder::Select<FitOptions> strategy_fit = [](Top& o) -> FitOptions& { return o.strategy_fit; };
  TableBuilder table;
  table.section("", {seed_part()});
  table.section("game", game_parts());
  table.section("algorithm", algorithm_parts());
  table.section("traversal", traversal_parts());
  table.shared("network", network_parts(), advantage_network, strategy_network);
  table.specific("network", Scope::advantage, network_parts(), advantage_network);
  table.specific("network", Scope::strategy, network_parts(), strategy_network);
  table.shared("training", fit_parts(), advantage_fit, strategy_fit);
  table.section("training", training_parts());
  table.specific("training", Scope::advantage, fit_parts(), advantage_fit);
  table.specific("training", Scope::strategy, fit_parts(), strategy_fit);
  table.section("inference", inference_parts());
  table.section("memory", memory_parts());
  table.section("evaluation", evaluation_parts());
  table.section("checkpoint", checkpoint_parts());
  return table.take();
}

}  // namespace

std::string Field::section() const {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

std::string Field::name() const { return path.substr(path.rfind('.') + 1); }

const std::vector<Field>& config_fields() {
  static const std::vector<Field> table = build_table();
  return table;
}

const Field* find_field(std::string_view path) {
  const auto& fields = config_fields();
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.path == path; });
  return found == fields.end() ? nullptr : &*found;
}

bool is_config_section(std::string_view path) {
  const std::string prefix = std::string(path) + ".";
  const auto& fields = config_fields();
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.path.starts_with(prefix); });
}

const Field& sibling(const Field& field, Field::Scope scope) {
  std::string section = field.section();
  if (field.specific()) section.resize(section.rfind('.'));
  if (scope != Field::Scope::shared) section += scope == Field::Scope::advantage ? ".advantage" : ".strategy";
  const Field* found = find_field(section + "." + field.name());
  DEEPCFR_CHECK(found != nullptr, field.path);
  return *found;
}

bool stated_in_resolved(const Field& field, const TrainOptions& options) {
  if (field.scope == Field::Scope::single) return true;
  const bool agree = sibling(field, Field::Scope::advantage).get(options) == sibling(field, Field::Scope::strategy).get(options);
  return agree == (field.scope == Field::Scope::shared);
}

}  // namespace deepcfr
