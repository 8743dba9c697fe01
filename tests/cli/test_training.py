"""train, resume, eval, exploit RUN and samples, end to end on small runs."""

import collections
import json
import os
import pathlib
import pty
import random
import re
import select
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import program
from program import BIN, SOURCE, error, report, run

TINY = """\
seed: 7
game:
  name: kuhn
algorithm:
  iterations: 6
  traversals: 60
network:
  layers: 2
  hidden: 16
training:
  steps: 60
  learning_rate: 0.01
memory:
  advantage_capacity: 20000
  strategy_capacity: 20000
evaluation:
  eval_every: 3
  games: 200
  opponents: [random, always_call]
checkpoint:
  every: 1
  keep: 3
"""


class Workspace(unittest.TestCase):
    """A folder of its own with tiny.yaml in it; commands run there."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="deepcfr_training_"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "tiny.yaml").write_text(TINY)

    def go(self, *arguments, **options):
        options.setdefault("check", 0)
        return run(*arguments, cwd=self.folder, **options)

    def report(self, *arguments):
        return report(*arguments, cwd=self.folder)

    def error(self, *arguments, **options):
        return error(*arguments, cwd=self.folder, **options)

    def start(self, *arguments, **options):
        return subprocess.Popen([BIN, *map(str, arguments)], cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def metrics(self, name):
        return [json.loads(line) for line in (self.folder / name / "metrics.jsonl").read_text().splitlines()]

    def samples(self, name, *arguments):
        return [json.loads(line) for line in self.go("samples", name, *arguments).stdout.splitlines()]

    def fingerprint(self, name):
        """What a run has learned: records and exact numbers."""
        records = [self.go("samples", name, "--kind", kind, "--player", player).stdout for kind in ("advantage", "strategy") for player in (0, 1)]
        exact = self.report("exploit", name)
        return records, {key: exact[key] for key in ("iteration", "nash_conv", "policies")}


class Train(Workspace):
    def test_a_run_from_config_to_report(self):
        done = self.go("train", "tiny.yaml")
        self.assertEqual(done.stderr, "")
        self.assertNotIn("\r", done.stdout)
        self.assertNotIn("\033", done.stdout)
        self.assertRegex(done.stdout, r"^LibTorch 2\..* intra-op 1, inter-op 1, OpenMP 1")  # reported fault T02
        self.assertEqual(re.findall(r"(?m)^iteration (\d)/6 ", done.stdout), list("123456"))
        self.assertRegex(done.stdout, r"(?m)^memory: up to .* free$")
        self.assertRegex(done.stdout, r"(?m)^  strategy network:  NashConv [\d.]+, exploitability [\d.]+ antes$")
        self.assertRegex(done.stdout, r"(?m)^  mixture:           NashConv [\d.]+, exploitability [\d.]+ antes$")
        self.assertRegex(done.stdout, r"(?m)^  random       [+-][\d.]+ antes, 95 % interval [+-][\d.]+ \.\. [+-][\d.]+ \(200 hands, standard deviation [\d.]+\)$")
        for command in ("eval", "exploit", "samples"):
            line = re.search(rf"(?m)^  (.* {command} runs/tiny.*?)  # ", done.stdout).group(1)
            self.assertEqual(subprocess.run(shlex.split(line), cwd=self.folder, capture_output=True).returncode, 0, line)
        for name in ("config.yaml", "metrics.jsonl", "log.txt", "checkpoints"):
            self.assertTrue((self.folder / "runs" / "tiny" / name).exists(), name)
        for word in ("converged", "Nash equilibrium"):  # reported fault E26: no verdicts
            self.assertNotIn(word, done.stdout)

    def test_E11_bots_and_exploitability_are_both_in_the_metrics(self):
        self.go("train", "tiny.yaml")
        text = json.dumps(self.metrics("runs/tiny"))
        for word in ("random", "always_call", "nash_conv", "traversal_seconds", "policy_network_seconds", "evaluation_seconds"):
            self.assertIn(word, text)

    def test_json_report(self):
        done = self.go("train", "tiny.yaml", "--json")
        found = json.loads(done.stdout)
        self.assertIn("iteration 6/6", done.stderr)
        self.assertEqual((found["end"], found["iteration"], found["run"], found["seed"]), ("finished", 6, "runs/tiny", 7))
        self.assertEqual(list(found["evaluation"]["opponents"]), ["random", "always_call"])
        self.assertEqual(found["evaluation"]["unit"], "antes")
        self.assertGreater(found["evaluation"]["network"]["nash_conv"], 0)

    def test_folders(self):
        for expected in ("runs/tiny", "runs/tiny-2", "runs/tiny-3"):
            self.assertEqual(self.report("train", "tiny.yaml", "--set", "algorithm.iterations=1")["run"], expected)
        self.assertEqual(self.report("train", "tiny.yaml", "--set", "algorithm.iterations=1", "--run-dir", "a b/c")["run"], "a b/c")
        self.assertRegex(self.go("train", "tiny.yaml", "--run-dir", "a b/c", check=3).stderr, r"^error: .*resume")

    def test_T18_a_device_that_is_not_there(self):
        nothing_visible = dict(os.environ, CUDA_VISIBLE_DEVICES="")
        for key in ("training.device", "inference.device"):
            done = self.go("train", "tiny.yaml", "--set", key + "=cuda", check=4, env=nothing_visible)
            self.assertRegex(done.stderr, rf"(?m)^error: {re.escape(key)}: cuda, but ")
            self.assertEqual(os.listdir(self.folder), ["tiny.yaml"])
        done = self.go("train", "tiny.yaml", "--set", "algorithm.iterations=1", env=nothing_visible)
        said = re.search(r"(?m)^device: CPU \((this build has no CUDA|no CUDA device is visible)\)$", done.stdout)
        self.assertTrue(said, done.stdout)  # auto says what it chose and why
        self.assertIn(said[0], (self.folder / "runs/tiny/log.txt").read_text())

    def test_T45_random_seeds_differ_and_T46_a_recorded_config_repeats_the_run(self):
        started = [self.start("train", "tiny.yaml", "--set", "seed=random", "--json") for _ in range(2)]
        reports = [json.loads(process.communicate(timeout=program.LIMIT_S)[0]) for process in started]
        self.assertNotEqual(reports[0]["seed"], reports[1]["seed"])
        self.assertEqual({found["run"] for found in reports}, {"runs/tiny", "runs/tiny-2"})
        self.assertNotEqual(self.samples("runs/tiny"), self.samples("runs/tiny-2"))
        self.go("train", "runs/tiny/config.yaml", "--run-dir", "again")
        self.assertIn(f"seed: {self.report('config', 'print', 'runs/tiny/config.yaml')['seed']}\n", (self.folder / "again/config.yaml").read_text())
        self.assertEqual(self.fingerprint("again"), self.fingerprint("runs/tiny"))

    def test_workers_change_nothing(self):
        for workers in (1, 2, 3):
            self.go("train", "tiny.yaml", "--run-dir", f"w{workers}", "--set", f"traversal.workers={workers}")
        self.assertEqual(self.fingerprint("w1"), self.fingerprint("w2"))
        self.assertEqual(self.fingerprint("w1"), self.fingerprint("w3"))

    def test_T08_no_hang_at_exit(self):
        for number in range(8):
            started = time.monotonic()
            self.go("train", "tiny.yaml", "--set", "algorithm.iterations=2", "--set", f"traversal.workers={1 + number % 3}", timeout=60)
            self.assertLess(time.monotonic() - started, 60)
        self.go("train", "--help", timeout=20)
        self.error("train", "tiny.yaml", "--set", "seed=x", timeout=20)


    def test_memories_that_do_not_fit_are_refused_before_anything_is_written(self):
        for setting, code, words in ((["memory.strategy_capacity=1e12"], 2, "of RAM are free"),
                                     (["memory.strategy_capacity=1e12", "memory.storage=file"], 3, "of its disk are free")):
            sets = [word for value in setting for word in ("--set", value)]
            done = program.run("train", "tiny.yaml", "--run-dir", "big", *sets, cwd=self.folder, check=code)
            self.assertIn("memory.strategy_capacity: 1000000000000 records", done.stderr)
            self.assertRegex(done.stderr, r"at most \d+ fit")
            self.assertIn(words, done.stderr)
            self.assertFalse((pathlib.Path(self.folder) / "big").exists())
        self.go("train", "tiny.yaml", "--run-dir", "file", "--set", "memory.storage=file")
        self.go("train", "tiny.yaml", "--run-dir", "ram")
        self.assertEqual(self.fingerprint("file"), self.fingerprint("ram"))

    def status_at(self, process, iteration):
        """/proc's account of the process when it has finished that iteration."""
        for line in process.stdout:
            if line.startswith(f"iteration {iteration}/"):
                text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                return {key: int(re.search(rf"{key}:\s+(\d+)", text).group(1)) for key in ("Threads", "VmRSS")}
        self.fail(f"no iteration {iteration}: {process.stderr.read()}")

    def test_T01_few_threads_and_T10_no_memory_left_behind(self):
        process = self.start("train", "tiny.yaml", "--set", "algorithm.iterations=520", "--set", "algorithm.traversals=2", "--set", "training.steps=50",
                             "--set", "evaluation.eval_every=0", "--set", "checkpoint.every=0", "--set", "traversal.workers=2")
        early, late = self.status_at(process, 50), self.status_at(process, 500)
        process.communicate(timeout=program.LIMIT_S)
        self.assertEqual(process.returncode, 0)
        self.assertLessEqual(late["Threads"], 12)
        self.assertLess(late["VmRSS"] - early["VmRSS"], 30_000, "kB")


