#include "checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>

#include "deepcfr/core/error.h"
#include "deepcfr/game/definition.h"
#include "files.h"
#include "safetensors.h"

namespace deepcfr {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string checkpoint_name(const Position& position) {
  char text[40];
  std::snprintf(text, sizeof text, "%08lld", static_cast<long long>(position.completed));
  return position.step == 0 ? text : std::string(text) + "+" + std::to_string(position.step);
}

std::optional<Position> parse_name(const std::string& name) {
  Position position;
  const char* end = name.data() + name.size();
  auto [at, error] = std::from_chars(name.data(), end, position.completed);
  if (error != std::errc{}) return std::nullopt;
  if (at == end) return position;
  if (*at != '+') return std::nullopt;
  auto [last, step_error] = std::from_chars(at + 1, end, position.step);
  if (step_error != std::errc{} || last != end) return std::nullopt;
  return position;
}

/// Names of checkpoint directories, newest first.
std::vector<fs::path> list_checkpoints(const RunPaths& paths) {
  std::vector<std::pair<Position, fs::path>> found;
  if (fs::exists(paths.checkpoints())) {
    for (const auto& entry : fs::directory_iterator(paths.checkpoints())) {
      if (const auto position = parse_name(entry.path().filename().string())) found.emplace_back(*position, entry.path());
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<fs::path> result;
  for (auto& [position, path] : found) result.push_back(std::move(path));
  return result;
}

std::int64_t completed_iterations(const fs::path& directory) { return parse_name(directory.filename().string())->completed; }

/// Writes the files of one checkpoint and notes size and hash of each.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(fs::path directory) : directory_(std::move(directory)) { fs::create_directories(directory_); }

  void file(const std::string& name, std::initializer_list<std::span<const std::byte>> pieces) {
    FileWriter writer(directory_ / name);
    for (const auto piece : pieces) writer.write(piece);
    const std::uint64_t bytes = writer.bytes();
    const std::uint64_t hash = writer.hash();
    writer.close();
    files_.push_back({{"name", name}, {"bytes", bytes}, {"hash", hash_text(hash)}});
  }
  void network(const std::string& name, const Network& network, std::int64_t iteration) {
    file(name, {write_safetensors(network, {{"format", "deepcfr"}, {"iteration", std::to_string(iteration)}})});
  }
  void memory(const std::string& name, const Reservoir& memory) {
    const std::uint64_t head[3] = {memory.seen(), memory.capacity(), memory.record_bytes()};
    file(name, {std::as_bytes(std::span(head)), memory.bytes()});
  }
  void manifest(Json manifest) {
    manifest["files"] = files_;
    // the manifest guards itself: its own hash is the last line
    const std::string text = manifest.dump(1) + "\n";
    const std::string line = hash_text(content_hash(std::as_bytes(std::span(text)))) + "\n";
    FileWriter writer(directory_ / "manifest.json");
    writer.write(std::string_view(text));
    writer.write(std::string_view(line));
    writer.close();
    sync_directory(directory_);
  }

 private:
  fs::path directory_;
  Json files_ = Json::array();
};

[[noreturn]] void damaged(const fs::path& file, const std::string& what) { throw Error(ErrorKind::input, what, file.string()); }

Json read_manifest(const fs::path& directory) {
  const fs::path file = directory / "manifest.json";
  const std::vector<std::byte> bytes = read_file(file);
  const std::string all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (all.size() < 18) damaged(file, "is cut off");
  const std::string text = all.substr(0, all.size() - 17);
  if (all.substr(all.size() - 17) != hash_text(content_hash(std::as_bytes(std::span(text)))) + "\n") damaged(file, "is damaged: its hash does not match");
  Json manifest = Json::parse(text, nullptr, false);
  if (!manifest.is_object()) damaged(file, "is damaged: not JSON");
  if (manifest.value("version", 0) != kCheckpointVersion) {
    damaged(file, "has checkpoint version " + manifest.value("version", Json(0)).dump() + ", this program reads " + std::to_string(kCheckpointVersion));
  }
  return manifest;
}

ArchiveMark archive_mark(const Json& manifest, std::size_t player) {
  const Json& entry = manifest.at("archive").at(player);
  return {entry.at("bytes").get<std::uint64_t>(), std::stoull(entry.at("hash").get<std::string>(), nullptr, 16)};
}

void verify_files(const fs::path& directory, const Json& manifest) {
  for (const Json& entry : manifest.at("files")) {
    const fs::path file = directory / entry.at("name").get<std::string>();
    if (!fs::exists(file)) damaged(file, "is missing");
    if (fs::file_size(file) != entry.at("bytes").get<std::uint64_t>()) damaged(file, "has a size other than its manifest says");
    if (hash_text(hash_file(file)) != entry.at("hash").get<std::string>()) damaged(file, "is damaged: its hash does not match the manifest");
  }
}

void verify_archives(const RunPaths& paths, const Json& manifest) {
  for (std::size_t p = 0; p < manifest.at("archive").size(); ++p) {
    const ArchiveMark mark = archive_mark(manifest, p);
    const fs::path file = paths.archive(static_cast<int>(p));
    if (hash_file(file, mark.bytes) != mark.hash) damaged(file, "is damaged: it does not match the manifest of " + manifest.at("name").get<std::string>());
  }
}

/// The newest checkpoint whose every byte is right; of one iteration if that is given.
std::pair<fs::path, Json> find_whole_checkpoint(const RunPaths& paths, std::vector<std::string>& warnings,
                                                std::optional<std::int64_t> iteration = {}) {
  std::vector<fs::path> all = list_checkpoints(paths);
  if (iteration) std::erase_if(all, [&](const fs::path& path) { return completed_iterations(path) != *iteration; });
  for (const fs::path& directory : all) {
    try {
      Json manifest = read_manifest(directory);
      verify_files(directory, manifest);
      verify_archives(paths, manifest);
      return {directory, std::move(manifest)};
    } catch (const Error& error) {
      warnings.push_back(error.where() + ": " + error.message() + "; trying the checkpoint before it");
    }
  }
  std::string message = all.empty() ? "holds no checkpoint" : "holds no whole checkpoint";
  for (const std::string& warning : warnings) message += "; " + warning;
  throw Error(ErrorKind::input, message, paths.checkpoints().string(), "start the run again with `train`");
}

std::shared_ptr<const Network> read_network(const fs::path& file, Network network) {
  network.set_weights(read_safetensors(read_file(file), file.string(), network));
  return std::make_shared<const Network>(std::move(network));
}

void read_memory(const fs::path& file, Reservoir& memory) {
  FileReader reader(file);  // straight into the memory: it may be larger than half of RAM
  std::uint64_t head[3];
  reader.read(head, sizeof head);
  const auto [seen, capacity, record_bytes] = head;
  if (capacity != memory.capacity() || record_bytes != memory.record_bytes()) damaged(file, "has another capacity or record size than the config");
  memory.restore(seen, [&](std::span<std::byte> target) { reader.read(target.data(), target.size()); });
  reader.expect_end();
}

Json manifest_head(const TrainOptions& options, const RunParts& parts, RunState& state) {
  Json manifest = {{"version", kCheckpointVersion},
                   {"name", checkpoint_name(state.position)},
                   {"iteration", state.position.completed},
                   {"step", state.position.step},
                   {"strategy_iteration", state.strategy_iteration},
                   {"samples_hash", hash_text(state.samples_hash)},
                   {"total_traversals", state.total_traversals},
                   {"total_decisions", state.total_decisions},
                   {"game", print_game_definition(parts.game->definition())},
                   {"options", fixed_options(options)}};
  if (state.position.step != 0) manifest["partial"] = {{"values", state.partial.values}, {"seconds", state.partial.seconds}};
  manifest["archive"] = Json::array();
  for (auto& archive : state.archive) {
    const ArchiveMark mark = archive->sync();
    manifest["archive"].push_back({{"bytes", mark.bytes}, {"hash", hash_text(mark.hash)}});
  }
  return manifest;
}

void remove_old(const RunPaths& paths, std::int64_t keep) {
  const std::vector<fs::path> all = list_checkpoints(paths);
  for (std::size_t i = static_cast<std::size_t>(std::max<std::int64_t>(1, keep)); i < all.size(); ++i) {
    // a half-removed directory must not look like a checkpoint
    const fs::path dying = paths.checkpoints() / (".old-" + all[i].filename().string());
    fs::rename(all[i], dying);
    fs::remove_all(dying);
  }
}

}  // namespace

Json fixed_options(const TrainOptions& o) {
  const auto network = [](const NetworkOptions& n) { return Json{static_cast<int>(n.type), n.layers, n.hidden, n.dim, n.card_branch_width}.dump(); };
  const auto fit = [](const FitOptions& f) {
    return Json{f.steps, f.batch_size, f.learning_rate, static_cast<int>(f.schedule), f.clip_norm, static_cast<int>(f.amp)}.dump();
  };
  return {{"seed", std::to_string(o.seed)},
          {"game.name", o.game.name},
          {"game.rules", std::to_string(static_cast<int>(o.game.rules))},
          {"game.canonical_suits", std::to_string(o.game.canonical_suits)},
          {"game.pot_fractions", Json(o.game.pot_fractions).dump()},
          {"game.all_in", o.game.all_in ? std::to_string(*o.game.all_in) : "default"},
          {"game.max_raises", o.game.max_raises ? std::to_string(*o.game.max_raises) : "default"},
          {"algorithm.traversals", std::to_string(o.algorithm.traversals)},
          {"algorithm.small_game", std::to_string(static_cast<int>(o.algorithm.small_game))},
          {"algorithm.merge", std::to_string(static_cast<int>(o.algorithm.merge))},
          {"network.advantage", network(o.advantage_network)},
          {"network.strategy", network(o.strategy_network)},
          {"inference.dtype", std::to_string(static_cast<int>(o.inference.dtype))},
          {"training.advantage", fit(o.advantage_fit)},
          {"training.strategy", fit(o.strategy_fit)},
          {"training.warm_start", std::to_string(o.training.warm_start)},
          {"training.target_scale", Json(o.training.target_scale).dump()},
          {"training.strategy_loss", std::to_string(static_cast<int>(o.training.strategy_loss))},
          {"memory.advantage_capacity", std::to_string(o.memory.advantage_capacity)},
          {"memory.strategy_capacity", std::to_string(o.memory.strategy_capacity)}};
}

void require_same_options(const Json& saved, const TrainOptions& options) {
  const Json now = fixed_options(options);
  const Json defaults = fixed_options({});  // what keys were before there was a choice
  for (const auto& [key, value] : now.items()) {
    const std::string before = (saved.contains(key) ? saved : defaults).at(key).get<std::string>();
    if (before == value.get<std::string>()) continue;
    throw Error(ErrorKind::usage, key + ": the run was started with " + before + ", not " + value.get<std::string>(), {},
                "only algorithm.iterations, traversal.*, inference.* but dtype, evaluation.*, checkpoint.*, memory.storage, memory.directory and training.threads may change on resume");
  }
}

void save_checkpoint(const RunPaths& paths, const TrainOptions& options, const RunParts& parts, RunState& state, std::int64_t keep) {
  const std::string name = checkpoint_name(state.position);
  const fs::path temporary = paths.checkpoints() / (".tmp-" + name);
  fs::remove_all(temporary);
  CheckpointWriter writer(temporary);
  for (std::size_t p = 0; p < state.advantage.size(); ++p) {
    const std::string player = "_p" + std::to_string(p);
    if (state.advantage[p]) writer.network("advantage" + player + ".safetensors", *state.advantage[p], state.position.completed);
    if (state.strategy[p]) writer.network("strategy" + player + ".safetensors", *state.strategy[p], state.strategy_iteration);
    writer.memory("advantage_memory" + player + ".bin", state.advantage_memory[p]);
    writer.memory("strategy_memory" + player + ".bin", state.strategy_memory[p]);
  }
  writer.manifest(manifest_head(options, parts, state));
  const fs::path target = paths.checkpoints() / name;
  if (fs::exists(target)) {
    const fs::path dying = paths.checkpoints() / (".old-" + name);
    fs::remove_all(dying);
    fs::rename(target, dying);
  }
  fs::rename(temporary, target);
  sync_directory(paths.checkpoints());
  fs::remove_all(paths.checkpoints() / (".old-" + name));
  remove_old(paths, keep);
}

void remove_leftovers(const RunPaths& paths) {
  if (fs::exists(paths.checkpoints())) {
    for (const auto& entry : fs::directory_iterator(paths.checkpoints())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(".old-")) {
        // a save was killed between its two renames: the old one is still whole
        const fs::path original = paths.checkpoints() / name.substr(5);
        if (!fs::exists(original) && fs::exists(entry.path() / "manifest.json")) {
          fs::rename(entry.path(), original);
          continue;
        }
      }
      if (name.starts_with(".tmp-") || name.starts_with(".old-")) fs::remove_all(entry.path());
    }
  }
  for (const auto& entry : fs::directory_iterator(paths.root)) {
    if (entry.path().extension() == ".tmp") fs::remove(entry.path());
  }
}

