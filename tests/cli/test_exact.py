"""exploit --game and solve: reference numbers, units, refusals."""

import json
import time
import unittest

import program
from program import error, report, run

KEYS = ["nash_conv", "exploitability", "by_player", "unit", "value"]


class Exploit(unittest.TestCase):
    def test_uniform_play(self):
        for game, nash_conv, value in (("kuhn", 11 / 12, 0.125), ("leduc", 4.747222, -0.078125), ("kuhn3", 2.0625, None)):
            found = report("exploit", "--game", game, "--policy", "uniform")
            for key in KEYS:
                self.assertIn(key, found)
            players = len(found["by_player"])
            self.assertAlmostEqual(found["nash_conv"], nash_conv, places=6)
            self.assertAlmostEqual(found["exploitability"], found["nash_conv"] / players, places=12)
            self.assertAlmostEqual(sum(found["by_player"]), found["nash_conv"], places=9)
            self.assertEqual(found["unit"], "antes")
            if value is not None:
                self.assertAlmostEqual(found["value"], value, places=9)

    def test_text_names_both_numbers_and_the_unit(self):
        text = run("exploit", "--game", "kuhn", "--policy", "uniform", check=0).stdout
        self.assertIn("NashConv        0.916667 antes\n", text)
        self.assertIn("exploitability  0.458333 antes (NashConv / 2 players)\n", text)
        self.assertIn("4.747222", run("exploit", "--game", "leduc", check=0).stdout)

    def test_E08_gains_are_not_negative(self):
        for game in ("kuhn", "kuhn3", "leduc"):
            for policy in ("uniform", "always_call", "always_raise", "always_fold"):
                found = report("exploit", "--game", game, "--policy", policy)
                self.assertGreaterEqual(min(found["by_player"]), -1e-9, (game, policy))

    def test_E09_large_games_are_refused_at_once(self):
        for command in (("exploit", "--policy", "uniform"), ("solve",)):
            for game in ("hunl", "nlhe6") + (() if command[0] == "exploit" else ("fhp", "hulh")):
                started = time.monotonic()
                message = error(*command, "--game", game)
                self.assertLess(time.monotonic() - started, 2, game)
                self.assertRegex(message, r"^error: .*infosets")
                self.assertIn("bots", message)

    def test_best_response_is_the_mean_of_both_seats(self):
        found = report("exploit", "--game", "leduc", "--policy", "half_call_raise")
        self.assertEqual(len(found["by_seat"]), 2)
        self.assertAlmostEqual(found["best_response"], sum(found["by_seat"]) / 2, places=12)
        self.assertEqual(found["by_seat"], found["best_responses"])

    def test_flop_holdem_without_looking_at_cards(self):
        done = run("exploit", "--game", "fhp", "--policy", "always_fold", "--threads", "1", "--json", check=0)
        found = json.loads(done.stdout)
        self.assertAlmostEqual(found["best_response"], 750, places=9)
        self.assertEqual(found["unit"], "mbb/g")
        self.assertRegex(done.stderr, r"^fhp: .*of memory for 1 thread\n$")
        two = report("exploit", "--game", "fhp", "--policy", "half_call_raise", "--threads", "2")
        self.assertEqual(two, report("exploit", "--game", "fhp", "--policy", "half_call_raise", "--threads", "1"))

    def test_refusals(self):
        self.assertRegex(error("exploit", "--game", "kuhn", "--policy", "unifrom"), r"^error: --policy: unifrom is not a fixed policy")
        self.assertRegex(error("exploit"), r"^error: exploit: neither a run nor --game")
        self.assertRegex(error("exploit", "somewhere", "--game", "kuhn"), r"^error: exploit: both a run and --game")
        self.assertRegex(error("exploit", "/nonexistent", code=3), r"^error: /nonexistent: no such run")


class Solve(unittest.TestCase):
    TABLE = [  # game, algorithm, iterations, exploitability, places
        ("kuhn", "cfr", 10, 0.068699, 6),
        ("kuhn", "cfr", 100, 0.008226, 6),
        ("kuhn", "cfr", 1000, 0.000938, 6),
        ("kuhn", "cfr+", 10, 0.032687, 6),
        ("kuhn", "cfr+", 100, 0.001194, 6),
        ("leduc", "cfr", 10, 0.888579, 6),
        ("leduc", "cfr", 100, 0.0957164, 7),
        ("leduc", "cfr+", 10, 0.610439, 6),
        ("leduc", "cfr+", 100, 0.0134160, 7),
        ("leduc", "cfr+", 1000, 0.000257152, 9),
    ]

    def test_exploitabilities_of_the_cfr_family(self):
        for game, algorithm, iterations, expected, places in self.TABLE:
            found = report("solve", "--game", game, "--algorithm", algorithm, "--iterations", iterations)
            for key in KEYS:
                self.assertIn(key, found)
            self.assertAlmostEqual(found["exploitability"], expected, places=places, msg=(game, algorithm, iterations))

    def test_merged_suits_are_the_same_game(self):
        merged = report("solve", "--game", "leduc", "--iterations", "50", "--merge-suits")
        full = report("solve", "--game", "leduc", "--iterations", "50")
        self.assertEqual((merged["infosets"], full["infosets"]), (288, 936))
        self.assertAlmostEqual(merged["nash_conv"], full["nash_conv"], places=6)

    def test_values(self):
        self.assertAlmostEqual(report("solve", "--game", "kuhn", "--iterations", "2000")["value"], -1 / 18, places=4)
        self.assertAlmostEqual(report("solve", "--game", "leduc", "--iterations", "1000")["value"], -0.0856064, places=4)

    def test_sampling_members_repeat_with_the_seed(self):
        command = ("solve", "--game", "kuhn", "--algorithm", "es-mccfr", "--iterations", "200", "--seed")
        self.assertEqual(report(*command, "5"), report(*command, "5"))
        self.assertNotEqual(report(*command, "5")["nash_conv"], report(*command, "6")["nash_conv"])

    def test_refusals(self):
        self.assertRegex(error("solve", "--game", "kuhn", "--algorithm", "cfr++"), r"^error: .*cfr\+\+.*cfr\+")
        self.assertRegex(error("solve", "--game", "kuhn", "--iterations", "0"), r"^error: --iterations: 0 is not in 1\.\.")
        self.assertRegex(error("solve", "--iterations", "5"), r"^error: --game is required")


if __name__ == "__main__":
    program.main()
