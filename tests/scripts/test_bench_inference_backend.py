"""bench_inference_backend at tiny sizes: records of all modes agree, JSON has what it promises, --tune writes what `deepcfr config` reads."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("DEEPCFR_BUILD_DIR", "build/release"))
BENCH = BUILD / "inference_backend_bench"
DEEPCFR = os.environ.get("DEEPCFR_BIN", "")
SOURCE = pathlib.Path(os.environ.get("DEEPCFR_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
TINY = ["--game", "leduc", "--traversals", "20", "--repeats", "1", "--seconds", "0.01", "--in-flight", "8", "--batch", "16"]
MODES = {"recursive", "interleaved", "server", "async"}


def run(*arguments, status=0):
    done = subprocess.run([BENCH, *arguments], capture_output=True, text=True, timeout=170, stdin=subprocess.DEVNULL)
    if done.returncode != status:
        raise AssertionError(f"{arguments}: exit status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done


class Traversals(unittest.TestCase):
    def test_modes_agree_and_rows_are_complete(self):
        result = json.loads(run(*TINY, "--models", "mlp:2x16,card_bet:8", "--workers", "1,2", "--json").stdout)
        self.assertEqual(set(result) & {"machine", "rows", "bare", "bars"}, {"machine", "rows", "bare", "bars"})
        self.assertEqual(len(result["rows"]), 2 * 2 * 2 * 4)
        checksums = {}
        for row in result["rows"]:
            self.assertIn(row["mode"], MODES)
            checksums.setdefault((row["model"], row["dtype"]), set()).add(row["samples_checksum"])
            for key in ("decisions_per_second", "rows_per_second", "traversals_per_second", "share_of_bare", "multiplier", "mean_batch", "fill",
                        "p50_us", "p99_us"):
                self.assertGreater(row[key], 0, (key, row))
            self.assertLessEqual(row["spread"]["min"], row["spread"]["max"])
            self.assertLessEqual(row["p50_us"], row["p99_us"])
        self.assertEqual(len(checksums), 4)
        self.assertTrue(all(len(of_modes) == 1 for of_modes in checksums.values()), checksums)
        self.assertEqual(len({checksum for of_modes in checksums.values() for checksum in of_modes}), 4)

    def test_checksum_depends_on_what_is_traversed_alone(self):
        def checksum(**changed):
            settings = {"game": "leduc", "models": "mlp:2x16", "dtypes": "float32", "modes": "interleaved", "traversals": "20", "repeats": "1",
                        "seconds": "0.01", "in-flight": "8", "batch": "16", "workers": "2", **changed}
            words = [word for key, value in settings.items() for word in (f"--{key}", value)]
            return json.loads(run(*words, "--json").stdout)["rows"][0]["samples_checksum"]

        usual = checksum()
        self.assertEqual(checksum(workers="3", seconds="0.05"), usual)
        self.assertEqual(checksum(batch="3", **{"in-flight": "1"}), usual)
        self.assertNotEqual(checksum(traversals="21"), usual)

    def test_table(self):
        text = run(*TINY, "--models", "mlp:2x16", "--workers", "1").stdout
        for word in MODES | {"share", "engine", "onednn_prepacked"}:
            self.assertIn(word, text)

    def test_raw(self):
        bare = json.loads(run("--raw", *TINY[:8], "--batch", "1,8", "--models", "mlp:2x16", "--workers", "1", "--json").stdout)["bare"]
        self.assertEqual({entry["batch"] for entry in bare}, {1, 8})
        self.assertEqual({entry["backend"] for entry in bare}, {"engine", "libtorch", "onednn_prepacked"})


class Tune(unittest.TestCase):
    def test_fragment_is_a_config(self):
        with tempfile.TemporaryDirectory() as folder:
            for modes in ("interleaved", "server,async"):
                file = pathlib.Path(folder) / "tuned.yaml"
                run("--tune", *TINY[:8], "--models", "mlp:2x16", "--modes", modes, "--workers", "2", "--in-flight", "2,4", "--batch", "8,16",
                    "--output", str(file))
                printed = subprocess.run([DEEPCFR, "config", "print", file, "--json"], capture_output=True, text=True, timeout=60)
                self.assertEqual(printed.returncode, 0, printed.stderr)
                config = json.loads(printed.stdout)
                self.assertIn(config["traversal"]["in_flight"], (2, 4))
                self.assertIn(config["inference"]["batch"], (8, 16))
                self.assertIn(config["inference"]["dtype"], ("float32", "bfloat16"))
                self.assertEqual(config["inference"]["backend"], "local" if modes == "interleaved" else "server")


class CommandLine(unittest.TestCase):
    def test_mistakes_show_the_usage(self):
        for arguments in (["--bogus"], ["--modes", "fast"], ["--dtypes", "int8"], ["--raw", "--tune"], ["--workers", "0"], ["extra"]):
            done = run(*arguments, status=2)
            self.assertEqual(done.stdout, "")
            self.assertIn("Usage:", done.stderr, arguments)

    def test_unknown_names_are_told(self):
        self.assertIn("mlp:LAYERSxWIDTH", run("--models", "mlp:3", status=2).stderr)
        self.assertIn("nogame", run("--game", "nogame", "--models", "mlp:2x16", status=2).stderr)
        self.assertIn("--help", run("--help").stdout)


class Scripts(unittest.TestCase):
    def test_builds_the_program_and_passes_arguments_on(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve() / "check out"
            scripts = root / "scripts"
            scripts.mkdir(parents=True)
            (scripts / "bench_inference_backend").write_bytes((SOURCE / "scripts/bench_inference_backend").read_bytes())
            for name, text in (("setup.sh", "echo setup >&2"), ("build.sh", 'echo "build $*" >&2')):
                (scripts / name).write_text(f"#!/bin/bash\n{text}\n")
            program = root / "build/release/inference_backend_bench"
            program.parent.mkdir(parents=True)
            program.write_text("#!/usr/bin/python3\nimport sys\nprint(sys.argv[1:])\nsys.exit(7)\n")
            for path in (*scripts.iterdir(), program):
                path.chmod(0o755)
            done = subprocess.run([scripts / "bench_inference_backend", "--models", "a b"], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (7, "['--models', 'a b']\n", "setup\nbuild release inference_backend_bench\n"))


if __name__ == "__main__":
    if not BENCH.exists():
        print(f"{BENCH} is not built (target benches)")
        sys.exit(77)
    unittest.main()
