"""inspect: what a trained agent does in a spot, against what the same numbers mean elsewhere."""

import math
import pathlib
import re
import shutil
import tempfile
import unittest

import program
from conversation import Conversation
from program import error, report, run

TINY = """\
game:
  name: {game}
algorithm:
  iterations: {iterations}
  traversals: 100
network:
  layers: 2
  hidden: 16
training:
  steps: 40
memory:
  advantage_capacity: 5000
  strategy_capacity: 5000
evaluation:
  eval_every: 0
checkpoint:
  every: {iterations}
  keep: 1
"""
SIZES = "hunl\n  pot_fractions: [0.5, 1]\n  max_raises: 3"


FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="deepcfr_inspect_"))


def setUpModule():
    unittest.addModuleCleanup(shutil.rmtree, FOLDER)
    for name, game, iterations in (("kuhn", "kuhn", 8), ("leduc", "leduc", 6), ("hulh", "hulh", 1), ("hunl", SIZES, 1)):
        (FOLDER / f"{name}.yaml").write_text(TINY.format(game=game, iterations=iterations))
        run("train", f"{name}.yaml", "--run-dir", name, cwd=FOLDER, check=0)


class Runs(unittest.TestCase):
    folder = FOLDER

    def inspect(self, *arguments):
        return report("inspect", *arguments, cwd=self.folder)

    def text(self, *arguments):
        return run("inspect", *arguments, cwd=self.folder, check=0).stdout

    def error(self, *arguments, **options):
        return error("inspect", *arguments, cwd=self.folder, **options)


class Kuhn(Runs):
    """The three cards in both seats are 12 infosets: the whole policy can be read through inspect, and judged here."""

    CARDS = "QKA"
    HISTORIES = {"": 0, "c": 1, "r": 1, "cr": 0}

    def policy(self, name):
        """{(history, card): {action: probability}}"""
        found = {}
        for history, player in self.HISTORIES.items():
            told = self.inspect("kuhn", f"MATCHSTATE:{player}:0:{history}:|", "--range", "--policy", name)
            for hand in told["range"]["hands"]:
                found[history, hand["hand"]] = hand["frequency"]
        self.assertEqual(len(found), 12)
        return found

    def value(self, policies, history, first, second):
        """Expected chips of player 0. policies: by player, (history, card) -> {action: probability}."""
        outcomes = {"cc": 1, "rc": 2, "crc": 2}
        if history in outcomes:
            won = 1 if self.CARDS.index(first) > self.CARDS.index(second) else -1
            return won * outcomes[history]
        if history.endswith("f"):
            return -1 if history == "crf" else 1
        player = self.HISTORIES[history]
        shares = policies[player][history, (first, second)[player]]
        letters = {"fold": "f", "call": "c", "raise": "r"}
        return sum(share * self.value(policies, history + letters[action], first, second) for action, share in shares.items() if share > 0)

    def mean_value(self, policies):
        deals = [(a, b) for a in self.CARDS for b in self.CARDS if a != b]
        return sum(self.value(policies, "", a, b) for a, b in deals) / 6

    def best_response(self, policy, player):
        """Every pure strategy of the player is tried: two decisions for each card."""
        mine = [(history, card) for history, owner in self.HISTORIES.items() if owner == player for card in self.CARDS]
        best = -math.inf
        for choice in range(2 ** len(mine)):
            pure = {}
            for bit, key in enumerate(mine):
                actions = ["call", "raise"] if key[0] in ("", "c") else ["fold", "call"]
                pure[key] = {actions[(choice >> bit) & 1]: 1.0}
            value = self.mean_value([pure, policy] if player == 0 else [policy, pure])
            best = max(best, value if player == 0 else -value)
        return best

    def test_the_policies_that_inspect_tells_are_as_exploitable_as_exploit_says(self):
        exact = report("exploit", "kuhn", cwd=self.folder)["policies"]
        seen = set()
        for name in ("network", "mixture", "current"):
            policy = self.policy(name)
            nash_conv = self.best_response(policy, 0) + self.best_response(policy, 1)
            self.assertAlmostEqual(nash_conv, exact[name]["nash_conv"], places=6, msg=name)
            seen.add(round(nash_conv, 9))
        self.assertEqual(len(seen), 3)

    def test_the_range_holds_the_spots_own_answer_and_the_reach(self):
        for history, player in self.HISTORIES.items():
            for card in self.CARDS:
                cards = "|".join(card + "s" if seat == player else "" for seat in (0, 1))
                spot = self.inspect("kuhn", f"MATCHSTATE:{player}:0:{history}:{cards}", "--range", "--policy", "mixture")
                row = next(hand for hand in spot["range"]["hands"] if hand["hand"] == card)
                self.assertEqual(row["frequency"], spot["mixture"])
                if history == "cr":
                    before = self.inspect("kuhn", f"MATCHSTATE:0:0::{card}s|")
                    self.assertAlmostEqual(row["reach"], before["mixture"]["call"], places=9)
                else:
                    self.assertEqual(row["reach"], 1)


