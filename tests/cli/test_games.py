"""games, game show, game count, game state: lists, counts of the betting tree, the reference engine's vectors."""

import json
import pathlib
import tempfile
import time
import unittest

import program
from program import DATA, error, report, run

# Heading of a section of acpc-vectors.txt -> the game it is about: a built-in name or a file in tests/data/games.
SECTIONS = {
    "holdem.nolimit.2p.reverse_blinds.game": "hunl",
    "holdem.limit.2p.reverse_blinds.game": "hulh",
    "kuhn 2p limit": "kuhn",
    "leduc limit": "leduc",
    "DeepStack leduc.game": "leduc_nolimit.game",
    "3p nolimit, stack 500 1000 2000": "nolimit_3p_500_1000_2000.game",
    "3p nolimit, stack 200 200 200, blind 50 100 0": "nolimit_3p_200.game",
    "4p nolimit, stack 100 200 300 300": "nolimit_4p_100_200_300_300.game",
    "4p nolimit, stack 19 200 200 200": "nolimit_4p_19_200_200_200.game",
    "6p nolimit": "nolimit_6p_pokerkit25.game",
    "3p nolimit, stack 200 200 200, blind 1 2 0": "nolimit_3p_odd_chip.game",
    "kuhn.limit.3p.game": "kuhn3",
}


def vectors():
    """{game: [(state string, verdict of the reference engine)]}"""
    by_game, game = {}, None
    for line in (DATA / "acpc-vectors.txt").read_text().splitlines():
        if line.startswith("## "):
            matching = [name for name in SECTIONS if line[3:].startswith(name)]
            game = SECTIONS[max(matching, key=len)] if matching else None
        elif line.startswith("STATE:") and "->" in line:
            text, verdict = line.split("->")
            by_game.setdefault(game, []).append((text.strip(), verdict.strip()))
    return by_game


def verdict(state, limit):
    """Our JSON in the words of the reference engine."""
    if "error" in state:
        return "REJECTED"
    text = f"n={state['consumed']} round={state['round']} fin={int(state['finished'])} spent={','.join(map(str, state['spent']))}"
    if state["finished"]:
        return text + " value=" + "|".join(f"{value:g}" for value in state["values"])
    raises = "0" if state["raise"] is None else "1[0,0]" if limit else "1[%d,%d]" % tuple(state["raise"])
    return text + f" actor={state['actor']} fold={int(state['fold'])} raise={raises}"


class Vectors(unittest.TestCase):
    def test_every_vector_of_the_reference_engine_agrees(self):
        compared = 0
        for game, cases in vectors().items():
            self.assertIsNotNone(game, "a section without a game")
            path = DATA / "games" / game if game.endswith(".game") else game
            limit = game in ("hulh", "kuhn", "leduc", "kuhn3")
            answers = run("game", "state", path, "-", input="\n".join(text for text, _ in cases), check=0).stdout.splitlines()
            self.assertEqual(len(answers), len(cases))
            for (text, expected), answer in zip(cases, answers):
                state = json.loads(answer)
                self.assertEqual(state["input"], text)
                self.assertEqual(verdict(state, limit), expected, text)
                compared += 1
        self.assertEqual(compared, 78)

    def test_cardroom_rules_differ_where_they_are_named_for_it(self):
        game = DATA / "games" / "nolimit_3p_odd_chip.game"
        state = "STATE:0:cfc/cc/cc/cc:7h2c|AhKd|AdKh/3s8s9c/Jd/Qs"
        self.assertEqual(report("game", "state", game, state)["values"], [-1, 0.5, 0.5])
        self.assertEqual(sorted(report("game", "state", game, state, "--rules", "cardroom")["values"]), [-1, 0, 1])


