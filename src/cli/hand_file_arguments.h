// What the commands that read files of hands share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "deepcfr/protocol/hand_files.h"

namespace deepcfr {

/// The whole of a file, or of standard input for "-". Error{input} naming the path.
std::string read_text(const std::string& path);
/// `format` by name, or by the path's ending if it is empty. Error{usage} naming the option.
HandFormat chosen_format(const std::string& path, const std::string& format, const std::string& option);
/// How to read a file: `game` names the game of ACPC logs and Slumbot strings (Slumbot's own game, hunl, unless it is given); Error{usage} with PHH.
HandFileOptions reading_options(const std::string& path, const std::string& format, const std::string& option, const std::string& game,
                                const std::string& rules);

/// Shows the hands that could not be read on stderr, and throws Error{input} if there are any: the program then ends with exit code 3.
void report_hand_errors(const std::string& path, const std::vector<HandError>& errors);

}  // namespace deepcfr
