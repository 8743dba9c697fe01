"""Random hands of 2 to 6 players with unequal stacks, played by PokerKit (card-room rules) and OpenSpiel's universal_poker
(ACPC rules); `deepcfr game state` has to agree at every decision on the actor, the amount to call, whether folding is legal and
the raise range, and at the end on the payoffs. Differences are allowed only where one of the named rules below says so.

DEEPCFR_PEER_HANDS: hands for each peer (default 300). Exit status 77: a peer cannot be imported.
"""

import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import pokerkit
    import pyspiel
except ImportError as error:
    print(f"skipped: {error} (scripts/peers.sh sets the peers up)")
    sys.exit(77)

HANDS = int(os.environ.get("DEEPCFR_PEER_HANDS", "300"))
BIN = os.environ.get("DEEPCFR_BIN", "deepcfr")
HANDS_A_GAME = 25

# Differences from PokerKit 0.7.7, each with its reason.
NAMED_RULES = {
    "no full bet yet": (
        "All raises of this street are all-ins below the big blind. PokerKit takes the first of them for a full raise; here a "
        "full raise is at least the big blind, so who has acted may raise only when facing that much."),
    "sum since own action": (
        "Short all-ins reopen the betting to a player who faces a full raise in all (TDA rule 47). PokerKit starts the sum "
        "afresh each time it reaches a full raise, so it can lose what the player faces."),
    "pots of mucked hands": (
        "Each side pot is split by itself. PokerKit counts losing hands as gone before it makes the pots, which joins pots and "
        "moves odd chips."),
}

# named: None, or (name of a rule, what it gives for "raise" or "values")
Decision = collections.namedtuple("Decision", "text expected named")


class Table:
    """A game definition: what both sides are told."""

    def __init__(self, rng, limit, longest_stack):
        self.limit = limit
        self.players = rng.randint(2, 4 if limit else 6)  # universal_poker 2.0.2 crashes on limit games of more than four
        self.big = rng.choice([2, 4, 10])
        self.small = self.big // 2
        low = self.big + 1
        deep = rng.random() < 0.3
        self.stacks = [rng.randint(low, longest_stack if deep or rng.random() < 0.4 else 8 * self.big)
                       for _ in range(self.players)]
        self.blinds = [self.big, self.small] if self.players == 2 else [self.small, self.big] + [0] * (self.players - 2)
        self.first = "2 1 1 1" if self.players == 2 else "3 1 1 1"
        self.raise_sizes = [self.big, self.big, 2 * self.big, 2 * self.big]

    def text(self):
        lines = ["GAMEDEF", "limit" if self.limit else "nolimit", f"numPlayers = {self.players}", "numRounds = 4",
                 "stack = " + " ".join(map(str, self.stacks)), "blind = " + " ".join(map(str, self.blinds)),
                 "firstPlayer = " + self.first, "numSuits = 4", "numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3 1 1"]
        if self.limit:
            # PokerKit allows four raises on every street; ACPC's own limit games have three before the flop.
            lines += ["raiseSize = " + " ".join(map(str, self.raise_sizes)), "maxRaises = 4 4 4 4"]
        return "\n".join(lines + ["END GAMEDEF", ""])


def choose_raise(rng, low, high):
    """Minimum raises and all-ins often, so that short all-ins meet."""
    pick = rng.random()
    return low if pick < 0.45 else high if pick < 0.7 else rng.randint(low, high)


def ask(table, rules, lines):
    """One JSON object for each STATE line."""
    with tempfile.NamedTemporaryFile("w", suffix=".game") as file:
        file.write(table.text())
        file.flush()
        answer = subprocess.run([BIN, "game", "state", file.name, "-", "--rules", rules, "--json"],
                                input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"{BIN} ended with {answer.returncode}: {answer.stderr}\n{table.text()}")
    return [json.loads(line) for line in answer.stdout.splitlines()]


# -- PokerKit ---------------------------------------------------------------------------------------------------------

AUTOMATIONS = tuple(pokerkit.Automation[name] for name in (
    "ANTE_POSTING", "BET_COLLECTION", "BLIND_OR_STRADDLE_POSTING", "CARD_BURNING", "HOLE_DEALING", "BOARD_DEALING",
    "RUNOUT_COUNT_SELECTION", "HOLE_CARDS_SHOWING_OR_MUCKING", "HAND_KILLING", "CHIPS_PUSHING", "CHIPS_PULLING"))


def card_text(cards):
    return "".join(repr(card) for card in cards)


