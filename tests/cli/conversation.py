"""A conversation with the program at a terminal (pty)."""

import os
import pty
import select
import subprocess
import time
import unittest

from program import BIN


class Conversation:
    """The program as somebody sees it who sits at a terminal: expect() waits for text, send() types."""

    def __init__(self, *arguments, cwd=None, columns=100, **environment):
        try:
            self.pid, self.terminal = pty.fork()
        except OSError as error:  # a bare container without /dev/pts
            raise unittest.SkipTest(f"no terminal can be made here: {error}")
        if self.pid == 0:
            if cwd:
                os.chdir(cwd)
            known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG")}
            os.execve(BIN, [BIN, *map(str, arguments)], {**known, "TERM": "xterm-256color", **environment})
        subprocess.run(["stty", "rows", "24", "cols", str(columns)], stdin=self.terminal, check=True)
        self.written = ""
        self.read = 0  # characters that expect() has passed

    def _pump(self, wait):
        """False when the other side has closed."""
        if not select.select([self.terminal], [], [], wait)[0]:
            return True
        try:
            chunk = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.written += chunk.decode()
        return bool(chunk)

    def expect(self, text, seconds=120):
        deadline = time.monotonic() + seconds
        while text not in self.written[self.read:]:
            if time.monotonic() > deadline or not self._pump(0.5):
                raise AssertionError(f"{text!r} did not come; the terminal shows:\n{self.written}")
        self.read = self.written.index(text, self.read) + len(text)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def settings(self):
        return subprocess.run(["stty", "-g"], stdin=self.terminal, capture_output=True, check=True, text=True).stdout

    def end(self, seconds=120):
        """Exit code and everything that was written."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self._pump(0.5):
            pass
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.terminal)
        return code, self.written