RunState load_checkpoint(const RunPaths& paths, const TrainOptions& options, const RunParts& parts, bool for_training,
                         std::vector<std::string>& warnings, std::optional<std::int64_t> iteration) {
  const auto [directory, manifest] = find_whole_checkpoint(paths, warnings, iteration);
  require_same_options(manifest.at("options"), options);
  if (manifest.at("game").get<std::string>() != print_game_definition(parts.game->definition())) {
    throw Error(ErrorKind::usage, "the definition of game " + parts.game->name() + " is not the one this run was trained with", directory.string(),
                "restore the .game file of the run");
  }
  RunState state = for_training ? make_state(options, parts, paths.root) : RunState{};
  const auto players = static_cast<std::size_t>(parts.game->players());
  state.advantage.resize(players);
  state.strategy.resize(players);
  state.position = {manifest.at("iteration").get<std::int64_t>(), manifest.at("step").get<int>()};
  state.strategy_iteration = manifest.at("strategy_iteration").get<std::int64_t>();
  state.samples_hash = std::stoull(manifest.at("samples_hash").get<std::string>(), nullptr, 16);
  state.total_traversals = manifest.at("total_traversals").get<std::uint64_t>();
  state.total_decisions = manifest.at("total_decisions").get<std::uint64_t>();
  if (manifest.contains("partial")) state.partial = {manifest["partial"]["values"], manifest["partial"]["seconds"]};
  for (std::size_t p = 0; p < players; ++p) {
    const auto player = static_cast<int>(p);
    const std::string suffix = "_p" + std::to_string(p);
    const fs::path advantage = directory / ("advantage" + suffix + ".safetensors");
    const fs::path strategy = directory / ("strategy" + suffix + ".safetensors");
    if (fs::exists(advantage)) state.advantage[p] = read_network(advantage, parts.fresh_network(options, false, player, 0));
    if (fs::exists(strategy)) state.strategy[p] = read_network(strategy, parts.fresh_network(options, true, player, 0));
    state.archive_marks.push_back(archive_mark(manifest, p));
    if (!for_training) continue;
    read_memory(directory / ("advantage_memory" + suffix + ".bin"), state.advantage_memory[p]);
    read_memory(directory / ("strategy_memory" + suffix + ".bin"), state.strategy_memory[p]);
    state.archive.push_back(std::make_unique<ArchiveWriter>(paths.archive(player), parts.fresh_network(options, false, player, 0).parameter_count(),
                                                            &state.archive_marks.back()));
  }
  if (for_training) rebuild_sums(parts, state);
  return state;
}

std::vector<std::int64_t> checkpoint_iterations(const RunPaths& paths) {
  std::vector<std::int64_t> result;
  for (const fs::path& directory : list_checkpoints(paths)) result.push_back(completed_iterations(directory));
  return result;
}

std::vector<std::vector<ArchivedNetwork>> load_archives(const RunPaths& paths, const std::vector<ArchiveMark>& marks) {
  std::vector<std::vector<ArchivedNetwork>> archives;
  for (std::size_t p = 0; p < marks.size(); ++p) archives.push_back(read_archive(paths.archive(static_cast<int>(p)), marks[p]));
  return archives;
}

fs::path memory_file(const RunPaths& paths, SampleKind kind, int player, std::vector<std::string>& warnings) {
  const fs::path directory = find_whole_checkpoint(paths, warnings).first;
  return directory / ((kind == SampleKind::advantage ? "advantage_memory_p" : "strategy_memory_p") + std::to_string(player) + ".bin");
}

}  // namespace deepcfr