class PokerKitHand:
    def __init__(self, table, rng):
        self.table = table
        random.seed(rng.getrandbits(64))  # PokerKit shuffles with the global generator
        blinds = (table.small, table.big)
        if table.limit:
            self.state = pokerkit.FixedLimitTexasHoldem.create_state(
                AUTOMATIONS, True, 0, blinds, table.big, 2 * table.big, tuple(table.stacks), table.players)
        else:
            self.state = pokerkit.NoLimitTexasHoldem.create_state(
                AUTOMATIONS, True, 0, blinds, table.big, tuple(table.stacks), table.players)
        self.holes = [card_text(cards) for cards in self.state.hole_cards]
        self.betting = ""
        self.street = 0
        self.raises = []  # increments of this street, with the bet before the first
        self.acted = set()
        self.folded = set()
        self.put_in = [table.stacks[p] - self.state.stacks[p] for p in range(table.players)]
        self.rng = rng

    def spent(self, player):
        return self.table.stacks[player] - self.state.stacks[player]

    def cards(self, streets):
        board = [card for cards in self.state.board_cards for card in cards]
        text = "|".join(self.holes)
        for street, (begin, end) in enumerate([(0, 0), (0, 3), (3, 4), (4, 5)]):
            if 0 < street <= streets:
                text += "/" + card_text(board[begin:end])
        return text

    def decision(self):
        state = self.state
        actor = state.actor_index
        before_street = self.spent(actor) - state.bets[actor]
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        to_call = max(state.bets) - state.bets[actor]
        expected = {
            "actor": actor,
            "spent": [self.spent(p) for p in range(self.table.players)],
            "fold": to_call > 0,
            "raise": None if low is None else [before_street + low, before_street + high],
        }
        text = f"STATE:0:{self.betting}:{self.cards(self.street)}"
        return Decision(text, expected, self.named(actor, to_call, before_street))

    def named(self, actor, to_call, before_street):
        """Name of the rule under which the raise range may differ, and the range that rule 47 gives."""
        if actor not in self.acted:
            return None
        state = self.state
        full = self.table.raise_sizes[self.street] if self.table.limit else self.table.big
        largest = max(self.raises, default=0)
        last_raise = full if self.table.limit else max(full, largest)
        others = [p for p in range(self.table.players) if p != actor and state.statuses[p]
                  and state.stacks[p] + state.bets[p] > max(state.bets)]
        stack = state.stacks[actor] + state.bets[actor]
        allowed = to_call >= last_raise and others and stack > max(state.bets)
        allowed = allowed and not (self.table.limit and len(self.raises) >= 4)
        low = before_street + min(max(state.bets) + last_raise, stack)
        right = [low, low if self.table.limit else before_street + stack] if allowed else None
        return ("no full bet yet" if largest < full else "sum since own action", right)

    def act(self):
        state, rng = self.state, self.rng
        actor = state.actor_index
        base = self.spent(actor) - state.bets[actor]
        low = state.min_completion_betting_or_raising_to_amount
        high = state.max_completion_betting_or_raising_to_amount
        named = self.named(actor, max(state.bets) - state.bets[actor], base)
        if named and named[1] is None:
            low = None  # only what both allow
        pick = rng.random()
        self.acted.add(actor)
        if pick < 0.12 and max(state.bets) > state.bets[actor]:
            self.betting += "f"
            self.folded.add(actor)
            state.fold()
        elif pick < 0.6 and low is not None:
            amount = choose_raise(rng, low, high)
            self.betting += "r" if self.table.limit else f"r{base + amount}"
            self.raises.append(amount - max(state.bets))
            self.put_in[actor] = base + amount
            state.complete_bet_or_raise_to(amount)
        else:
            self.betting += "c"
            self.put_in[actor] += state.checking_or_calling_amount
            state.check_or_call()
        self.next_street()

    def next_street(self):
        """'/' for each street left, also by an all-in; not after a hand that ends by a fold."""
        state = self.state
        if self.folded_out():
            return
        street = 3 if state.actor_index is None else state.street_index
        self.betting += "/" * (street - self.street)
        if street != self.street:
            self.raises, self.acted = [], set()
        self.street = street

    def folded_out(self):
        return len(self.folded) == self.table.players - 1

    def play(self):
        while self.state.actor_index is not None:
            yield self.decision()
            self.act()
        if not self.betting:  # nobody could act
            self.betting, self.street = "///", 3
        text = f"STATE:0:{self.betting}:{self.cards(self.street)}"
        values = {"finished": True, "values": [float(x) for x in self.state.payoffs]}
        named = None if self.folded_out() else ("pots of mucked hands", self.account())
        yield Decision(text, values, named)

    def account(self):
        """Payoffs chip level by chip level, each pot split by itself."""
        board = card_text([card for cards in self.state.board_cards for card in cards])
        strength = {p: pokerkit.StandardHighHand.from_game(self.holes[p], board)
                    for p in range(self.table.players) if p not in self.folded}
        values = [-chips for chips in self.put_in]
        pots = []
        for level in range(1, max(self.put_in) + 1):
            inside = [p for p in range(self.table.players) if self.put_in[p] >= level]
            eligible = [p for p in inside if p in strength]
            if not pots or pots[-1][0] != eligible:
                pots.append([eligible, 0])
            pots[-1][1] += len(inside)
        for eligible, chips in pots:
            best = max(strength[p] for p in eligible)
            winners = [p for p in eligible if strength[p] == best]
            for p in winners:
                values[p] += chips // len(winners)
            values[winners[0]] += chips % len(winners)
        return values


# -- OpenSpiel --------------------------------------------------------------------------------------------------------


