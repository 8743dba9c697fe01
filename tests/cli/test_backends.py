"""traversal.* and inference.* change the speed of a run and nothing else (but for inference.dtype)."""

import itertools

import program
from test_training import Workspace

LEDUC = """\
seed: 3
game:
  name: leduc
algorithm:
  iterations: 3
  traversals: 150
  small_game: off
network:
  type: %s
  hidden: 16
  dim: 16
  card_branch_width: 16
training:
  steps: 20
memory:
  advantage_capacity: 20000
  strategy_capacity: 20000
evaluation:
  eval_every: 0
  games: 50
  opponents: [random]
checkpoint:
  every: 1
"""


class Backends(Workspace):
    def setUp(self):
        super().setUp()
        for network in ("mlp", "card_bet"):
            (self.folder / f"{network}.yaml").write_text(LEDUC % network)
        self.names = itertools.count()

    def hashes(self, config, *settings):
        name = f"run{next(self.names)}"
        sets = [argument for setting in settings for argument in ("--set", setting)]
        self.go("train", config, "--run-dir", name, *sets)
        return self.hashes_of(name)

    def hashes_of(self, name):
        return [row["samples_hash"] for row in self.metrics(name)]

    def test_all_backends_make_the_same_records(self):
        for config in ("mlp.yaml", "card_bet.yaml"):
            wanted = self.hashes(config, "traversal.mode=recursive")
            self.assertEqual(len(set(wanted)), 3)
            variants = [[f"traversal.in_flight={n}"] for n in (1, 8, 64, 512)]
            variants += [[f"traversal.workers={n}", "inference.batch=16"] for n in (1, 2, 3)]
            variants += [["inference.share_cards=false"]]
            for workers in (1, 2, 3):
                for more in ([], ["inference.asynchronous=true"], ["inference.batch=8", "inference.max_batch=1024", "inference.threads=1"],
                             ["inference.batch=7", "inference.queue_length=1", "inference.asynchronous=true"]):
                    variants.append(["inference.backend=server", f"traversal.workers={workers}", *more])
            variants += [["inference.backend=check", "traversal.workers=2"]]
            for variant in variants:
                with self.subTest(config=config, variant=variant):
                    self.assertEqual(self.hashes(config, *variant), wanted)

    def test_bfloat16_is_a_choice_of_its_own(self):
        wide = self.hashes("mlp.yaml")
        for config in ("mlp.yaml", "card_bet.yaml"):
            narrow = self.hashes(config, "inference.dtype=bfloat16")
            self.assertNotEqual(narrow, wide)
            for variant in (["traversal.mode=recursive"], ["inference.backend=check"], ["inference.backend=server", "traversal.workers=2"],
                            ["inference.share_cards=false", "traversal.in_flight=3"]):
                with self.subTest(config=config, variant=variant):
                    self.assertEqual(self.hashes(config, "inference.dtype=bfloat16", *variant), narrow)

    def test_a_run_goes_on_with_another_backend(self):
        wanted = self.hashes("card_bet.yaml")
        self.go("train", "card_bet.yaml", "--run-dir", "first", "--set", "algorithm.iterations=1")
        self.go("resume", "first", "--set", "algorithm.iterations=3", "--set", "inference.backend=server", "--set", "traversal.workers=2",
                "--set", "inference.asynchronous=true")
        self.assertEqual(self.hashes_of("first"), wanted)
        refused = self.go("resume", "first", "--set", "algorithm.iterations=4", "--set", "inference.dtype=bfloat16", check=2)
        self.assertIn("inference.dtype", refused.stderr)


if __name__ == "__main__":
    program.main()