class Resume(Workspace):
    def test_stopping_and_resuming_is_never_having_stopped(self):
        self.go("train", "tiny.yaml", "--run-dir", "straight")
        self.go("train", "tiny.yaml", "--run-dir", "parts", "--set", "algorithm.iterations=2")
        self.go("resume", "parts", "--set", "algorithm.iterations=4")
        found = self.report("resume", "parts", "--set", "algorithm.iterations=6")
        self.assertEqual(found["iteration"], 6)
        self.assertEqual(self.fingerprint("parts"), self.fingerprint("straight"))

    def interrupt(self, number):
        """Starts a long run, sends the signal after its second iteration; (exit code, stdout, stderr)."""
        process = self.start("train", "tiny.yaml", "--run-dir", "long", "--set", "algorithm.iterations=1000000", "--set", "training.steps=300")
        for line in process.stdout:
            if line.startswith("iteration 2/"):
                break
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_signals_save_exit_0_and_show_the_command_that_goes_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            code, out, err = self.interrupt(number)
            self.assertEqual(code, 0, err)
            self.assertIn("stopping: ", err)
            command = shlex.split(re.search(r"(?m)^  (.* resume long)$", out).group(1))
            reached = int(re.search(r"(?m)^interrupted in iteration (\d+)", out).group(1))
            done = subprocess.run([*command, "--set", f"algorithm.iterations={reached + 2}"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"iteration {reached + 2}/{reached + 2} ", done.stdout)
            shutil.rmtree(self.folder / "long")

    def test_a_second_signal_stops_at_once(self):
        process = self.start("train", "tiny.yaml", "--set", "algorithm.iterations=1000000", "--set", "training.steps=1000000",
                             "--set", "network.hidden=256")
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.assertLess(time.monotonic() - started, 5)

    def test_kill_at_random_moments_while_saving_every_iteration(self):
        moments = random.Random(1)
        settings = ("--set", "algorithm.iterations=1500", "--set", "training.steps=20", "--set", "evaluation.eval_every=0")
        process = self.start("train", "tiny.yaml", "--run-dir", "killed", *settings)
        alive = 0
        for _ in range(6):
            time.sleep(0.4 + moments.random())
            alive += process.poll() is None
            process.kill()
            process.communicate()
            if not (self.folder / "killed" / "checkpoints").is_dir() or not os.listdir(self.folder / "killed" / "checkpoints"):
                shutil.rmtree(self.folder / "killed", ignore_errors=True)  # killed before the first save
                process = self.start("train", "tiny.yaml", "--run-dir", "killed", *settings)
                continue
            process = self.start("resume", "killed")
        err = process.communicate(timeout=program.LIMIT_S)[1]
        self.assertEqual(process.returncode, 0, err)
        self.assertGreaterEqual(alive, 3)
        leftovers = [str(path) for path in (self.folder / "killed").rglob("*") if "tmp" in path.name]
        self.assertEqual(leftovers, [])
        self.go("train", "tiny.yaml", "--run-dir", "straight", *settings)
        self.assertEqual(self.fingerprint("killed"), self.fingerprint("straight"))

    def test_T31_a_damaged_checkpoint_is_named_and_the_one_before_it_used(self):
        self.go("train", "tiny.yaml", "--run-dir", "r")
        saved = sorted((self.folder / "r" / "checkpoints").iterdir())
        self.assertEqual(len(saved), 3)
        for path in sorted(saved[-1].iterdir()):
            whole = path.read_bytes()
            path.write_bytes(whole[:len(whole) // 2] + bytes([whole[len(whole) // 2] ^ 1]) + whole[len(whole) // 2 + 1:])
            done = self.go("exploit", "r", "--json")
            self.assertEqual(json.loads(done.stdout)["iteration"], 5, path)
            self.assertRegex(done.stderr, rf"(?m)^warning: .*{re.escape(path.name)}")
            path.write_bytes(whole)
        for folder in saved:
            (folder / "manifest.json").write_text("{}")
        self.assertRegex(self.go("exploit", "r", check=3).stderr, r"(?m)^error: ")
        self.assertRegex(self.go("resume", "r", check=3).stderr, r"(?m)^error: ")

    def test_refusals(self):
        self.assertRegex(self.error("resume", "none", code=3), r"^error: none: no such run")
        self.assertRegex(self.error("resume", "tiny.yaml", code=3), r"^error: tiny\.yaml: is a file")
        (self.folder / "empty").mkdir()
        self.assertRegex(self.error("resume", "empty", code=3), r"^error: empty: is not the folder of a run")
        self.go("train", "tiny.yaml", "--run-dir", "r")
        done = self.go("resume", "r", "--set", "network.hidden=7", check=2)
        self.assertRegex(done.stderr, r"(?m)^error: .*network")
        self.assertRegex(self.error("resume", "r", "--set", "algorithm.iterations=0"), r"^error: --set algorithm\.iterations=0: 0 is not in ")


class Trained(Workspace):
    """What can be asked of a run."""

    def setUp(self):
        super().setUp()
        self.go("train", "tiny.yaml", "--run-dir", "r", "--set", "algorithm.iterations=12", "--set", "algorithm.traversals=300")

    def test_eval(self):
        found = self.report("eval", "r", "--games", "400", "--opponent", "tight", "--opponent", "random")
        self.assertEqual(list(found["opponents"]), ["tight", "random"])
        for result in found["opponents"].values():
            self.assertEqual(list(result)[:6], ["hands", "mean", "sd", "ci_low", "ci_high", "unit"])
            self.assertEqual((result["hands"], result["unit"]), (400, "antes"))
            self.assertLess(result["ci_low"], result["mean"])
            self.assertLess(result["mean"], result["ci_high"])
        self.assertEqual((found["policy"], found["iteration"]), ("network", 12))
        self.assertEqual(self.report("eval", "r", "--policy", "mixture")["policy"], "mixture")
        self.assertEqual(list(self.report("eval", "r")["opponents"]), ["random", "always_call"])
        self.assertRegex(self.go("eval", "r").stdout, r"(?m)^  always_call  [+-][\d.]+ antes, 95 % interval ")
        self.assertRegex(self.error("eval", "r", "--opponent", "tihgt"), r"^error: player: tihgt is neither a bot nor the folder of a run \(did you mean tight\?\)$")
        self.assertRegex(self.error("eval", "r", "--policy", "best"), r"^error: --policy: best is none of network\|mixture\|current")
        self.assertRegex(self.error("eval", "r", "--games", "nan"), r"^error: --games: nan is not a finite number")

    def test_E03_the_same_evaluation_seed_gives_the_same_result(self):
        results = [self.report("eval", "r", "--seed", seed, "--opponent", "random", "--games", "2000")["opponents"]["random"] for seed in (1, 1, 2)]
        self.assertEqual(results[0], results[1])
        self.assertNotEqual(results[0]["mean"], results[2]["mean"])
        self.assertLess(abs(results[2]["mean"] - results[0]["mean"]), 3 * (results[0]["ci_high"] - results[0]["ci_low"]))

    def test_A22_exploit_labels_average_and_current_policies(self):
        found = self.report("exploit", "r")
        self.assertEqual(list(found["policies"]), ["network", "mixture", "current"])
        values = [policy["nash_conv"] for policy in found["policies"].values()]
        self.assertEqual(len(set(values)), 3)
        self.assertEqual((found["policy"], found["nash_conv"], found["unit"]), ("network", values[0], "antes"))
        self.assertEqual(self.report("exploit", "r", "--policy", "current")["nash_conv"], values[2])
        text = self.go("exploit", "r").stdout
        self.assertIn("average policy: strategy network\n", text)
        self.assertIn("current policy: last advantage networks, not an average\n", text)
        self.assertRegex(self.error("exploit", "r", "--policy", "uniform"), r"^error: --policy: uniform is not a policy of a run")

    def test_samples(self):
        for player in (0, 1):
            rows = self.samples("r", "--kind", "advantage", "--player", player)
            self.assertGreater(len(rows), 1000)
            for row in rows:
                self.assertEqual(list(row), ["iteration", "infoset", "legal", "targets"])
                self.assertEqual(len(row["legal"]), len(row["targets"]))
        for row in self.samples("r", "--kind", "strategy", "--player", 1):
            self.assertAlmostEqual(sum(row["targets"]), 1, places=5)
        self.assertEqual(len(self.samples("r", "--limit", "3")), 3)
        self.assertRegex(self.error("samples", "r", "--player", "2"), r"^error: --player: 2 is not in 0\.\.1")
        self.assertRegex(self.error("samples", "r", "--kind", "advantag"), r"^error: --kind: .*did you mean advantage\?")

    def test_A31_no_field_of_a_record_is_constant_by_accident(self):
        seen = collections.defaultdict(set)
        for player in (0, 1):
            for row in self.samples("r", "--player", player):
                for key in ("iteration", "infoset"):
                    seen[key].add(row[key])
                seen["legal"].add(tuple(row["legal"]))
                for index, target in enumerate(row["targets"]):
                    seen[index].add(target)
        self.assertEqual(seen["iteration"], set(range(1, 13)))
        self.assertEqual(len(seen["infoset"]), 12)
        self.assertEqual(len(seen["legal"]), 2)
        for index in (0, 1):
            self.assertGreater(len(seen[index]), 10)


class Large(Workspace):
    def test_E09_exploit_on_a_run_of_a_large_game_is_refused_at_once(self):
        (self.folder / "r").mkdir()
        (self.folder / "r" / "config.yaml").write_text("game:\n  name: hulh\n")
        started = time.monotonic()
        self.assertRegex(self.error("exploit", "r"), r"^error: .*infosets.*bots")
        self.assertLess(time.monotonic() - started, 2)


class Leduc(Workspace):
    def test_A32_one_iteration_of_leduc_has_a_finite_exploitability(self):
        self.go("train", SOURCE / "configs/leduc.yaml", "--run-dir", "r", "--set", "algorithm.iterations=1", "--set", "algorithm.traversals=20",
                 "--set", "training.steps=50")
        for policy in self.report("exploit", "r")["policies"].values():
            self.assertGreater(policy["nash_conv"], 0)
            self.assertLess(policy["nash_conv"], 26)


class Terminal(Workspace):
    def talk(self, *arguments, interrupt_after=None):
        """Everything that the program writes to a terminal of 60 columns; its exit code."""
        try:
            pid, terminal = pty.fork()
        except OSError as error:  # a bare container without /dev/pts
            self.skipTest(f"no terminal can be made here: {error}")
        if pid == 0:
            os.chdir(self.folder)
            os.execve(BIN, [BIN, *map(str, arguments)], {**os.environ, "TERM": "xterm"})
        subprocess.run(["stty", "rows", "24", "cols", "60"], stdin=terminal, check=True)
        written, interrupted, deadline = b"", False, time.monotonic() + 120
        while time.monotonic() < deadline:
            if select.select([terminal], [], [], 0.5)[0]:
                try:
                    chunk = os.read(terminal, 65536)
                except OSError:  # closed by the other side
                    break
                if not chunk:
                    break
                written += chunk
            if interrupt_after and not interrupted and interrupt_after in written:
                os.write(terminal, b"\x03")
                interrupted = True
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(terminal)
        return code, written.decode()

    def screen(self, written):
        """Lines as they stand in the end: carriage returns and 'clear to the end of the line' carried out."""
        lines = []
        for line in written.split("\n"):
            shown = ""
            for part in re.split(r"(\r|\033\[K)", line):
                if part == "\r":
                    at = 0
                    continue
                if part == "\033[K":
                    shown = shown[:at]
                    continue
                at = at if shown else 0
                shown = shown[:at] + part + shown[at + len(part):]
                at += len(part)
            lines.append(shown)
        return lines

    def test_the_bar_is_updated_in_place_and_leaves_nothing_behind(self):
        code, written = self.talk("train", "tiny.yaml", "--set", "training.steps=3000")
        self.assertEqual(code, 0)
        bars = re.findall(r"\r(iteration \d+/6  [a-z ]+[^\r\n]*?)\033\[K", written)
        self.assertGreater(len(bars), 2)
        for bar in bars:
            self.assertLess(len(bar), 60)
        screen = self.screen(written)
        for line in screen:
            self.assertNotIn("\033", line)
            self.assertFalse(re.match(r"iteration \d+/6  [a-z]", line), line)  # no bar is left
        self.assertEqual(len([line for line in screen if line.startswith("iteration ")]), 6)

    def test_ctrl_c_leaves_the_terminal_clean(self):
        code, written = self.talk("train", "tiny.yaml", "--set", "training.steps=3000", "--set", "algorithm.iterations=100000",
                                  interrupt_after=b"iteration 2/")
        self.assertEqual(code, 0, written)
        screen = self.screen(written)
        self.assertTrue(any(line.endswith("resume runs/tiny") for line in screen), screen)
        self.assertFalse(any("[#" in line for line in screen), screen)


if __name__ == "__main__":
    program.main()
