"""The whole comparison over TCP: 10,000 hands of no-limit and 3,000 of three-player limit hold'em between our dealer and our clients, a trained agent
against a bot, and PokerKit's reading of every hand (where scripts/peers.sh has set it up)."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import program
from acpc import Match, read_log, read_score
from program import DATA, SOURCE, report, run

COMPARE = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import test_hands
print(*test_hands.compare_file(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])))
"""


class Long(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def play(self, game, hands, agents, phh=True, connect_options=()):
        log, phhs = self.folder / "match.log", self.folder / "match.phhs"
        names = [f"p{i}" for i in range(len(agents))]
        options = ["--log", log, "--names", ",".join(names)] + (["--phh", phhs] if phh else [])
        match = Match(game, hands, 2026, agents, *options, connect_options=connect_options)
        score = read_score(match.check())
        for name in names:
            self.assertIn(f"{name}: 0 actions corrected", match.err)
        self.assertNotIn("passed over", match.err)
        rows, last = read_log(log)
        self.assertEqual(len(rows), hands)
        self.assertEqual(read_score(last), score)
        for number, (name, total) in enumerate(score.items()):
            self.assertAlmostEqual(sum(row[name] for row in rows), total, places=2)
            client = json.loads(match.outputs[number][0])
            self.assertEqual((client["hands"], client["late"]), (hands, 0))
        for file in [log] + ([phhs] if phh else []):
            replayed = report("replay", file, *([] if file == phhs else ["--game", game]))
            self.assertEqual((replayed["hands"], replayed["errors"]), (hands, []))
            for name, total in score.items():
                self.assertAlmostEqual(replayed["by_player"][name], total, places=1)
        if phh:
            self.ask_pokerkit(phhs, log, hands)

    def ask_pokerkit(self, phhs, log, hands):
        python = SOURCE / "scripts" / "peer_python.sh"
        if subprocess.run([python, "-c", "import pokerkit"], capture_output=True, check=False).returncode != 0:
            print("PokerKit is not there: its half is skipped", file=sys.stderr)
            return
        done = subprocess.run([python, "-c", COMPARE, SOURCE / "tests" / "peer", phhs, log], capture_output=True, text=True, check=False, env=os.environ)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(int(done.stdout.split()[0]), hands)
        print(f"PokerKit: hands, ties with parts of chips: {done.stdout.strip()}", file=sys.stderr)

    def test_no_limit_heads_up_10000_hands(self):
        self.play("hunl", 10000, ["random", "tight"])

    def test_limit_with_three_players_3000_hands(self):
        self.play(DATA / "games" / "limit_3p.game", 3000, ["random", "loose", "random"])

    def train(self, config, *settings):
        agent = self.folder / config
        sets = [word for setting in (*settings, "evaluation.eval_every=0") for word in ("--set", setting)]
        run("train", SOURCE / "configs" / f"{config}.yaml", "--run-dir", agent, *sets, check=0)
        return agent

    def test_trained_agents(self):
        self.play("leduc", 500, [self.train("leduc", "algorithm.iterations=20"), "random"], phh=False)
        # Its sizes are half pot, pot and all-in, at most three raises; the bots of hunl bet two pots too, and raise four times.
        agent = self.train("hunl_small", "algorithm.iterations=2", "algorithm.traversals=50", "training.steps=20", "training.strategy.steps=20",
                           "network.hidden=16", "memory.advantage_capacity=20000", "memory.strategy_capacity=20000")
        self.play("hunl", 400, [agent, "random"])
        match = report("match", agent, "random", "--game", "hunl", "--hands", 400)
        self.assertEqual(match["hands"], 400)
        self.assertRegex(program.error("match", agent, "random", "--game", "hunl", "--variance", "duplicate"), "--variance: duplicate needs players")


if __name__ == "__main__":
    program.main()
