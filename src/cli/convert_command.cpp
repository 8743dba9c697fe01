// convert: files of hands from one notation into another.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "arguments.h"
#include "command.h"
#include "deepcfr/core/error.h"
#include "deepcfr/protocol/acpc_lines.h"
#include "deepcfr/protocol/hand_files.h"
#include "deepcfr/protocol/phh.h"
#include "hand_file_arguments.h"
#include "report.h"

namespace deepcfr {
namespace {

struct Arguments {
  std::string from;
  std::string to;
  std::string from_format;
  std::string to_format;
  std::string game;
  std::string rules;
};

/// All of a file or nothing of it.
void write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
    return;
  }
  const std::string unfinished = path + ".tmp";
  std::ofstream file(unfinished, std::ios::binary);
  file << text << std::flush;
  std::error_code error;
  if (file) std::filesystem::rename(unfinished, path, error);
  if (file && !error) return;
  std::filesystem::remove(unfinished, error);
  throw Error(ErrorKind::input, "cannot be written", path);
}

class Converter {
 public:
  /// `one`: the file may hold one hand only, without a header.
  Converter(HandFormat format, bool one) : format_(format), one_(one) {}

  void add(const HandRecord& hand) {
    try {
      if (game_ == nullptr) game_ = hand.game;
      if (format_ != HandFormat::phh && hand.game->definition() != game_->definition()) {
        throw Error(ErrorKind::usage, "it is of another game than the first hand; such a file holds hands of one game");
      }
      if (one_ && written_ == 1) throw Error(ErrorKind::usage, "a .phh file holds one hand", "", "write a .phhs file");
      text_ += one_ ? print_phh(hand) : print_hand(hand, format_, written_ + 1);
      ++written_;
      chips_.add(hand);
    } catch (const Error& error) {
      fail({hand.label, hand.line, error.what()});
    }
  }
  void fail(const HandError& error) { errors_.push_back(error); }

  std::string text() const {
    if (format_ != HandFormat::acpc || !chips_.named()) return text_;
    return text_ + print_score_line(chips_.by_name(), chips_.names()) + "\n";
  }
  int written() const { return written_; }
  const std::vector<HandError>& errors() const { return errors_; }

 private:
  HandFormat format_;
  bool one_;
  std::shared_ptr<const Game> game_;
  std::string text_;
  int written_ = 0;
  NetChips chips_;
  std::vector<HandError> errors_;
};

void convert(const Arguments& arguments) {
  const HandFileOptions options = reading_options(arguments.from, arguments.from_format, "--from", arguments.game, arguments.rules);
  Converter converter(chosen_format(arguments.to, arguments.to_format, "--to"), arguments.to.ends_with(".phh"));
  const std::string text = read_text(arguments.from);
  read_hands(
      text, options, [&](HandRecord&& hand) { converter.add(hand); }, [&](const HandError& error) { converter.fail(error); });
  write_text(arguments.to, converter.text());
  std::cerr << converter.written() << " hands written to " << (arguments.to == "-" ? "standard output" : arguments.to) << std::endl;
  report_hand_errors(arguments.from, converter.errors());
}

}  // namespace

void add_convert(CLI::App& app, Invocation& invocation) {
  CLI::App* command = app.add_subcommand("convert", "Convert hands between PHH, ACPC logs and Slumbot's action strings");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("FROM", arguments->from, "File of hands, or - for standard input")->required()->type_name("");
  command->add_option("TO", arguments->to, "File to write, or - for standard output")->required()->type_name("");
  add_word(*command, "--from", arguments->from_format, hand_format_names(), "Notation of FROM (by its ending: .phh .phhs .log .slumbot)");
  add_word(*command, "--to", arguments->to_format, hand_format_names(), "Notation of TO (by its ending)");
  command->add_option("--game", arguments->game, "Game of an ACPC log or of Slumbot strings (hunl)")->type_name("GAME");
  add_word(*command, "--rules", arguments->rules, {"acpc", "cardroom"},
           "Rule set (PHH: the file's field _rules, else cardroom; others: acpc)");
  command->callback([=, &invocation] { invocation.run = [=] { convert(*arguments); }; });
}

}  // namespace deepcfr
