"""play: a person, or a script, against bots and a trained agent."""

import json
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import program
from conversation import Conversation
from program import BIN, error, report, run

LEDUC = """\
game:
  name: leduc
algorithm:
  iterations: 3
  traversals: 50
network:
  layers: 2
  hidden: 16
training:
  steps: 30
memory:
  advantage_capacity: 5000
  strategy_capacity: 5000
evaluation:
  eval_every: 0
"""
HUNL = LEDUC.replace("name: leduc", "name: hunl\n  pot_fractions: [0.5, 1]\n  max_raises: 3").replace("iterations: 3", "iterations: 1")


FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="deepcfr_play_"))


def setUpModule():
    unittest.addModuleCleanup(shutil.rmtree, FOLDER)
    for name, text in (("leduc", LEDUC), ("hunl", HUNL)):
        (FOLDER / f"{name}.yaml").write_text(text)
        run("train", f"{name}.yaml", "--run-dir", name, cwd=FOLDER, check=0)


class Table(unittest.TestCase):
    """Sessions in a folder with two runs."""

    folder = FOLDER

    def play(self, *arguments, typed="", check=0, **options):
        return run("play", *arguments, input=typed, cwd=self.folder, check=check, **options).stdout

    def logged(self, game, *arguments, typed):
        """The session, and its log as (names, net chips, state string)."""
        log = self.folder / "session.log"
        log.unlink(missing_ok=True)
        out = self.play(*arguments, "--acpc-log", log, typed=typed)
        hands = []
        lines = [line for line in log.read_text().splitlines() if not line.startswith("#")]
        for line in lines[:-1]:
            head, hand, betting, cards, values, names = line.split(":")
            hands.append((names.split("|"), [float(value) for value in values.split("|")], f"{head}:{hand}:{betting}:{cards}"))
        self.score = dict(zip(lines[-1].split(":")[2].split("|"), map(float, lines[-1].split(":")[1].split("|"))))
        return out, hands


def wild_lines(seed, count=3000):
    """What a person might type who does not read: legal and illegal moves, amounts of all sizes."""
    draw = random.Random(seed)
    words = ["c", "c", "c", "f", "r", "call", "check", "half", "pot", "min", "all-in", "bet 150", "r 250", "r 777", "1234", "33%", "r 1.5", "zzz", "", "r -1"]
    return "\n".join(draw.choice(words) for _ in range(count)) + "\n"


