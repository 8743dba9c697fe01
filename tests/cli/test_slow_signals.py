"""SIGINT at random moments of a run with an inference server: it always ends in time, saved, and goes on."""

import json
import random
import shutil
import signal
import time

import program
from test_backends import LEDUC
from test_training import Workspace


class Signals(Workspace):
    def test_sigint_at_random_moments_with_a_server(self):
        (self.folder / "leduc.yaml").write_text(LEDUC % "mlp")
        moments = random.Random(2)
        choices = (["traversal.workers=2", "inference.max_batch=1024"], ["traversal.workers=1"],
                   ["traversal.workers=8", "inference.queue_length=1", "inference.threads=1", "inference.asynchronous=true"],
                   ["traversal.workers=2", "algorithm.traversals=1"])
        alive = 0
        for attempt in range(20):
            settings = ["algorithm.iterations=1000000", "inference.backend=server", *choices[attempt % len(choices)]]
            process = self.start("train", "leduc.yaml", "--run-dir", "run", *(argument for setting in settings for argument in ("--set", setting)))
            time.sleep(0.3 + 1.2 * moments.random())
            alive += process.poll() is None
            process.send_signal(signal.SIGINT)
            err = process.communicate(timeout=60)[1]  # the watchdog
            if process.returncode == -signal.SIGINT:
                continue  # before the handler was there
            self.assertEqual(process.returncode, 0, err)
            reached = json.loads((self.folder / "run" / "metrics.jsonl").read_text().splitlines()[-1])["iteration"] if (
                self.folder / "run" / "metrics.jsonl").read_text() else 0
            self.go("resume", "run", "--set", f"algorithm.iterations={reached + 2}")
            shutil.rmtree(self.folder / "run")
        self.assertGreaterEqual(alive, 15)


if __name__ == "__main__":
    program.main()
