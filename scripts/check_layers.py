#!/usr/bin/env python3
"""Checks every #include in include/ and src/ against cmake/rooms.txt, the only place where the rooms' arrows stand.

usage: scripts/check_layers.py [ROOT]

The rules:
 - "deepcfr/<room>/..." may be included by that room and by the rooms that rooms.txt lets use it;
 - a header that is not under include/ belongs to its room alone;
 - a package's headers are for the rooms of its line; "private" ones never stand in include/;
 - everything else in angle brackets must be the standard library or the operating system.
Prints file:line and the rule for each include that breaks one. Exit status: 0 none, 1 some, 2 rooms.txt cannot be read.
"""

import pathlib
import re
import sys

SUFFIXES = {".h", ".hpp", ".cpp", ".cu", ".cuh", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*(?:"([^"]+)"|<([^>]+)>|(\S+))')
# The language's library has no dot in its names; the C library, POSIX and the compiler's intrinsics are these.
SYSTEM_PREFIXES = ("sys/", "net/", "netinet/", "arpa/", "linux/", "bits/", "ext/")
SYSTEM_HEADERS = set("""
    assert.h ctype.h cxxabi.h dirent.h dlfcn.h errno.h execinfo.h fcntl.h fenv.h float.h getopt.h glob.h immintrin.h
    inttypes.h limits.h locale.h malloc.h math.h netdb.h poll.h pthread.h pwd.h sched.h semaphore.h setjmp.h signal.h
    spawn.h stdarg.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h termios.h time.h unistd.h wchar.h x86intrin.h
""".split())


class Package:
    def __init__(self, name, private, prefixes, rooms):
        self.name, self.private, self.prefixes, self.rooms = name, private, prefixes, rooms


def read_rooms(path):
    """({room: rooms it may use, itself among them}, [Package]); raises ValueError with file:line."""
    rooms, packages, section = {}, [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        try:
            if not line:
                continue
            if re.fullmatch(r"\[\w+\]", line):
                section = line[1:-1]
                continue
            name, rest = (part.strip() for part in line.split(":", 1))
            if section == "rooms":
                rooms[name] = {name, *(known(other, rooms) for other in rest.split())}
            elif section == "packages":
                headers, users = (part.split() for part in rest.split("->"))
                private = "private" in headers
                prefixes = tuple(h for h in headers if h != "private")
                packages.append(Package(name, private, prefixes, {known(user, rooms) for user in users}))
            else:
                raise ValueError("a line before the first [section]")
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
    return rooms, packages


def known(room, rooms):
    if room not in rooms:
        raise ValueError(f"'{room}' is no room that stands above this line")
    return room


def includes(path):
    """(line number, name, is it in angle brackets) for each include that is not inside a comment."""
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), path.read_text(errors="replace"), flags=re.S)
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            quoted, angle, other = match.groups()
            yield number, quoted or angle or other, quoted is None, other is not None


class Checker:
    def __init__(self, root):
        self.root = root
        self.rooms, self.packages = read_rooms(root / "cmake" / "rooms.txt")
        self.findings = []

    def room_of(self, path):
        parts = path.relative_to(self.root).parts
        if parts[:2] == ("include", "deepcfr") and len(parts) > 3:
            return parts[2]
        if parts[0] == "src" and len(parts) > 2:
            return parts[1]
        return None

    def check_tree(self):
        for top in ("include", "src"):
            for path in sorted((self.root / top).rglob("*")):
                if path.suffix in SUFFIXES and path.is_file():
                    self.check_file(path)

    def check_file(self, path):
        room = self.room_of(path)
        if room not in self.rooms:
            self.findings.append(f"{path.relative_to(self.root)}:1: is in no room of cmake/rooms.txt")
            return
        public = path.relative_to(self.root).parts[0] == "include"
        for number, name, angle, computed in includes(path):
            rule = "an include must name its header" if computed else self.broken_rule(path, room, public, name, angle)
            if rule:
                self.findings.append(f"{path.relative_to(self.root)}:{number}: includes {name}: {rule}")

    def broken_rule(self, path, room, public, name, angle):
        """The rule that this include breaks, or None."""
        parts = name.split("/")
        if parts[0] == "deepcfr":
            return self.broken_room_rule(room, name)
        for package in self.packages:
            if name.startswith(package.prefixes):
                if room not in package.rooms:
                    return f"room {room} may not use package {package.name}; only {' '.join(sorted(package.rooms))} may"
                if public and package.private:
                    return f"package {package.name} is private: it may stand in src/{room}/, not in include/"
                return None
        if not angle:
            return self.broken_private_rule(path, room, public, name)
        if "." not in name and "/" not in name or name in SYSTEM_HEADERS or name.startswith(SYSTEM_PREFIXES):
            return None
        return "neither the standard library nor a package of cmake/rooms.txt"

    def broken_room_rule(self, room, name):
        parts = name.split("/")
        other = parts[1] if len(parts) > 2 else ""
        if other not in self.rooms:
            return f"'{other}' is no room of cmake/rooms.txt"
        if other not in self.rooms[room]:
            allowed = " ".join(sorted(self.rooms[room] - {room})) or "no other room"
            return f"room {room} may not use room {other}; it may use: {allowed}"
        if not (self.root / "include" / name).is_file():
            return "there is no such header under include/"
        return None

    def broken_private_rule(self, path, room, public, name):
        if public:
            return 'a header in include/ includes the project\'s own headers as "deepcfr/<room>/..." only'
        home = self.root / "src" / room
        for folder in (path.parent, home):
            target = (folder / name).resolve()
            if target.is_file():
                if home.resolve() in target.parents:
                    return None
                return f"it is private to its room; room {room} may not reach into it"
        first = name.split("/")[0]
        if first in self.rooms and (self.root / "src" / name).is_file():
            return f'it is private to room {first}; own private headers are included relative to src/{room}/'
        return f"there is no such header in src/{room}/"


def main(arguments):
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent).resolve()
    try:
        checker = Checker(root)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    checker.check_tree()
    for finding in checker.findings:
        print(finding)
    if checker.findings:
        print(f"{len(checker.findings)} include(s) against cmake/rooms.txt: move the code to a room that may, or include less")
    return 1 if checker.findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
