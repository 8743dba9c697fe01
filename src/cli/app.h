// The program: from arguments to an exit code.
#pragma once

namespace deepcfr {

/// Exit codes: 0 done, 1 a bug, 2 usage or config, 3 input, output or checkpoint, 4 device. Errors go to stderr in the form
/// "error: where: what (hint)". Throws nothing.
int run_program(int argc, char** argv) noexcept;

}  // namespace deepcfr
