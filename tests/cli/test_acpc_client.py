"""connect: a dealer's side that sends whatever dealers have been seen to send (reported faults, section "Evaluation and ACPC", by id)."""

import json
import pathlib
import resource
import socket
import tempfile
import time
import unittest

import program
from acpc import HOST, Server
from program import DATA, run

# The big blind (position 0) to act after a limp; the small blind first; a fold.
OURS = "MATCHSTATE:0:7:c:AsKd|"
OTHERS = "MATCHSTATE:0:7::AsKd|"
OVER = "MATCHSTATE:0:7:r300f:AsKd|"


def server(player="always_call", *options, game="hunl", **keywords):
    return Server(player, options=("--game", game, *options), **keywords)


def play(lines, player="always_call", *options, game="hunl"):
    """(all that the client sent after its version, exit code, stdout, stderr) when it is sent `lines` and then nothing more."""
    with server(player, *options, game=game) as dealer:
        peer = dealer.accept()
        peer.send("".join(lines))
        peer.socket.shutdown(socket.SHUT_WR)
        sent = peer.rest()
        return (sent, *dealer.finish())


class Version(unittest.TestCase):
    def test_E16_the_version_is_sent_before_anything_is_read(self):
        with server() as dealer:
            peer = dealer.accept(version=False)
            self.assertRegex(peer.line(), rb"^VERSION:2\.0\.\d+\r?\n$")
            self.assertTrue(peer.silent(), "nothing else is said without being asked")


class Turns(unittest.TestCase):
    def test_E17_only_states_in_which_it_acts_are_answered(self):
        sent, code, out, _ = play([OTHERS + "\r\n", OVER + "\r\n", OURS.replace(":7:", ":8:") + "\r\n", OVER.replace(":7:", ":8:") + "\r\n"])
        self.assertEqual(sent, (OURS.replace(":7:", ":8:") + ":c\r\n").encode())
        self.assertEqual(code, 0)
        self.assertEqual((json.loads(out)["hands"], json.loads(out)["answers"]), (2, 1))

    def test_E20_hand_and_position_are_those_of_the_message(self):
        # Heads-up, cards "Ah8s|" at position 0 and "|2h4c" at position 1, hands out of order.
        states = ["MATCHSTATE:0:0:c:Ah8s|", "MATCHSTATE:0:0:cc/:Ah8s|/2c3c4h", "MATCHSTATE:1:1::|2h4c", "MATCHSTATE:1:1:c:|2h4c",
                  "MATCHSTATE:1:9:cc/:|2h4c/AsKsQs", "MATCHSTATE:1:9:cc/c:|2h4c/AsKsQs", "MATCHSTATE:0:2:f:Ah8s|"]
        sent, code, _, _ = play([state + "\r\n" for state in states])
        answered = [states[0], states[1], states[2], states[5]]
        self.assertEqual(sent.decode(), "".join(state + ":c\r\n" for state in answered))
        self.assertEqual(code, 0)

    def test_E21_empty_rounds_after_an_all_in_are_no_turn(self):
        state = "MATCHSTATE:0:1:r19015r20000c///:6sKs|5dJd/2sTh2h/Qh/8h"
        sent, code, out, _ = play([state + "\r\n"])
        self.assertEqual(sent, b"")
        self.assertEqual(code, 0)
        self.assertEqual(json.loads(out)["chips"], 20000)

    def test_results_are_those_of_the_own_position(self):
        # 3c4c loses with the pair of the board alone against kings: −100; then the other folds the small blind: +50.
        _, _, out, _ = play(["MATCHSTATE:1:0:cc/cc/cc/cc:KsKd|3c4d/2c2d9h/Qh/8h\r\n", "MATCHSTATE:0:1:f:3c4d|\r\n"])
        self.assertEqual(json.loads(out)["chips"], -50)


class Framing(unittest.TestCase):
    def test_line_ends_comments_and_packets(self):
        stream = "# a comment\r\n;another\n\r\n" + OURS + "\n" + OTHERS + "\r\n" + OVER + "\n#END_HAND\n"
        wanted = (OURS + ":c\r\n").encode()
        with self.subTest("joined in one packet"):
            self.assertEqual(play([stream])[:2], (wanted, 0))
        with self.subTest("byte by byte"), server() as dealer:
            peer = dealer.accept()
            for byte in stream:
                peer.send(byte)
            peer.socket.shutdown(socket.SHUT_WR)
            self.assertEqual(peer.rest(), wanted)
            self.assertEqual(dealer.finish()[0], 0)
        with self.subTest("a line that comes in two, with time between"), server() as dealer:
            peer = dealer.accept()
            peer.send(OURS[:20])
            self.assertTrue(peer.silent())
            peer.send(OURS[20:] + "\r")
            self.assertTrue(peer.silent(), "the line is not over")
            peer.send("\n")
            self.assertEqual(peer.line(), wanted)

    def test_the_line_is_echoed_byte_for_byte(self):
        state = "MATCHSTATE:0:007:b300:AsKd|"
        sent, _, _, _ = play([state + "\r\n", OVER + "\r\n"])
        self.assertEqual(sent.decode(), state + ":c\r\n")


