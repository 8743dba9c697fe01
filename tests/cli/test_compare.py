"""compare, eval against other agents, what is done against luck, and the ledger of evaluations."""

import json
import re
import unittest

import program
from test_training import Workspace


class Compared(Workspace):
    def setUp(self):
        super().setUp()
        for name, seed in (("r", 7), ("s", 8)):
            self.go("train", "tiny.yaml", "--run-dir", name, "--set", f"seed={seed}", "--set", "algorithm.iterations=6")

    def ledger(self, name):
        path = self.folder / name / "evaluations.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def test_opponents_are_bots_runs_older_checkpoints_and_solutions(self):
        opponents = ["tight", "s", "r@2", "r:mixture", "equilibrium", "uniform"]
        arguments = [word for name in opponents for word in ("--opponent", name)]
        found = self.report("eval", "r", "--games", "400", *arguments)["opponents"]
        self.assertEqual(list(found), opponents)
        # Nobody beats an equilibrium by more than luck.
        self.assertLess(found["equilibrium"]["mean"], 4 * found["equilibrium"]["standard_error"])
        self.assertEqual(self.report("eval", "r@4", "--games", "100", "--opponent", "r")["iteration"], 4)

    def test_E24_another_game_is_refused_naming_both(self):
        self.go("train", "tiny.yaml", "--run-dir", "l", "--set", "game.name=leduc", "--set", "algorithm.iterations=1")
        for command in (("eval", "r", "--opponent", "l"), ("compare", "r", "l"), ("compare", "r", "tight", "--game", "hulh")):
            refused = self.error(*command)
            self.assertIn("kuhn", refused)
            self.assertRegex(refused, "leduc|hulh")

    def test_what_is_done_against_luck(self):
        results = {}
        for kind in ("plain", "duplicate", "all_in", "control"):
            found = self.report("eval", "r", "--opponent", "random", "--games", "4000", "--variance", kind)
            self.assertEqual(found["variance"], kind)
            results[kind] = found["opponents"]["random"]
            self.assertEqual((results[kind]["variance"], results[kind]["hands"]), (kind, 4000))
            self.assertEqual(results[kind]["samples"], 4000 if kind == "plain" else 2000)
        self.assertEqual(results["duplicate"]["mean"], results["all_in"]["mean"])  # nobody is ever all-in in Kuhn
        self.assertLess(results["control"]["standard_error"], 0.7 * results["duplicate"]["standard_error"])
        for kind in results:
            self.assertLess(abs(results[kind]["mean"] - results["control"]["mean"]), 4 * results[kind]["standard_error"])
        self.assertIn("control variates", self.go("eval", "r", "--games", "100").stdout.splitlines()[0])
        self.assertRegex(self.error("eval", "r", "--variance", "contol"), r"^error: --variance: .*did you mean control\?")

    def test_until_ci(self):
        found = self.report("eval", "r", "--opponent", "random", "--until-ci", "0.05")["opponents"]["random"]
        self.assertTrue(found["until_reached"])
        self.assertLessEqual((found["ci_high"] - found["ci_low"]) / 2, 0.05)
        self.assertEqual(found["samples"] % 256, 0)
        limited = self.report("eval", "r", "--opponent", "random", "--until-ci", "0.0001", "--games", "1000")["opponents"]["random"]
        self.assertEqual((limited["until_reached"], limited["hands"]), (False, 1000))
        text = self.go("eval", "r", "--opponent", "random", "--until-ci", "0.05").stdout
        self.assertRegex(text, r"(?m)^    half-width [\d.]+ antes, not above 0\.05, after [\d,]+ hands$")
        for wrong in ("0", "-1", "nan", "x"):
            self.assertRegex(self.error("eval", "r", "--until-ci", wrong), r"^error: .*--until-ci")

    def test_compare(self):
        found = self.report("compare", "r", "random", "--games", "2000", "--opponent", "tight")
        self.assertEqual(list(found), ["game", "a", "b", "seed", "variance", "head_to_head", "opponents"])
        self.assertGreater(found["head_to_head"]["mean"], 0)
        self.assertLess(found["head_to_head"]["p_value"], 0.05)
        self.assertIn("t test", found["head_to_head"]["test"])
        paired = found["opponents"]["tight"]
        self.assertLess(paired["ci_low"], paired["difference"])
        self.assertAlmostEqual(paired["difference"], paired["a"]["mean"] - paired["b"]["mean"], delta=3 * paired["standard_error"])
        text = self.go("compare", "r", "r@2", "--games", "400", "--opponent", "random").stdout
        self.assertRegex(text, r"(?m)^A: r, iteration 6, average policy: strategy network\nB: r, iteration 2, ")
        self.assertRegex(text, r"(?m)^A against B\n  [+-][\d.]+ antes, 95 % interval .*, p [=<] [\d.]+ \(400 hands\)$")
        self.assertRegex(text, r"(?m)^  A - B  [+-].* p [=<] [\d.]+ \(400 hands each\)$")

    def test_E02_copies_of_one_checkpoint(self):
        p_values = []
        for seed in range(20):
            found = self.report("compare", "r", "r", "--games", "400", "--seed", seed, "--opponent", "tight")
            p_values.append(found["head_to_head"]["p_value"])
            # Against others copies play hand for hand alike.
            self.assertEqual((found["opponents"]["tight"]["difference"], found["opponents"]["tight"]["p_value"]), (0, 1))
        p_values.sort()
        distance = max(max(p - i / 20, (i + 1) / 20 - p) for i, p in enumerate(p_values))
        self.assertLess(distance, 0.36)  # Kolmogorov and Smirnov, 1 % level

    def test_E25_players_without_chance_of_their_own(self):
        found = self.report("compare", "always_call", "always_call", "--game", "kuhn", "--games", "400")["head_to_head"]
        self.assertEqual((found["mean"], found["standard_error"], found["p_value"]), (0, 0, 1))
        self.assertIn("standard error 0", found["note"])
        self.assertGreater(found["distinct_deals"], 1)
        self.assertIn("standard error 0", self.go("compare", "always_call", "always_call", "--game", "kuhn").stdout)

    def test_the_ledger_grows_by_a_line_for_each_result(self):
        self.assertEqual(self.ledger("r"), [])
        self.go("eval", "r", "--games", "200", "--seed", "5", "--opponent", "tight", "--opponent", "s")
        first = self.ledger("r")
        self.assertEqual([row["opponent"] for row in first], ["tight", "s, iteration 6, average policy: strategy network"])
        row = first[0]
        self.assertEqual((row["command"], row["iteration"], row["policy"], row["seed"], row["hands"], row["variance"]),
                         ("eval", 6, "network", 5, 200, "control"))
        self.assertRegex(row["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(row["config_hash"], r"^[0-9a-f]{16}$")
        for key in ("mean", "ci_low", "ci_high", "standard_error", "unit", "samples", "game"):
            self.assertIn(key, row)
        self.go("compare", "r", "s", "--games", "200")
        self.assertEqual(self.ledger("r")[:2], first)
        (mine,), (theirs,) = self.ledger("r")[2:], self.ledger("s")
        self.assertEqual((mine["mean"], mine["ci_low"]), (-theirs["mean"], -theirs["ci_high"]))
        self.assertNotEqual(mine["config_hash"], theirs["config_hash"])
        self.go("compare", "r", "r@2", "--games", "200", "--opponent", "random")
        self.assertEqual(len(self.ledger("r")), 7)
        self.go("resume", "r", "--set", "algorithm.iterations=7")
        self.assertEqual(len(self.ledger("r")), 7)

    def test_E26_no_verdicts(self):
        text = self.go("eval", "r", "--games", "200").stdout + self.go("compare", "r", "s", "--games", "200", "--opponent", "tight").stdout
        self.assertIsNone(re.search(r"(?i)better|worse|wins|converged|nash|significant|improve", text), text)


if __name__ == "__main__":
    program.main()
