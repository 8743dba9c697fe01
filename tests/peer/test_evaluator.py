"""Compares `deepcfr rank` with phevaluator (HenryRLee's perfect-hash evaluator) on 2,000 random hold'em showdowns: the order
of the two hands, and over all 4,000 hands the order and the category. There lower is better, here higher is.

Exit status 77 (skipped) where phevaluator is not installed; scripts/peers.sh installs it.
"""
import json
import os
import random
import subprocess
import sys

try:
    from phevaluator import evaluate_cards
except ImportError:
    print("skipped: phevaluator is not installed (scripts/peers.sh installs it)")
    sys.exit(77)

PAIRS = 2000
SEED = 20190609
# The weakest rank of each category in the numbering 1 (royal flush) .. 7462 (75432).
CATEGORIES = [
    (10, "straight flush"), (166, "four of a kind"), (322, "full house"), (1599, "flush"), (1609, "straight"),
    (2467, "three of a kind"), (3325, "two pair"), (6185, "pair"), (7462, "high card"),
]


def deepcfr_ranks(hands):
    """One call for all hands; a list of (category, rank) in the order of the hands."""
    program = os.environ.get("DEEPCFR_BIN", "deepcfr")
    command = [program, "rank", *("".join(hand) for hand in hands), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        sys.exit(f"deepcfr rank ended with {done.returncode}: {done.stderr.strip()}")
    rows = json.loads(done.stdout)
    if len(rows) != len(hands):
        sys.exit(f"{len(rows)} rows for {len(hands)} hands")
    return [(row["category"], row["rank"]) for row in rows]


def category(peer_rank):
    return next(name for weakest, name in CATEGORIES if peer_rank <= weakest)


def sign(x):
    return (x > 0) - (x < 0)


def main():
    rng = random.Random(SEED)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    hands = []
    for _ in range(PAIRS):
        cards = rng.sample(deck, 9)
        hands += [cards[:5] + cards[5:7], cards[:5] + cards[7:9]]
    ours = deepcfr_ranks(hands)
    peer = [evaluate_cards(*hand) for hand in hands]

    faults = []
    ties = 0
    for i in range(0, len(hands), 2):
        expected = sign(peer[i + 1] - peer[i])
        ties += expected == 0
        if sign(ours[i][1] - ours[i + 1][1]) != expected:
            faults.append(f"order: {''.join(hands[i])} {ours[i]} v {''.join(hands[i + 1])} {ours[i + 1]}, "
                          f"phevaluator {peer[i]} v {peer[i + 1]}")
    for hand, (name, rank), peer_rank in zip(hands, ours, peer):
        if name != category(peer_rank):
            faults.append(f"category: {''.join(hand)} is {name} ({rank}), phevaluator {category(peer_rank)} ({peer_rank})")
    by_peer = sorted(zip(peer, (rank for _, rank in ours)))
    for (peer_a, rank_a), (peer_b, rank_b) in zip(by_peer, by_peer[1:]):
        if sign(rank_a - rank_b) != sign(peer_b - peer_a):
            faults.append(f"scale: {rank_a} v {rank_b}, phevaluator {peer_a} v {peer_b}")

    for fault in faults[:10]:
        print(fault)
    print(f"{PAIRS} pairs, {ties} ties, {len(set(peer))} classes: {len(faults)} disagreements")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