class Scripts(Table):
    def check_session(self, game, hands, *arguments, seed=1):
        out, log = self.logged(game, *arguments, "--hands", hands, "--seed", seed, typed=wild_lines(seed))
        self.assertEqual(len(log), hands)
        total = 0
        standings = re.findall(r"(?m)^After (\d+) hands?: ([+-]?[\d.]+) chips", out)
        answers = run("game", "state", game, "-", input="\n".join(state for _, _, state in log), check=0).stdout.splitlines()
        for number, ((names, values, state), answer) in enumerate(zip(log, answers, strict=True)):
            self.assertEqual(names.index("you"), -number % len(names), "seats rotate")
            self.assertAlmostEqual(sum(values), 0, places=5)
            replayed = json.loads(answer)
            self.assertTrue(replayed["finished"])
            for logged, ruled in zip(values, replayed["values"], strict=True):
                self.assertAlmostEqual(logged, ruled, places=5)
            total += values[names.index("you")]
            self.assertEqual(int(standings[number][0]), number + 1)
            self.assertAlmostEqual(float(standings[number][1]), total, places=4)
        self.assertAlmostEqual(self.score["you"], total, places=4)
        self.assertAlmostEqual(sum(self.score.values()), 0, places=4)
        self.assertRegex(out, rf"(?m)^Result: {hands} hands, ")
        self.assertNotIn("\033", out)
        return out, log

    def test_leduc_against_a_run(self):
        self.check_session("leduc", 60, "leduc")

    def test_hulh(self):
        self.check_session("hulh", 40, "tight", "--game", "hulh")

    def test_no_limit_takes_any_legal_amount(self):
        out, log = self.check_session("hunl", 60, "loose", "--game", "hunl")
        self.assertTrue(any("r250" in state for _, _, state in log), "no raise between the sizes of the abstraction was played")
        self.check_session("hunl", 40, "hunl", seed=3)

    def test_three_and_six_players(self):
        self.check_session("kuhn3", 30, "random", "--game", "kuhn3")
        self.check_session("kuhn3", 30, "random", "tight", "--game", "kuhn3", seed=2)
        self.check_session("nlhe6", 24, "loose", "--game", "nlhe6")

    def test_the_other_games_of_the_catalogue(self):
        self.check_session("kuhn", 20, "equilibrium", "--game", "kuhn")
        self.check_session("fhp", 20, "random", "--game", "fhp")

    def test_files_of_hands_are_read_back(self):
        log, phh = self.folder / "a.log", self.folder / "a.phhs"
        self.play("loose", "--game", "hunl", "--seed", 9, "--hands", 20, "--acpc-log", log, "--phh", phh, typed=wild_lines(9))
        for file in (log, phh):
            self.assertEqual(report("replay", file, *(["--game", "hunl"] if file == log else []))["hands"], 20)

    def test_hands_at_the_showdown_are_named_for_what_they_are(self):
        out, log = self.check_session("hulh", 60, "always_call", "--game", "hulh", seed=4)
        shown = [((cards + board).replace(" ", ""), words) for board, hands in re.findall(r"(?m)^Showdown, board (.*)\n((?:  .*\n)+)", out)
                 for cards, words in re.findall(r"(?m)^  \w+ +((?:[2-9TJQKA][cdhs] ){2}) (.*)$", hands)]
        self.assertGreater(len(shown), 40)
        for (cards, words), judged in zip(shown, report("rank", *(cards for cards, _ in shown)), strict=True):
            said = words.replace("royal flush", "straight flush").replace(words.split()[0] + " high", "high card") if " high" in words[:10] else words
            self.assertTrue(said.startswith(judged["category"]), (cards, words, judged))

    def test_the_same_seed_is_the_same_session(self):
        first = self.play("leduc", "--seed", 5, "--hands", 10, typed=wild_lines(5))
        self.assertEqual(self.play("leduc", "--seed", 5, "--hands", 10, typed=wild_lines(5)), first)
        self.assertNotEqual(self.play("leduc", "--seed", 6, "--hands", 10, typed=wild_lines(5)), first)
        fresh = self.play("leduc", "--hands", 10, typed=wild_lines(5))
        seed = re.search(r"--seed (\d+)", fresh).group(1)
        self.assertEqual(self.play("leduc", "--hands", 10, "--seed", seed, typed=wild_lines(5)), fresh)

    def test_prompts_and_answers_can_be_read_back(self):
        out = self.play("always_call", "--game", "hunl", "--seed", 1, "--hands", 1, typed="c\r\nbet 300\r\nc\r\nc\r\nc\r\nc\r\n")
        self.assertIn("\nyour move: c\nyou check\n", out)
        self.assertIn("check (c), bet 100–19900 (r AMOUNT)\nyour move: bet 300\nyou bet 300\nagent calls 300\n", out)
        self.assertRegex(out, r"(?m)^  agent  button, small blind  in 400     behind 19600$")
        self.assertRegex(out, r"(?m)^> you    big blind            in 100     behind 19900  bet 100  .. ..$")
        self.assertIn("\nTurn: ", out)

    def test_illegal_input_is_explained_and_asked_again(self):
        out = self.play("always_call", "--game", "hunl", "--seed", 1, "--hands", 2, typed="f\nr 1\nr 99999\nfly\n?\nc\nc\nc\nc\ncheck\nf\n")
        self.assertIn("your move: f\nthere is no bet to fold to: c checks\nyour move: r 1\n1 is not legal: raise to 200–20000\n"
                      "your move: r 99999\n99999 is not legal: raise to 200–20000\n"
                      "your move: fly\n'fly' is not understood: check (c), raise to 200–20000 (r AMOUNT); ? for help\nyour move: ?\n", out)
        self.assertIn("  half, pot, 75%    bet or raise by this share of the pot (after calling)\n", out)
        self.assertIn("your move: check\nthere is a bet, so you cannot check: c calls 50, f folds\n", out)

    def test_the_end_of_input_ends_the_session(self):
        for typed in ("", "zzz", "c\nq\n", "c\nquit\n"):
            out = self.play("always_call", "--game", "hulh", "--seed", 1, typed=typed)
            self.assertIn("Hand 1 was not finished and does not count.\n\nNo hand was finished.\n", out)
        out = self.play("always_call", "--game", "kuhn", "--seed", 1, typed="c\nc\nc\n")
        self.assertRegex(out, r"(?m)^Result: [23] hands, ")
        self.assertNotIn("after the end", out)

    def test_a_game_that_asks_nothing_ends(self):
        (self.folder / "poor.game").write_text("GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 1\nstack = 1 1\nblind = 1 1\nfirstPlayer = 1\n"
                                               "numSuits = 4\nnumRanks = 13\nnumHoleCards = 1\nnumBoardCards = 0\nEND GAMEDEF\n")
        self.assertIn("You have had no decision in 200 hands", self.play("random", "--game", "poor.game", typed=""))

    def test_folded_hands_and_uncalled_winners_stay_hidden(self):
        for show_all in (False, True):
            out, log = self.logged("hunl", "always_fold", "--game", "hunl", "--seed", 2, "--hands", 4, *(["--show-all"] if show_all else []),
                                   typed="min\n" * 20)
            for names, _, state in log:
                cards = state.split(":")[3].split("/")[0].split("|")[1 - names.index("you")]
                self.assertEqual(f"{cards[:2]} {cards[2:]}" in out, show_all, out)
        self.assertIn("(folded)", out)

    def test_results_have_an_interval_and_a_unit(self):
        out = self.play("random", "--game", "kuhn", "--seed", 1, "--hands", 3, typed="c\n" * 20)
        self.assertRegex(out, r"(?m)^After 1 hand: [+-]\d chips$")
        self.assertRegex(out, r"(?m)^After 3 hands: ([+-]\d|0) chips, [+-]\d\.\d{4} ± \d\.\d{4} antes a hand \(95 %\)$")
        self.assertRegex(out, r"(?m)^Result: 3 hands, ([+-]\d|0) chips, [+-][\d.]+ antes a hand, 95 % interval [+-][\d.]+ \.\. [+-][\d.]+$")
        self.assertRegex(self.play("random", "--game", "hulh", "--seed", 1, "--hands", 3, typed="c\n" * 40), r"± [\d.]+ mbb/g a hand")


