"""match, replay and convert: files of hands in three notations."""

import json
import pathlib
import tempfile
import unittest

import program
from program import DATA, error, report, run

# The standards' hand in three notations, and reported fault E13's.
ACPC = "STATE:0:r300r900c/r1900f:AsAd|KsKd/2c3c4h:900|-900:a|b\n"
SLUMBOT = "b300b900c/b1000f AsAd|KsKd/2c3c4h\n"
ACTIONS = "['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 cbr 300', 'p1 cbr 900', 'p2 cc', 'd db 2c3c4h', 'p1 cbr 1000', 'p2 f']"
E13 = "STATE:3:r300c/r900c/cc/cc:2c7d|AsAd/KsKd9h/8h/3s:-900|900:a|b\n"


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


class Convert(Folder):
    def convert(self, text, *options):
        return run("convert", "-", "-", *options, input=text, check=0).stdout

    def test_one_hand_in_three_notations(self):
        phh = self.convert(ACPC, "--from", "acpc", "--to", "phh", "--game", "hunl")
        self.assertIn(f"actions = {ACTIONS}\n", phh)
        self.assertIn("blinds_or_straddles = [50, 100]\n", phh)
        self.assertEqual(self.convert(phh, "--from", "phh", "--to", "acpc"), ACPC + "SCORE:900|-900:a|b\n")
        self.assertEqual(self.convert(phh, "--from", "phh", "--to", "slumbot"), SLUMBOT)
        self.assertEqual(self.convert(SLUMBOT, "--from", "slumbot", "--to", "acpc"), "STATE:1:r300r900c/r1900f:AsAd|KsKd/2c3c4h:900|-900\n")
        self.assertIn(f"actions = {ACTIONS}\n", self.convert(SLUMBOT, "--from", "slumbot", "--to", "phh"))

    def test_E13_street_totals_and_hand_totals(self):
        phh = self.convert(E13, "--from", "acpc", "--to", "phh", "--game", "hunl")
        self.assertIn("'p2 cbr 300', 'p1 cc', 'd db KsKd9h', 'p1 cbr 600', 'p2 cc'", phh)
        self.assertIn("finishing_stacks = [19100, 20900]\n", phh)
        self.assertTrue(self.convert(phh, "--from", "phh", "--to", "acpc").startswith(E13))

    def test_files_by_their_endings(self):
        log = self.write("x.log", ACPC)
        for name in ("x.phh", "x.phhs", "x.slumbot", "x.acpc"):
            run("convert", log, self.folder / name, "--game", "hunl", check=0)
        self.assertTrue((self.folder / "x.phh").read_text().startswith("variant"))
        self.assertTrue((self.folder / "x.phhs").read_text().startswith("[1]\nvariant"))
        self.assertEqual((self.folder / "x.slumbot").read_text(), SLUMBOT)
        self.assertFalse(list(self.folder.glob("*.tmp")))

    def test_errors(self):
        log = self.write("x.log", ACPC + E13)
        self.assertRegex(error("convert", log, self.folder / "x.phhs"), "which game it is of")
        self.assertRegex(error("convert", log, self.folder / "x.txt", "--game", "hunl"), "--to phh")
        self.assertRegex(error("replay", "x.phhs", "--game", "hunl"), "--game: hands in PHH name their game themselves")
        self.assertRegex(error("convert", log, self.folder / "x.phh", "--game", "hunl", code=3), "1 hand could not be read")
        self.assertRegex(error("convert", self.folder / "no.log", self.folder / "x.phhs", "--game", "hunl", code=3), "no.log: cannot be read")
        self.assertRegex(error("convert", log, self.folder / "no" / "x.phhs", "--game", "hunl", code=3), "cannot be written")
        toy = self.write("leduc.log", "STATE:0:rf:Ks|Kh:1|-1:a|b\n")
        self.assertRegex(error("convert", toy, self.folder / "y.phhs", "--game", "leduc", code=3), "leduc.log:1: hand 0: game leduc: PHH has no code")


