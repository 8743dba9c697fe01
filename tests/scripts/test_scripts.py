"""The shell scripts: setup.sh, build.sh, deepcfr, test.sh, peers.sh. Each runs in a copy of scripts/ with stand-ins for what
it would download or build."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

SOURCE = pathlib.Path(os.environ.get("DEEPCFR_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve() / "check out"
        shutil.copytree(SOURCE / "scripts", self.root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        self.wheel = self.root / "wheel"
        self.write("wheel/lib/libtorch_cpu.so", "")

    def write(self, name, text, executable=False):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if executable:
            path.chmod(0o755)

    def stub(self, name, text):
        self.write(name, "#!/bin/bash\n" + text, executable=True)

    def run_script(self, *arguments, cwd=None, **environment):
        merged = {"PATH": f"{self.root}/stubs:{os.environ['PATH']}", "HOME": str(self.root), "DEEPCFR_TORCH_ROOT": str(self.wheel)}
        merged.update(environment)
        return subprocess.run(arguments, cwd=cwd or self.root, env=merged, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300)


class Setup(Scripts):
    def setUp(self):
        super().setUp()
        # A dpkg-query that has every package installed but those in the file `missing`.
        self.write("missing", "")
        self.stub("stubs/dpkg-query", f'for p in "${{@:3}}"; do grep -qx -- "$p" "{self.root}/missing" || echo "installed $p"; done\n')

    def test_nothing_to_do_is_quick_and_silent(self):
        started = time.monotonic()
        result = self.run_script("scripts/setup.sh")
        self.assertLess(time.monotonic() - started, 1.0)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertFalse((self.root / ".venv").exists())

    def test_check_reports_and_changes_nothing(self):
        self.write("missing", "cmake\nninja-build\n")
        result = self.run_script("scripts/setup.sh", "--check", DEEPCFR_TORCH_ROOT="")
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing Debian packages: cmake ninja-build\n", result.stderr)
        self.assertIn("missing: LibTorch in", result.stderr)
        self.assertFalse((self.root / "build").exists())

    def test_without_root_or_sudo_it_names_the_command(self):
        self.write("missing", "cmake\n")
        self.stub("stubs/id", "echo 1000\n")
        self.stub("stubs/sudo", "exit 1\n")
        result = self.run_script("scripts/setup.sh")
        self.assertEqual(result.returncode, 2)
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends cmake\n", result.stderr)

    def test_only_what_is_missing_is_installed(self):
        self.write("missing", "cmake\n")
        self.stub("stubs/id", "echo 0\n")
        self.stub("stubs/apt-get", f'echo "$*" >>"{self.root}/apt"\n')
        result = self.run_script("scripts/setup.sh")
        self.assertEqual(result.returncode, 0, result.stderr)
        installs = [line for line in (self.root / "apt").read_text().splitlines() if " install " in line]
        self.assertEqual(len(installs), 1)
        self.assertTrue(installs[0].endswith("--no-install-recommends cmake"), installs[0])

    def test_failing_apt_shows_the_log_and_the_remedy(self):
        self.write("missing", "cmake\n")
        self.stub("stubs/id", "echo 0\n")
        self.stub("stubs/apt-get", "echo 'E: no mirror'; exit 100\n")
        result = self.run_script("scripts/setup.sh")
        self.assertEqual(result.returncode, 1)
        self.assertIn("E: no mirror", result.stderr)
        self.assertIn("remedy: ", result.stderr)

    def test_wrong_torch_root(self):
        result = self.run_script("scripts/setup.sh", DEEPCFR_TORCH_ROOT="/nowhere")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/nowhere holds no lib/libtorch_cpu.so", result.stderr)


class Build(Scripts):
    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(x LANGUAGES NONE)\n"
                   "add_custom_command(OUTPUT out COMMAND cp ${CMAKE_SOURCE_DIR}/in out DEPENDS in)\n"
                   "add_custom_target(copy DEPENDS out)\n")
        self.write("CMakePresets.json", '{"version": 6, "configurePresets": [{"name": "release", "generator": "Ninja",'
                                        ' "binaryDir": "${sourceDir}/build/release"}]}')
        self.write("in", "1")

    def test_builds_once_and_is_silent(self):
        for _ in range(2):
            result = self.run_script("scripts/build.sh", "release", "copy")
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
            self.assertEqual((self.root / "build/release/out").read_text(), "1")
        self.assertEqual(result.stderr, "")
        self.write("in", "2")
        self.assertEqual(self.run_script("scripts/build.sh", "release", "copy").returncode, 0)
        self.assertEqual((self.root / "build/release/out").read_text(), "2")

    def test_failure_shows_the_errors(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(x LANGUAGES NONE)\n"
                   "add_custom_target(copy COMMAND sh -c \"echo a.cpp:3: error: no such thing; false\" VERBATIM)\n")
        result = self.run_script("scripts/build.sh", "release", "copy")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("a.cpp:3: error: no such thing", result.stderr)
        self.assertIn("build/release.log", result.stderr)

    def test_a_checkout_that_was_moved_builds_again(self):
        self.assertEqual(self.run_script("scripts/build.sh", "release", "copy").returncode, 0)
        moved = self.root.with_name("moved")
        self.root.rename(moved)
        self.root = moved
        result = self.run_script("scripts/build.sh", "release", "copy")
        self.assertEqual(result.returncode, 0, result.stderr)


class Run(Scripts):
    def setUp(self):
        super().setUp()
        self.stub("scripts/setup.sh", "echo setup >&2\n")
        self.stub("scripts/build.sh", "echo \"build $*\" >&2\n")
        self.stub("scripts/peers.sh", "echo peers >&2\n")
        self.write("build/release/deepcfr", "#!/usr/bin/python3\nimport os, sys\n"
                   "print(os.getcwd(), sys.argv[1:])\nsys.exit(7)\n", executable=True)

    def test_runs_in_the_callers_folder_with_its_arguments(self):
        (self.root / "else where").mkdir()
        (self.root / "link").symlink_to(self.root / "scripts/deepcfr")
        for program in (self.root / "scripts/deepcfr", self.root / "link"):
            result = self.run_script(program, "train", "a b.yaml", cwd=self.root / "else where")
            self.assertEqual(result.returncode, 7)
            self.assertEqual(result.stdout, f"{self.root}/else where ['train', 'a b.yaml']\n")
            self.assertEqual(result.stderr, "setup\nbuild release deepcfr\n")

    def test_does_not_run_when_the_set_up_or_the_build_fails(self):
        for script, status in (("build", 1), ("setup", 2)):
            self.stub(f"scripts/{script}.sh", f"exit {status}\n")
            result = self.run_script("scripts/deepcfr")
            self.assertEqual((result.returncode, result.stdout), (status, ""))

    def test_tests_end_with_the_summary_of_ctest(self):
        self.stub("stubs/ctest", "echo \"$*\"; echo; echo '50% tests passed, 1 tests failed out of 2'; echo 'Total Test time'; exit 8\n")
        result = self.run_script("scripts/test.sh", "-R", "game")
        self.assertEqual(result.returncode, 8)
        lines = result.stdout.splitlines()
        self.assertTrue(lines[0].endswith("-R game") and "-j2" in lines[0], lines[0])
        self.assertEqual(lines[-1], "50% tests passed, 1 tests failed out of 2")

    def test_continuous_integration_calls_the_tests(self):
        shutil.copytree(SOURCE / ".ci", self.root / ".ci")
        self.stub("scripts/test.sh", "echo tests; exit 3\n")
        result = self.run_script(".ci/run")
        self.assertEqual((result.returncode, result.stdout), (3, "tests\n"))


class Peers(Scripts):
    def test_without_a_network_it_says_so_and_goes_on(self):
        result = self.run_script("scripts/peers.sh", PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_FIND_LINKS="", PIP_NO_CACHE_DIR="1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("tests against peers will be skipped", result.stderr)
        self.assertFalse((self.root / ".venv-peers").exists())


if __name__ == "__main__":
    unittest.main()