class Hints(Table):
    def test_a_hint_is_the_policy_that_inspect_reports(self):
        for policy in ("network", "mixture"):
            out = self.play("leduc", "--seed", 3, "--hands", 6, "--policy", policy, "--hint", typed="state\nc\n" * 30)
            asked = re.findall(r"(?m)^hint: (.*)\nyour move: state\n(MATCHSTATE.*)$", out)
            self.assertGreater(len(asked), 5)
            for hint, state in asked:
                found = report("inspect", "leduc", state, cwd=self.folder)
                expected = [f"{entry['words']} {100 * found[policy][entry['action']]:.1f} %" for entry in found["legal"]]
                self.assertEqual(hint, ", ".join(expected))

    def test_hints_where_a_bet_lies_between_the_sizes(self):
        out = self.play("hunl", "--seed", 11, "--hands", 8, typed="hint\nr 333\nhint\nc\n" * 40)
        shares = [sum(float(share) for share in re.findall(r"([\d.]+) %", line)) for line in re.findall(r"(?m)^hint: (.*)$", out)]
        self.assertGreater(len(shares), 4)
        for share in shares:
            self.assertAlmostEqual(share, 100, delta=0.4)


class Errors(Table):
    def test_arguments(self):
        self.assertRegex(error("play"), r"^error: PLAYER is required")
        self.assertRegex(error("play", "tight"), r"^error: --game: no game is named")
        self.assertRegex(error("play", "tigth", "--game", "kuhn"), r"^error: .*did you mean tight\?")
        self.assertRegex(error("play", "tight", "random", "--game", "kuhn"), r"^error: play: 2 players for the other seats of kuhn \(name one\)$")
        self.assertRegex(error("play", "tight", "--game", "kuhn", "--hands", "-1"), r"^error: --hands: -1 is not in 0\.\.")
        self.assertRegex(error("play", "leduc", "--game", "hunl", cwd=self.folder), r"^error: leduc: plays leduc, and --game is hunl")
        self.assertRegex(error("play", "leduc:best", cwd=self.folder), r"^error: leduc:best: best is none of network, mixture, current")
        self.assertRegex(error("play", "tight", "--game", "kuhn", "--acpc-log", "no/such/folder", code=3), r"^error: no/such/folder: ")

    def test_a_signal_ends_a_session_at_a_pipe(self):
        process = subprocess.Popen([BIN, "play", "tight", "--game", "hulh", "--seed", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        written = ""
        while not written.endswith("your move: "):
            written += process.stdout.read(1)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertRegex(out, r"was not finished and does not count\.\n\n(Result: |No hand was finished)")


class Terminals(Table):
    ARGUMENTS = ("play", "always_call", "--game", "hunl", "--seed", "1", "--hands", "1")

    def session(self, **environment):
        terminal = Conversation(*self.ARGUMENTS, **environment)
        for _ in range(4):
            terminal.expect("your move: ")
            terminal.send("c\n")
        code, written = terminal.end()
        self.assertEqual(code, 0)
        self.assertIn("Result: 1 hand", written)
        return written

    def test_colours_and_symbols_where_the_terminal_can(self):
        written = self.session(LANG="C.UTF-8")
        plain = re.sub(r"\033\[[\d;]*m", "", written)
        self.assertNotIn("\033", plain)
        self.assertRegex(plain, r"Showdown, board ([2-9TJQKA][♣♦♥♠] ?){5}")
        self.assertEqual(len(re.findall(r"\033\[[\d;]+m", written)), 2 * written.count("\033[0m"))  # what begins ends
        self.assertRegex(self.session(LANG="C"), r"\033\[91m[2-9TJQKA]h\033\[0m")

    def test_none_where_it_cannot_or_should_not(self):
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": ""}):
            written = self.session(LANG="C.UTF-8", **environment)
            self.assertNotIn("\033", written)
            self.assertRegex(written, r"Showdown, board ([2-9TJQKA][cdhs] ?){5}")

    def test_what_is_typed_is_not_printed_twice(self):
        self.assertRegex(self.session(NO_COLOR="1"), r"your move: c\r\nyou check\r\n")

    def test_ctrl_c_and_ctrl_d_leave_a_clean_terminal(self):
        for key in ("\x03", "\x04"):
            terminal = Conversation(*self.ARGUMENTS)
            before = terminal.settings()
            terminal.expect("your move: ")
            terminal.send(key)
            terminal.expect("No hand was finished.")
            self.assertEqual(terminal.settings(), before)
            code, written = terminal.end()
            self.assertEqual(code, 0)
            self.assertRegex(written, r"your move: (\^C)?\r\nHand 1 was not finished and does not count\.\r\n")


if __name__ == "__main__":
    program.main()
