"""Every command in README.md, AGENTS.md and docs/ is run: sh blocks line by line, in order, in an empty directory.

Training is shortened by overrides appended to `train` commands; ./scripts/test.sh and ./scripts/setup.sh are what runs this test and what it
stands on, so they are only checked to exist.
"""
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["DEEPCFR_SOURCE_DIR"])
BINARY = os.environ["DEEPCFR_BIN"]
SHORTER = ["--set", "algorithm.iterations=2", "--set", "algorithm.traversals=200", "--set", "training.steps=50", "--set",
           "training.strategy.steps=50", "--set", "memory.advantage_capacity=20000", "--set", "memory.strategy_capacity=20000"]
NOT_RUN_HERE = {"./scripts/test.sh", "./scripts/setup.sh"}


def commands(document):
    for block in re.findall(r"```sh\n(.*?)```", document.read_text(), re.S):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.strip().startswith("#"):
                yield line.strip()


def shortened(words):
    if words[1] == "train":
        return words + SHORTER
    if words[1] == "resume":
        return [re.sub(r"algorithm.iterations=\d+", "algorithm.iterations=3", word) for word in words]
    if words[1] in ("eval", "compare"):
        return [re.sub(r"^\d{4,}$", "200", word) for word in words]
    return words


class Documents(unittest.TestCase):
    def check(self, document):
        found = list(commands(document))
        with tempfile.TemporaryDirectory() as directory:
            shutil.copytree(SOURCE / "configs", Path(directory) / "configs")
            for line in found:
                words = shlex.split(line)
                with self.subTest(document=document.name, command=line):
                    self.assertTrue((SOURCE / words[0]).exists(), f"{words[0]} does not exist")
                    if words[0] in NOT_RUN_HERE:
                        continue
                    if words[0] == "./scripts/deepcfr":
                        run = [BINARY] + shortened(words)[1:]
                    else:
                        run = [str(SOURCE / words[0])] + words[1:]
                    result = subprocess.run(run, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
                    self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return found

    def test_readme(self):
        self.assertGreater(len(self.check(SOURCE / "README.md")), 10)

    def test_others(self):
        for document in [SOURCE / "AGENTS.md", *sorted((SOURCE / "docs").rglob("*.md"))]:
            self.check(document)


if __name__ == "__main__":
    unittest.main()