class Connecting(unittest.TestCase):
    def test_E22_no_listener(self):
        with socket.socket() as unused:
            unused.bind((HOST, 0))
            port = unused.getsockname()[1]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = run("connect", "always_call", HOST, port, "--game", "hunl", "--wait", "1.5")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, rf"^error: {HOST}:{port}: cannot connect: Connection refused .*--wait")
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(used, 1.2, "waiting is no busy loop")

    def test_E22_a_listener_that_comes_later(self):
        with server("always_call", "--wait", "60", listen=False) as dealer:
            time.sleep(2)
            dealer.listen()
            peer = dealer.accept()
            peer.send(OVER + "\r\n")
            peer.close()
            self.assertEqual(dealer.finish()[0], 0)

    def test_E22_the_end_after_a_hand_and_within_one(self):
        self.assertEqual(play([OVER + "\r\n"])[1], 0)
        for lines, words in (([OURS + "\r\n"], "in the middle of hand 7"), ([OVER + "\r\n", OTHERS + "\r\n"], "in the middle of hand 7"),
                             ([], "before the first hand"), ([OVER], "before the first hand")):
            _, code, out, err = play(lines)
            self.assertEqual((code, out), (3, ""), lines)
            self.assertRegex(err.splitlines()[-1], f"^error: .*closed the connection {words}")

    def test_a_host_that_is_none(self):
        self.assertRegex(program.error("connect", "random", "no.such.host.invalid", 4000, "--game", "hunl", code=3), "address is not known")
        self.assertRegex(program.error("connect", "random", HOST, 65536, "--game", "hunl"), "port: 65536 is not in 1..65535")
        self.assertRegex(program.error("connect", "random", HOST, 4000), "--game")


class Time(unittest.TestCase):
    def test_E19_a_slow_player_checks_or_calls_in_time(self):
        with server("always_raise", "--test-delay", "4", "--answer-seconds", "0.5") as dealer:
            peer = dealer.accept()  # it has thought once before it came: loading is not on the dealer's time
            begun = time.monotonic()
            peer.send(OURS + "\r\n")
            self.assertEqual(peer.line().decode(), OURS + ":c\r\n")
            self.assertLess(time.monotonic() - begun, 4)
            peer.send(OVER + "\r\n")
            peer.close()
            code, out, err = dealer.finish()
        self.assertEqual(code, 0)
        self.assertRegex(err, r"warning: hand 7: no answer within 0\.5 s, so check")
        self.assertEqual(json.loads(out)["late"], 1)

    def test_E19_a_player_in_time_says_what_it_wants(self):
        sent, _, out, _ = play([OURS + "\r\n", OVER + "\r\n"], "always_raise")
        self.assertEqual(sent.decode(), OURS + ":r20000\r\n")
        self.assertEqual(json.loads(out)["late"], 0)


class Games(unittest.TestCase):
    def test_E24_a_dealer_of_another_game_is_refused_naming_both(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "100bb.game"
            path.write_text(program.report("game", "show", "hunl")["definition"].replace("20000", "10000"))
            sent, code, _, err = play(["MATCHSTATE:0:7:r15000:AsKd|\r\n"], game=path)
        self.assertEqual((sent, code), (b"", 3))
        self.assertRegex(err, r"error: .*stacks 10000 10000.*MATCHSTATE:0:7:r15000.*raise to 15000 is not in 200\.\.10000")

    def test_E23_an_agent_of_other_rules_than_the_dealers_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            agent = pathlib.Path(folder) / "kuhn"
            run("train", program.SOURCE / "configs" / "kuhn.yaml", "--run-dir", agent, "--set", "game.rules=cardroom", "--set", "algorithm.iterations=1",
                "--set", "algorithm.traversals=10", "--set", "training.steps=1", "--set", "training.strategy.steps=1", check=0)
            self.assertRegex(program.error("connect", agent, HOST, 4000).splitlines()[-1], "was trained with the rules of card rooms")

    def test_states_that_cannot_be(self):
        for line in ("MATCHSTATE:0:7:ccc:AsKd|", "MATCHSTATE:2:7:c:AsKd|", "MATCHSTATE:0:7:c:|", "MATCHSTATE:0:7:c:AsKd|:r300", "hello",
                     "MATCHSTATE:0:7:c:AsAs|", "STATE:7:c:AsKd|2c2d"):
            sent, code, _, err = play([line + "\r\n"])
            self.assertEqual((sent, code), (b"", 3), line)
            self.assertIn("hunl (no-limit, 2 players, stacks 20000 20000, blinds 100 50)", err)

    def test_bets_off_the_tree_are_answered(self):
        # always_raise goes all-in whatever it faces; three bets that no size of hunl is.
        for betting, answer in (("r237", "r20000"), ("r19999", "c"), ("r20000", "c")):
            state = f"MATCHSTATE:0:7:{betting}:AsKd|"
            sent, _, _, _ = play([state + "\r\n", OVER + "\r\n"], "always_raise")
            self.assertEqual(sent.decode(), f"{state}:{answer}\r\n")

    def test_other_games(self):
        leduc = "MATCHSTATE:1:3:r:|Ks"
        sent, code, _, _ = play([leduc + "\r\n", "MATCHSTATE:1:3:rf:|Ks\r\n"], "always_raise", game="leduc")
        self.assertEqual((sent.decode(), code), (leduc + ":r\r\n", 0))
        three = "MATCHSTATE:2:0::||AsKd"
        sent, code, _, _ = play([three + "\r\n", "MATCHSTATE:2:0:fff:||AsKd\r\n", "MATCHSTATE:2:0:ff:||AsKd\r\n"], "always_raise",
                                game=DATA / "games" / "limit_3p.game")
        self.assertEqual((sent.decode(), code), (three + ":r\r\n", 3), "three folds are no hand")


if __name__ == "__main__":
    program.main()
