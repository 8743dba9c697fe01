#!/usr/bin/env python3
"""Resident memory of a training run against its estimate: `scripts/check_resident.py PROGRAM [KEY=VALUE ...]`.

Trains heads-up limit hold'em with memories that are full after a few iterations, for 50 iterations and as long again, and prints the
largest resident size against the estimate that `train` prints, and how it grows once the memories are full. Exit status 1: more than 1.2
times the estimate, or growth of 1 MB a minute or more. An evaluation reads the archive, which grows by a network an iteration: for growth
alone, `evaluation.eval_every=0`. A run of minutes; no test."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ITERATIONS = 100
CONFIG = f"""
seed: 1
game: {{name: hulh}}
algorithm: {{iterations: {ITERATIONS}, traversals: 600}}
traversal: {{workers: 2}}
network: {{type: mlp, layers: 2, hidden: 64}}
training: {{steps: 100, batch_size: 2048}}
memory: {{advantage_capacity: 400000, strategy_capacity: 400000}}
evaluation: {{eval_every: 10, games: 200, opponents: [random]}}
checkpoint: {{every: 10}}
"""


def resident_kb(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return {key: int(re.search(rf"{key}:\s+(\d+)", text).group(1)) for key in ("VmRSS", "VmHWM")}


def full(run):
    row = json.loads(pathlib.Path(run, "metrics.jsonl").read_text().splitlines()[-1])
    sizes = [memory["size"] for kind in ("advantage_memory", "strategy_memory") for memory in row[kind]]
    return min(sizes) / max(sizes), sizes


def main():
    program, sets = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "hulh.yaml")
        pathlib.Path(config).write_text(CONFIG)
        overlay = [word for setting in sets for word in ("--set", setting)]
        checked = json.loads(subprocess.run([program, "config", "check", config, "--json", *overlay], check=True, capture_output=True, text=True).stdout)
        estimate = checked["memory_bytes"]
        run = os.path.join(folder, "run")
        process = subprocess.Popen([program, "train", config, "--run-dir", run, *overlay], stdout=subprocess.PIPE, text=True)
        seen = []  # (seconds, iteration, resident kB)
        for line in process.stdout:
            if line.startswith("memory:"):
                print(line.strip())
            match = re.match(r"iteration (\d+)/", line)
            if not match:
                continue
            resident = resident_kb(process.pid)
            seen.append((time.monotonic(), int(match.group(1)), resident["VmRSS"]))
            peak = resident["VmHWM"]
            if seen[-1][1] % 10 == 0:
                print(f"iteration {seen[-1][1]:3}: resident {resident['VmRSS'] / 1e3:7.1f} MB, largest {peak / 1e3:7.1f} MB", flush=True)
        if process.wait() != 0:
            return 2
        _, sizes = full(run)
    ratio = peak * 1024 / estimate["total"]
    half = ITERATIONS // 2
    late = [(t, kb) for t, iteration, kb in seen if iteration > half]
    # least squares: single values go up and down with evaluations and checkpoints
    mean_t = sum(t for t, _ in late) / len(late)
    mean_kb = sum(kb for _, kb in late) / len(late)
    slope = sum((t - mean_t) * (kb - mean_kb) for t, kb in late) / sum((t - mean_t) ** 2 for t, _ in late)
    growth = slope * 60 / 1e3
    rise = (late[-1][1] - late[0][1]) / 1e3
    print(f"memories {sizes}; largest resident size {peak / 1e3:.1f} MB, estimate {estimate['total'] / 1e6:.1f} MB: {ratio:.2f} times")
    print(f"after iteration {half}: {growth:+.2f} MB a minute, {rise:+.1f} MB over {(late[-1][0] - late[0][0]) / 60:.1f} minutes")
    return 1 if ratio > 1.2 or growth >= 1 else 0


if __name__ == "__main__":
    sys.exit(main())
