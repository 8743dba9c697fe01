"""dealer: matches over loopback TCP against our own client and against programs that misbehave; logs, PHH files and what replay makes of them."""

import json
import pathlib
import random
import re
import socket
import subprocess
import tempfile
import unittest

import program
from acpc import HOST, Match, Peer, read_log, read_score, start_dealer
from program import DATA, error, report, run

LIMIT_3P = DATA / "games" / "limit_3p.game"


def join(port):
    peer = Peer(socket.create_connection((HOST, port)))
    peer.send("VERSION:2.0.0\r\n")
    return peer


def acts(state):
    """Whether the position of a heads-up MATCHSTATE is to act, where nobody folds."""
    _, position, _, betting, _ = state.split(":")
    rounds = betting.split("/")
    actions = re.findall(r"[cr]\d*", rounds[-1])
    finished = len(rounds) == 4 and (len(actions) > 1 and actions[-1] == "c" or "c///" in betting)
    first = 1 if len(rounds) == 1 else 0
    return not finished and (first + len(actions)) % 2 == int(position)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Matches(Folder):
    def play(self, game, hands, agents, **options):
        log, phh = self.folder / "match.log", self.folder / "match.phhs"
        match = Match(game, hands, 11, agents, "--log", log, "--phh", phh, "--names", ",".join(f"p{i}" for i in range(len(agents))), **options)
        score = read_score(match.check())
        self.assertNotRegex(match.err, "corrected: |passed over|[1-9][0-9]* actions corrected")
        return match, score, log, phh

    def check_files(self, game, hands, score, log, phh):
        """SCORE is the sum of the log; replay of both files gives the same chips."""
        rows, last = read_log(log)
        self.assertEqual(len(rows), hands)
        self.assertEqual(read_score(last), score)
        for name, total in score.items():
            self.assertAlmostEqual(sum(row[name] for row in rows), total, places=3)
        for file, options in ((log, ("--game", game)), (phh, ())):
            replayed = report("replay", file, *options)
            self.assertEqual((replayed["hands"], replayed["errors"]), (hands, []))
            self.assertEqual(replayed["by_player"].keys(), score.keys())
            for name, total in score.items():
                self.assertAlmostEqual(replayed["by_player"][name], total, places=2)

    def test_no_limit_heads_up(self):
        match, score, log, phh = self.play("hunl", 300, ["random", "tight"])
        self.assertAlmostEqual(sum(score.values()), 0)
        self.check_files("hunl", 300, score, log, phh)
        for number, (out, _) in enumerate(match.outputs):
            client = json.loads(out)
            self.assertEqual((client["hands"], client["late"]), (300, 0))
            self.assertAlmostEqual(client["chips"], score[f"p{number}"], places=2)

    def test_limit_with_three_players(self):
        _, score, log, phh = self.play(LIMIT_3P, 150, ["random", "loose", "random"])
        self.check_files(LIMIT_3P, 150, score, log, phh)

    def test_no_limit_with_six_players(self):
        _, score, log, phh = self.play("nlhe6", 60, ["random", "tight", "loose", "random", "always_call", "always_raise"])
        self.check_files("nlhe6", 60, score, log, phh)

    def test_local_and_remote_players_make_the_same_match(self):
        # Draws are functions of (seed, hand, position): with one seed everywhere the hands are the same, wherever the players sit.
        logs = []
        for number, remote in enumerate((True, False)):
            log = self.folder / f"{number}.log"
            if remote:
                Match("hunl", 60, 5, ["random", "tight"], "--log", log, "--names", "a,b", connect_options=("--seed", "5")).check()
            else:
                run("dealer", "hunl", 60, 5, "random", "tight", "--log", log, "--names", "a,b", check=0)
            logs.append([line for line in log.read_text().splitlines() if line.startswith("STATE")])
        self.assertEqual(len(logs[0]), 60)
        self.assertEqual(logs[0], logs[1])

    def test_positions_rotate_as_the_reference_dealer_has_it(self):
        log = self.folder / "match.log"
        run("dealer", LIMIT_3P, 4, 1, "always_fold", "always_fold", "always_fold", "--log", log, "--names", "a,b,c", check=0)
        names = [line.split(":")[-1] for line in log.read_text().splitlines() if line.startswith("STATE")]
        self.assertEqual(names, ["a|b|c", "b|c|a", "c|a|b", "a|b|c"])
        # Everybody folds to the big blind, at position 1: it wins the small blind.
        self.assertEqual([row[name] for row, name in zip(read_log(log)[0], "bcab")], [5, 5, 5, 5])

    def test_a_toy_game_has_a_log_but_no_phh(self):
        log = self.folder / "match.log"
        out = run("dealer", "leduc", 20, 3, "random", "random", "--log", log, check=0).stdout
        self.assertRegex(out, r"^SCORE:-?\d+\|-?\d+:random\|random-2\n$")
        self.assertEqual(report("replay", log, "--game", "leduc")["errors"], [])
        phh = self.folder / "match.phhs"
        self.assertRegex(error("dealer", "leduc", 20, 3, "random", "random", "--phh", phh), "PHH has no code for it")
        self.assertFalse(phh.exists())


