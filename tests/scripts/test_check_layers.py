"""scripts/check_layers.py: passes on this checkout, and fails with file:line and the rule on each kind of wrong include."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("DEEPCFR_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("cmake/rooms.txt", (SOURCE / "cmake/rooms.txt").read_text())
        self.write("include/deepcfr/core/error.h", "#pragma once\n#include <string>\n")
        self.write("include/deepcfr/game/state.h", '#pragma once\n#include "deepcfr/core/error.h"\n')
        self.write("include/deepcfr/nn/network.h", '#pragma once\n#include "deepcfr/game/state.h"\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_check(self, root=None):
        command = [sys.executable, SOURCE / "scripts/check_layers.py", root or self.root]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def finds(self, expected):
        result = self.run_check()
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(expected, result.stdout)

    def test_this_checkout(self):
        result = self.run_check(SOURCE)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_tree_that_keeps_the_rules(self):
        self.write("src/nn/tables.h", "#pragma once\n")
        self.write("src/nn/deep/network.cpp",
                   '#include <torch/torch.h>\n#include <sys/mman.h>\n#include <vector>\n#include "tables.h"\n'
                   '#include "deepcfr/nn/network.h"\n// #include <boost/any.hpp>\n/*\n#include "deepcfr/train/run.h"\n*/\n')
        result = self.run_check()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_arrow_against_the_order(self):
        self.write("src/game/state.cpp", '#include "deepcfr/core/error.h"\n#include "deepcfr/nn/network.h"\n')
        self.finds("src/game/state.cpp:2: includes deepcfr/nn/network.h: room game may not use room nn")

    def test_arrow_against_the_order_in_a_header(self):
        self.write("include/deepcfr/core/bad.h", "#pragma once\n\n  #  include <deepcfr/game/state.h>\n")
        self.finds("include/deepcfr/core/bad.h:3: includes deepcfr/game/state.h: room core may not use room game")

    def test_package_of_another_room(self):
        self.write("src/game/state.cpp", "#include <torch/torch.h>\n")
        self.finds("src/game/state.cpp:1: includes torch/torch.h: room game may not use package torch")

    def test_private_package_in_a_public_header(self):
        self.write("include/deepcfr/nn/trainer.h", "#include <ATen/ATen.h>\n")
        self.finds("include/deepcfr/nn/trainer.h:1: includes ATen/ATen.h: package torch is private")

    def test_unknown_package(self):
        self.write("src/core/error.cpp", "#include <boost/any.hpp>\n")
        self.finds("src/core/error.cpp:1: includes boost/any.hpp: neither the standard library nor a package")

    def test_private_header_of_another_room(self):
        self.write("src/game/tables.h", "#pragma once\n")
        self.write("src/nn/a.cpp", '#include "game/tables.h"\n')
        self.write("src/nn/b.cpp", '#include "../game/tables.h"\n')
        self.finds("src/nn/a.cpp:1: includes game/tables.h: it is private to room game")
        self.finds("src/nn/b.cpp:1: includes ../game/tables.h: it is private to its room")

    def test_missing_header(self):
        self.write("src/nn/a.cpp", '#include "deepcfr/game/nowhere.h"\n#include "nowhere.h"\n')
        self.finds("src/nn/a.cpp:1: includes deepcfr/game/nowhere.h: there is no such header")
        self.finds("src/nn/a.cpp:2: includes nowhere.h: there is no such header")

    def test_unknown_room(self):
        self.write("src/utils/a.cpp", "\n")
        self.finds("src/utils/a.cpp:1: is in no room of cmake/rooms.txt")

    def test_circle_of_rooms(self):
        self.write("cmake/rooms.txt", "[rooms]\ncore: game\ngame: core\n")
        result = self.run_check()
        self.assertEqual(result.returncode, 2)
        self.assertIn("rooms.txt:2: 'game' is no room that stands above this line", result.stderr)


if __name__ == "__main__":
    unittest.main()