class Replay(Folder):
    def test_chips_by_seat_and_by_player(self):
        log = self.write("x.log", "# name\n" + ACPC + E13.replace(":a|b", ":b|a") + "SCORE:1800|-1800:a|b\n")
        replayed = report("replay", log, "--game", "hunl", "--each")
        self.assertEqual((replayed["hands"], replayed["by_seat"], replayed["by_player"]), (2, [0, 0], {"a": 1800, "b": -1800}))
        self.assertEqual((replayed["results"], replayed["errors"]), ([[900, -900], [-900, 900]], []))
        text = run("replay", log, "--game", "hunl", check=0).stdout
        self.assertEqual(text, "2 hands, net chips\n  seat 1  0\n  seat 2  0\n  a  1800\n  b  -1800\n")

    def test_R35_errors_by_hand_and_line_while_the_others_go_on(self):
        good = run("convert", "-", "-", "--from", "acpc", "--to", "phh", "--game", "hunl", input=ACPC + E13, check=0).stdout
        first, second = good.split("\n\n")[:2]
        broken = first + "\n\n[2]\nvariant = 'NT'\nantes = [0\n\n" + second.replace("[2]", "[3]") + "\n"
        path = self.write("x.phhs", broken)
        done = run("replay", path, "--json")
        self.assertEqual(done.returncode, 3)
        replayed = json.loads(done.stdout)
        self.assertEqual(replayed["hands"], 2)
        self.assertEqual([item["hand"] for item in replayed["errors"]], ["2"])
        lines = broken.split("\n")
        self.assertIn(replayed["errors"][0]["line"] - lines.index("[2]") - 1, range(0, 5))
        self.assertRegex(done.stderr, rf"{path}:\d+: hand 2: this is not TOML.*\nerror: {path}: 1 hand could not be read, the others were\n$")

    def test_a_log_that_does_not_add_up(self):
        for wrong, words in ((ACPC.replace("900|-900", "901|-901"), "by the rules 900"), (ACPC + "SCORE:1|-1:a|b\n", "the hands add up to SCORE:900"),
                             (ACPC.replace("r1900f", "r950f"), "raise to 950 is not in 1000"), ("hello\n", "STATE:, SCORE: or a comment")):
            done = run("replay", self.write("x.log", wrong), "--game", "hunl")
            self.assertEqual(done.returncode, 3)
            self.assertIn(words, done.stderr)

    def test_other_games_and_rules(self):
        three = self.write("three.log", "STATE:0:cfc/cc/cc/cc:7h2c|AhKd|AdKh/3s8s9c/Jd/Qs\n")
        game = DATA / "games" / "nolimit_3p_odd_chip.game"
        self.assertEqual(report("replay", three, "--game", game)["by_seat"], [-1, 0.5, 0.5])
        self.assertEqual(sorted(report("replay", three, "--game", game, "--rules", "cardroom")["by_seat"]), [-1, 0, 1])


class Match(Folder):
    def test_logs_and_results_agree(self):
        log, phh = self.folder / "m.log", self.folder / "m.phhs"
        match = report("match", "random", "tight", "--game", "hunl", "--hands", 200, "--seed", 4, "--acpc-log", log, "--phh", phh)
        self.assertEqual((match["hands"], match["unit"], [player["name"] for player in match["players"]]), (200, "mbb/g", ["random", "tight"]))
        chips = {player["name"]: player["chips"] for player in match["players"]}
        for file, options in ((log, ("--game", "hunl")), (phh, ())):
            self.assertEqual(report("replay", file, *options)["by_player"], chips)
        player = match["players"][0]
        self.assertAlmostEqual(player["mean"], player["chips"] * 1000 / 100 / 200)
        self.assertLess(player["ci_low"], player["mean"])
        self.assertEqual(report("match", "random", "tight", "--game", "hunl", "--hands", 200, "--seed", 4), match)

    def test_duplicate_deals(self):
        log = self.folder / "m.log"
        match = report("match", "always_call", "always_call", "--game", "hunl", "--hands", 50, "--variance", "duplicate", "--acpc-log", log)
        self.assertEqual([player["chips"] for player in match["players"]], [0, 0])
        self.assertEqual([(player["mean"], player["ci_low"], player["ci_high"]) for player in match["players"]], [(0, 0, 0)] * 2)
        cards = [line.split(":")[3] for line in log.read_text().splitlines() if line.startswith("STATE:")]
        self.assertEqual(cards[0::2], cards[1::2])
        self.assertEqual(len(set(cards)), 25)
        three = report("match", "random", "random", "random", "--game", "kuhn3", "--hands", 30, "--variance", "duplicate")
        self.assertEqual([player["ci_low"] is None for player in three["players"]], [False, True, True])

    def test_three_players_and_errors(self):
        game = DATA / "games" / "limit_3p.game"
        match = report("match", "random", "random", "loose", "--game", game, "--hands", 60)
        self.assertAlmostEqual(sum(player["chips"] for player in match["players"]), 0, places=6)
        self.assertEqual([player["name"] for player in match["players"]], ["random", "random-2", "loose"])
        self.assertRegex(error("match", "random", "--game", game), "1 players are named, limit_3p is for 3")
        self.assertRegex(error("match", "random", "random"), "--game")


if __name__ == "__main__":
    program.main()