class Programs(Folder):
    """Programs that are not ours."""

    def start(self, *options, game="hunl", hands=2):
        dealer, (port,) = start_dealer(game, hands, 1, ["acpc", "always_call"], "--names", "prog,bot", *options)
        self.addCleanup(dealer.kill)
        return dealer, port

    def test_what_is_sent_and_to_whom(self):
        dealer, port = self.start("--log", self.folder / "match.log")
        peer = join(port)
        seen = []
        while line := peer.line():
            self.assertTrue(line.endswith(b"\r\n"))
            seen.append(line.decode().rstrip("\r\n"))
            if acts(seen[-1]):
                peer.send(seen[-1] + ":c\r\n")
        self.assertEqual(dealer.wait(), 0)
        # Hand 0: position 0, the big blind: nine states, none with the other's cards before the showdown.
        first = [line.split(":") for line in seen if line.split(":")[2] == "0"]
        self.assertEqual([fields[3] for fields in first], ["", "c", "cc/", "cc/c", "cc/cc/", "cc/cc/c", "cc/cc/cc/", "cc/cc/cc/c", "cc/cc/cc/cc"])
        self.assertEqual({fields[1] for fields in first}, {"0"})
        for fields in first[:-1]:
            self.assertRegex(fields[4], r"^\w{4}\|(/\w{6}(/\w\w(/\w\w)?)?)?$")
        self.assertRegex(first[-1][4], r"^\w{4}\|\w{4}/\w{6}/\w\w/\w\w$")
        self.assertEqual({line.split(":")[1] for line in seen if line.split(":")[2] == "1"}, {"1"})
        self.assertEqual(dealer.stdout.read(), read_log(self.folder / "match.log")[1] + "\n")

    def answer_once(self, answer, *options):
        """Plays one hand in which the first answer is given; (dealer's exit code, stdout, stderr, the betting that came of it)."""
        dealer, port = self.start(*options, hands=1)
        peer = join(port)
        peer.line()                # the small blind, the bot, is to act
        state = peer.line()[:-2]   # it has called
        peer.send(answer(state))
        betting = []
        while line := peer.line():
            betting.append(line.decode().split(":")[3])
            if acts(line.decode()):
                peer.send(line[:-2] + b":c\r\n")
        out, err = dealer.communicate(timeout=program.LIMIT_S)
        return dealer.returncode, out, err, betting[0] if betting else None

    def test_our_client_has_a_legal_answer_to_bets_of_any_size(self):
        log = self.folder / "match.log"
        dealer, ports = start_dealer("hunl", 150, 8, ["acpc", "acpc"], "--names", "prog,ours", "--log", log)
        self.addCleanup(dealer.kill)
        client = subprocess.Popen([program.BIN, "connect", "random", HOST, str(ports[1]), "--game", "hunl", "--json"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        self.addCleanup(client.kill)
        peer, rng = join(ports[0]), random.Random(8)
        while line := peer.line():
            state = line.decode()[:-2]
            if not state.split(":")[3].endswith("f") and acts(state):
                # A call, or a raise to anything; the dealer moves what is out of range.
                peer.send(f"{state}:{'c' if rng.random() < 0.5 else 'r%d' % (100 * 200 ** rng.random())}\r\n")
        out, err = dealer.communicate(timeout=program.LIMIT_S)
        client_out, client_err = client.communicate(timeout=program.LIMIT_S)
        self.assertEqual((dealer.returncode, client.returncode), (0, 0), err + client_err)
        self.assertIn("ours: 0 actions corrected", err)
        self.assertEqual(json.loads(client_out)["chips"], read_score(out.splitlines()[-1])["ours"])
        self.assertEqual(report("replay", log, "--game", "hunl")["errors"], [])
        sizes = set(re.findall(r"r(\d+)", log.read_text()))
        self.assertGreater(len(sizes), 100, "bets off the tree")

    def test_actions_that_are_not_legal_are_corrected_and_counted(self):
        for wrong, betting in (("r150", "cr200"), ("r30000", "cr20000"), ("f", "cc/"), ("x", "cc/"), ("r", "cc/"), ("", "cc/"), ("r300x", "cc/")):
            code, out, err, became = self.answer_once(lambda state: state + f":{wrong}\r\n".encode())
            self.assertEqual((code, became), (0, betting), wrong)
            self.assertIn("prog: 1 actions corrected", err)
            self.assertRegex(err, r"warning: prog, hand 0: '.*' is corrected")
            self.assertTrue(out.splitlines()[-1].startswith("SCORE:"))

    def test_comments_and_answers_to_other_states_are_passed_over(self):
        def answer(state):
            other = state.replace(b":0:c:", b":5:c:")
            return b"# thinking\r\n; still\r\n" + other + b":r300\r\n" + state.replace(b":0:", b":00:", 1) + b":r400\n"

        code, _, err, became = self.answer_once(answer)
        self.assertEqual((code, became), (0, "cr400"))
        self.assertIn("prog: 0 actions corrected", err)
        self.assertRegex(err, "warning: prog: passed over")

    def test_a_program_that_goes_away_ends_the_match_with_an_error(self):
        dealer, port = self.start()
        peer = join(port)
        peer.line()
        peer.close()
        out, err = dealer.communicate(timeout=program.LIMIT_S)
        self.assertEqual(dealer.returncode, 3)
        self.assertNotIn("SCORE", out)
        self.assertRegex(err.splitlines()[-1], r"^error: player prog: .*(closed the connection|hand \d+ cannot be played on)")

    def test_a_program_that_does_not_answer_or_come(self):
        dealer, port = self.start("--answer-seconds", "0.2")
        peer = join(port)
        _, err = dealer.communicate(timeout=program.LIMIT_S)
        self.assertEqual(dealer.returncode, 3)
        self.assertRegex(err, "error: player prog: no answer in time, where the answer in hand 0 is wanted")
        peer.close()
        dealer, port = self.start("--start-seconds", "0.2")
        _, err = dealer.communicate(timeout=program.LIMIT_S)
        self.assertEqual(dealer.returncode, 3)
        self.assertRegex(err, rf"error: player prog: nobody has connected to port {port}")

    def test_E16_another_version_is_refused(self):
        for line in ("VERSION:1.0.0\r\n", "MATCHSTATE:0:0::AsKd|:c\r\n", "VERSION:2.0\n"):
            dealer, port = self.start()
            peer = Peer(socket.create_connection((HOST, port)))
            peer.send(line)
            _, err = dealer.communicate(timeout=program.LIMIT_S)
            self.assertEqual(dealer.returncode, 3)
            self.assertRegex(err, "error: player prog: its first line is '.*', not VERSION:2.0.0")
            peer.close()


class Usage(Folder):
    def test_errors(self):
        self.assertRegex(error("dealer", "hunl", 10, 1, "random"), "1 players are named, hunl is for 2")
        self.assertRegex(error("dealer", "hunl", 0, 1, "random", "random"), "HANDS: 0 is not in")
        self.assertRegex(error("dealer", "hunl", 10, "x", "random", "random"), "SEED: ")
        self.assertRegex(error("dealer", "hunl", 10, 1, "acpc:70000", "random"), "port: 70000")
        self.assertRegex(error("dealer", "hunl", 10, 1, "acpc", "random", "--ports", "0,0"), "--ports")
        self.assertRegex(error("dealer", "hunl", 10, 1, "random", "rndom"), "random")
        self.assertRegex(error("dealer", "hunl", 10, 1, "random", "random", "--log", self.folder / "no" / "x.log", code=3), "cannot be written")
        self.assertRegex(error("dealer", "hunl", 10, 1, "random", "random", "--names", "a"), "--names")

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind((HOST, 0))
            taken.listen()
            port = taken.getsockname()[1]
            self.assertRegex(error("dealer", "hunl", 10, 1, f"acpc:{port}", "random", code=3), rf"{HOST}:{port}: cannot listen")


if __name__ == "__main__":
    program.main()
