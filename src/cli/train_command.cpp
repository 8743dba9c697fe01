// train: a new run from a config file.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/config/config.h"
#include "deepcfr/core/error.h"
#include "training_session.h"

namespace deepcfr {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string file;
  Overlay overlay;
  std::string run_dir;
  bool json = false;
};

/// runs/<stem>, or the first free one of runs/<stem>-2, -3, …: made here, so that two runs started together get two folders.
/// With --run-dir nothing is made: start_run refuses a folder in use.
class RunFolder {
 public:
  explicit RunFolder(const Arguments& arguments) : path_(arguments.run_dir) {
    if (!path_.empty()) return;
    const fs::path stem = fs::path("runs") / fs::path(arguments.file).stem();
    try {
      fs::create_directories("runs");
      path_ = stem.string();
      for (int number = 2; !fs::create_directory(path_); ++number) path_ = stem.string() + "-" + std::to_string(number);
    } catch (const fs::filesystem_error& error) {
      throw Error(ErrorKind::input, "cannot make the run's folder: " + error.code().message(), path_.empty() ? "runs" : path_,
                  "--run-dir names another place");
    }
    made_ = true;
  }
  /// Leaves nothing behind if the run could not start.
  ~RunFolder() {
    std::error_code ignored;
    if (made_) fs::remove(path_, ignored);  // only if it is empty
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  bool made_ = false;
};

void train(const Arguments& arguments, const Invocation& invocation) {
  const LoadedConfig config = load_config(arguments.file, arguments.overlay);
  const TrainingSession session(invocation, config, arguments.json);
  const RunFolder folder(arguments);
  session.run([&](RunObserver& observer, const std::atomic<int>& stop) {
    return start_run(config.options, config.resolved_yaml, folder.path(), observer, stop);
  });
}

}  // namespace

void add_train(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("train", "Train an agent from a config file");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("CONFIG", arguments->file, "A config file, for example configs/leduc.yaml")->required()->type_name("");
  add_repeated(*command, "--set", arguments->overlay.sets, "KEY=VALUE",
               "Set one key, for example traversal.workers=2; may be repeated");
  command->add_option("--profile", arguments->overlay.profile, "Overlay from the file's profiles, for example home or remote")
      ->type_name("NAME");
  command->add_option("--run-dir", arguments->run_dir, "Folder of the run (runs/<name of the config>, -2, -3 ... if taken)")
      ->type_name("DIR");
  add_json(*command, arguments->json);
  command->callback([=, &invocation] { invocation.run = [=, &invocation] { train(*arguments, invocation); }; });
}

}  // namespace deepcfr
