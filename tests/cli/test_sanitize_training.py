"""One short run through every phase; what the asan and tsan presets run. A report makes the program fail (reported fault T04)."""

import pathlib
import shutil
import tempfile
import unittest

import program
from program import SOURCE, run


class ShortRun(unittest.TestCase):
    def test_train_resume_evaluate_and_read(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="deepcfr_sanitize_"))
        self.addCleanup(shutil.rmtree, folder)
        settings = ["traversal.workers=4", "algorithm.traversals=200", "training.steps=50", "evaluation.eval_every=2", "evaluation.games=100",
                    "checkpoint.every=2", "memory.advantage_capacity=500", "memory.strategy_capacity=500"]
        sets = [word for setting in settings for word in ("--set", setting)]
        for small_game in ("auto", "off"):  # the fast path, and traversals with networks
            name = f"r_{small_game}"
            commands = [
                ("train", SOURCE / "configs/kuhn.yaml", "--run-dir", name, *sets, "--set", "algorithm.iterations=5", "--set",
                 f"algorithm.small_game={small_game}"),
                ("resume", name, "--set", "algorithm.iterations=6"),
                ("exploit", name),
                ("eval", name, "--games", "50"),
                ("samples", name, "--limit", "5"),
            ]
            for command in commands:
                done = run(*command, cwd=folder, check=0)
                for word in ("Sanitizer", "runtime error"):
                    self.assertNotIn(word, done.stderr)


if __name__ == "__main__":
    program.main()
