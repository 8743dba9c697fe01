"""scripts/librarian.sh: passes on documents that are in their places, and has one finding for each broken rule."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ.get("DEEPCFR_SOURCE_DIR", pathlib.Path(__file__).parents[2]))

GOOD = {
    "README.md": "# Program\n\n[for agents](AGENTS.md#commands)\n\n```sh\n./scripts/deepcfr train x.yaml\n```\n",
    "AGENTS.md": "# Agents\n\n## Commands\n\n[documents](docs/README.md)\n",
    "docs/README.md": "# Documents\n\n[a](architecture.md) [c](configuration.md) [f](formats.md) [p](performance.md) [i](ideas.md)\n"
                      "[research](research/README.md) [plans](plans/) [archive](archive/README.md)\n",
    "docs/architecture.md": "# Architecture\n",
    "docs/configuration.md": "# Configuration\n\nseed\n",
    "docs/formats.md": "# Formats\n",
    "docs/performance.md": "# Performance\n",
    "docs/ideas.md": "# Ideas\n\n## Active Research Threads\n",
    "docs/research/README.md": "# Research\n\n[runtime](runtime.md)\n",
    "docs/research/runtime.md": "# Runtime\n",
    "docs/plans/README.md": "# Plans\n\n[one](one.md)\n",
    "docs/plans/one.md": "# One\n\nStatus: agreed\nDate: 2026-01-02\n",
    "docs/archive/README.md": "# Archive\n\n[try](2026-01-03-try.md)\n",
    "docs/archive/2026-01-03-try.md": "# A try\n",
    "scripts/deepcfr": "#!/bin/sh\n",
}


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name, text in GOOD.items():
            self.write(name, text)
        (self.root / "scripts/deepcfr").chmod(0o755)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_librarian(self):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("DEEPCFR_", "GIT_"))}
        return subprocess.run([SOURCE / "scripts/librarian.sh", self.root],
                              capture_output=True, text=True, timeout=60, env=environment)

    def finds(self, *expected):
        """Exactly these findings: each the beginning of a line."""
        result = self.run_librarian()
        lines = result.stdout.splitlines()[:-1]
        self.assertEqual(result.returncode, 1 if expected else 0, result.stdout + result.stderr)
        self.assertEqual(len(lines), len(expected), result.stdout)
        for beginning in expected:
            self.assertTrue(any(line.startswith(beginning) for line in lines), f"{beginning}\nnot in\n{result.stdout}")

    def test_everything_in_its_place(self):
        self.finds()

    def test_missing_document(self):
        (self.root / "docs/formats.md").unlink()
        self.finds("docs/formats.md:1: missing", "docs/README.md:3: link to formats.md leads nowhere")

    def test_missing_folder(self):
        for name in ("docs/archive/2026-01-03-try.md", "docs/archive/README.md"):
            (self.root / name).unlink()
        (self.root / "docs/archive").rmdir()
        self.finds("docs/archive/:1: missing", "docs/README.md:4: link to archive/README.md leads nowhere")

    def test_dead_link_and_anchor(self):
        self.write("docs/formats.md", "# Formats\n\n[x](nowhere.md) [y](ideas.md#active-research-threads) [z](ideas.md#none)\n"
                                      "`[code](nowhere.md)` [w](https://example.org/nowhere.md)\n```\n[fenced](nowhere.md)\n```\n")
        self.finds("docs/formats.md:3: link to nowhere.md leads nowhere", "docs/formats.md:3: no heading #none in docs/ideas.md")

    def test_unreachable_file(self):
        self.write("docs/research/data.csv", "1,2\n")
        self.finds("docs/research/data.csv:1: no link leads here")

    def test_long_performance(self):
        self.write("docs/performance.md", "# Performance\n" + "line\n" * 500)
        self.finds("docs/performance.md:501: 501 lines, at most 500; route, don't split")

    def test_plan_without_status(self):
        self.write("docs/plans/one.md", "# One\n" + "\n" * 8 + "Status: agreed\nDate: 2026-01-02\n")
        self.finds("docs/plans/one.md:1: no 'Status:'", "docs/plans/one.md:1: no 'Date:'")

    def test_archive_without_date_and_title(self):
        self.write("docs/archive/README.md", "# Archive\n\n[try](2026-01-03-try.md) [b](2026-13-01-b.md)\n")
        self.write("docs/archive/2026-13-01-b.md", "text\n")
        self.finds("docs/archive/2026-13-01-b.md:1: does not begin with a title",
                   "docs/archive/2026-13-01-b.md:1: its name does not begin with a date")

    def test_ideas_without_threads(self):
        self.write("docs/ideas.md", "# Ideas\n")
        self.finds("docs/ideas.md:1: no heading 'Active Research Threads'")

    def test_command_that_does_not_exist(self):
        self.write("README.md", GOOD["README.md"] + "\n```sh\n$ ./scripts/nothing.sh && ./scripts/deepcfr\n```\n")
        self.finds("README.md:10: ./scripts/nothing.sh is no script")

    def test_machine_path(self):
        self.write("src/a.cpp", "int x;\n// see /" + "home/somebody/x\n")
        self.finds("src/a.cpp:2: path of a machine")

    def test_ignored_files_are_not_read(self):
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.write(".gitignore", "/scratch/\n")
        self.write("scratch/a.txt", "/" + "home/somebody\n")
        self.finds()

    def test_configuration_is_generated(self):
        self.write("build/release/deepcfr", "#!/bin/sh\nprintf '# Configuration\\n\\nseed\\n'\n")
        (self.root / "build/release/deepcfr").chmod(0o755)
        self.finds()
        self.write("docs/configuration.md", "# Configuration\n\nseeds\n")
        self.finds("docs/configuration.md:3: differs from what 'deepcfr config docs' prints")


if __name__ == "__main__":
    unittest.main()
