"""The program as a whole: help, version, doctor, config, forms of errors and exit codes."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import program
from program import BIN, SOURCE, error, report, run

COMMANDS = ["train", "resume", "eval", "compare", "exploit", "solve", "samples", "games", "game", "rank", "equity", "config", "doctor"]


class Help(unittest.TestCase):
    def test_every_command_has_help(self):
        top = run("--help", check=0)
        self.assertEqual(top.stderr, "")
        for command in COMMANDS:
            self.assertRegex(top.stdout, rf"(?m)^  {command}\b")
            self.assertIn("Usage:", run(command, "--help", check=0).stdout)
        for nested in (("game", "show"), ("game", "count"), ("game", "state"), ("config", "check"), ("config", "print"), ("config", "docs")):
            self.assertIn(" ".join(nested), run(*nested, "--help", check=0).stdout)

    def test_commands_that_are_shown_begin_as_typed(self):
        self.assertIn(f"{BIN} train configs/kuhn.yaml", run("--help", check=0).stdout)

    def test_version(self):
        self.assertRegex(run("--version", check=0).stdout, r"^deepcfr \d+\.\d+\.\d+\ncommit    [\w-]+\ncompiler  g\+\+ \d+[^\n]*\nLibTorch  2\.\d+")
        self.assertEqual(list(report("--version")), ["version", "commit", "compiler", "libtorch"])

    def test_doctor(self):
        found = report("doctor")
        self.assertEqual(list(found), ["cpu", "memory", "libtorch", "devices", "openmp", "missing"])
        self.assertGreater(found["cpu"]["threads"], 0)
        self.assertGreater(found["memory"]["total_bytes"], 10**8)
        for entry in found["missing"]:
            self.assertTrue(entry["what"] and entry["remedy"])
        text = run("doctor", check=0).stdout
        for word in ("CPU:", "memory:", "LibTorch:", "devices:", "OpenMP:"):
            self.assertIn(word, text)

    def test_T03_one_openmp_runtime(self):
        self.assertEqual(len(report("doctor")["openmp"]["runtimes"]), 1)


class Errors(unittest.TestCase):
    def test_command_line(self):
        self.assertRegex(error(), r"^error: no command \(see: .* --help\)$")
        self.assertRegex(error("trian"), r"^error: unknown command trian \(did you mean train\?\)$")
        self.assertRegex(error("game", "sate"), r"^error: unknown command game sate \(did you mean game state\?\)$")
        self.assertRegex(error("train"), r"^error: CONFIG is required \(see: .* train --help\)$")
        self.assertRegex(error("game"), r"^error: A subcommand is required")
        self.assertRegex(error("games", "--jsno"), r"^error: The following argument was not expected: --jsno")
        self.assertRegex(error("--frobnicate"), r"^error: The following argument was not expected: --frobnicate")

    def test_T40_values_that_begin_with_a_dash_and_options_before_positionals(self):
        config = SOURCE / "configs" / "kuhn.yaml"
        with tempfile.TemporaryDirectory() as folder:
            for value in ("-0.5", "-.5", "nan", ".inf", "false", ""):
                message = error("train", "--set", f"training.learning_rate={value}", config, cwd=folder)
                self.assertTrue(message.startswith(f"error: --set training.learning_rate={value}: "), message)
            self.assertEqual(os.listdir(folder), [])
        for value in ("-5", "-.5", "nan", "1.5", "0", "0x10"):
            self.assertRegex(error("solve", "--game", "kuhn", "--iterations", value), r"^error: --iterations: ")
            self.assertRegex(error("solve", "--game", "kuhn", f"--iterations={value}"), rf"^error: --iterations: {re.escape(value)} ")
        # One value for each --set: the file after it stays the file.
        run("config", "check", "--set", "traversal.workers=2", "--set", "seed=3", config, check=0)
        self.assertIn("workers: 2\n", run("config", "print", "--set", "traversal.workers=2", config, check=0).stdout)
        self.assertRegex(error("config", "check", config, config), r"^error: ")

    def test_a_closed_output_is_an_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([BIN, "games"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (3, "error: standard output: cannot write\n"))


class Config(unittest.TestCase):
    def test_the_exact_form_of_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "leduc.yaml"
            path.write_text("seed: 1\ntraversal:\n  workers: 0\n")
            self.assertEqual(error("config", "check", path), f"error: {path}:3: traversal.workers: 0 is not in 1..512")
            self.assertEqual(error("config", "check", "leduc.yaml", cwd=folder), "error: leduc.yaml:3: traversal.workers: 0 is not in 1..512")
            self.assertEqual(error("train", path, cwd=folder), f"error: {path}:3: traversal.workers: 0 is not in 1..512")
            self.assertEqual(os.listdir(folder), ["leduc.yaml"])
        self.assertRegex(error("config", "check", "none.yaml", code=3), r"^error: none\.yaml: cannot read the config file \(no such file\)$")

    def test_T33_nothing_is_written_before_the_config_is_valid(self):
        for text in ("itertions: 5\n", "learning_rate: 0.1\n", "training:\n  num-epochs: 5\n"):
            with tempfile.TemporaryDirectory() as folder:
                (pathlib.Path(folder) / "a.yaml").write_text(text)
                self.assertRegex(error("train", "a.yaml", cwd=folder), r"^error: a\.yaml:[12]: .*unknown key (at the top level|in section training)")
                self.assertRegex(error("train", "a.yaml", "--run-dir", "r", cwd=folder), r"^error: a\.yaml:")
                self.assertEqual(os.listdir(folder), ["a.yaml"])

    def test_check_print_and_profiles(self):
        for path in sorted((SOURCE / "configs").glob("*.yaml")):
            checked = report("config", "check", path)
            self.assertEqual(list(checked), ["file", "valid", "warnings", "memory_bytes"])
            self.assertGreater(checked["memory_bytes"]["total"], 0)
            printed = run("config", "print", path, "--profile", "remote", check=0)
            self.assertEqual(printed.stderr, "")
            with tempfile.TemporaryDirectory() as folder:
                resolved = pathlib.Path(folder) / "config.yaml"
                resolved.write_text(printed.stdout)
                self.assertEqual(run("config", "print", resolved, check=0).stdout, printed.stdout)
                resolved.write_text(run("config", "print", path, "--profile", "remote", "--comments", check=0).stdout)
                self.assertEqual(run("config", "print", resolved, check=0).stdout, printed.stdout)
        self.assertEqual(report("config", "print", SOURCE / "configs" / "kuhn.yaml", "--profile", "remote")["traversal"]["workers"], 16)
        self.assertRegex(error("config", "print", SOURCE / "configs" / "kuhn.yaml", "--profile", "remte"),
                         r"^error: --profile remte: .* home and remote \(did you mean remote\?\)$")

    def test_docs_are_the_page(self):
        self.assertEqual(run("config", "docs", check=0).stdout, (SOURCE / "docs" / "configuration.md").read_text())

    def test_T45_random_seeds_differ(self):
        config = SOURCE / "configs" / "kuhn.yaml"
        started = [subprocess.Popen([BIN, "config", "print", "--json", "--set", "seed=random", config], stdout=subprocess.PIPE) for _ in range(2)]
        seeds = {json.loads(process.communicate()[0])["seed"] for process in started}
        self.assertEqual(len(seeds), 2)

    def test_warnings_go_to_stderr(self):
        done = run("config", "print", "--set", "training.steps=1", SOURCE / "configs" / "kuhn.yaml", check=0)
        self.assertIn("warning: training", done.stderr)


if __name__ == "__main__":
    program.main()