class OpenSpielHands:
    def __init__(self, table):
        self.table = table
        self.game = pyspiel.load_game("universal_poker", self.parameters())

    def parameters(self):
        table = self.table
        parameters = {
            "betting": "limit" if table.limit else "nolimit", "bettingAbstraction": "fcpa" if table.limit else "fullgame",
            "numPlayers": table.players, "numRounds": 4, "blind": " ".join(map(str, table.blinds)), "firstPlayer": table.first,
            "stack": " ".join(map(str, table.stacks)), "numSuits": 4, "numRanks": 13, "numHoleCards": 2,
            "numBoardCards": "0 3 1 1"}
        if table.limit:
            parameters.update(raiseSize=" ".join(map(str, table.raise_sizes)), maxRaises="4 4 4 4")
        return parameters

    def play(self, rng):
        state = self.game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
                continue
            legal = state.legal_actions()
            raises = [action for action in legal if action >= 2]
            expected = {"actor": state.current_player(), "fold": 0 in legal}
            if self.table.limit:
                expected["may raise"] = bool(raises)
            else:
                expected["raise"] = [raises[0], raises[-1]] if raises else None
                assert len(raises) == (raises[-1] - raises[0] + 1 if raises else 0)
            text, spent = self.described(state)
            yield Decision(text, dict(expected, spent=spent), None)
            pick = rng.random()
            if pick < 0.12 and 0 in legal:
                state.apply_action(0)
            elif pick < 0.6 and raises:
                state.apply_action(choose_raise(rng, raises[0], raises[-1]))
            else:
                state.apply_action(1)
        text, spent = self.described(state)
        yield Decision(text, {"finished": True, "spent": spent, "values": state.returns()}, None)

    @staticmethod
    def described(state):
        text = str(state)
        return (re.search(r"ACPC State: (STATE:\S*)", text).group(1),
                [int(x) for x in re.findall(r"P\d+: (\d+)", re.search(r"Spent: \[(.*?)\]", text).group(1))])


# -- comparing --------------------------------------------------------------------------------------------------------


def difference(answer, expected):
    """The first key that differs, or None."""
    for key, value in expected.items():
        if key == "may raise":
            agrees = (answer["raise"] is not None) == value
        elif key == "values":
            agrees = answer["values"] is not None and all(abs(a - b) < 1e-4 for a, b in zip(answer["values"], value))
        else:
            agrees = answer[key] == value
        if not agrees:
            return key
    return None


class Report:
    def __init__(self, peer):
        self.peer = peer
        self.hands = self.decisions = self.raises = self.failures = 0
        self.named = collections.Counter()

    def compare(self, table, rules, hands):
        decisions = [decision for hand in hands for decision in hand]
        answers = ask(table, rules, [decision.text for decision in decisions])
        assert len(answers) == len(decisions), f"{len(answers)} answers to {len(decisions)} states"
        self.hands += len(hands)
        for decision, answer in zip(decisions, answers):
            if "error" in answer:
                self.fail(table, decision, answer, "error")
                continue
            finished = decision.expected.get("finished", False)
            self.decisions += not finished
            self.raises += answer.get("raise") is not None
            key = difference(answer, dict(decision.expected, finished=finished))
            if key in ("raise", "values") and decision.named and answer[key] == decision.named[1]:
                self.named[decision.named[0]] += 1
            elif key:
                self.fail(table, decision, answer, key)

    def fail(self, table, decision, answer, key):
        self.failures += 1
        if self.failures <= 5:
            print(f"{self.peer}: {key} differs\n  {decision.text}\n  here {answer}\n  peer {decision.expected} {decision.named}\n{table.text()}")

    def print(self):
        named = ", ".join(f"{name}: {count}" for name, count in sorted(self.named.items())) or "none"
        print(f"{self.peer}: {self.hands} hands, {self.decisions} decisions, {self.raises} raise ranges, "
              f"{self.failures} differences; by named rules: {named}")


def main():
    rng = random.Random(20240703)
    pokerkit_report, openspiel_report = Report("PokerKit"), Report("OpenSpiel")
    for batch in range((HANDS + HANDS_A_GAME - 1) // HANDS_A_GAME):
        limit = batch % 4 == 3
        table = Table(rng, limit, 120)
        hands = [list(PokerKitHand(table, rng).play()) for _ in range(min(HANDS_A_GAME, HANDS - batch * HANDS_A_GAME))]
        pokerkit_report.compare(table, "cardroom", hands)
        if limit:
            table.stacks = [10_000] * table.players  # the reference engine's limit games know no stacks
        peer = OpenSpielHands(table)
        hands = [list(peer.play(rng)) for _ in range(min(HANDS_A_GAME, HANDS - batch * HANDS_A_GAME))]
        openspiel_report.compare(table, "acpc", hands)
    for report in (pokerkit_report, openspiel_report):
        report.print()
    for name, reason in NAMED_RULES.items():
        if pokerkit_report.named[name]:
            print(f"named rule '{name}': {reason}")
    assert pokerkit_report.hands == openspiel_report.hands == HANDS
    sys.exit(1 if pokerkit_report.failures or openspiel_report.failures else 0)


if __name__ == "__main__":
    main()
