// Files of played hands in any notation: PHH and PHHS, ACPC logs, Slumbot's action strings.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deepcfr/protocol/hand_record.h"

namespace deepcfr {

enum class HandFormat { phh, acpc, slumbot };
/// "phh", "acpc", "slumbot".
const std::vector<std::string>& hand_format_names();
/// By name; nullopt for others.
std::optional<HandFormat> hand_format(std::string_view name);
/// By a path's ending: .phh and .phhs; .log and .acpc; .slumbot. nullopt for others.
std::optional<HandFormat> hand_format_of_path(std::string_view path);

struct HandFileOptions {
  HandFormat format = HandFormat::phh;
  std::shared_ptr<const Game> game;  ///< acpc, slumbot: the game of all hands; phh: each hand names its own, and this is ignored
  std::optional<RuleSet> rules;      ///< phh: see PhhOptions
};

/// A hand that could not be read; the others go on (reported fault R35).
struct HandError {
  std::string hand;  ///< its number in the file, or "" if that is unknown
  int line = 0;
  std::string what;
};

/// Reads every hand of a text. An ACPC log's SCORE line is compared with the sums of its hands, unless one of them could not be read.
/// Slumbot: a hand a line, the action string, and behind a blank, if they are known, the cards as ACPC writes them.
void read_hands(std::string_view text, const HandFileOptions& options, const std::function<void(HandRecord&&)>& hand,
                const std::function<void(const HandError&)>& error);

/// One hand as it stands in a file of many, with its line ends. `number`: its place in the file, from 1. Error{usage} where the notation
/// cannot hold it. ACPC: labels that are no numbers become number − 1.
std::string print_hand(const HandRecord& hand, HandFormat format, int number);

/// Sums over hands, by name where all hands have names.
class NetChips {
 public:
  void add(const HandRecord& hand);
  std::uint64_t hands() const noexcept { return hands_; }
  const std::vector<double>& by_position() const noexcept { return by_position_; }
  bool named() const noexcept { return named_ && hands_ > 0; }
  const std::vector<std::string>& names() const noexcept { return names_; }  ///< in order of first appearance
  const std::vector<double>& by_name() const noexcept { return by_name_; }

 private:
  std::uint64_t hands_ = 0;
  bool named_ = true;
  std::vector<double> by_position_;
  std::vector<std::string> names_;
  std::vector<double> by_name_;
};

}  // namespace deepcfr
