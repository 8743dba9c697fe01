"""Both ends of the ACPC protocol for tests: a dealer's side that says what it is told to, a player's side, and whole matches over loopback."""

import re
import socket
import subprocess
import threading

from program import BIN, LIMIT_S

HOST = "127.0.0.1"


class Peer:
    """One end of a connection, line by line as bytes."""

    def __init__(self, connection):
        self.socket = connection
        self.socket.settimeout(LIMIT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def line(self):
        """The next line with its end; what is left when the other side has closed."""
        while b"\n" not in self.buffer:
            packet = self.socket.recv(65536)
            if not packet:
                break
            self.buffer += packet
        line, end, self.buffer = self.buffer.partition(b"\n")
        return line + end

    def rest(self):
        """Everything until the other side closes, without waiting for more than that."""
        try:
            while packet := self.socket.recv(65536):
                self.buffer += packet
        except ConnectionResetError:
            pass
        return self.buffer

    def silent(self, seconds=0.3):
        """Whether nothing arrives for a while."""
        self.socket.settimeout(seconds)
        try:
            packet = self.socket.recv(65536)
            self.buffer += packet
            return False
        except socket.timeout:
            return True
        finally:
            self.socket.settimeout(LIMIT_S)

    def close(self):
        self.socket.close()


class Server:
    """A listener, and `deepcfr connect` started to play at it."""

    def __init__(self, *player, options=(), listen=True):
        self.peers = []
        self.listener = socket.socket()
        self.listener.bind((HOST, 0))
        self.port = self.listener.getsockname()[1]
        if listen:
            self.listen()
        command = [BIN, "connect", *map(str, player), HOST, str(self.port), "--json", *map(str, options)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def listen(self):
        self.listener.listen()
        self.listener.settimeout(LIMIT_S)

    def accept(self, version=True):
        peer = Peer(self.listener.accept()[0])
        self.peers.append(peer)
        if version:
            peer.version = peer.line()
        return peer

    def finish(self):
        """(exit code, stdout, stderr)"""
        out, err = self.process.communicate(timeout=LIMIT_S)
        return self.process.returncode, out, err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()
        for peer in self.peers:
            peer.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


def start_dealer(game, hands, seed, players, *options):
    """(process, ports of the players named acpc)"""
    process = subprocess.Popen([BIN, "dealer", str(game), str(hands), str(seed), *players, *map(str, options)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    remote = sum(player.startswith("acpc") for player in players)
    line = process.stdout.readline() if remote else ""
    if remote and not re.fullmatch(r"\d+( \d+)*\n", line):
        raise AssertionError(f"no ports: {line}{process.communicate()}")
    return process, [int(port) for port in line.split()]


class Match:
    """A match between `agents` over loopback: an agent is a player's name, which plays through `connect`, or None where `players` says who plays."""

    def __init__(self, game, hands, seed, agents, *options, connect_options=()):
        players = ["acpc"] * len(agents)
        self.dealer, ports = start_dealer(game, hands, seed, players, *options)
        self.clients = []
        for number, (agent, port) in enumerate(zip(agents, ports)):
            command = [BIN, "connect", str(agent), HOST, str(port), "--json", *map(str, connect_options)]
            if "--seed" not in command:
                command += ["--seed", str(number)]
            if "--game" not in command and not str(agent).startswith("/"):
                command += ["--game", str(game)]
            self.clients.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        # The pipes are read while the match goes on, so that nobody waits for a full one.
        outputs = [None] * len(self.clients)

        def collect(index):
            outputs[index] = self.clients[index].communicate(timeout=LIMIT_S)

        threads = [threading.Thread(target=collect, args=(index,)) for index in range(len(self.clients))]
        for thread in threads:
            thread.start()
        self.out, self.err = self.dealer.communicate(timeout=LIMIT_S)
        for thread in threads:
            thread.join()
        self.outputs = outputs

    def check(self):
        """The SCORE line, after every exit code has been found 0."""
        codes = [self.dealer.returncode] + [client.returncode for client in self.clients]
        if any(codes):
            raise AssertionError(f"exit codes {codes}\n{self.err}\n" + "\n".join(err for _, err in self.outputs))
        return self.out.splitlines()[-1]


def read_score(line):
    """{name: total} of a SCORE line."""
    _, totals, names = line.split(":")
    return dict(zip(names.split("|"), map(float, totals.split("|"))))


def read_log(path):
    """[(values by name)] of a log's STATE lines, and its SCORE line."""
    hands, score = [], None
    for line in path.read_text().splitlines():
        if line.startswith("STATE:"):
            values, names = line.split(":")[-2:]
            hands.append(dict(zip(names.split("|"), map(float, values.split("|")))))
        elif line.startswith("SCORE:"):
            score = line
    return hands, score
