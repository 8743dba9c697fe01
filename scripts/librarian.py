#!/usr/bin/env python3
"""Checks that the documents are in their places. Called through scripts/librarian.sh.

 - the documents of EXPECTED exist;
 - every relative link in a Markdown file leads to a file, and its #anchor to a heading there;
 - every file under docs/ can be reached by links from docs/README.md or AGENTS.md;
 - docs/performance.md, the present state, has at most 500 lines: more means that something belongs elsewhere;
 - docs/plans/*.md begin with a title, then Status: and Date: within 8 lines;
 - docs/archive/*.md begin with a title, and their names with a date;
 - docs/ideas.md has the heading "Active Research Threads";
 - a command ./scripts/... in a ```sh block names a script that can be run;
 - no tracked file names a path of somebody's machine;
 - docs/configuration.md is what `deepcfr config docs` prints, where the program has been built
   (DEEPCFR_BIN, or build/release/deepcfr).
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

EXPECTED = """README.md AGENTS.md docs/README.md docs/architecture.md docs/configuration.md docs/formats.md
    docs/performance.md docs/ideas.md docs/research/ docs/plans/ docs/archive/""".split()
PERFORMANCE_LINES = 500
HEAD_LINES = 8
NOT_OURS = {".git", "build", ".venv", ".venv-peers", ".cache", "runs", "__pycache__"}
FENCE = re.compile(r"^\s*(```+|~~~+)\s*(\w*)")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*)?\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s+<?(\S+?)>?\s*$")
MACHINE_PATH = re.compile(r"(?<![A-Za-z])/(?:work|farm|home)/")


class Document:
    """A Markdown file: its lines outside fenced blocks, the commands inside ```sh blocks, its links and anchors."""

    def __init__(self, path):
        self.path = path
        self.lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        self.prose, self.commands = [], []
        fence = language = None
        for number, line in enumerate(self.lines, 1):
            match = FENCE.match(line)
            if fence is None and match:
                fence, language = match.group(1), match.group(2)
            elif fence and match and match.group(1).startswith(fence) and not match.group(2):
                fence = None
            elif fence is None:
                self.prose.append((number, line))
            elif language in ("sh", "bash", "shell", "console"):
                self.commands.append((number, line.strip().removeprefix("$ ")))
        self.links = []
        for number, line in self.prose:
            bare = re.sub(r"`[^`]*`", lambda code: "x" * len(code.group()), line)
            self.links += [(number, target) for target in LINK.findall(bare) + REFERENCE.findall(bare)]

    def anchors(self):
        found, seen = set(), {}
        for _, line in self.prose:
            heading = re.match(r"^#{1,6}\s+(.*?)\s*#*\s*$", line)
            if heading:
                text = LINK.sub(lambda link: re.match(r"!?\[(.*)\]\(", link.group()).group(1), heading.group(1))
                slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
                count = seen.get(slug, 0)
                seen[slug] = count + 1
                found.add(f"{slug}-{count}" if count else slug)
            found.update(re.findall(r'<a\s+(?:id|name)="([^"]+)"', line))
        return found


class Librarian:
    def __init__(self, root):
        self.root = root
        self.findings = []
        self.files = self.tracked()
        self.documents = {f: Document(f) for f in self.files if f.suffix == ".md"}

    def find(self, path, line, what, remedy):
        name = path.relative_to(self.root) if isinstance(path, pathlib.Path) else path
        self.findings.append(f"{name}:{line}: {what}; {remedy}")

    def tracked(self):
        """Files that git tracks or would add; without git, everything that is not a build product."""
        try:
            command = ["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            names = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
            top = subprocess.run(["git", "-C", str(self.root), "rev-parse", "--show-toplevel"], capture_output=True, check=True)
            if pathlib.Path(top.stdout.decode().strip()).resolve() == self.root:
                return sorted({self.root / name for name in names if name and (self.root / name).is_file()})
        except (OSError, subprocess.CalledProcessError):
            pass
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [f for f in folders if f not in NOT_OURS]
            found += [pathlib.Path(folder) / name for name in names]
        return sorted(f for f in found if f.is_file())

    def check(self):
        self.check_expected()
        self.check_links()
        self.check_reachable()
        self.check_shapes()
        self.check_commands()
        self.check_machine_paths()
        self.check_configuration()
        return self.findings

    def check_expected(self):
        for name in EXPECTED:
            path = self.root / name
            if name.endswith("/"):
                if not any(path in f.parents for f in self.files):
                    self.find(name, 1, "missing", "make the folder with a README.md that says what belongs there")
            elif not path.is_file():
                self.find(name, 1, "missing", "write it; AGENTS.md says what belongs where")

    def target(self, document, link):
        """(path, anchor) of a relative link, or None for one that leads out of the project."""
        if re.match(r"^[a-zA-Z][a-zA-Z0-9+.-]*:", link) or link.startswith("//"):
            return None
        name, _, anchor = urllib.parse.unquote(link).partition("#")
        if not name:
            return document.path, anchor
        base = self.root if name.startswith("/") else document.path.parent
        return pathlib.Path(os.path.normpath(base / name.lstrip("/"))), anchor

    def check_links(self):
        for document in self.documents.values():
            for number, link in document.links:
                target = self.target(document, link)
                if target is None:
                    continue
                path, anchor = target
                if not path.exists():
                    self.find(document.path, number, f"link to {link} leads nowhere", "mend the path or take the link out")
                elif anchor and path in self.documents and anchor not in self.documents[path].anchors():
                    self.find(document.path, number, f"no heading #{anchor} in {path.relative_to(self.root)}", "mend the anchor")

    def check_reachable(self):
        queue = [self.root / "docs" / "README.md", self.root / "AGENTS.md"]
        reached = set()
        while queue:
            path = queue.pop()
            if path.is_dir():
                path = path / "README.md"
            if path in reached:
                continue
            reached.add(path)
            if path in self.documents:
                targets = (self.target(self.documents[path], link) for _, link in self.documents[path].links)
                queue += [target[0] for target in targets if target]
        for path in self.files:
            if self.root / "docs" in path.parents and path not in reached and path.name != ".gitkeep":
                self.find(path, 1, "no link leads here from docs/README.md or AGENTS.md", "link it from the README.md of its folder")

    def check_shapes(self):
        for path, document in self.documents.items():
            folder = str(path.parent.relative_to(self.root))
            if folder not in ("docs/plans", "docs/archive") or path.name == "README.md":
                continue
            if not (document.lines and document.lines[0].startswith("# ")):
                self.find(path, 1, "does not begin with a title", "begin with '# Title'")
            if folder == "docs/plans":
                head = document.lines[1 : 1 + HEAD_LINES]
                for word in ("Status:", "Date:"):
                    if not any(line.lstrip("*_- ").startswith(word) for line in head):
                        self.find(path, 1, f"no '{word}' within {HEAD_LINES} lines of the title", f"add a line '{word} …'")
            elif not is_date(path.name[:10]):
                self.find(path, 1, "its name does not begin with a date", "rename it YYYY-MM-DD-subject.md")
        performance = self.documents.get(self.root / "docs/performance.md")
        if performance and len(performance.lines) > PERFORMANCE_LINES:
            self.find(performance.path, PERFORMANCE_LINES + 1, f"{len(performance.lines)} lines, at most {PERFORMANCE_LINES}",
                      "route, don't split: experiments to docs/archive/, reasons to docs/research/, the present state stays")
        ideas = self.documents.get(self.root / "docs/ideas.md")
        if ideas and "active-research-threads" not in ideas.anchors():
            self.find(ideas.path, 1, "no heading 'Active Research Threads'", "add it: open thoughts stand under it")

    def check_commands(self):
        for document in self.documents.values():
            for number, command in document.commands:
                for name in re.findall(r"(?:^|[;&|(]\s*|\s)\./(scripts/[\w./-]+)", command):
                    if not os.access(self.root / name, os.X_OK) or not (self.root / name).is_file():
                        self.find(document.path, number, f"./{name} is no script that can be run", "mend the command, or chmod +x")

    def check_machine_paths(self):
        for path in self.files:
            data = path.read_bytes()
            if b"\0" in data[:8192]:
                continue
            for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), 1):
                match = MACHINE_PATH.search(line)
                if match:
                    self.find(path, number, f"path of a machine: …{line[match.start():match.start() + 30].strip()}",
                              "name it relative to the checkout")

    def check_configuration(self):
        program = pathlib.Path(os.environ.get("DEEPCFR_BIN") or self.root / "build/release/deepcfr")
        page = self.root / "docs/configuration.md"
        if not program.is_file() or not page.is_file():
            return
        remedy = "run: ./scripts/deepcfr config docs > docs/configuration.md"
        try:
            result = subprocess.run([program, "config", "docs"], capture_output=True, timeout=30, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            self.find(page, 1, f"cannot be checked, 'deepcfr config docs' failed ({error})", "build the program again")
            return
        have, want = page.read_text().splitlines(), result.stdout.decode().splitlines()
        if have != want:
            same = next((i for i, (a, b) in enumerate(zip(have, want)) if a != b), min(len(have), len(want)))
            self.find(page, same + 1, "differs from what 'deepcfr config docs' prints", remedy)


def is_date(text):
    try:
        datetime.date.fromisoformat(text)
        return True
    except ValueError:
        return False


def main(arguments):
    findings = Librarian(pathlib.Path(arguments[0]).resolve()).check()
    for finding in findings:
        print(finding)
    print(f"librarian: {len(findings)} finding(s)" if findings else "librarian: everything is in its place")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
