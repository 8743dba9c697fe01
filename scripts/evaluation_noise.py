#!/usr/bin/env python3
"""Standard errors of one agent against one opponent at equal hands, over 20 seeds, for each kind of variance reduction.

    scripts/evaluation_noise.py PROGRAM RUN OPPONENT [--games 10000] [--reference-games 1000000]

Prints for each kind: the mean of the 20 matches with its interval, the standard error of one match as reported and as the spread of the
20 means shows it, and how many of the 20 intervals hold the result of the reference match."""

import argparse
import json
import math
import subprocess

KINDS = ("plain", "duplicate", "all_in", "control")
SEEDS = range(1, 21)
REFERENCE_SEED = 987654321


def match(arguments, kind, seed, games):
    command = [arguments.program, "eval", arguments.run, "--opponent", arguments.opponent, "--games", games, "--variance", kind, "--seed", seed, "--json"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["opponents"][arguments.opponent]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("run")
    parser.add_argument("opponent")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--reference-games", type=int, default=1_000_000)
    arguments = parser.parse_args()
    reference = match(arguments, "control", REFERENCE_SEED, arguments.reference_games)
    print(f"reference: {reference['mean']:.1f} ± {1.96 * reference['standard_error']:.1f} {reference['unit']} ({reference['hands']} hands)")
    for kind in KINDS:
        results = [match(arguments, kind, seed, arguments.games) for seed in SEEDS]
        n = len(results)
        mean = sum(result["mean"] for result in results) / n
        error = math.sqrt(sum(result["standard_error"] ** 2 for result in results) / n)
        spread = math.sqrt(sum((result["mean"] - mean) ** 2 for result in results) / (n - 1))
        held = sum(result["ci_low"] <= reference["mean"] <= result["ci_high"] for result in results)
        print(f"{kind:10s} mean {mean:9.1f} ± {1.96 * error / math.sqrt(n):6.1f}; standard error of one match {error:7.1f}, "
              f"spread of the means {spread:7.1f}; intervals that hold the reference {held} of {n}", flush=True)


if __name__ == "__main__":
    main()