class Spots(Runs):
    def test_current_is_regret_matching_of_the_advantages(self):
        for name, state in (("leduc", "MATCHSTATE:0:0:cr:Ks|"), ("leduc", "MATCHSTATE:0:0:cc/:As|/Kh"), ("hulh", "MATCHSTATE:1:0::|AsKd"),
                            ("hunl", "MATCHSTATE:0:0:r300:AsKd|"), ("hunl", "MATCHSTATE:0:0:cc/:7s2d|/AsKhQc")):
            found = self.inspect(name, state)
            advantages = found["advantages"]
            positive = {action: max(value, 0) for action, value in advantages.items()}
            total = sum(positive.values())
            best = max(advantages, key=advantages.get)
            for action, share in found["current"].items():
                expected = positive[action] / total if total > 0 else float(action == best)
                self.assertAlmostEqual(share, expected, places=5, msg=(state, action))

    def test_shares_sum_to_1_and_entropies_are_theirs(self):
        found = self.inspect("hunl", "MATCHSTATE:0:3:r300:AsKd|")
        self.assertEqual(list(found)[:9], ["run", "game", "iteration", "player", "round", "cards", "board", "betting", "understood_as"])
        self.assertEqual((found["game"], found["player"], found["round"], found["cards"], found["iteration"]), ("hunl", 0, 0, "AsKd", 1))
        self.assertEqual((found["pot"], found["spent"], found["to_call"], found["raise"]), (400, [100, 300], 200, [500, 20000]))
        for name in ("network", "mixture", "current"):
            shares = list(found[name].values())
            self.assertAlmostEqual(sum(shares), 1, places=6)
            self.assertAlmostEqual(found["entropy_bits"][name], sum(-p * math.log2(p) for p in shares if p > 0), places=6)

    def test_legal_actions_are_those_of_game_state(self):
        for name, game, state in (("hulh", "hulh", "STATE:0:cr:AsKd|QhQd"), ("leduc", "leduc", "STATE:0:cr:As|Kh")):
            ruled = report("game", "state", game, state)
            found = self.inspect(name, state)
            self.assertEqual([entry["action"] for entry in found["legal"]], [entry["action"] for entry in ruled["legal"]])
            self.assertEqual([entry.get("total") for entry in found["legal"]], [entry.get("total") for entry in ruled["legal"]])

    def test_sizes_count_in_the_round_and_over_the_hand(self):
        found = self.inspect("hunl", "MATCHSTATE:0:3:r300c/:AsKd|/2c3c4h")
        pot = next(entry for entry in found["legal"] if entry["action"] == "raise 1 pot")
        self.assertEqual((pot["words"], pot["total"], pot["this_round"]), ("bet 600", 900, 600))

    def test_a_bet_between_the_sizes_is_mapped_and_told(self):
        found = self.inspect("hunl", "MATCHSTATE:0:3:r250:AsKd|")
        self.assertEqual(found["betting"], "r250")
        self.assertIn(found["understood_as"], ("r200", "r300"))
        self.assertEqual((found["pot"], found["to_call"]), (350, 150))
        same = self.inspect("hunl", f"MATCHSTATE:0:3:{found['understood_as']}:AsKd|")
        self.assertIsNone(same["understood_as"])
        for name in ("network", "mixture", "current", "advantages"):
            self.assertEqual(found[name], same[name])
        said = self.text("hunl", "MATCHSTATE:0:3:r250:AsKd|")
        self.assertIn(f"it takes r250 for {found['understood_as']} (pseudo-harmonic mapping)", said)
        others = {self.inspect("hunl", "MATCHSTATE:0:3:r250:AsKd|", "--seed", seed)["understood_as"] for seed in range(12)}
        self.assertEqual(others, {"r200", "r300"})

    def test_text_says_the_same(self):
        found = self.inspect("leduc", "MATCHSTATE:0:2:cc/:Qh|/Ks")
        said = self.text("leduc", "MATCHSTATE:0:2:cc/:Qh|/Ks")
        self.assertIn("leduc, round 2: player 0 (acts first) is to act; leduc, iteration 6\n", said)
        self.assertIn("cards Qh   board Ks   pot 2   in 1 | 1\nlegal: check (c), bet 4 (r)\n", said)
        for words, action in (("check", "call"), ("bet 4", "raise")):
            row = re.search(rf"(?m)^{words} +([\d.]+) % +([\d.]+) % +([\d.]+) % +([+-][\d.]+)$", said)
            for text, name in zip(row.groups(), ("network", "mixture", "current")):
                self.assertAlmostEqual(float(text), 100 * found[name][action], delta=0.051)
            self.assertAlmostEqual(float(row.group(4)), found["advantages"][action], delta=0.00051)

    def test_earlier_iterations(self):
        found = self.inspect("leduc@3", "MATCHSTATE:0:2::Qh|")
        self.assertEqual(found["iteration"], 3)
        self.assertNotIn("network", found)
        self.assertIn("network  none: the checkpoint has no strategy network", self.text("leduc@3", "MATCHSTATE:0:2::Qh|"))


