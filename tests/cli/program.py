"""Runs the program under test. Environment: DEEPCFR_BIN, DEEPCFR_SOURCE_DIR, DEEPCFR_TEST_DATA."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

BIN = os.environ.get("DEEPCFR_BIN", "")
SOURCE = pathlib.Path(os.environ.get("DEEPCFR_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
DATA = pathlib.Path(os.environ.get("DEEPCFR_TEST_DATA", SOURCE / "tests" / "data"))
# Longer than anything here takes, shorter than ctest's limit: a hang shows as TimeoutExpired with the command.
LIMIT_S = 600


def run(*arguments, check=None, **options):
    """The finished process, output as text. `check`: the exit code that is wanted, with stderr shown if it is another."""
    options.setdefault("timeout", LIMIT_S)
    done = subprocess.run([BIN, *map(str, arguments)], capture_output=True, text=True, **options)
    if check is not None and done.returncode != check:
        raise AssertionError(f"{' '.join(map(str, arguments))}: exit code {done.returncode}, not {check}\n{done.stdout}{done.stderr}")
    return done


def report(*arguments, **options):
    """The JSON that a command reports with --json."""
    return json.loads(run(*arguments, "--json", check=0, **options).stdout)


def error(*arguments, code=2, **options):
    """stderr of a command that must fail with `code`, without the newline; nothing may be on stdout."""
    done = run(*arguments, check=code, **options)
    if done.stdout:
        raise AssertionError(f"{arguments}: output beside the error: {done.stdout}")
    return done.stderr.rstrip("\n")


def main():
    if not BIN:
        print("DEEPCFR_BIN is not set")
        sys.exit(77)
    unittest.main(verbosity=2)
