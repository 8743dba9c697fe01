"""OpenSpiel against this program on one core, in turn: forwards/s of its Deep CFR (bar 5), its C++ game logic (bar 6). Run by
scripts/bench_peers.sh. All rates are by CPU time.

- Forwards: open_spiel.python.pytorch.deep_cfr as it is, traversals of Leduc with advantage networks of 3 x 64; every call of a network is
  counted by a hook. Ours: forwards/s of interleaved traversals, float32, recorded samples included on both sides.
- Walk: external sampling with uniform strategies in C++ over OpenSpiel's State (openspiel_walk.cpp: no network, no records, states moved
  rather than copied where they can be); decisions are counted in the walk. Ours: walk_bench, records included.
"""
import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import time

sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)  # openspiel_walk.so takes its symbols from here
import pyspiel  # noqa: E402

GAMES = {
    "leduc": "leduc_poker",
    "fhp": "universal_poker(betting=limit,numPlayers=2,numRounds=2,blind=10 5,firstPlayer=2 1,numSuits=4,numRanks=13,numHoleCards=2,"
           "numBoardCards=0 3,raiseSize=10 10,maxRaises=3 3)",
    "hulh": "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,firstPlayer=2 1 1 1,numSuits=4,numRanks=13,numHoleCards=2,"
            "numBoardCards=0 3 1 1,raiseSize=10 10 20 20,maxRaises=3 4 4 4)",
}


class OpenSpielWalk:
    def __init__(self, library):
        self.walk = ctypes.CDLL(library).openspiel_walk
        self.walk.restype = ctypes.c_double
        self.walk.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_double, ctypes.POINTER(ctypes.c_double)]

    def __call__(self, game, seconds):
        per_traversal = ctypes.c_double()
        rate = self.walk(GAMES[game].encode(), 0, seconds, ctypes.byref(per_traversal))
        return rate, per_traversal.value


class OpenSpielDeepCfr:
    def __init__(self):
        import torch
        from open_spiel.python.pytorch import deep_cfr
        torch.set_num_threads(1)
        self.solver = deep_cfr.DeepCFRSolver(pyspiel.load_game("leduc_poker"), policy_network_layers=(64, 64, 64),
                                             advantage_network_layers=(64, 64, 64), num_iterations=1, num_traversals=1)
        self.forwards = 0
        for network in self.solver._advantage_networks:
            network.register_forward_pre_hook(self.count)

    def count(self, *_):
        self.forwards += 1

    def __call__(self, seconds):
        before, start = self.forwards, time.process_time()
        while time.process_time() - start < seconds:
            for player in (0, 1):
                self.solver._traverse_game_tree(self.solver._root_node, player)
        return (self.forwards - before) / (time.process_time() - start)


def ours_json(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def our_forwards(build, dtype, seconds):
    result = ours_json(f"{build}/inference_backend_bench", "--game", "leduc", "--models", "mlp:3x64", "--dtypes", dtype, "--modes", "interleaved",
                       "--workers", "1", "--repeats", "1", "--seconds", str(seconds), "--json")
    return result["rows"][0]["decisions_per_second"]


def our_walk(build, game):
    result = ours_json(f"{build}/walk_bench", "--json", "--rounds", "8", game)[0]
    return result["interleaved_decisions_per_second"]["mean"], result["decisions_per_traversal"]


def summary(name, bar, ours, theirs, unit):
    ratios = [a / b for a, b in zip(ours, theirs)]
    entry = {"what": name, "ours": statistics.median(ours), "openspiel": statistics.median(theirs), "ratio": statistics.median(ratios),
             "min": min(ratios), "max": max(ratios), "bar": bar, "met": None if bar is None else statistics.median(ratios) >= bar}
    verdict = "" if bar is None else f", bar {bar}: {'met' if entry['met'] else 'MISSED'}"
    text = (f"{name}: ours {entry['ours']:,.0f}, OpenSpiel {entry['openspiel']:,.0f} {unit}; ratio {entry['ratio']:.2f} "
            f"({entry['min']:.2f}..{entry['max']:.2f}){verdict}")
    return entry, text


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench_peers.sh")
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--walk", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each side in a round")
    parser.add_argument("--no-deep-cfr", action="store_true", help="game logic only (needs no torch for Python)")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    entries, texts = {}, []

    def tell(key, *of):
        entries[key], text = summary(*of)
        texts.append(text)

    walk = OpenSpielWalk(arguments.walk)
    for game in GAMES:
        rates = [[], []]
        for _ in range(arguments.rounds):
            ours, our_length = our_walk(arguments.build, game)
            theirs, their_length = walk(game, arguments.seconds)
            if abs(our_length / their_length - 1) > 0.05:
                sys.exit(f"error: {game}: {our_length:.2f} decisions a traversal here, {their_length:.2f} in OpenSpiel: not the same game")
            rates[0].append(ours)
            rates[1].append(theirs)
        tell("6" if game == "hulh" else f"6 ({game})", f"bar 6, game logic, {game}", 5.0 if game == "hulh" else None, *rates, "decisions/s")
    if not arguments.no_deep_cfr:
        peer = OpenSpielDeepCfr()
        peer(0.5)
        rates = {"float32": [[], []], "bfloat16": [[], []]}
        for _ in range(arguments.rounds):
            for dtype, (ours, theirs) in rates.items():
                ours.append(our_forwards(arguments.build, dtype, arguments.seconds))
                theirs.append(peer(arguments.seconds))
        for dtype, sides in rates.items():
            tell("5" if dtype == "float32" else f"5 ({dtype})", f"bar 5, Deep CFR on Leduc, 3 x 64, {dtype} here", 100.0, *sides, "forwards/s")
    print(json.dumps(entries, indent=2) if arguments.json else "\n".join(texts))


if __name__ == "__main__":
    main()