class States(unittest.TestCase):
    def test_keys_and_legal_actions(self):
        state = report("game", "state", "hunl", "STATE:0:r200:AsAd|KsKd")
        self.assertEqual(list(state), ["round", "spent", "actor", "fold", "raise", "finished", "values", "legal", "consumed"])
        self.assertEqual((state["actor"], state["spent"], state["fold"], state["raise"]), (0, [100, 200], True, [300, 20000]))
        self.assertIsNone(state["values"])
        self.assertEqual([action["action"] for action in state["legal"]][:2], ["fold", "call"])
        self.assertEqual(state["legal"][-1]["total"], 20000)
        finished = report("game", "state", "hunl", "STATE:0:f:AsAd|KsKd")
        self.assertEqual((finished["actor"], finished["raise"], finished["legal"], finished["values"]), (None, None, [], [50, -50]))

    def test_unknown_hole_cards_leave_values_open(self):
        state = report("game", "state", "hunl", "MATCHSTATE:0:1:r19015r20000c///:6sKs|/2sTh2h/Qh/8h")
        self.assertTrue(state["finished"])
        self.assertIsNone(state["values"])

    def test_a_rejected_state_is_an_error(self):
        self.assertRegex(error("game", "state", "hunl", "STATE:0:r199:AsAd|KsKd"), r"^error: .*character 10.*199 is not in 200\.\.20000")
        lines = run("game", "state", "hunl", "-", input="STATE:0:ccc:AhQc|KsKd\n\nSTATE:0:c:AhQc|KsKd\r\n", check=0).stdout.splitlines()
        self.assertEqual(["error" in json.loads(line) for line in lines], [True, False])

    def test_text_form(self):
        self.assertIn("actor     0\n", run("game", "state", "leduc", "STATE:0::Ks|As", check=0).stdout)


class Counts(unittest.TestCase):
    EXPECTED = {
        "hulh": ([8, 70, 630, 5670], 10206),
        "kuhn": ([4], 5),
        "kuhn3": ([12], 13),
        "leduc": ([6, 30], 49),
        DATA / "games" / "s10.game": ([60, 300, 860, 1868], 4338),
        DATA / "games" / "s20.game": ([1188, 19996, 151124, 738540], 1517074),
    }

    def test_counts_agree_with_the_reference_engine(self):
        for game, (decision_points, terminals) in self.EXPECTED.items():
            counts = report("game", "count", game)
            self.assertEqual((counts["decision_points"], counts["terminals"]), (decision_points, terminals), game)
            self.assertTrue(counts["complete"])
        self.assertEqual(report("game", "count", "fhp")["decision_points"], [8, 56])

    def test_catalogue_games_count_their_abstraction_unless_told_otherwise(self):
        self.assertEqual(report("game", "count", "hunl", "--limit", "1000")["raises"], "abstraction")
        everything = report("game", "count", "hunl", "--all-raises", "--limit", "100000")
        self.assertEqual((everything["raises"], everything["complete"]), ("every whole raise", False))


class Lists(unittest.TestCase):
    def test_games(self):
        games = report("games")
        self.assertEqual([game["name"] for game in games], ["kuhn", "kuhn3", "leduc", "fhp", "hulh", "hunl", "nlhe6"])
        for game in games:  # reported fault E07: every number has a unit
            self.assertEqual(game["unit"], "antes" if game["name"] in ("kuhn", "kuhn3", "leduc") else "mbb/g")
        self.assertEqual(len(run("games", check=0).stdout.splitlines()), 7)

    def test_show(self):
        shown = report("game", "show", "leduc")
        self.assertEqual(shown["size"]["infosets"], 936)
        self.assertEqual(shown["actions"], ["fold", "call", "raise"])
        self.assertAlmostEqual(report("game", "show", "hulh")["size"]["infosets"] / 3.194e14, 1, places=3)
        for game in ("kuhn", "hunl", "nlhe6"):
            self.assertIn("GAMEDEF", run("game", "show", game, check=0).stdout)

    def test_A20_the_width_of_the_input_does_not_depend_on_the_stack(self):
        text = report("game", "show", "hunl")["definition"]
        widths = []
        with tempfile.TemporaryDirectory() as folder:
            for stack in ("1200", "20000"):
                path = pathlib.Path(folder) / f"{stack}.game"
                path.write_text(text.replace("20000", stack))
                widths.append(report("game", "show", path)["input_width"])
        self.assertEqual(widths[0], widths[1])

    def test_unknown_games_name_the_nearest(self):
        for command in (("game", "show"), ("game", "count")):
            started = time.monotonic()
            self.assertRegex(error(*command, "leduk"), r"^error: .*leduk.*leduc")
            self.assertLess(time.monotonic() - started, 2)


if __name__ == "__main__":
    program.main()