class Ranges(Runs):
    def test_grid_of_hold_em(self):
        said = self.text("hulh", "MATCHSTATE:1:0:cc/r:|/AsAdAh", "--range")
        grids = re.findall(r"(?m)^(.*) \(percent.*\)\n    A   K   Q   J   T   9   8   7   6   5   4   3   2\n((?:[AKQJT2-9](?: +[\d.]+){13}\n){13})", said)
        self.assertEqual([name for name, _ in grids], ["gets here", "fold", "call 10", "raise to 20"])
        found = self.inspect("hulh", "MATCHSTATE:1:0:cc/r:|/AsAdAh", "--range")["range"]
        hands = {hand["hand"]: hand for hand in found["hands"]}
        self.assertEqual(sum(hand["combos"] for hand in hands.values()), 49 * 48 // 2)
        self.assertEqual((hands["AKs"]["combos"], hands["AKo"]["combos"], hands["KK"]["combos"], "AA" in hands), (1, 3, 6, False))
        for (_, grid), action in zip(grids[1:], ("fold", "call", "raise")):
            cells = [line.split()[1:] for line in grid.splitlines()]
            self.assertEqual(cells[0][0], ".")  # no pair of aces is left
            for name, row, column in (("AKs", 0, 1), ("AKo", 1, 0), ("KK", 1, 1), ("72o", 12, 7), ("T9s", 4, 5)):
                self.assertAlmostEqual(float(cells[row][column]), 100 * hands[name]["frequency"][action], delta=0.51)
        one = self.text("hulh", "MATCHSTATE:1:0:cc/r:|/AsAdAh", "--range", "--action", "call")
        self.assertEqual(re.findall(r"(?m)^(\S.*) \(percent; suited above the diagonal\)$", one), ["call 10"])

    def test_table_of_a_toy_game(self):
        found = self.inspect("leduc", "MATCHSTATE:0:2:cc/:|/Ks", "--range", "--policy", "network")
        self.assertIsNone(found["cards"])
        self.assertEqual([(hand["hand"], hand["combos"]) for hand in found["range"]["hands"]], [("A", 2), ("K", 1), ("Q", 2)])
        said = self.text("leduc", "MATCHSTATE:0:2:cc/:|/Ks", "--range", "--policy", "network")
        rows = re.findall(r"(?m)^([AKQ]) +(\d) +([\d.]+) +([\d.]+) % +([\d.]+) %$", said)
        self.assertEqual([row[0] for row in rows], ["A", "K", "Q"])
        for row, hand in zip(rows, found["range"]["hands"]):
            self.assertAlmostEqual(float(row[2]), hand["reach"], delta=0.00051)
            self.assertAlmostEqual(float(row[3]), 100 * hand["frequency"]["call"], delta=0.051)
            self.assertAlmostEqual(float(row[3]) + float(row[4]), 100, delta=0.11)
            single = self.inspect("leduc", f"MATCHSTATE:0:2:cc/:{hand['hand']}h|/Ks")
            self.assertEqual(single["network"], hand["frequency"])

    def test_shades_at_a_terminal_only(self):
        arguments = ("inspect", "hulh", "MATCHSTATE:1:0::|", "--range")
        code, written = Conversation(*arguments, cwd=self.folder).end()
        self.assertEqual(code, 0)
        self.assertIn("\033[48;5;", written)
        code, written = Conversation(*arguments, cwd=self.folder, NO_COLOR="1").end()
        self.assertEqual((code, "\033" in written), (0, False))
        self.assertNotIn("\033", self.text(*arguments[1:]))


class Errors(Runs):
    def test_spots_that_are_none(self):
        for state, words in (("STATE:0:f:AsKd|QhQd", "the hand is over: nobody is to act"),
                             ("MATCHSTATE:1:0:c:|QhQd", "player 0 is to act, and these are the cards of player 1"),
                             ("STATE:0::Ks|Qh", r"hunl plays hunl \(no-limit, 2 players, stacks 20000 20000"),
                             ("STATE:0:r150:AsKd|QhQd", r"150 is not in 200\.\.20000"),
                             ("MATCHSTATE:1:0::|QhQd junk", "' junk' stands behind the state"),
                             ("MATCHSTATE:1:0::|", "the cards of player 1, who is to act, are not in the state .*--range"),
                             ("nonsense", "neither STATE: nor MATCHSTATE:")):
            self.assertRegex(self.error("hunl", state), rf"^error: .*{words}")
        self.assertRegex(self.error("leduc", "STATE:0::AsKd|QhQd"), r"leduc plays leduc \(limit")

    def test_runs_and_options(self):
        self.assertRegex(self.error("none", "STATE:0::As|Kh", code=3), r"^error: none: no such run")
        self.assertRegex(self.error("leduc@99", "STATE:0::As|Kh", code=3), r"^error: leduc: has no iteration 99")
        self.assertRegex(self.error("leduc", "MATCHSTATE:0:2::Qh|", "--range", "--action", "cal"), r"^error: --action: cal is no action here \(did you mean call\?\)")
        self.assertRegex(self.error("leduc", "MATCHSTATE:0:2::Qh|", "--policy", "best"), r"^error: --policy: best is none of")
        self.assertRegex(self.error("leduc"), r"^error: STATE is required")


if __name__ == "__main__":
    program.main()
