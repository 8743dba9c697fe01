"""A24: the shipped Leduc config reaches the result that its header states (docs/performance.md has the figures)."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path


class Leduc(unittest.TestCase):
    def test_A24_shipped_config(self):
        with tempfile.TemporaryDirectory() as directory:
            run = str(Path(directory) / "run")
            config = Path(os.environ["DEEPCFR_SOURCE_DIR"]) / "configs" / "leduc.yaml"
            subprocess.run([os.environ["DEEPCFR_BIN"], "train", str(config), "--run-dir", run, "--set", "checkpoint.every=0"],
                           check=True, capture_output=True, timeout=900)
            rows = [json.loads(line) for line in (Path(run) / "metrics.jsonl").read_text().splitlines()]
            evaluation = rows[-1]["evaluation"]
            for policy in ("network", "mixture"):
                self.assertLess(evaluation[policy]["nash_conv"], 0.04, policy)


if __name__ == "__main__":
    unittest.main()
