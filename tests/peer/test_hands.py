"""Hands written here, read by PokerKit, and the other way round: every action has to be legal there, and every result the same.

Where the rule books differ, hands are compared by one that both can play: ties are split by real division (PokerKit is told so; by itself it gives
odd chips to the first winner, as our rule set `cardroom` does); limit hold'em before the flop has three raises here and four there, so ours
are legal there; stacks are equal, so that no short all-in reopens the betting and there are no side pots.

DEEPCFR_PEER_HANDS: hands of each kind (default 200). Exit status 77: PokerKit cannot be imported.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

try:
    import pokerkit
except ImportError as error:
    print(f"skipped: {error} (scripts/peers.sh sets the peers up)")
    sys.exit(77)

HANDS = int(os.environ.get("DEEPCFR_PEER_HANDS", "200"))
BIN = os.environ.get("DEEPCFR_BIN", "deepcfr")
DATA = pathlib.Path(os.environ["DEEPCFR_TEST_DATA"])
GAMES = {  # game: players of the match
    "hunl": ["random", "tight"],
    "hulh": ["random", "loose"],
    DATA / "games" / "limit_3p.game": ["random", "random", "loose"],
    "nlhe6": ["random", "tight", "random", "loose", "random", "always_call"],
}


def run(*arguments, check=True):
    return subprocess.run([BIN, *map(str, arguments)], capture_output=True, text=True, check=check).stdout


def split_exactly(chips, winners):
    """What PokerKit shares a pot by: real division, nothing left over."""
    return Fraction(chips) / winners, 0


def net_chips(history):
    """What each player wins by PokerKit, after every action of the file, and nothing else, has been played."""
    state, played = None, []
    for state, action in history.state_actions:
        if action is not None:
            played.append(action)
    assert played == history.actions, (played, history.actions)
    assert not state.status, "the hand is not over"
    return [float(chips) for chips in state.payoffs]


def log_values(path):
    """Values by position of each STATE line."""
    return [[float(value) for value in line.split(":")[-2].split("|")]
            for line in path.read_text().splitlines() if line.startswith("STATE:")]


def equal(left, right):
    return len(left) == len(right) and all(abs(a - b) < 1e-4 for a, b in zip(left, right))


def compare_file(phhs, log):
    """(hands, ties that were split unevenly) of a PHH file that PokerKit reads; its results must be those of the log."""
    ours = log_values(log)
    with open(phhs, "rb") as file:
        theirs = list(pokerkit.HandHistory.load_all(file, divmod=split_exactly))
    assert len(theirs) == len(ours), (len(theirs), len(ours))
    uneven = 0
    for number, (history, values) in enumerate(zip(theirs, ours)):
        net = net_chips(history)
        assert equal(net, values), f"hand {number}: {net} {values} {history.actions}"
        finishing = [float(end) - start for end, start in zip(history.finishing_stacks, history.starting_stacks)]
        assert equal(finishing, values), f"hand {number}: finishing stacks {finishing}, values {values}"
        uneven += any(value != int(value) for value in values)
    return len(ours), uneven


def check_ours_there(folder):
    for game, players in GAMES.items():
        phhs, log = folder / "match.phhs", folder / "match.log"
        run("match", *players, "--game", game, "--hands", HANDS, "--seed", 17, "--phh", phhs, "--acpc-log", log)
        hands, uneven = compare_file(phhs, log)
        assert HANDS <= hands < HANDS + len(players), "whole rounds of seats"
        print(f"{pathlib.Path(str(game)).stem}: PokerKit read {hands} hands and agrees on every result; {uneven} ties with parts of chips")


def random_history(rng):
    """A hand that PokerKit has played, as it writes it."""
    limit = rng.random() < 0.4
    players = rng.randint(2, 6)
    big = rng.choice([2, 10, 100])
    stack = rng.choice([20, 50, 200]) * big
    automations = tuple(pokerkit.Automation[name] for name in (
        "ANTE_POSTING", "BET_COLLECTION", "BLIND_OR_STRADDLE_POSTING", "CARD_BURNING", "HOLE_DEALING", "BOARD_DEALING",
        "RUNOUT_COUNT_SELECTION", "HOLE_CARDS_SHOWING_OR_MUCKING", "HAND_KILLING", "CHIPS_PUSHING", "CHIPS_PULLING"))
    random.seed(rng.getrandbits(64))
    if limit:
        game = pokerkit.FixedLimitTexasHoldem(automations, False, 0, (big // 2, big), big, 2 * big)
    else:
        game = pokerkit.NoLimitTexasHoldem(automations, False, 0, (big // 2, big), big)
    state = game(stack, players)
    while state.actor_index is not None:
        low, high = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
        pick = rng.random()
        if pick < 0.15 and max(state.bets) > state.bets[state.actor_index]:
            state.fold()
        elif pick < 0.55 and low is not None:
            state.complete_bet_or_raise_to(rng.choice([low, low, rng.randint(low, high), high]))
        else:
            state.check_or_call()
    return pokerkit.HandHistory.from_game_state(game, state, blinds_or_straddles=[big // 2, big], antes=[0] * players), list(state.payoffs)


def check_theirs_here(folder):
    rng = random.Random(5)
    histories, payoffs = zip(*(random_history(rng) for _ in range(HANDS)))
    path = folder / "pokerkit.phhs"
    path.write_text(pokerkit.HandHistory.dumps_all(histories))
    replayed = json.loads(run("replay", path, "--each", "--json", check=False))
    assert replayed["errors"] == [], replayed["errors"][:5]
    for number, (values, paid) in enumerate(zip(replayed["results"], payoffs)):
        assert values == paid, f"hand {number}: {values} {paid} {histories[number].actions}"
    odd = sum(any(chips % 2 for chips in paid) for paid in payoffs)
    print(f"replay read {HANDS} hands of PokerKit's and agrees on every result; {odd} with odd chips")


def main():
    with tempfile.TemporaryDirectory() as name:
        check_ours_there(pathlib.Path(name))
        check_theirs_here(pathlib.Path(name))


if __name__ == "__main__":
    main()
