"""rank and equity."""

import unittest

import program
from program import error, report, run


class Rank(unittest.TestCase):
    def ranks(self, *hands):
        return [hand["rank"] for hand in report("rank", *hands)]

    def test_keys_and_categories(self):
        hands = report("rank", "AsKsQsJsTs2d3c", "AsAdAcAh2c", "KsKdKhQcQd", "2h5h9hJhKh", "5c6d7h8s9c", "AsAdAc2c3d", "AsAdKcKd2h", "AsAd2c3d4h",
                       "AsQd2c3d4h")
        self.assertEqual([hand["category"] for hand in hands],
                         ["straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind", "two pair", "pair", "high card"])
        self.assertEqual(list(hands[0]), ["cards", "category", "rank"])
        ranks = [hand["rank"] for hand in hands]
        self.assertEqual(ranks, sorted(ranks, reverse=True))

    def test_R31_higher_is_better(self):
        trips, pair = self.ranks("7d7c7h9hJh2s3c", "JdJc9hKh2s3c4d")
        self.assertGreater(trips, pair)

    def test_small_hands_of_the_toys(self):
        pair, high = self.ranks("KsKh", "AsKh")
        self.assertGreater(pair, high)
        self.assertEqual(len(report("rank", "As")), 1)

    def test_refusals(self):
        self.assertRegex(error("rank", "AsAs"), r"^error: .*As")
        self.assertRegex(error("rank", "AsXd"), r"^error: .*Xd")
        self.assertRegex(error("rank", "2c3c4c5c6c7c8c9c"), r"^error: ")
        self.assertRegex(error("rank"), r"^error: CARDS is required")

    def test_text_form(self):
        self.assertRegex(run("rank", "As", "AsAd", check=0).stdout, r"^As  high card, rank \d+\nAsAd  pair, rank \d+\n$")


class Equity(unittest.TestCase):
    def test_preflop_all_ins(self):
        cases = {
            ("AcAd", "KcKd"): (1410336, 292660, 9308),
            ("AcKc", "QhQd"): (787966, 917606, 6732),
            ("AcKd", "2h2s"): (799119, 903239, 9946),
            ("AcKd", "AhKs"): (37210, 37210, 1637884),
        }
        for hands, (win, lose, tie) in cases.items():
            first, second = report("equity", *hands)
            self.assertEqual((first["win"], first["lose"], first["tie"]), (win, lose, tie))
            self.assertEqual((second["win"], second["lose"], second["tie"]), (lose, win, tie))
            self.assertAlmostEqual(first["equity"], (win + tie / 2) / 1712304, places=12)

    def test_board_and_several_hands(self):
        hands = report("equity", "AsKd", "AhQd", "2c2h", "--board", "2s3c4h5s9h")
        self.assertEqual([hand["win"] + hand["lose"] + hand["tie"] for hand in hands], [1, 1, 1])
        self.assertAlmostEqual(sum(hand["equity"] for hand in hands), 1)
        self.assertEqual(report("equity", "--board", "2c3c4h", "AsAd", "KsKd")[0]["hand"], "AsAd")  # T40: one value for an option

    def test_refusals(self):
        self.assertRegex(error("equity", "AsAd"), r"^error: ")
        self.assertRegex(error("equity", "AsAd", "AsKd"), r"^error: .*As")
        self.assertRegex(error("equity", "AsAd", "KsKd", "--board", "As3c4h"), r"^error: .*As")


if __name__ == "__main__":
    program.main()
